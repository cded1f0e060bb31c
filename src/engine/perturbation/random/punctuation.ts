import type { Edit } from '../source';
import { combined, contextParts, randomPerturbation } from './random-perturbation';

const trailing = /[\p{P}\s]*\p{P}[\p{P}\s]*$/u;
const source = 'Ribeiro et al. 2020 (CheckList), as in Li et al. 2021 (DiagnoseRE, Q1)';

/** White space before the punctuation stays: what follows the part needs it. */
function trailingOf(text: string): { start: number; end: number } | null {
  const found = trailing.exec(text);
  if (found === null) return null;
  const spaceAfter = /\s*$/.exec(text)![0].length;
  // A part that is nothing but punctuation is passed over.
  return found.index === 0
    ? null
    : { start: found.index + /^\s*/.exec(found[0])![0].length, end: text.length - spaceAfter };
}

/** Punctuation at the end of a part taken away, and a full stop put there. */
export const punctuation = randomPerturbation(
  {
    id: 'punctuation',
    name: 'Punctuation',
    description: `Takes away the punctuation at the end of a part, or puts a full stop there: ${source}.`,
    parts: contextParts,
  },
  (example, context) =>
    combined(
      example,
      context,
      (text, region) => {
        if (!/\p{L}|\p{N}/u.test(text)) return [];
        const last = trailingOf(text);
        const end = text.trimEnd().length;
        const at = { start: region.start + (last?.start ?? end), end: region.start + (last?.end ?? end), region };
        const variants: Edit[][] = [];
        if (last !== null) variants.push([{ ...at, text: '' }]);
        if (text.slice(at.start - region.start, at.end - region.start) !== '.') variants.push([{ ...at, text: '.' }]);
        return variants;
      },
      'there is no text to punctuate',
    ),
);

export const stripPunctuation = randomPerturbation(
  {
    id: 'strip-punctuation',
    name: 'Strip punctuation',
    description: `Takes away the punctuation at the end of a part: ${source}.`,
    parts: contextParts,
  },
  (example, context) =>
    combined(
      example,
      context,
      (text, region) => {
        const last = trailingOf(text);
        if (last === null) return [];
        return [[{ start: region.start + last.start, end: region.start + last.end, text: '', region }]];
      },
      'no part ends in punctuation',
    ),
);
