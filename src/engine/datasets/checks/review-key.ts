import { createHash } from 'node:crypto';
import type { CheckFinding } from './finding';

/**
 * Names a finding by what it speaks of and not by where it stands: its code, and the text, label and spans of its example. So a finding that
 * was judged stays judged while rows move and others are edited, and comes back when its own row is edited.
 */
export function reviewKey({ code, example, place, subject }: CheckFinding): string {
  if (subject !== undefined) return hashOf([code, subject]);
  const { text, gold, spans, aspect } = example;
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
