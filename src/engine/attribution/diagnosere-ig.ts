/**
 * Integrated Gradients as DiagnoseRE computed it (Li et al. 2021, "On Robustness and Bias Analysis of BERT-based Relation Extraction", and its
 * code): of the cross entropy of a softmax taken twice, at the output of the whole embedding layer, the words scaled by 0, 1/8, ..., 1; the
 * mean gradient times the output, in absolute value. Scores have no sign, and `against` plays no part. (The paper scales them to 0..1 over the
 * padded sentence; here they are raw.)
 */
import type { Method } from './method';
import { perToken } from './method';

const alphas = Array.from({ length: 9 }, (_, index) => index / 8);

export const diagnoseReGradients: Method = function* (subject, { label }, model) {
  const { ids } = subject;
  const whole = model.embed(ids);
  const points = alphas.map((alpha) => ({ ids, embeddings: whole.map((value) => alpha * value) }));
  const zeros = new Float32Array(model.labels);
  // The weights of the logits depend on the logits: they are asked for first.
  const first = yield { kind: 'gradients', rows: points.map((point) => ({ ...point, seed: zeros })) };
  const seeds = first.gradients.map(({ logits }) => slopeOfLoss(logits, label));
  const { gradients } = yield {
    kind: 'gradients',
    rows: points.map((point, index) => ({ ...point, seed: seeds[index]! })),
  };
  const mean = new Float32Array(whole.length);
  for (const { layer } of gradients) {
    for (let index = 0; index < mean.length; index++) mean[index]! += layer.gradient[index]! / alphas.length;
  }
  const last = gradients[gradients.length - 1]!;
  return {
    scores: perToken(mean, model.width, (value, index) => Math.abs(value * last.layer.output[index]!)),
    logits: last.logits,
    total: null,
  };
};

/** d/dz of -log softmax(softmax(z))[label]. */
function slopeOfLoss(logits: Float32Array, label: number): Float32Array {
  const once = softmax(logits);
  const twice = softmax(once);
  const slope = twice.map((value, index) => value - (index === label ? 1 : 0));
  const mean = slope.reduce((sum, value, index) => sum + value * once[index]!, 0);
  return Float32Array.from(once, (value, index) => value * (slope[index]! - mean));
}

function softmax(values: ArrayLike<number>): Float64Array {
  const largest = Math.max(...Array.from(values));
  const powers = Float64Array.from(values, (value) => Math.exp(value - largest));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}
