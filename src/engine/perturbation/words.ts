/** Words and signs of a text, for perturbations. The same wherever Assay runs: by Unicode (UAX 29), not by the person's language. */
import type { Span } from '../../protocol/dataset';
import type { Region } from './regions';
import type { Edit } from './source';

export interface WordAt extends Span {
  readonly text: string;
  readonly region: Region;
}

const words = new Intl.Segmenter('en', { granularity: 'word' });
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The words of some regions, in the order of the text; places and punctuation left out. */
export function wordsIn(text: string, regions: readonly Region[]): WordAt[] {
  return regions.flatMap((region) =>
    Array.from(words.segment(text.slice(region.start, region.end)))
      .filter(({ isWordLike }) => isWordLike)
      .map(({ segment, index }) => {
        const start = region.start + index;
        return { start, end: start + segment.length, text: segment, region };
      }),
  );
}

/** What a person takes for one sign each: letters with their marks, emoji with their parts. */
export function signsOf(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/** Letters of the Latin script, with or without marks, and nothing else. */
export function isLatin(word: string): boolean {
  return /^(?:\p{Script=Latin}\p{M}*)+$/u.test(word);
}

/** A word in the case of another: capitals, or a capital letter first. */
export function inCaseOf(model: string, word: string): string {
  const letters = model.match(/\p{L}/gu) ?? [];
  if (letters.length > 1 && model === model.toUpperCase() && model !== model.toLowerCase()) return word.toUpperCase();
  const [first = ''] = model;
  if (first === first.toLowerCase()) return word;
  const [start = ''] = word;
  return start.toUpperCase() + word.slice(start.length);
}

/** Edits that take words away, each with a space beside it; with `by`, that stands in their places, and the spaces stay. */
export function withoutWords(text: string, words: readonly (Span & { readonly region: Span })[], by = ''): Edit[] {
  let taken = 0;
  return [...words]
    .sort((a, b) => a.start - b.start)
    .map(({ start, end, region }) => {
      if (by !== '') return { start, end, text: by, region };
      const hasSpaceBehind = text[end] === ' ' && end < region.end;
      const hasSpaceBefore = text[start - 1] === ' ' && start - 1 >= Math.max(taken, region.start);
      const edit = {
        start: !hasSpaceBehind && hasSpaceBefore ? start - 1 : start,
        end: hasSpaceBehind ? end + 1 : end,
        text: '',
        region,
      };
      taken = edit.end;
      return edit;
    });
}
