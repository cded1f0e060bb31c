import { withoutWords, wordsIn } from '../words';
import { changedWords, chosen, randomPerturbation, wordCount } from './random-perturbation';

/** Words that carry little: without one a text says the same. */
const little: ReadonlySet<string> = new Set(
  'a an the this that these those of to in on at by for with from as and or but so if then than it its he she they we you i is are was were be been am has have had do does did will would can could should just very really quite rather also even still too'.split(
    ' ',
  ),
);

export const wordDeletion = randomPerturbation(
  {
    id: 'word-deletion',
    name: 'Missing words',
    description:
      'Leaves out a word that carries little (articles, prepositions, forms of be): Wei and Zou 2019 (EDA), without words that carry the meaning.',
    options: [wordCount],
  },
  (example, context) => {
    const deleted = changedWords(
      example,
      context,
      (word) => (little.has(word.text.toLowerCase()) ? '' : null),
      'it has no word that carries little',
    );
    return 'reason' in deleted ? deleted : deleted.map((words) => withoutWords(example.text, words));
  },
);

export const wordSwap = randomPerturbation(
  {
    id: 'word-swap',
    name: 'Swapped words',
    description: 'Swaps two words that stand beside each other: Wei and Zou 2019 (EDA), neighbours only.',
  },
  ({ text }, { regions, random }) => {
    const words = wordsIn(text, regions);
    const pairs = words.slice(1).flatMap((right, index) => {
      const left = words[index]!;
      const between = text.slice(left.end, right.start);
      return left.region === right.region && /^\s+$/.test(between) && left.text !== right.text
        ? [{ left, right, between }]
        : [];
    });
    if (pairs.length === 0) return { reason: 'no two words stand beside each other' };
    return Array.from({ length: 4 }, () => {
      const { left, right, between } = chosen(pairs, random);
      return [{ start: left.start, end: right.end, text: right.text + between + left.text, region: left.region }];
    });
  },
);

export const repeatedLetters = randomPerturbation(
  {
    id: 'repeated-letters',
    name: 'Repeated letters',
    description: 'Draws a vowel of a word out (sooo), as people write who feel strongly: Gui et al. 2021 (TextFlint).',
    options: [wordCount],
  },
  (example, context) =>
    changedWords(
      example,
      context,
      ({ text }, random) => {
        const vowels = [...text.matchAll(/[aeiou]/gi)];
        if (vowels.length === 0 || text.length < 2) return null;
        const { 0: vowel, index } = chosen(vowels, random);
        return text.slice(0, index) + vowel.repeat(2 + random.int(3)) + text.slice(index + 1);
      },
      'no word has a vowel',
    ),
);
