/** English negation put in, taken out, and doubled, in sentiment examples: Ribeiro et al. 2020 (CheckList, Negation). */
import { opposites } from '../lexicon/opposites';
import type { TextPerturbation } from '../perturbation';
import type { Region } from '../regions';
import type { Edit, Source } from '../source';
import { inCaseOf, wordsIn } from '../words';

/** Forms that "not" stands behind. "have" is left out: mostly it is no auxiliary, and "has not a plot" is no English of today. */
const auxiliaries: ReadonlySet<string> = new Set(
  'is are was were am can could will would should must might may do does did'.split(' '),
);
/** Behind these, "not" would stand in a question, or belong to another word. */
const blockers: ReadonlySet<string> = new Set([
  'not',
  'never',
  'no',
  'nothing',
  'hardly',
  'i',
  'you',
  'he',
  'she',
  'it',
  'we',
  'they',
]);

type NegationInfo = Pick<TextPerturbation, 'id' | 'name' | 'description' | 'expectation'>;

function negation(
  info: NegationInfo,
  edits: (source: Source, regions: readonly Region[]) => Edit[][],
  reason: string,
): TextPerturbation {
  return {
    kind: 'text',
    family: 'counterfactual',
    tasks: ['sentiment'],
    parts: ['context'],
    options: [],
    ...info,
    edits(source, { regions }) {
      const variants = edits(source, regions);
      return variants.length === 0 ? { reason } : variants;
    },
  };
}

const risesNot = { kind: 'gold-not-rising', tolerance: 0.05 } as const;

/** `is` becomes `is not`: one auxiliary a variant. */
export const negationAdded = negation(
  {
    id: 'negation-added',
    name: 'Negation added',
    description:
      'Puts "not" behind an auxiliary; the gold label must not become more likely: Ribeiro et al. 2020 (CheckList, Negation).',
    expectation: risesNot,
  },
  ({ text }, regions) => {
    const words = wordsIn(text, regions);
    return words.flatMap((word, index): Edit[][] => {
      const next = words[index + 1];
      const isAuxiliary = auxiliaries.has(word.text.toLowerCase());
      const isDo = /^(?:do|does|did)$/i.test(word.text);
      if (!isAuxiliary || next === undefined || next.region !== word.region) return [];
      if (blockers.has(next.text.toLowerCase()) || text.slice(word.end, next.start) !== ' ') return [];
      // "did it", "do the", "does a": no verb follows.
      if (
        isDo &&
        /^(?:the|a|an|this|that|its|his|her|my|your|our|their|so|well|something|everything|anything)$/i.test(next.text)
      )
        return [];
      // At the beginning of a question "not" would stand in the wrong place.
      if (index === 0 && text.trimEnd().endsWith('?')) return [];
      return [[{ start: word.end, end: word.end, text: ' not', region: word.region }]];
    });
  },
  'it has no auxiliary that "not" may stand behind',
);

/** Contracted auxiliaries whose form is another one. */
const irregular: ReadonlyMap<string, string> = new Map([
  ["won't", 'will'],
  ["can't", 'can'],
  ['cannot', 'can'],
  ["shan't", 'shall'],
]);

/** `is not` and `isn't` become `is`. */
export const negationRemoved = negation(
  {
    id: 'negation-removed',
    name: 'Negation removed',
    description:
      'Takes "not" away behind an auxiliary; the gold label must not become more likely: Ribeiro et al. 2020 (CheckList, Negation).',
    expectation: risesNot,
  },
  ({ text }, regions) => {
    const words = wordsIn(text, regions);
    return words.flatMap((word, index): Edit[][] => {
      const before = words[index - 1];
      const plain = word.text.toLowerCase().replace('’', "'");
      if (
        plain === 'not' &&
        before !== undefined &&
        before.region === word.region &&
        auxiliaries.has(before.text.toLowerCase())
      ) {
        const isOnly = /^\s+only\b/i.test(text.slice(word.end));
        return isOnly ? [] : [[{ start: before.end, end: word.end, text: '', region: word.region }]];
      }
      const positive = irregular.get(plain) ?? (plain.endsWith("n't") ? plain.slice(0, -3) : null);
      if (positive === null || !(auxiliaries.has(positive) || positive === 'shall')) return [];
      return [[{ start: word.start, end: word.end, text: inCaseOf(word.text, positive), region: word.region }]];
    });
  },
  'it has no negated auxiliary',
);

const opposite = new Map(
  opposites.flatMap(
    ([a, b]) =>
      [
        [a, b],
        [b, a],
      ] as [string, string][],
  ),
);

/** `a good film` becomes `a not bad film`. */
export const doubleNegation = negation(
  {
    id: 'double-negation',
    name: 'Double negation',
    description: 'Writes "not" and the opposite for a word ("good": "not bad"); the label stays.',
    expectation: { kind: 'label-stays' },
  },
  ({ text }, regions) => {
    const words = wordsIn(text, regions);
    return words.flatMap((word, index): Edit[][] => {
      const other = opposite.get(word.text.toLowerCase());
      const before = words[index - 1];
      if (other === undefined || word.text !== word.text.toLowerCase()) return [];
      const isBeside =
        before !== undefined && before.region === word.region && text.slice(before.end, word.start) === ' ';
      // "very good" would become "very not bad", "not good" "not not bad".
      if (isBeside && /^(?:not|never|very|so|too|really|quite|more|most|less|as|how|n't)$|n['’]t$/i.test(before.text))
        return [];
      const edit = { start: word.start, end: word.end, text: `not ${other}`, region: word.region };
      if (isBeside && /^an$/i.test(before.text)) {
        return [[{ start: before.end - 1, end: before.end, text: '', region: word.region }, edit]];
      }
      return [[edit]];
    });
  },
  'no word of it has an opposite in the list',
);
