import { isLatin } from '../words';
import { changedWords, chosen, randomPerturbation, wordCount } from './random-perturbation';

/** The letters of a QWERTY keyboard with those beside them and in the rows above and below. */
const neighbours: ReadonlyMap<string, string> = new Map(
  Object.entries({
    q: 'wa',
    w: 'qeas',
    e: 'wrsd',
    r: 'etdf',
    t: 'ryfg',
    y: 'tugh',
    u: 'yihj',
    i: 'uojk',
    o: 'ipkl',
    p: 'ol',
    a: 'qwsz',
    s: 'awedxz',
    d: 'serfcx',
    f: 'drtgvc',
    g: 'ftyhbv',
    h: 'gyujnb',
    j: 'huikmn',
    k: 'jiolm',
    l: 'kop',
    z: 'asx',
    x: 'zsdc',
    c: 'xdfv',
    v: 'cfgb',
    b: 'vghn',
    n: 'bhjm',
    m: 'njk',
  }),
);

export const keyboardTypos = randomPerturbation(
  {
    id: 'keyboard-typos',
    name: 'Keyboard typos',
    description:
      'Writes the letter of a neighbouring key (QWERTY) within a word: Gui et al. 2021 (TextFlint, Keyboard).',
    options: [wordCount],
  },
  (example, context) =>
    changedWords(
      example,
      context,
      ({ text }, random) => {
        if (!isLatin(text) || text.length < 3) return null;
        const places = Array.from(text, (letter, index) => ({ letter, index })).filter(
          ({ letter, index }) => index > 0 && neighbours.has(letter.toLowerCase()),
        );
        if (places.length === 0) return null;
        const { letter, index } = chosen(places, random);
        const wrong = chosen([...neighbours.get(letter.toLowerCase())!], random);
        return (
          text.slice(0, index) + (letter === letter.toLowerCase() ? wrong : wrong.toUpperCase()) + text.slice(index + 1)
        );
      },
      'no word of Latin letters has three letters',
    ),
);
