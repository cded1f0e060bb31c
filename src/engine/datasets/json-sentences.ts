import type { Span } from '../../protocol/dataset';
import { OffsetMapBuilder } from '../text/offset-map';
import { listValues, OPEN_LIST, QUOTE } from './json-scanner';
import { decodeInto, type JsonText, type WordPlaces } from './json-text';

/** A text of several sentences, each a list of tokens in the document. */
export interface SentencesText extends JsonText {
  words: WordPlaces;
  sentences: Span[];
  /** The number of each sentence's first word, and behind the last that of all words. */
  firstWords: number[];
}

/**
 * The text of the lists of tokens at `lists` (pairs of start and end, checked before), all tokens joined by one space, which stands for
 * what separates them in the document. Map offsets are relative to `origin`. Null if a token is no string.
 */
export function sentencesText(text: string, lists: readonly number[], origin: number): SentencesText | null {
  const builder = new OffsetMapBuilder((lists[0] ?? origin) - origin);
  const words: WordPlaces = { starts: [], ends: [] };
  const sentences: Span[] = [];
  const firstWords: number[] = [];
  const tokens: string[] = [];
  let previousEnd = -1;
  for (let list = 0; list < lists.length; list += 2) {
    if (text.charCodeAt(lists[list]!) !== OPEN_LIST) return null;
    const values = listValues(text, lists[list]!, lists[list + 1]!);
    firstWords.push(tokens.length);
    for (let at = 0; at < values.length; at += 2) {
      if (text.charCodeAt(values[at]!) !== QUOTE) return null;
      const from = values[at]! + 1;
      const to = values[at + 1]! - 1;
      if (previousEnd !== -1) builder.unit(1, previousEnd - origin, from - previousEnd);
      words.starts.push(builder.length);
      tokens.push(decodeInto(text.slice(from, to), from - origin, builder));
      words.ends.push(builder.length);
      previousEnd = to;
    }
    const first = words.starts[firstWords.at(-1)!] ?? builder.length;
    sentences.push({ start: first, end: builder.length });
  }
  firstWords.push(tokens.length);
  return { text: tokens.join(' '), map: builder.finish(), words, sentences, firstWords };
}
