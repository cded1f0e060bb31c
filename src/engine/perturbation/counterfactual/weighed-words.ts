/** The words that may be taken away, the weightiest first. */
import type { WeighedWord } from '../perturbation';
import { type Region, regionsOf } from '../regions';
import type { Source } from '../source';

export interface RemovableWord extends WeighedWord {
  readonly region: Region;
}

/** Words with a letter or digit that lie within one of the parts, by the size of their score. */
export function removableWords(
  source: Source,
  words: readonly WeighedWord[],
  isAllowed: (region: Region) => boolean,
): RemovableWord[] {
  const regions = regionsOf(source).filter(isAllowed);
  return words
    .flatMap((word) => {
      const region = regions.find(({ start, end }) => start <= word.start && word.end <= end);
      const isWord = /[\p{L}\p{N}]/u.test(source.text.slice(word.start, word.end));
      return region === undefined || !isWord ? [] : [{ ...word, region }];
    })
    .sort((a, b) => Math.abs(b.score) - Math.abs(a.score) || a.start - b.start);
}
