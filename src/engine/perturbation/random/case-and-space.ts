import type { Edit } from '../source';
import { wordsIn } from '../words';
import { chosen, randomPerturbation } from './random-perturbation';

/** All letters small, all large, and each word with a large letter first. */
export const letterCase = randomPerturbation(
  {
    id: 'case',
    name: 'Case',
    description:
      'Writes all in small letters, all in capitals, and each word with a capital letter: Gui et al. 2021 (TextFlint, WordCase).',
  },
  ({ text }, { regions }) => {
    const words = wordsIn(text, regions);
    const written = [
      (word: string) => word.toLowerCase(),
      (word: string) => word.toUpperCase(),
      (word: string) => word.replace(/^\P{M}\p{M}*/u, (first) => first.toUpperCase()),
    ];
    const variants = written
      .map((write) =>
        words.flatMap(({ start, end, text: word, region }): Edit[] =>
          write(word) === word ? [] : [{ start, end, text: write(word), region }],
        ),
      )
      .filter((edits) => edits.length > 0);
    return variants.length === 0 ? { reason: 'its letters have no case' } : variants;
  },
);

/** One space doubled, one lost. */
export const whiteSpace = randomPerturbation(
  {
    id: 'whitespace',
    name: 'White space',
    description: 'Doubles a space between two words, and loses one: Gui et al. 2021 (TextFlint).',
  },
  ({ text }, { regions, random }) => {
    const spaces = regions.flatMap((region) =>
      [...text.slice(region.start, region.end).matchAll(/(?<=\S) (?=\S)/g)].map(({ index }) => ({
        at: region.start + index,
        region,
      })),
    );
    if (spaces.length === 0) return { reason: 'no space stands between two words' };
    const [doubled, lost] = [chosen(spaces, random), chosen(spaces, random)];
    return [
      [{ start: doubled.at, end: doubled.at, text: ' ', region: doubled.region }],
      [{ start: lost.at, end: lost.at + 1, text: '', region: lost.region }],
    ];
  },
);
