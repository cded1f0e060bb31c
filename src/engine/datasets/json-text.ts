import { type OffsetMap, OffsetMapBuilder, plainMap } from '../text/offset-map';
import { BACKSLASH, CLOSE_LIST, COMMA, OPEN_LIST, OPEN_OBJECT, QUOTE, skipSpace, stringEnd } from './json-scanner';

/** A text of the document and its map; where it is a list of tokens, the places of the tokens in it. */
export interface JsonText {
  text: string;
  map: OffsetMap;
  words: WordPlaces | null;
}

/** Start and end of each token in the text that joins them with one space. */
export interface WordPlaces {
  starts: number[];
  ends: number[];
}

const simpleEscapes = new Map([
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/** The value of the JSON string at [start, end) of `text`, quotes included, checked before. */
export function stringValue(text: string, start: number, end: number): string {
  const plain = text.slice(start + 1, end - 1);
  return plain.includes('\\') ? decodeInto(plain, 0, new OffsetMapBuilder(0)) : plain;
}

/** A string, number or boolean as text. */
export function scalarAt(text: string, start: number, end: number): string | null {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return stringValue(text, start, end);
  return first === OPEN_LIST || first === OPEN_OBJECT ? null : text.slice(start, end);
}

/** The text of the JSON string at [start, end), quotes included, checked before. Map offsets are relative to `origin`. */
export function stringText(text: string, start: number, end: number, origin: number): JsonText {
  const plain = text.slice(start + 1, end - 1);
  if (!plain.includes('\\')) return { text: plain, map: plainMap(plain.length, start + 1 - origin), words: null };
  const builder = new OffsetMapBuilder(start + 1 - origin);
  const decoded = decodeInto(plain, start + 1 - origin, builder);
  return { text: decoded, map: builder.finish(), words: null };
}

const anySeparator = /"\s*,\s*"/;

/**
 * The text of the list of strings at [start, end), checked before: its tokens joined by one space, which stands for what separates
 * them in the document. Null if a token is no string.
 */
export function tokensText(text: string, start: number, end: number, origin: number): JsonText | null {
  const builder = new OffsetMapBuilder(start + 1 - origin);
  const words: WordPlaces = { starts: [], ends: [] };
  const escaped = text.slice(start, end).includes('\\');
  const tokens: string[] = [];
  let first = -1;
  let previousEnd = start + 1;
  /** What separates the first two tokens, and whether it separates all. */
  let separator: string | null = null;
  let isUniform = true;
  for (let at = skipSpace(text, start + 1, end); text.charCodeAt(at) !== CLOSE_LIST; ) {
    if (text.charCodeAt(at) !== QUOTE) return null;
    const from = at + 1;
    const to = stringEnd(text, at, end) - 1;
    if (first === -1) {
      first = from;
    } else {
      builder.unit(1, previousEnd - origin, from - previousEnd);
      separator ??= text.slice(previousEnd, from);
      isUniform &&= separator.length === from - previousEnd && text.startsWith(separator, previousEnd);
    }
    words.starts.push(builder.length);
    if (escaped) tokens.push(decodeInto(text.slice(from, to), from - origin, builder));
    else builder.copy(to - from, from - origin);
    words.ends.push(builder.length);
    previousEnd = to;
    at = skipSpace(text, to + 1, end);
    if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1, end);
  }
  // Without escapes every quote is a token's, and the list can be taken apart at once, which is faster. (Not by replacing: strings made so
  // take many times their length.)
  const inner = text.slice(Math.max(first, 0), previousEnd);
  const joined = escaped ? tokens : inner.split(isUniform && separator !== null ? separator : anySeparator);
  return { text: first === -1 ? '' : joined.join(' '), map: builder.finish(), words };
}

/** Decodes the content of a string, which stands at `offset`, and maps it. An escaped surrogate pair is one unit. */
export function decodeInto(content: string, offset: number, builder: OffsetMapBuilder): string {
  if (!content.includes('\\')) {
    builder.copy(content.length, offset);
    return content;
  }
  // Joined at the end: a string put together bit by bit stays a tree in memory.
  const parts: string[] = [];
  let at = 0;
  while (at < content.length) {
    const backslash = content.indexOf('\\', at);
    const plainEnd = backslash === -1 ? content.length : backslash;
    if (plainEnd > at) {
      builder.copy(plainEnd - at, offset + at);
      parts.push(content.slice(at, plainEnd));
      at = plainEnd;
      continue;
    }
    const length = escapeLength(content, at);
    const unit = escapedUnit(content, at);
    const low = isHighSurrogate(unit) ? lowSurrogateAt(content, at + length) : null;
    if (low === null) {
      builder.unit(1, offset + at, length);
      parts.push(String.fromCharCode(unit));
      at += length;
    } else {
      builder.unit(2, offset + at, length + low.length);
      parts.push(String.fromCharCode(unit, low.unit));
      at += length + low.length;
    }
  }
  return parts.join('');
}

function escapeLength(text: string, at: number): number {
  return text[at + 1] === 'u' ? 6 : 2;
}

function escapedUnit(text: string, at: number): number {
  const escaped = text[at + 1]!;
  if (escaped === 'u') return Number.parseInt(text.slice(at + 2, at + 6), 16);
  return (simpleEscapes.get(escaped) ?? escaped).charCodeAt(0);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function lowSurrogateAt(text: string, at: number): { unit: number; length: number } | null {
  const escaped = text.charCodeAt(at) === BACKSLASH;
  const unit = escaped ? escapedUnit(text, at) : text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? { unit, length: escaped ? escapeLength(text, at) : 1 } : null;
}
