import { homoglyphs as alike, homophones, ocrPairs, misspellings as wrong } from '../lexicon/confusions';
import { inCaseOf, isLatin } from '../words';
import { changedWords, chosen, randomPerturbation, wordCount } from './random-perturbation';

/** What is printed, and what may be read for it. */
const misread = ocrPairs.flatMap(([a, b]) => [
  [a, b],
  [b, a],
]) as [string, string][];

export const ocr = randomPerturbation(
  {
    id: 'ocr',
    name: 'Misread print',
    description:
      'Reads signs for others that look alike in print (rn and m, l and 1): Gui et al. 2021 (TextFlint, Ocr).',
    options: [wordCount],
  },
  (example, context) =>
    changedWords(
      example,
      context,
      ({ text }, random) => {
        if (text.length < 2) return null;
        const places = misread.flatMap(([from, to]) => {
          const at = text.indexOf(from);
          return at < 0 ? [] : [{ from, to, at }];
        });
        if (places.length === 0) return null;
        const { from, to, at } = chosen(places, random);
        return text.slice(0, at) + to + text.slice(at + from.length);
      },
      'no word has signs that are easily misread',
    ),
);

const soundsAlike = new Map(
  homophones.flatMap((group) => group.map((word) => [word, group.filter((other) => other !== word)])),
);

export const speech = randomPerturbation(
  {
    id: 'speech',
    name: 'Misheard words',
    description: 'Writes another word that sounds alike (their and there), as programs that hear do.',
    options: [wordCount],
  },
  (example, context) =>
    changedWords(
      example,
      context,
      ({ text }, random) => {
        const others = soundsAlike.get(text.toLowerCase().replace('’', "'"));
        return others === undefined ? null : inCaseOf(text, chosen(others, random));
      },
      'no word of it is in the list of those that sound alike',
    ),
);

export const misspellings = randomPerturbation(
  {
    id: 'misspellings',
    name: 'Misspellings',
    description: 'Writes words as they are often misspelt (definately): Gui et al. 2021 (TextFlint, SpellingError).',
    options: [wordCount],
  },
  (example, context) =>
    changedWords(
      example,
      context,
      ({ text }) => {
        const written = wrong.get(text.toLowerCase());
        return written === undefined ? null : inCaseOf(text, written);
      },
      'no word of it is in the list of misspellings',
    ),
);

export const homoglyphs = randomPerturbation(
  {
    id: 'homoglyphs',
    name: 'Look-alike letters',
    description: 'Writes a letter of another script that looks the same: Boucher et al. 2022 (Bad Characters).',
    options: [wordCount],
  },
  (example, context) =>
    changedWords(
      example,
      context,
      ({ text }, random) => {
        if (!isLatin(text)) return null;
        const places = Array.from(text, (letter, index) => ({ letter, index })).filter(({ letter }) =>
          alike.has(letter),
        );
        if (places.length === 0) return null;
        const { letter, index } = chosen(places, random);
        return text.slice(0, index) + alike.get(letter)! + text.slice(index + letter.length);
      },
      'it has no Latin letter that another looks like',
    ),
);
