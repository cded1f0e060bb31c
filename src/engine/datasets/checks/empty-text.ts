import type { Example } from '../dataset';
import type { CheckFinding } from './finding';
import { nothing } from './row-check';

/** What is seen: neither white space nor a control nor one of the letters and signs that are blank (Hangul fillers, an empty Braille cell). */
const visible = /[^\s\p{Cc}\p{Cf}\p{Variation_Selector}\u115f\u1160\u2800\u3164\uffa0]/u;

/** Texts without a letter, digit or sign that says anything. */
export function emptyText(example: Example): readonly CheckFinding[] {
  if (visible.test(example.text)) return nothing;
  return [
    {
      code: 'assay/empty-text',
      example,
      place: { part: 'row' },
      message: 'The text is empty, so whatever is predicted for it says nothing. Remove the row or fill in its text.',
      related: [],
      fix: { kind: 'remove-row' },
    },
  ];
}
