import { kindOf, SPACE, scriptNames, scriptOf, UNSEEN, unitTable, WORD, WORD_ALONE } from './characters';
import { languageBits } from './function-words';
import { BASIS, folded, mixed, mixedPair, PRIME, wordHash } from './normalised';

/** Of the second 32 bits of a text's hash. */
const OTHER_PRIME = 0x5bd1e995;

/**
 * What one pass over a text finds; the pass is all that most rows cost. One object, used for one text after the other.
 *
 * A *shingle* is two words in a row, without the punctuation between them; characters of scripts without spaces are a word each. A text of
 * one word has that word as its only shingle, and one without words has none: it is like no other text.
 */
export class TextScan {
  /** 64 bits of the normalised text. */
  low = 0;
  high = 0;
  wordCount = 0;
  /** Letters of each script (characters.ts). */
  readonly letters = new Uint32Array(scriptNames.length);
  /** The different function words: which languages have it (`languageBits`), and how often it stands there. */
  readonly functionWords: { readonly word: number; readonly languages: number; count: number }[] = [];
  #shingles: Uint32Array = new Uint32Array(256);
  #shingleCount = 0;
  #previousWord = 0;

  read(text: string): void {
    this.wordCount = 0;
    this.functionWords.length = 0;
    this.#shingleCount = 0;
    const { letters } = this;
    letters.fill(0);
    const content = folded(text);
    const { length } = content;
    let low = BASIS;
    let high = 0x2545f491;
    let isSpaced = false;
    let isBegun = false;
    let wordStart = -1;
    for (let at = 0; at < length; at++) {
      const unit = content.charCodeAt(at);
      const entry = unitTable[unit]!;
      const kind = kindOf(entry);
      if (kind === SPACE) {
        isSpaced = isBegun;
      } else {
        if (isSpaced) {
          isSpaced = false;
          low = Math.imul(low ^ 32, PRIME);
          high = Math.imul(high ^ 32, OTHER_PRIME) ^ (high >>> 15);
        }
        isBegun = true;
        low = Math.imul(low ^ unit, PRIME);
        high = Math.imul(high ^ unit, OTHER_PRIME) ^ (high >>> 15);
        if (kind === WORD) {
          letters[scriptOf(entry)]!++;
          if (wordStart === -1) wordStart = at;
          continue;
        }
        if (kind === UNSEEN) continue;
      }
      if (wordStart !== -1) {
        this.#addWord(wordHash(content, wordStart, at));
        wordStart = -1;
      }
      if (kind === WORD_ALONE) {
        letters[scriptOf(entry)]!++;
        this.#addWord(wordHash(content, at, at + 1));
      }
    }
    if (wordStart !== -1) this.#addWord(wordHash(content, wordStart, length));
    this.low = mixed(low);
    this.high = mixed(high);
    if (this.wordCount === 1) this.#addShingle(this.#previousWord);
    this.#shingleCount = sortedDistinct(this.#shingles, this.#shingleCount);
  }

  #addWord(word: number): void {
    if (this.wordCount > 0) this.#addShingle(mixedPair(this.#previousWord, word));
    const languages = languageBits(word);
    if (languages !== 0) this.#addFunctionWord(word, languages);
    this.wordCount++;
    this.#previousWord = word;
  }

  #addShingle(shingle: number): void {
    if (this.#shingleCount === this.#shingles.length) this.#shingles = doubled(this.#shingles);
    this.#shingles[this.#shingleCount++] = shingle;
  }

  #addFunctionWord(word: number, languages: number): void {
    for (const known of this.functionWords) {
      if (known.word !== word) continue;
      known.count++;
      return;
    }
    this.functionWords.push({ word, languages, count: 1 });
  }

  /** The different shingles, as hashes of 32 bits in ascending order. A view that the next text overwrites. */
  get shingles(): Uint32Array {
    return this.#shingles.subarray(0, this.#shingleCount);
  }
}

function doubled(values: Uint32Array): Uint32Array {
  const larger = new Uint32Array(values.length * 2);
  larger.set(values);
  return larger;
}

/** Sorts the first values and drops repeated ones; how many are left. */
function sortedDistinct(values: Uint32Array, count: number): number {
  if (count <= 32) {
    for (let at = 1; at < count; at++) {
      const value = values[at]!;
      let to = at - 1;
      for (; to >= 0 && values[to]! > value; to--) values[to + 1] = values[to]!;
      values[to + 1] = value;
    }
  } else {
    values.subarray(0, count).sort();
  }
  let kept = 0;
  for (let at = 0; at < count; at++) {
    if (kept === 0 || values[at] !== values[kept - 1]) values[kept++] = values[at]!;
  }
  return kept;
}

/** Jaccard similarity of two ascending sets: what both have, of what either has. 0 if both are empty. */
export function jaccard(first: Uint32Array, second: Uint32Array): number {
  let common = 0;
  let at = 0;
  let other = 0;
  while (at < first.length && other < second.length) {
    const difference = first[at]! - second[other]!;
    if (difference === 0) common++;
    if (difference <= 0) at++;
    if (difference >= 0) other++;
  }
  const union = first.length + second.length - common;
  return union === 0 ? 0 : common / union;
}
