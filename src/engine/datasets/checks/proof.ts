import type { EntitySpans, Span } from '../../../protocol/dataset';
import type { Example } from '../dataset';
import type { ReadExample } from '../format';
import type { TextPart } from './finding';

/** What of an example is to be otherwise; what is not said is to be as it was. */
export interface Meant {
  readonly text?: string;
  /** Any of them will do. */
  readonly labels?: readonly (string | null)[];
  readonly spans?: EntitySpans | null;
  readonly mentions?: Example['mentions'];
  readonly aspect?: Span | null;
  readonly sentences?: Example['sentences'];
}

/** Whether a row that was read again is what was meant, and all else of it what it was. */
export function isSameRow(former: Example, after: ReadExample, meant: Meant): boolean {
  const { text, labels, spans, mentions, aspect, sentences } = { ...former, labels: [former.gold], ...meant };
  return (
    after.text === text &&
    labels.includes(after.gold) &&
    // A row without an id of its own is numbered later.
    (after.id === null || after.id === former.id) &&
    areSameEntities(after.spans, spans, isSameSpan) &&
    areSameEntities(after.mentions, mentions, areSameSpans) &&
    areSameEntities(after.types, former.types, Object.is) &&
    isSameSpan(after.aspect ?? null, aspect) &&
    areSameSpans(after.sentences ?? null, sentences)
  );
}

/** An example whose text was changed: whatever is said of the text is said of the same characters, wherever they stand now. */
export function changedText(former: Example, parts: readonly TextPart[]): Meant {
  let text = '';
  let at = 0;
  for (const part of parts) {
    text += former.text.slice(at, part.span.start) + part.text;
    at = part.span.end;
  }
  const moved = (offset: number): number => {
    let result = offset;
    for (const { span, text: written } of parts) {
      // Of what was cut in two nobody can say where it ends now.
      if (span.start < offset && offset < span.end) return -1;
      if (span.end <= offset) result += written.length - (span.end - span.start);
    }
    return result;
  };
  const movedSpan = ({ start, end }: Span): Span => ({ start: moved(start), end: moved(end) });
  const { spans, mentions, aspect, sentences } = former;
  return {
    text: text + former.text.slice(at),
    spans: spans === null ? null : { head: movedSpan(spans.head), tail: movedSpan(spans.tail) },
    mentions: mentions === null ? null : { head: mentions.head.map(movedSpan), tail: mentions.tail.map(movedSpan) },
    aspect: aspect === null ? null : movedSpan(aspect),
    sentences: sentences === null ? null : sentences.map(movedSpan),
  };
}

interface Pair<T> {
  readonly head: T;
  readonly tail: T;
}

function areSameEntities<T>(a: Pair<T> | null, b: Pair<T> | null, isSame: (a: T, b: T) => boolean): boolean {
  if (a === null || b === null) return a === b;
  return isSame(a.head, b.head) && isSame(a.tail, b.tail);
}

function isSameSpan(a: Span | null, b: Span | null): boolean {
  if (a === null || b === null) return a === b;
  return a.start === b.start && a.end === b.end;
}

function areSameSpans(a: readonly Span[] | null, b: readonly Span[] | null): boolean {
  if (a === null || b === null) return a === b;
  return a.length === b.length && a.every((span, index) => isSameSpan(span, b[index]!));
}
