/**
 * Integrated Gradients (Sundararajan, Taly & Yan 2017): the gradient along the straight way from a baseline to the word embeddings, times
 * their distance. The points are the middles of equal parts (midpoint rule: error of the second order); positions and segments stay as they
 * are. The scores add up to the explained logit less that of the baseline, as closely as there are steps.
 */
import type { GradientRow } from '../models/gradient-model';
import type { Method, MethodOptions, ModelFacts } from './method';
import { perToken } from './method';
import { logitOf, type Subject, seedOf } from './subject';

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
  // Both ends with them, for the sum that the scores are to have.
  const rows = Array.from({ length: steps }, (_, step) => at((step + 0.5) / steps));
  const { gradients } = yield { kind: 'gradients', rows: [at(1), at(0), ...rows] };
  const [end, start, ...along] = gradients;
  const mean = new Float32Array(whole.length);
  for (const { words } of along)
    for (let index = 0; index < mean.length; index++) mean[index]! += words[index]! / steps;
  return {
    scores: perToken(mean, model.width, (value, index) => value * (whole[index]! - from[index]!)),
    logits: end!.logits,
    total: logitOf(target, end!.logits) - logitOf(target, start!.logits),
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
