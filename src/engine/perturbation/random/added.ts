/** Things that are put before or behind a text and say nothing of its label. */
import type { TextPerturbation } from '../perturbation';
import type { Edit } from '../source';
import { chosen, randomPerturbation } from './random-perturbation';

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Puts one of what `make` gives behind the text, and one before it. */
function added(
  make: (random: Parameters<TextPerturbation['edits']>[1]['random']) => string,
): TextPerturbation['edits'] {
  return ({ text }, { regions, random }) => {
    const [first, last] = [regions[0], regions.at(-1)];
    const variants: Edit[][] = [];
    if (last !== undefined && last.end === text.length) {
      const space = /\s$/.test(text) || text === '' ? '' : ' ';
      variants.push([{ start: text.length, end: text.length, text: space + make(random), region: last }]);
    }
    if (first !== undefined && first.start === 0) {
      variants.push([{ start: 0, end: 0, text: `${make(random)} `, region: first }]);
    }
    return variants.length === 0 ? { reason: 'an entity stands at both ends of the text' } : variants;
  };
}

export const url = randomPerturbation(
  {
    id: 'url',
    name: 'Added link',
    description: 'Puts a short link at the end or at the beginning: Ribeiro et al. 2020 (CheckList, random URLs).',
  },
  added((random) => `https://t.co/${Array.from({ length: 6 }, () => chosen([...letters], random)).join('')}`),
);

export const handle = randomPerturbation(
  {
    id: 'handle',
    name: 'Added handle',
    description:
      'Puts a handle (@name) at the end or at the beginning: Ribeiro et al. 2020 (CheckList, random handles).',
  },
  added((random) => `@${Array.from({ length: 6 }, () => chosen([...letters], random)).join('')}`),
);

/** Without a feeling: a face would say something of the label. */
const things = ['📎', '📍', '🕐', '🚲', '🏠', '🌍', '📷', '🔑', '📖', '🚪', '🧭', '🪑'];

export const emoji = randomPerturbation(
  {
    id: 'emoji',
    name: 'Added emoji',
    description:
      'Puts the picture of a thing, which shows no feeling, at the end or at the beginning: Gui et al. 2021 (TextFlint).',
  },
  added((random) => chosen(things, random)),
);
