/** Whether a prediction on a variant is what was expected. */
import type { Expectation } from '../../protocol/perturbation';

/** [labels] probabilities of the source and of one of its variants, and what the labels are. */
export interface Judged {
  readonly before: ArrayLike<number>;
  readonly after: ArrayLike<number>;
  readonly labels: readonly string[];
  /** Index; null: the example has no gold label that the model knows. */
  readonly gold: number | null;
  /** Index of the label for "no relation"; null: the model has none. */
  readonly negative: number | null;
}

/** Why an expectation says nothing of an example, for people; null where it can be judged. Known before any variant is made. */
export function unjudged(
  expectation: Expectation,
  { labels, gold, negative }: Pick<Judged, 'labels' | 'gold' | 'negative'>,
): string | null {
  switch (expectation.kind) {
    case 'negative':
      return negative === null ? 'the model has no label for "no relation"' : null;
    case 'gold-not-rising':
      return gold === null ? 'it has no gold label that the model knows' : null;
    case 'label-becomes':
      return expectation.label === null || labels.includes(expectation.label)
        ? null
        : `the model has no label ${JSON.stringify(expectation.label)}`;
    case 'label-stays':
      return null;
  }
}

/** Throws RangeError where `unjudged` names a reason. */
export function isFailure(expectation: Expectation, judged: Judged): boolean {
  const { before, after, labels, gold, negative } = judged;
  const reason = unjudged(expectation, judged);
  if (reason !== null) throw new RangeError(`This cannot be judged: ${reason}.`);
  switch (expectation.kind) {
    case 'label-stays':
      return mostLikely(after) !== mostLikely(before);
    case 'label-becomes':
      return expectation.label === null
        ? mostLikely(after) === mostLikely(before)
        : labels[mostLikely(after)] !== expectation.label;
    case 'negative':
      return mostLikely(after) !== negative;
    case 'gold-not-rising':
      return after[gold!]! > before[gold!]! + expectation.tolerance;
  }
}

/** Index of the largest number, the first of equal ones. */
export function mostLikely(probabilities: ArrayLike<number>): number {
  let best = 0;
  for (let index = 1; index < probabilities.length; index++) {
    if (probabilities[index]! > probabilities[best]!) best = index;
  }
  return best;
}

/** `the label stays`, for people. */
export function expectationText(expectation: Expectation): string {
  switch (expectation.kind) {
    case 'label-stays':
      return 'the label stays';
    case 'label-becomes':
      return expectation.label === null ? 'the label changes' : `the label becomes ${expectation.label}`;
    case 'negative':
      return 'the label becomes the one for "no relation"';
    case 'gold-not-rising':
      return 'the gold label does not become more likely';
  }
}
