/** Writes edits into an example, its entities moved along. */
import type { Span } from '../../protocol/dataset';
import { isPair } from '../text/mapped-text';
import type { AppliedEdit, Edit, Source, Variant } from './source';

/**
 * The variant that edits make. They may come in any order; two at one place are written in the order in which they come.
 * Throws RangeError where they overlap, reach out of the text, cut a surrogate pair or cross a boundary of an entity: an error of the
 * perturbation, since it was told the regions in which it may act.
 */
export function applyEdits(source: Source, edits: readonly Edit[]): Variant {
  const sorted = edits
    .map((edit, order) => ({ edit, order }))
    .sort((a, b) => a.edit.start - b.edit.start || a.edit.end - b.edit.end || a.order - b.order)
    .map(({ edit }) => edit);
  checkEdits(source.text, sorted);
  const pieces: string[] = [];
  const applied: AppliedEdit[] = [];
  let from = 0;
  let length = 0;
  for (const { start, end, text } of sorted) {
    pieces.push(source.text.slice(from, start), text);
    length += start - from;
    applied.push({ source: { start, end }, variant: { start: length, end: length + text.length } });
    length += text.length;
    from = end;
  }
  pieces.push(source.text.slice(from));
  const move = (span: Span): Span => moveSpan(span, sorted);
  const { spans, mentions, aspect, types } = source;
  return {
    text: pieces.join(''),
    spans: spans === null ? null : { head: move(spans.head), tail: move(spans.tail) },
    mentions: mentions === null ? null : { head: mentions.head.map(move), tail: mentions.tail.map(move) },
    aspect: aspect === null ? null : move(aspect),
    types,
    edits: applied,
  };
}

function checkEdits(text: string, sorted: readonly Edit[]): void {
  let last = 0;
  for (const { start, end } of sorted) {
    if (start < last || end < start || end > text.length) {
      throw new RangeError(`Edits overlap or reach out of the text at ${start}–${end} of ${text.length}.`);
    }
    if ([start, end].some((at) => at > 0 && isPair(text, at - 1))) {
      throw new RangeError(`An edit cuts a surrogate pair at ${start}–${end}.`);
    }
    last = end;
  }
}

function moveSpan(span: Span, sorted: readonly Edit[]): Span {
  let startShift = 0;
  let endShift = 0;
  for (const { start, end, text, region } of sorted) {
    const growth = text.length - (end - start);
    const isWithin = span.start <= region.start && region.end <= span.end;
    if (isWithin && span.start <= start && end <= span.end) {
      endShift += growth;
    } else if (end <= span.start) {
      startShift += growth;
      endShift += growth;
    } else if (start < span.end) {
      throw new RangeError(
        `The edit at ${start}–${end} crosses the boundary of the entity at ${span.start}–${span.end}.`,
      );
    }
  }
  return { start: span.start + startShift, end: span.end + endShift };
}
