/** How much each word speaks for a label: what is asked, and what is answered. */
import type { FileRange, LineRange, Position } from './dataset';

export const methodIds = ['ig', 'gxi', 'gs', 'gi', 'ig-diagnosere', 'occlusion'] as const;
export type MethodId = (typeof methodIds)[number];

/** What a person needs to know of a method before trusting it. */
export interface MethodInfo {
  name: string;
  /** Scores say for (positive) and against (negative); else only how much. */
  isSigned: boolean;
  /** Computed from the model's gradients; else from its predictions alone, so that any model will do. */
  needsGradients: boolean;
  /** One sentence, for people. */
  description: string;
}

export const methods: Readonly<Record<MethodId, MethodInfo>> = {
  ig: {
    name: 'Integrated Gradients',
    isSigned: true,
    needsGradients: true,
    description:
      'The gradient along the way from an empty input to this one, times the word; the scores add up to the change of the logit.',
  },
  gxi: {
    name: 'Gradient x Input',
    isSigned: true,
    needsGradients: true,
    description: 'The gradient times the embedding, summed with its sign: quick, and true only near this input.',
  },
  gs: {
    name: 'Gradient Sensitivity',
    isSigned: false,
    needsGradients: true,
    description: 'The squared length of the gradient at a word: how much, not in which direction (Wu & Ong 2021).',
  },
  gi: {
    name: 'Gradient x Input, squared norm',
    isSigned: false,
    needsGradients: true,
    description:
      'The squared length of the gradient times the embedding: how much, not in which direction (Wu & Ong 2021).',
  },
  'ig-diagnosere': {
    name: 'Integrated Gradients of DiagnoseRE',
    isSigned: false,
    needsGradients: true,
    description: 'Of the loss of the gold label, 9 points, without a sign: what the paper ranked words by.',
  },
  occlusion: {
    name: 'Occlusion',
    isSigned: true,
    needsGradients: false,
    description: 'What the logit loses when the word is hidden; asks the model once a word.',
  },
};

/**
 * Whose logit is explained: what the model predicted, the gold label, one by its name, or one against another.
 * `contrast`: the prediction against the gold label or, where that is the same or not known, against the next likely.
 */
export type ExplainedClass =
  | { kind: 'predicted' }
  | { kind: 'gold' }
  | { kind: 'contrast' }
  | { kind: 'label'; label: string }
  | { kind: 'difference'; label: NamedClass; against: NamedClass };

/** The predicted label of the example, its gold label, or one by its name. */
export type NamedClass = { kind: 'predicted' } | { kind: 'gold' } | { kind: 'label'; label: string };

/** What the way of Integrated Gradients begins at: nothing at all, or a text of mask or padding tokens. */
export const baselines = ['zero', 'mask', 'pad'] as const;
export type Baseline = (typeof baselines)[number];

export interface AttributionOptions {
  method: MethodId;
  /** Points of Integrated Gradients. */
  steps: number;
  baseline: Baseline;
}

/** Strength of a word's colour, -5 to 5: against to for. Of methods without a sign 1 to 5. */
export interface HeatWord {
  range: FileRange;
  strength: number;
}

/** What is drawn on an example's words. */
export interface Heat {
  isSigned: boolean;
  words: HeatWord[];
  /** The end of the text, which the model did not read. */
  unread: FileRange | null;
}

export interface ScoredWord {
  text: string;
  score: number;
}

/** What the hover says. */
export interface Explanation {
  method: MethodId;
  /** The method that was asked for, where the model made another one necessary. */
  insteadOf: MethodId | null;
  label: string;
  against: string | null;
  /** Largest first. */
  wordsFor: ScoredWord[];
  /** Most negative first; empty where the method has no sign. */
  wordsAgainst: ScoredWord[];
  /** The explained logit (or difference of two). */
  logit: number;
  /** Integrated Gradients: what the scores should add up to, and what they do. */
  completeness: { sum: number; difference: number } | null;
  /** What a person should know who reads the scores. */
  notes: string[];
}

export interface ExplainParams {
  uri: string;
  model: { folder: string };
  options: AttributionOptions;
  /** The example at a position, or all that stand on some lines. */
  scope: { kind: 'at'; position: Position } | { kind: 'lines'; lines: LineRange };
  explained: ExplainedClass;
  /** Label pairs that a person has confirmed: dataset label, model label or null for none. */
  rememberedLabels: [string, string | null][];
}

export interface ExplainResult {
  /** Examples that have an explanation now. */
  explainedCount: number;
  /** Why others have none, each reason once. */
  refusals: string[];
  /** Why another method was taken than the one that was asked for: for people. */
  fallback: string | null;
  ms: number;
}
