import type { Span } from '../../protocol/dataset';
import { type Problem, problemAt } from './format';
import { scalarAt } from './json-text';

/** Prodigy's `answer`: what an annotator said to a row that was suggested. Only an accepted one's label is gold. */

const verdicts = new Set(['accept', 'reject', 'ignore']);

export function isVerdict(value: string): boolean {
  return verdicts.has(value);
}

/** What `answer` says; null if it is no such word. */
export function verdictAt(text: string, { start, end }: Span): string | null {
  const value = scalarAt(text, start, end);
  return value !== null && isVerdict(value) ? value : null;
}

/** The finding of a row whose label an annotator did not accept. */
export function notGold(verdict: string, field: Span): Problem {
  const what = verdict === 'reject' ? 'rejected' : 'passed over';
  return problemAt(
    'assay/unreadable-row',
    `This row was ${what} ("answer": "${verdict}"): its label is not gold. It is read without one.`,
    field.start,
    field.end,
    'warning',
  );
}
