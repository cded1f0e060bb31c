import { wordsIn } from '../words';
import { combined, randomPerturbation } from './random-perturbation';

/** These are words as often as numbers ("2" for "to", "4" for "for"): CheckList leaves them alone. */
const spared: ReadonlySet<string> = new Set(['2', '4']);

/** Each number of a part by one within 20 % of it, never by itself. */
export const changeNumber = randomPerturbation(
  {
    id: 'change-number',
    name: 'Change numbers',
    description:
      'Writes another number within 20 % in the place of each: Ribeiro et al. 2020 (CheckList), as in Li et al. 2021 (DiagnoseRE, Q1).',
  },
  (example, context) =>
    combined(
      example,
      context,
      (_, region) => {
        const edits = wordsIn(example.text, [region])
          .filter(({ text }) => /^[0-9]{1,15}$/.test(text) && !spared.has(text))
          .flatMap((word) => {
            const number = Number(word.text);
            const most = Math.floor(0.2 * number) + 1;
            const least = -Math.min(most, Math.max(0, number - 1));
            // Zero is no change: what would be it, and all above, move up by one.
            const drawn = least + context.random.int(most - least);
            const changed = number + (drawn >= 0 ? drawn + 1 : drawn);
            return changed < 0 ? [] : [{ start: word.start, end: word.end, text: String(changed), region }];
          });
        return edits.length === 0 ? [] : [edits];
      },
      'there is no number to change',
    ),
);
