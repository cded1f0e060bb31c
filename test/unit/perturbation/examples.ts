/** Examples for tests of perturbations: a few by hand, and random ones of every kind that readers make. */
import fc from 'fast-check';
import type { Source } from '../../../src/engine/perturbation/source';
import { isPair } from '../../../src/engine/text/mapped-text';
import type { Span } from '../../../src/protocol/dataset';

export function sentiment(text: string, gold: string | null = null): Source {
  return { text, spans: null, mentions: null, aspect: null, types: null, gold };
}

/** `[h:…]` marks the head, `[t:…]` the tail. */
export function relation(marked: string, gold: string | null = null): Source {
  let text = '';
  const spans: Record<string, Span> = {};
  for (const [whole, role, inside] of marked.matchAll(/\[([ht]):([^\]]*)\]|[^[]+/g)) {
    const start = text.length;
    text += role === undefined ? whole : inside;
    if (role !== undefined) spans[role] = { start, end: text.length };
  }
  return { text, spans: { head: spans.h!, tail: spans.t! }, mentions: null, aspect: null, types: null, gold };
}

const words = fc.oneof(
  fc.constantFrom(
    'The',
    'film',
    'was',
    'not',
    'very',
    'good',
    '.',
    ',',
    '1984',
    "isn't",
    'Berlin',
    'Anna Kern',
    '“quoted”',
  ),
  fc.constantFrom('😀', '👩‍👩‍👧', 'é', 'e\u0301', '電影', 'שלום', '\u00a0', '\t', '  ', '\n', 'ﬁ', 'İ', '\ufeff', '𝒳'),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
);

const texts = fc.array(words, { minLength: 1, maxLength: 14 }).map((parts) => parts.join(' '));

export const sentimentSources: fc.Arbitrary<Source> = texts.map((text) => sentiment(text, 'positive'));

const bounds = fc.tuple(fc.nat(), fc.nat());

/** Entities anywhere: nested, overlapping, equal, empty, tail first, at the edges; never cutting a surrogate pair. */
export const relationSources: fc.Arbitrary<Source> = fc
  .tuple(texts, bounds, bounds, fc.array(bounds, { maxLength: 2 }), fc.option(fc.constantFrom('PERSON', 'CITY')))
  .map(([text, head, tail, others, type]) => {
    const spanOf = ([a, b]: [number, number]): Span => {
      const [start, end] = [a % (text.length + 1), b % (text.length + 1)].sort((x, y) => x - y) as [number, number];
      return { start: widened(text, start, -1), end: widened(text, end, 1) };
    };
    const spans = { head: spanOf(head), tail: spanOf(tail) };
    const mentions = others.length === 0 ? null : { head: [spans.head, ...others.map(spanOf)], tail: [spans.tail] };
    return { text, spans, mentions, aspect: null, types: { head: type, tail: null }, gold: 'knows' };
  });

function widened(text: string, at: number, by: 1 | -1): number {
  return at > 0 && isPair(text, at - 1) ? at + by : at;
}
