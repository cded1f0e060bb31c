import { createHash } from 'node:crypto';
import type { CheckCode } from './catalogue';
import type { CheckFinding } from './finding';

/** Findings that speak of more than the example they hang on: of its label, or of the file. Another example may show them tomorrow. */
const subjects: Partial<Readonly<Record<CheckCode, 'label' | 'file'>>> = {
  'assay/few-examples': 'label',
  'assay/unseen-label': 'label',
  'assay/class-imbalance': 'file',
  'assay/label-leak': 'file',
};

/**
 * Names a finding by what it speaks of and not by where it stands: its code, and the text, label and spans of its example. So a finding that
 * was judged stays judged while rows move and others are edited, and comes back when its own row is edited.
 */
export function reviewKey({ code, example, place }: CheckFinding): string {
  const { text, gold, spans, aspect } = example;
  const subject = subjects[code];
  if (subject === 'file') return hashOf([code]);
  if (subject === 'label') return hashOf([code, gold]);
  const marked = [spans?.head, spans?.tail, aspect, place.part === 'text' ? place.span : null];
  return hashOf([code, text, gold, ...marked.map((span) => (span ? [span.start, span.end] : null))]);
}

/** The same for what the reader says of a row, which may hold no example: by all of its characters. */
export function rowReviewKey(code: string, row: string): string {
  return hashOf([code, row]);
}

/** 128 bits of sha256, hex. */
function hashOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
