import type { VariantPerturbation } from '../perturbation';

/** Head is tail and tail is head; the text does not change. */
export const rolesExchanged: VariantPerturbation = {
  kind: 'variants',
  id: 'roles-exchanged',
  family: 'counterfactual',
  name: 'Head and tail exchanged',
  description:
    'Exchanges the roles of head and tail; the text does not change. Where the head comes first in every training row, a model has never seen the like.',
  tasks: ['relation'],
  parts: ['head', 'tail'],
  expectation: { kind: 'label-becomes', label: null },
  options: [],
  variants({ text, spans, mentions, aspect, types }) {
    if (spans === null) return { reason: 'it has no entities' };
    const { head, tail } = spans;
    if (head.start === tail.start && head.end === tail.end) return { reason: 'head and tail are one' };
    return [
      {
        text,
        spans: { head: tail, tail: head },
        mentions: mentions === null ? null : { head: [...mentions.tail], tail: [...mentions.head] },
        aspect,
        types: types === null ? null : { head: types.tail, tail: types.head },
        edits: [],
      },
    ];
  },
};
