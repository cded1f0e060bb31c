/** Whose logit a person wants explained, as indices of the model's labels. */
import type { ExplainedClass, MethodId, NamedClass } from '../../protocol/attribution';
import type { Target } from './subject';

/** What is known of an example: labels of the model. */
export interface KnownLabels {
  predicted: string;
  /** The label that is likeliest after the predicted one. */
  second: string;
  /** Null: the example has none, or the model does not know it. */
  gold: string | null;
}

/** The likeliest label and the next, of logits in the order of the labels. */
export function likeliest(logits: Float32Array, labels: readonly string[]): { predicted: string; second: string } {
  const ranked = labels.map((_, index) => index).sort((a, b) => logits[b]! - logits[a]! || a - b);
  return { predicted: labels[ranked[0]!]!, second: labels[ranked[1]!]! };
}

/** A refusal is for people: it says what is missing. */
export function targetOf(
  explained: ExplainedClass,
  known: KnownLabels,
  labels: readonly string[],
): { target: Target } | { refusal: string } {
  const asked = labelsOf(explained, known);
  if (asked === null) return { refusal: 'it has no gold label that the model knows' };
  const [label, against] = asked.map((name) => labels.indexOf(name));
  if (label === undefined || label < 0 || (against ?? 0) < 0) {
    const missing = asked.find((name) => !labels.includes(name));
    return { refusal: `the model has no label ${JSON.stringify(missing)}` };
  }
  if (label === against)
    return { refusal: `both labels are ${JSON.stringify(asked[0])}, which has no difference from itself` };
  return { target: { label, against: against ?? null } };
}

function labelsOf(explained: ExplainedClass, known: KnownLabels): string[] | null {
  const { predicted, second, gold } = known;
  switch (explained.kind) {
    case 'predicted':
    case 'gold':
    case 'label': {
      const named = labelOf(explained, known);
      return named === null ? null : [named];
    }
    case 'contrast':
      return [predicted, gold === null || gold === predicted ? second : gold];
    case 'difference': {
      const [label, against] = [labelOf(explained.label, known), labelOf(explained.against, known)];
      return label === null || against === null ? null : [label, against];
    }
  }
}

function labelOf(named: NamedClass, { predicted, gold }: KnownLabels): string | null {
  if (named.kind === 'label') return named.label;
  return named.kind === 'gold' ? gold : predicted;
}

/** What is explained where nobody said it: the prediction; by the method that explains the loss of the gold label, that. */
export function defaultClass(method: MethodId): ExplainedClass {
  return method === 'ig-diagnosere' ? { kind: 'gold' } : { kind: 'predicted' };
}
