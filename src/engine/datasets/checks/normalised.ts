import type { Example } from '../dataset';
import { kindOf, SPACE, UNSEEN, unitTable, WORD } from './characters';

/**
 * When two texts are the same: in Unicode's composed form (NFC), with letters folded to one case, runs of white space taken as one space
 * and none at the ends. Punctuation counts.
 */

/** Composed and in one case. Lower case of upper case is close to Unicode's case folding: `Straße` is `STRASSE`. */
export function folded(text: string): string {
  return isAscii(text) ? text.toLowerCase() : text.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
}

/** Bits of a 32-bit number, well mixed (the finaliser of MurmurHash3, Appleby 2011). */
export function mixed(value: number): number {
  let word = value | 0;
  word = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
  return (word ^ (word >>> 16)) >>> 0;
}

/** A hash of two numbers, in their order. */
export function mixedPair(first: number, second: number): number {
  return mixed(Math.imul(first ^ 0x9e3779b9, 0x2c1b3c6d) ^ (Math.imul(second, 0x297a2d39) + 0x7f4a7c15));
}

/** FNV-1a's basis and prime (Fowler, Noll and Vo), over UTF-16 units. */
export const BASIS = 0x811c9dc5 | 0;
export const PRIME = 0x01000193;

/** Of a word of a folded text, at [start, end). */
export function wordHash(content: string, start: number, end: number): number {
  let hash = BASIS;
  for (let at = start; at < end; at++) {
    const unit = content.charCodeAt(at);
    if (unit < 0xad || kindOf(unitTable[unit]!) !== UNSEEN) hash = Math.imul(hash ^ unit, PRIME);
  }
  return mixed(hash);
}

/** Where the two entities of an example, or its aspect, stand. Examples of one text with other entities are others. */
export interface EntityKey {
  /** Of the places. */
  readonly spans: number;
  /** Of the words, wherever they stand. */
  readonly words: number;
}

const noEntities: EntityKey = { spans: 0, words: 0 };

export function entityKey({ text, spans, aspect }: Pick<Example, 'text' | 'spans' | 'aspect'>): EntityKey {
  if (spans === null && aspect === null) return noEntities;
  const marked = spans === null ? [aspect!] : [spans.head, spans.tail];
  let places = 0;
  let words = 0;
  for (const { start, end } of marked) {
    places = mixedPair(places, signsIn(text.slice(0, start)));
    places = mixedPair(places, signsIn(text.slice(start, end)));
    words = mixedPair(words, wordsHash(folded(text.slice(start, end))));
  }
  return { spans: places, words };
}

/** Characters that are no white space, so that white space of any length leaves a place what it is. */
function signsIn(text: string): number {
  const content = folded(text);
  let count = 0;
  for (let at = 0; at < content.length; at++) if (kindOf(unitTable[content.charCodeAt(at)]!) !== SPACE) count++;
  return count;
}

/** Of the words of a folded text, without what stands between them. */
function wordsHash(content: string): number {
  let hash = 0;
  let wordStart = -1;
  for (let at = 0; at <= content.length; at++) {
    const kind = at < content.length ? kindOf(unitTable[content.charCodeAt(at)]!) : SPACE;
    if (kind >= WORD) {
      if (wordStart === -1) wordStart = at;
    } else if (wordStart !== -1) {
      hash = mixedPair(hash, wordHash(content, wordStart, at));
      wordStart = -1;
    }
  }
  return hash;
}
