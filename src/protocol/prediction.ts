import type { Task } from './dataset';

/** What a model says of one example. */
export interface Prediction {
  label: string;
  /** Softmax of the logits, in the order of the model's labels. */
  probabilities: Float32Array;
  logits: Float32Array;
  /** The input was longer than the model reads: its tail was not seen. */
  truncated: boolean;
}

/** What a person needs to know of a model before and while it runs. */
export interface ModelInfo {
  /** The folder's name. */
  name: string;
  folder: string;
  task: Task;
  labels: string[];
  /** The label that means "no relation", left out of micro-F1. */
  negativeLabel: string | null;
  /** sha256, hex, of the ONNX file and its external data. */
  hash: string;
  /** How the weights are stored, from the file's name: `int8`, `fp16`, `fp32`. */
  dtype: string;
  maxTokens: number;
}

/** A number between two bounds: the 95 % interval. */
export interface Interval {
  value: number;
  low: number;
  high: number;
}

/** Dataset label -> model label; null where the model has no such label. */
export interface LabelMatch {
  pairs: { dataset: string; model: string | null; count: number }[];
  /** False: a person should be asked, since a pair was guessed or nothing matches. */
  sure: boolean;
}

/** The headline figures over the examples that have a prediction and a gold label the model knows. */
export interface Summary {
  exampleCount: number;
  predictedCount: number;
  /** Predicted, with a gold label that the model has. The figures are over these. */
  judgedCount: number;
  wrongCount: number;
  truncatedCount: number;
  /** Wilson interval. Null while nothing is judged. */
  accuracy: Interval | null;
  /** Bootstrap interval; null where the task has no negative class (micro-F1 is the accuracy then). */
  microF1: Interval | null;
  macroF1: Interval | null;
  /** How macro-F1 is averaged, for people: `over 2 labels`, `official (9+1)-way, directions merged`. */
  macroF1Detail: string;
}
