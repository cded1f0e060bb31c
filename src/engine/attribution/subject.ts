/** An example as the model reads it, and whose logit is explained. */
import type { Classifier } from '../models/classifier';
import type { ClassifierInput } from '../models/model-input';
import type { TokenAlignment } from '../text/alignment';

export interface Subject {
  text: string;
  /** The tokens that the model reads, special ones included. */
  tokens: readonly TokenAlignment[];
  /** Their ids. */
  ids: Int32Array;
}

/** Throws ModelError where the model reads entities and the example has none. */
export function subjectOf(classifier: Classifier, input: ClassifierInput): Subject {
  const tokens = classifier.tokens(input);
  return { text: input.text, tokens, ids: Int32Array.from(tokens, ({ id }) => id) };
}

/** Indices of the model's labels: the logit of `label`, less that of `against` where there is one. */
export interface Target {
  label: number;
  against: number | null;
}

/** [labels]: the weights of the logits whose sum is explained. */
export function seedOf({ label, against }: Target, labels: number): Float32Array {
  const seed = new Float32Array(labels);
  seed[label] = 1;
  if (against !== null) seed[against]! -= 1;
  return seed;
}

export function logitOf({ label, against }: Target, logits: ArrayLike<number>): number {
  return logits[label]! - (against === null ? 0 : logits[against]!);
}
