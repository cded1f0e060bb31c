/** Perturbations: what is changed of an example, where, and what must hold of the model's answer then. */

/** `own`: described in a suite file. */
export type PerturbationFamily = 'random' | 'counterfactual' | 'entity' | 'own';

/** DiagnoseRE's parts of a relation example, in the order of the text; a sentiment example is all `context`. */
export type Part = 'before' | 'head' | 'between' | 'tail' | 'after' | 'context';

/**
 * What must hold of the prediction on a variant.
 * `label-stays`: it is the prediction on the source. `label-becomes`: it is `label`, or any but the one on the source where that is null.
 * `negative`: it is the model's label for "no relation". `gold-not-rising`: the probability of the gold label is not higher than on the
 * source by more than `tolerance`.
 */
export type Expectation =
  | { kind: 'label-stays' }
  | { kind: 'label-becomes'; label: string | null }
  | { kind: 'negative' }
  | { kind: 'gold-not-rising'; tolerance: number };
