/**
 * Integrated Gradients (Sundararajan, Taly & Yan 2017): the gradient along the straight way from a baseline to the word embeddings, times
 * their distance. The points are the middles of equal parts (midpoint rule: error of the second order); positions and segments stay as they
 * are. The scores add up to the explained logit less that of the baseline, as closely as there are steps.
 */
import type { GradientRow } from '../models/gradient-model';
import type { Method, MethodOptions, ModelFacts } from './method';
import { perToken } from './method';
import { logitOf, type Subject, seedOf } from './subject';

/** Gradients that are held at a time: of 512 tokens and 384 numbers a token, 100 MB. */
const STEPS_AT_ONCE = 64;

export const integratedGradients: Method = function* (subject, target, model, options) {
  const { ids } = subject;
  const whole = model.embed(ids);
  const from = baselineOf(subject, model, options);
  const seed = seedOf(target, model.labels);
  const at = (alpha: number): GradientRow => ({
    ids,
    embeddings: whole.map((value, index) => from[index]! + alpha * (value - from[index]!)),
    seed,
  });
  const { steps } = options;
  const mean = new Float32Array(whole.length);
  const ends: Float32Array[] = [];
  for (let done = 0; done < steps; done += STEPS_AT_ONCE) {
    const count = Math.min(STEPS_AT_ONCE, steps - done);
    const rows = Array.from({ length: count }, (_, step) => at((done + step + 0.5) / steps));
    // Both ends with the first of them, for the sum that the scores are to have.
    const { gradients } = yield { kind: 'gradients', rows: done === 0 ? [at(1), at(0), ...rows] : rows };
    for (const [index, { words, logits }] of gradients.entries()) {
      if (done === 0 && index < 2) ends.push(logits);
      else for (let at = 0; at < mean.length; at++) mean[at]! += words[at]! / steps;
    }
  }
  const [end, start] = ends as [Float32Array, Float32Array];
  return {
    scores: perToken(mean, model.width, (value, index) => value * (whole[index]! - from[index]!)),
    logits: end,
    total: logitOf(target, end) - logitOf(target, start),
  };
};

/**
 * [n, width]. Zeros for every token, special ones too; or the mask or padding token in the place of each token of the text, the special
 * tokens and entity markers staying.
 */
function baselineOf({ ids, tokens }: Subject, model: ModelFacts, { baseline }: MethodOptions): Float32Array {
  if (baseline === 'zero') return new Float32Array(ids.length * model.width);
  // A tokenizer without a mask hides words behind padding.
  const hidden = baseline === 'mask' ? (model.maskTokenId ?? model.padTokenId) : model.padTokenId;
  return model.embed(ids.map((id, at) => (tokens[at]!.start === null ? id : hidden)));
}
