import type { Example } from '../engine/datasets/dataset';
import type { FileRange, Finding, Span } from '../protocol/dataset';

/** One line of JSON, with its newline: an example and where its row stands in the file. */
export function exampleLine(example: Example, range: FileRange): string {
  return jsonLine({
    id: example.id,
    text: example.text,
    gold: example.gold,
    spans: spansOf(example),
    mentions: mentionsOf(example),
    range: rangeOf(range),
  });
}

/** One line of JSON, with its newline. */
export function findingLine({ code, severity, message, range }: Finding): string {
  return jsonLine({ code, severity, message, range: rangeOf(range) });
}

/** One line of JSON, with its newline: a finding, the file it is in, and the places it speaks of. */
export function checkedLine(file: string, { code, severity, message, range, related = [] }: Finding): string {
  const places = related.map((place) => ({ file: place.file, range: rangeOf(place.range), message: place.message }));
  return jsonLine({ file, code, severity, message, range: rangeOf(range), related: places });
}

/** The two entities, or the aspect, as every verb writes them. */
export function spansOf({
  spans,
  aspect,
}: Pick<Example, 'spans' | 'aspect'>): { head: Span; tail: Span } | { aspect: Span } | null {
  if (spans !== null) return { head: spanOf(spans.head), tail: spanOf(spans.tail) };
  return aspect === null ? null : { aspect: spanOf(aspect) };
}

function mentionsOf({ mentions }: Example): { head: Span[]; tail: Span[] } | null {
  return mentions === null ? null : { head: mentions.head.map(spanOf), tail: mentions.tail.map(spanOf) };
}

function spanOf({ start, end }: Span): Span {
  return { start, end };
}

function rangeOf({ startLine, startChar, endLine, endChar }: FileRange): FileRange {
  return { startLine, startChar, endLine, endChar };
}

function jsonLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
