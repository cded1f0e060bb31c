/**
 * A method asks the model for what it needs and makes scores of the answers. It does not run anything itself: who drives it puts the rows of
 * several examples into one batch, lets others have the thread in between, and ends it when nobody waits any more.
 */
import type { Baseline } from '../../protocol/attribution';
import type { GradientResult, GradientRow } from '../models/gradient-model';
import type { Subject, Target } from './subject';

/** Rows for the model with gradients, or inputs for the classifier. */
export type Ask = { kind: 'gradients'; rows: GradientRow[] } | { kind: 'logits'; inputs: Int32Array[] };
/** In the order of what was asked; `gradients` is empty where logits were asked for, and the other way round. */
export interface Answer {
  gradients: readonly GradientResult[];
  logits: readonly Float32Array[];
}

export interface TokenScores {
  /** One a token, special ones included; raw. */
  scores: Float32Array;
  /** Of the whole input, one a label. */
  logits: Float32Array;
  /** What the scores should add up to; null where the method promises no sum. */
  total: number | null;
}

/** Whether all scores are numbers; a model whose arithmetic overflows gives others. */
export function areNumbers({ scores, logits }: TokenScores): boolean {
  return [scores, logits].every((values) => values.every((value) => Number.isFinite(value)));
}

/** Whether the scores add up to what they should, to 2 % of it and 0.01. */
export function isComplete({ scores, total }: TokenScores): boolean {
  if (total === null) return true;
  const sum = scores.reduce((all, score) => all + score, 0);
  return Math.abs(sum - total) <= 0.02 * Math.abs(total) + 0.01;
}

/** What a method knows of the model. */
export interface ModelFacts {
  labels: number;
  /** Numbers an embedding. */
  width: number;
  embed(ids: Int32Array): Float32Array;
  padTokenId: number;
  maskTokenId: number | null;
}

export interface MethodOptions {
  steps: number;
  baseline: Baseline;
}

export type Method = (
  subject: Subject,
  target: Target,
  model: ModelFacts,
  options: MethodOptions,
) => Generator<Ask, TokenScores, Answer>;

/** One number a token of [n, width] values. */
export function perToken(
  values: Float32Array,
  width: number,
  measure: (value: number, index: number) => number,
): Float32Array {
  const scores = new Float32Array(values.length / width);
  for (let token = 0; token < scores.length; token++) {
    let sum = 0;
    for (let index = token * width; index < (token + 1) * width; index++) sum += measure(values[index]!, index);
    scores[token] = sum;
  }
  return scores;
}
