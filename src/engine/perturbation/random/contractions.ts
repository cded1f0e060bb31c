import { contractions as pairs, shortOnly } from '../lexicon/contractions';
import type { Edit } from '../source';
import { inCaseOf } from '../words';
import { combined, randomPerturbation } from './random-perturbation';

const patternOf = (forms: readonly string[]): RegExp =>
  new RegExp(`(?<![\\p{L}'’])(?:${forms.join('|')})(?![\\p{L}'’])`, 'giu');
/** "it is not" is contracted to "it isn't": what follows is looked at first. */
const longForm = (text: string): string =>
  text.replaceAll(' ', '\\s+') + (text.endsWith('not') || text === 'i am' ? '' : '(?!\\s+not)');

const longForms = new Map([...pairs, ...shortOnly]);
// Of two long forms of one contraction the last counts: "cannot", as it is mostly written.
const shortForms = new Map(pairs.map(([long, short]) => [short.toLowerCase(), long]));
const long = patternOf([...longForms.keys()].map(longForm));
const short = patternOf([...shortForms.keys()].map((text) => text.replace("'", "['’]")));

/** All contractions of a part taken apart, and all that can be contracted contracted. */
export const contractions = randomPerturbation(
  {
    id: 'contractions',
    name: 'Contractions',
    description:
      'Contracts what can be ("is not": "isn\'t"), and takes contractions apart: Ribeiro et al. 2020 (CheckList), as in Li et al. 2021 (DiagnoseRE, Q1).',
  },
  (example, context) =>
    combined(
      example,
      context,
      (text, region) => {
        const edits = (pattern: RegExp, writtenFor: (found: string) => string): Edit[] =>
          [...text.matchAll(pattern)].map((match) => ({
            start: region.start + match.index,
            end: region.start + match.index + match[0].length,
            text: inCaseOf(match[0], writtenFor(match[0])),
            region,
          }));
        const plain = (found: string): string => found.toLowerCase().replace(/\s+/g, ' ').replace('’', "'");
        return [
          edits(long, (found) => longForms.get(plain(found))!),
          edits(short, (found) => upperI(shortForms.get(plain(found))!)),
        ].filter((variant) => variant.length > 0);
      },
      'there is nothing to contract or to take apart',
    ),
);

function upperI(text: string): string {
  return text.replace(/^i\b/, 'I');
}
