/** What the perturbations of this folder have in common. */
import type { Part } from '../../../protocol/perturbation';
import { type Random, shuffled } from '../../statistics/random';
import type { NotApplicable, PerturbationContext, PerturbationOption, TextPerturbation } from '../perturbation';
import type { Region } from '../regions';
import type { Edit, Source } from '../source';
import { type WordAt, wordsIn } from '../words';

/** All but the entities. */
export const contextParts: readonly Part[] = ['before', 'between', 'after', 'context'];
/** DiagnoseRE's setting "all". */
export const allParts: readonly Part[] = ['before', 'head', 'between', 'tail', 'after', 'context'];

interface RandomInfo {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly parts?: readonly Part[];
  readonly options?: readonly PerturbationOption[];
}

/** Random changes of the surface, after which the label stays. */
export function randomPerturbation(info: RandomInfo, edits: TextPerturbation['edits']): TextPerturbation {
  return {
    kind: 'text',
    family: 'random',
    tasks: ['sentiment', 'relation'],
    parts: contextParts,
    expectation: { kind: 'label-stays' },
    options: [],
    ...info,
    edits,
  };
}

/** How many words a variant changes. */
export const wordCount: PerturbationOption = {
  name: 'count',
  description: 'words that are changed in a variant',
  standard: 1,
  low: 1,
  high: 20,
  isInteger: true,
};

/** Random variants that are drawn of an example; equal ones are dropped. */
const DRAWS = 4;

/**
 * Variants in which some random words are changed. `change` gives what a word becomes, null where it has nothing to change. A word that
 * becomes itself is passed over.
 */
export function changedWords(
  source: Source,
  context: PerturbationContext,
  change: (word: WordAt, random: Random) => string | null,
  reason: string,
): Edit[][] | NotApplicable {
  const { random } = context;
  const words = wordsIn(source.text, context.regions);
  const count = context.option('count');
  const variants = Array.from({ length: DRAWS }, () => {
    const edits: Edit[] = [];
    for (const word of shuffled(words, random)) {
      if (edits.length === count) break;
      const text = change(word, random);
      if (text === null || text === word.text) continue;
      edits.push({ start: word.start, end: word.end, text, region: word.region });
    }
    return edits;
  }).filter((edits) => edits.length > 0);
  return variants.length === 0 ? { reason } : variants;
}

/**
 * DiagnoseRE changes every chosen part by itself and takes all combinations of what came of them (METHODS A.2). A part that has nothing to
 * change stays as it is.
 */
export function combined(
  source: Source,
  { regions }: PerturbationContext,
  ofPart: (text: string, region: Region) => Edit[][],
  reason: string,
): Edit[][] | NotApplicable {
  let combinations: Edit[][] = [[]];
  for (const region of regions) {
    const variants = ofPart(source.text.slice(region.start, region.end), region);
    if (variants.length > 0)
      combinations = combinations.flatMap((before) => variants.map((edits) => [...before, ...edits]));
  }
  const changed = combinations.filter((edits) => edits.length > 0);
  return changed.length === 0 ? { reason } : changed;
}

export function chosen<T>(items: readonly T[], random: Random): T {
  return items[random.int(items.length)]!;
}
