/** Which tokens make a word, and what it scores. */
import type { TokenAlignment } from '../text/alignment';

export interface Word {
  /** UTF-16 range in the example's text, end exclusive. */
  start: number;
  end: number;
  /** Indices of its tokens, rising. */
  tokens: number[];
}

// Words are the same wherever Assay runs, whatever the person's language.
const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/**
 * The words of a text that a model read tokens of, in order and without overlap: what Unicode calls a word (UAX 29; Chinese and Japanese by
 * ICU's dictionary), and each other visible sign. Words that share a token are one; an entity marker within a word parts it.
 */
export function wordsOf(text: string, tokens: readonly TokenAlignment[]): Word[] {
  const segments = segmentsOf(text);
  const words: Word[] = [];
  let segment = 0;
  /** Where the last token ended, if a marker has come since. */
  let marked: number | null = null;
  tokens.forEach(({ start, end }, index) => {
    const last = words[words.length - 1];
    if (start === null || end === null) {
      marked ??= last === undefined ? null : (tokens[last.tokens[last.tokens.length - 1]!]!.end ?? null);
      return;
    }
    // Tokens stand in order: what is behind one is behind all that follow.
    while (segment < segments.length && segments[segment]!.end <= start) segment++;
    let [from, to] = [start, end];
    for (let at = segment; at < segments.length && segments[at]!.start < end; at++) {
      from = Math.min(from, segments[at]!.start);
      to = Math.max(to, segments[at]!.end);
    }
    if (last !== undefined && marked !== null && marked <= start) {
      from = Math.max(from, Math.min(last.end, start));
      last.end = Math.min(last.end, start);
    }
    marked = null;
    if (last !== undefined && from < last.end) {
      last.end = Math.max(last.end, to);
      last.tokens.push(index);
    } else {
      words.push({ start: from, end: to, tokens: [index] });
    }
  });
  return words;
}

function segmentsOf(text: string): { start: number; end: number }[] {
  return Array.from(segmenter.segment(text), ({ segment, index }) => ({ segment, start: index }))
    .filter(({ segment }) => /\S/.test(segment))
    .map(({ segment, start }) => ({ start, end: start + segment.length }));
}

/**
 * The sum over a word's tokens. Signed scores keep their total; squared lengths give the squared length over all of the word's numbers.
 */
export function scoreOf(word: Word, scores: ArrayLike<number>): number {
  return word.tokens.reduce((sum, token) => sum + scores[token]!, 0);
}
