/**
 * One gradient: Gradient Sensitivity and Gradient x Input. All look at the output of the whole embedding layer (words, positions and
 * segments, normalised), as Wu & Ong do ("On Explaining Your Explanations of BERT", 2021, section 3.1); the explained logit has the weight 1.
 */
import type { Answer, Ask, Method, TokenScores } from './method';
import { perToken } from './method';
import { seedOf } from './subject';

type Score = (gradient: Float32Array, output: Float32Array, width: number) => Float32Array;

function oneGradient(score: Score): Method {
  return function* (subject, target, model): Generator<Ask, TokenScores, Answer> {
    const row = { ids: subject.ids, embeddings: model.embed(subject.ids), seed: seedOf(target, model.labels) };
    const { gradients } = yield { kind: 'gradients', rows: [row] };
    const { logits, layer } = gradients[0]!;
    return { scores: score(layer.gradient, layer.output, model.width), logits, total: null };
  };
}

/** Squared length of the gradient. */
export const gradientSensitivity = oneGradient((gradient, _, width) =>
  perToken(gradient, width, (value) => value * value),
);

/** Squared length of gradient times embedding, number by number. */
export const gradientInputNorm = oneGradient((gradient, output, width) =>
  perToken(gradient, width, (value, index) => (value * output[index]!) ** 2),
);

/** Their product, summed with its sign. */
export const gradientTimesInput = oneGradient((gradient, output, width) =>
  perToken(gradient, width, (value, index) => value * output[index]!),
);
