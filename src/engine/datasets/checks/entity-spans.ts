import type { Span } from '../../../protocol/dataset';
import type { Example } from '../dataset';
import { shortened } from '../entities';
import type { CheckCode } from './catalogue';
import type { CheckFinding } from './finding';
import { nothing } from './row-check';

/** Head and tail that are one, or that overlap without one standing within the other (as `New York` in `New York University`). */
export function entitySpans(example: Example): readonly CheckFinding[] {
  const { spans, text } = example;
  if (spans === null) return nothing;
  const { head, tail } = spans;
  const isMasked = head.start === head.end || tail.start === tail.end;
  if (isMasked || head.end <= tail.start || tail.end <= head.start) return nothing;
  const words = ({ start, end }: Span) => `“${shortened(text.slice(start, end))}”`;
  if (head.start === tail.start && head.end === tail.end) {
    const message = `Head and tail are the same words, ${words(head)}: there is no pair to classify. Correct the place of one of them.`;
    return [finding('assay/entities-equal', example, head, message)];
  }
  const isNested =
    (head.start <= tail.start && tail.end <= head.end) || (tail.start <= head.start && head.end <= tail.end);
  if (isNested) return nothing;
  const shared = { start: Math.max(head.start, tail.start), end: Math.min(head.end, tail.end) };
  const message = `Head ${words(head)} and tail ${words(tail)} cross: both hold ${words(shared)}. Markers around them would not be nested; correct the place of one of them.`;
  return [finding('assay/entities-cross', example, shared, message)];
}

function finding(code: CheckCode, example: Example, span: Span, message: string): CheckFinding {
  return { code, example, place: { part: 'text', span }, message, related: [], fix: null };
}
