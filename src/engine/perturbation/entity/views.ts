/** DiagnoseRE's views of an example (Li et al. 2021, Q5): what a model makes of the entities alone, and of the context alone. */
import type { Span } from '../../../protocol/dataset';
import { shuffled } from '../../statistics/random';
import { applyEdits } from '../edits';
import type { NotApplicable } from '../perturbation';
import { randomFor } from '../seeds';
import type { Source, Variant } from '../source';
import { entityPerturbation } from './entity-perturbation';
import { roles } from './entity-pool';
import { mentionsOf, whyNotReplaceable } from './replaced';

/** The words of the first entity, then those of the second, in the order of the text, and nothing else. */
export const entityOnly = entityPerturbation(
  {
    id: 'entity-only',
    name: 'Entities only',
    description: 'Leaves only the two entities, in the order of the text: Li et al. 2021 (DiagnoseRE, Q5, OE).',
    parts: ['before', 'between', 'after'],
  },
  (source) => {
    const reason = whyNotReplaceable(source);
    if (reason !== null) return reason;
    const { text, spans, types } = source;
    const { head, tail } = spans!;
    const isHeadFirst = head.start < tail.start;
    const [first, second] = isHeadFirst ? [head, tail] : [tail, head];
    const [one, two] = [text.slice(first.start, first.end), text.slice(second.start, second.end)];
    const places: [Span, Span] = [
      { start: 0, end: one.length },
      { start: one.length + 1, end: one.length + 1 + two.length },
    ];
    const [inHead, inTail] = isHeadFirst ? places : [places[1], places[0]];
    const cut = (start: number, end: number, at: Span) => ({ source: { start, end }, variant: at });
    return [
      {
        text: `${one} ${two}`,
        spans: { head: inHead, tail: inTail },
        mentions: null,
        aspect: null,
        types,
        edits: [
          cut(0, first.start, { start: 0, end: 0 }),
          cut(first.end, second.start, { start: one.length, end: one.length + 1 }),
          cut(second.end, text.length, { start: places[1].end, end: places[1].end }),
        ].filter(({ source: from, variant: to }) => from.start < from.end || to.start < to.end),
      },
    ];
  },
);

/** The text without its entities, whose spans are empty: the markers still stand where they stood. */
export const contextOnly = entityPerturbation(
  {
    id: 'context-only',
    name: 'Context only',
    description: 'Takes the words of both entities away: Li et al. 2021 (DiagnoseRE, Q5, ME).',
    options: [
      {
        name: 'share',
        description: 'share of the examples that are masked, drawn at random',
        standard: 1,
        low: 0,
        high: 1,
        isInteger: false,
      },
    ],
  },
  (source, { option, random }) => {
    const reason = whyNotReplaceable(source);
    if (reason !== null) return reason;
    return random.uniform() < option('share') ? [withoutEntities(source)] : { reason: 'it was not drawn' };
  },
);

/**
 * The entities of frequent pairs masked, so that no pair is learnt by heart: of a pair with freq examples min(freq - 1, max(int(freq rate), 1))
 * are masked, rate = (freq - min) / (max - min) over all pairs (METHODS A.6). One example of each pair stays whole.
 */
export const frequencyMasking = entityPerturbation(
  {
    id: 'frequency-masking',
    name: 'Masked frequent pairs',
    description:
      'Takes the entities away in most examples of frequent pairs, in none of those that are the only one: Li et al. 2021 (DiagnoseRE, Q5).',
  },
  (source, { pool, seed }): readonly Variant[] | NotApplicable => {
    const place = pool?.placeOf(source) ?? null;
    if (pool === null || place === null) return { reason: 'the entities of the dataset were not collected' };
    const reason = whyNotReplaceable(source);
    if (reason !== null) return reason;
    const { least, most } = pool.pairCounts;
    const rate = most === least ? 0 : (place.count - least) / (most - least);
    const masked = Math.min(place.count - 1, Math.max(Math.floor(place.count * rate), 1));
    const order = shuffled(
      Array.from({ length: place.count }, (_, index) => index),
      randomFor(seed, 'frequency-masking', place.pair),
    );
    return order.slice(0, masked).includes(place.index)
      ? [withoutEntities(source)]
      : { reason: place.count === 1 ? 'it is the only example of its pair' : 'its pair is masked in other examples' };
  },
);

/** Of the two spaces that are left around an entity one goes too. */
function withoutEntities(source: Source): Variant {
  const { text } = source;
  const edits = roles
    .flatMap((role) => mentionsOf(source, role))
    .flatMap(({ start, end }) => {
      const region = { start, end };
      const removed = { start, end, text: '', region };
      const isBetweenSpaces = text[end] === ' ' && (start === 0 || text[start - 1] === ' ');
      const space = { start: end, end: end + 1 };
      return isBetweenSpaces ? [removed, { ...space, text: '', region: space }] : [removed];
    });
  return applyEdits(source, edits);
}
