/** What a perturbation is. Those of one family stand in one folder, a file each; `table.ts` lists them. */
import type { Task } from '../../protocol/dataset';
import type { Expectation, Part, PerturbationFamily } from '../../protocol/perturbation';
import type { Random } from '../statistics/random';
import type { EntityPool } from './entity/entity-pool';
import type { Region } from './regions';
import type { Edit, Source, Variant } from './source';

/** What is said of every perturbation. */
export interface PerturbationInfo {
  /** Stable, as suites and the command line name it: `typos`, `same-type-head`. */
  readonly id: string;
  readonly family: PerturbationFamily;
  /** For people: `Typos`. */
  readonly name: string;
  /** One sentence: what it does, and after whom. */
  readonly description: string;
  readonly tasks: readonly Task[];
  /** Where it acts unless a suite says otherwise; of these, what an example has. Context only: entities are left alone. */
  readonly parts: readonly Part[];
  readonly expectation: Expectation;
  /** What its numbers mean, and where they stand unless a suite says otherwise. */
  readonly options: readonly PerturbationOption[];
}

/** A number that a suite may set. */
export interface PerturbationOption {
  readonly name: string;
  readonly description: string;
  readonly standard: number;
  readonly low: number;
  readonly high: number;
  readonly isInteger: boolean;
}

/** What a perturbation may look at beside the example. */
export interface PerturbationContext {
  /** Of the whole run. */
  readonly seed: number;
  /** Its own: the same seed, example and perturbation give the same numbers, whatever else was perturbed before. */
  readonly random: Random;
  /** Where it may act, in the order of the text. */
  readonly regions: readonly Region[];
  /** The value of one of its options. */
  option(name: string): number;
  /** The entities of the whole dataset; null where none was collected. */
  readonly pool: EntityPool | null;
}

/** Why it has no variant of an example: "no number in the text". For people, lower case, without a full stop. */
export interface NotApplicable {
  readonly reason: string;
}

/** Changes the text by itself. Each list of edits is a variant; a list that changes nothing is dropped and counted. */
export interface TextPerturbation extends PerturbationInfo {
  readonly kind: 'text';
  edits(source: Source, context: PerturbationContext): readonly (readonly Edit[])[] | NotApplicable;
}

/** Makes whole variants: where roles or types change, or the text is made anew. */
export interface VariantPerturbation extends PerturbationInfo {
  readonly kind: 'variants';
  variants(source: Source, context: PerturbationContext): readonly Variant[] | NotApplicable;
}

/** What a search asks of the model: predictions of variants, or how much each word of the source speaks for its prediction. */
export type SearchAsk = { kind: 'predictions'; variants: readonly Variant[] } | { kind: 'words' };

/** How a word is weighed by the attribution method in use. */
export interface WeighedWord {
  readonly start: number;
  readonly end: number;
  readonly score: number;
}

export interface SearchAnswer {
  /** [variants][labels], in the order of what was asked; empty where words were asked for. */
  readonly probabilities: readonly Float32Array[];
  /** Largest score for the explained label first is not promised: in the order of the text. */
  readonly words: readonly WeighedWord[];
}

/** What a search knows of the model before it asks. */
export interface SearchFacts {
  /** Index of the label predicted on the source. */
  readonly predicted: number;
  /** [labels], on the source. */
  readonly probabilities: Float32Array;
  /** Index of the gold label; null where it is not known or the model has none such. */
  readonly gold: number | null;
  /** Index of the label that means "no relation"; null where the model has none. */
  readonly negative: number | null;
  /** What stands for a hidden word in a text; null where the model has none. */
  readonly maskToken: string | null;
}

/** Asks the model what to change. Ends with its variants. */
export interface SearchPerturbation extends PerturbationInfo {
  readonly kind: 'search';
  search(
    source: Source,
    context: PerturbationContext,
    facts: SearchFacts,
  ): Generator<SearchAsk, readonly Variant[] | NotApplicable, SearchAnswer>;
}

export type Perturbation = TextPerturbation | VariantPerturbation | SearchPerturbation;

export function isNotApplicable(result: object): result is NotApplicable {
  return 'reason' in result;
}
