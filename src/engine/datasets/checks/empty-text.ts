import type { Example } from '../dataset';
import type { CheckFinding } from './finding';
import { nothing } from './row-check';

/** Texts without a letter, digit or sign that says anything. */
export function emptyText(example: Example): readonly CheckFinding[] {
  if (/[^\s\p{Cc}\p{Cf}]/u.test(example.text)) return nothing;
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
