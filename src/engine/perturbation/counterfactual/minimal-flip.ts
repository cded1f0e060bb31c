import { applyEdits } from '../edits';
import { mostLikely } from '../expectations';
import type { SearchAnswer, SearchAsk, SearchPerturbation } from '../perturbation';
import type { Variant } from '../source';
import { withoutWords } from '../words';
import { type RemovableWord, removableWords } from './weighed-words';

/**
 * The fewest words whose removal changes the predicted label, found greedily: one word, if one is enough; else words are taken away in the order
 * of their weight until the label changes, and put back one by one as long as it stays changed. So no word of the result can be put back.
 */
export const minimalFlip: SearchPerturbation = {
  kind: 'search',
  id: 'minimal-flip',
  family: 'counterfactual',
  name: 'Fewest words that decide',
  description:
    'Hides as few words as change the label (a mask in their places where the model has one); fails where a few are enough: after Ross et al. 2021 (MiCE).',
  tasks: ['sentiment', 'relation'],
  parts: ['before', 'between', 'after', 'context'],
  expectation: { kind: 'label-stays' },
  options: [
    { name: 'most', description: 'words that are hidden at most', standard: 3, low: 1, high: 20, isInteger: true },
    {
      name: 'budget',
      description: 'predictions that are asked for at most',
      standard: 60,
      low: 1,
      high: 1000,
      isInteger: true,
    },
  ],
  *search(source, { regions, option }, { predicted, maskToken }) {
    const { words } = yield { kind: 'words' };
    const allowed = new Set(regions.map(({ start }) => start));
    const removable = removableWords(source, words, ({ start }) => allowed.has(start));
    if (removable.length === 0) return { reason: 'there is no word to hide' };
    let left = option('budget');
    const hidden = (chosen: readonly RemovableWord[]): Variant =>
      applyEdits(source, withoutWords(source.text, chosen, maskToken ?? ''));
    /** Which of the choices change the label; null: the budget is used up. */
    const flipping = function* (
      choices: readonly (readonly RemovableWord[])[],
    ): Generator<SearchAsk, boolean[] | null, SearchAnswer> {
      if (choices.length > left) return null;
      left -= choices.length;
      const { probabilities } = yield { kind: 'predictions', variants: choices.map(hidden) };
      return probabilities.map((one) => mostLikely(one) !== predicted);
    };
    const singles = removable.slice(0, left).map((word) => [word]);
    const alone = yield* flipping(singles);
    const first = alone?.indexOf(true) ?? -1;
    if (first >= 0) return [hidden(singles[first]!)];
    const growing = Array.from({ length: Math.max(0, Math.min(option('most'), removable.length) - 1) }, (_, index) =>
      removable.slice(0, index + 2),
    );
    const grown = growing.length === 0 ? null : yield* flipping(growing);
    const enough = grown?.indexOf(true) ?? -1;
    if (enough < 0) return { reason: `no ${option('most')} words or fewer were found that change the label` };
    let chosen: readonly RemovableWord[] = growing[enough]!;
    for (;;) {
      const smaller: readonly RemovableWord[][] = chosen.map((word) => chosen.filter((other) => other !== word));
      const still: boolean[] | null = yield* flipping(smaller);
      const index: number = still?.indexOf(true) ?? -1;
      if (index < 0) return [hidden(chosen)];
      chosen = smaller[index]!;
    }
  },
};
