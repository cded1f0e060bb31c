import type { Example } from '../dataset';
import type { CheckCode } from './catalogue';

/** What a person may set, and what the checks are handed. */
export interface CheckSettings {
  /** Jaccard similarity of word shingles, 0 to 1, from which on two texts are near duplicates. */
  readonly nearDuplicateThreshold: number;
  /** A label with fewer examples than this is told. */
  readonly fewExamples: number;
  /** The most frequent label has this many times the examples of the rarest, or more: told. */
  readonly imbalanceRatio: number;
  /** Kinds of findings that are not looked for. */
  readonly disabled: ReadonlySet<CheckCode>;
  /** How the chosen model would read an input; null where no model is chosen. */
  readonly model: InputLength | null;
}

/** The tokens of a model's input. Counting costs a tokenisation: only asked where a row is long enough to matter. */
export interface InputLength {
  /** The model's, for messages. */
  readonly name: string;
  readonly maxTokens: number;
  /** False: the example's input is surely not too long. Costs next to nothing. */
  mayBeTooLong(example: Example): boolean;
  /** With special tokens and entity markers; `keptUnits`: how much of the text is left of an input that is too long, in UTF-16 units. */
  count(example: Example): { readonly tokens: number; readonly keptUnits: number };
}

export const defaultCheckSettings: CheckSettings = {
  nearDuplicateThreshold: 0.8,
  fewExamples: 10,
  imbalanceRatio: 10,
  disabled: new Set(),
  model: null,
};
