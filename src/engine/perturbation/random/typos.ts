import { signsOf } from '../words';
import { changedWords, combined, randomPerturbation, wordCount } from './random-perturbation';

/** One sign of each part swapped with its right neighbour. */
export const typos = randomPerturbation(
  {
    id: 'typos',
    name: 'Typos',
    description:
      'Swaps one sign of a part with its right neighbour: Ribeiro et al. 2020 (CheckList), as in Li et al. 2021 (DiagnoseRE, Q1).',
  },
  (example, context) =>
    combined(
      example,
      context,
      (text, region) => {
        const signs = signsOf(text);
        const places = signs.slice(1).flatMap((sign, index) => (sign === signs[index] ? [] : [index]));
        if (places.length === 0) return [];
        const at = places[context.random.int(places.length)]!;
        const start = region.start + signs.slice(0, at).join('').length;
        const [left, right] = [signs[at]!, signs[at + 1]!];
        return [[{ start, end: start + left.length + right.length, text: right + left, region }]];
      },
      'no part has two signs that differ',
    ),
);

/** Letters of a word, moved, put in or taken away; the first and the last stay, so that it can still be read (Rawlinson 1976). */
export const characterSwap = randomPerturbation(
  {
    id: 'character-swap',
    name: 'Swapped letters',
    description: 'Swaps two letters within a word: Gui et al. 2021 (TextFlint, Typos).',
    options: [wordCount],
  },
  (example, context) =>
    changedWords(
      example,
      context,
      ({ text }, random) => {
        const signs = signsOf(text);
        if (signs.length < 4) return null;
        const at = 1 + random.int(signs.length - 3);
        [signs[at], signs[at + 1]] = [signs[at + 1]!, signs[at]!];
        return signs.join('');
      },
      'no word has four letters',
    ),
);

export const characterDelete = randomPerturbation(
  {
    id: 'character-delete',
    name: 'Missing letters',
    description: 'Leaves a letter out within a word: Gui et al. 2021 (TextFlint, Typos).',
    options: [wordCount],
  },
  (example, context) =>
    changedWords(
      example,
      context,
      ({ text }, random) => {
        const signs = signsOf(text);
        if (signs.length < 4) return null;
        signs.splice(1 + random.int(signs.length - 2), 1);
        return signs.join('');
      },
      'no word has four letters',
    ),
);

export const characterInsert = randomPerturbation(
  {
    id: 'character-insert',
    name: 'Doubled letters',
    description: 'Writes a letter twice within a word: Gui et al. 2021 (TextFlint, Typos).',
    options: [wordCount],
  },
  (example, context) =>
    changedWords(
      example,
      context,
      ({ text }, random) => {
        const signs = signsOf(text);
        if (signs.length < 3) return null;
        const at = 1 + random.int(signs.length - 2);
        signs.splice(at, 0, signs[at]!);
        return signs.join('');
      },
      'no word has three letters',
    ),
);
