/** Counts of (gold, predicted) pairs, and the figures that are functions of them. */
export interface ConfusionMatrix {
  readonly labels: readonly string[];
  /** Row gold, column predicted: `counts[gold * labels.length + predicted]`. */
  readonly counts: Float64Array;
}

export interface LabelPair {
  gold: string;
  predicted: string;
}

/** Precision, recall and F1 of one label; a quotient 0 / 0 is 0 (as scikit-learn's `zero_division=0`). */
export interface LabelScore {
  label: string;
  precision: number;
  recall: number;
  f1: number;
  /** Examples with this gold label. */
  goldCount: number;
  predictedCount: number;
}

/** Throws RangeError for a label that is not among `labels`. */
export function confusionOf(labels: readonly string[], pairs: Iterable<LabelPair>): ConfusionMatrix {
  const indices = new Map(labels.map((label, index) => [label, index]));
  const counts = new Float64Array(labels.length ** 2);
  const indexOf = (label: string): number => {
    const index = indices.get(label);
    if (index === undefined) throw new RangeError(`The label ${JSON.stringify(label)} is not one of the labels.`);
    return index;
  };
  for (const pair of pairs) {
    const cell = indexOf(pair.gold) * labels.length + indexOf(pair.predicted);
    counts[cell] = (counts[cell] as number) + 1;
  }
  return { labels, counts };
}

export function totalCount(matrix: ConfusionMatrix): number {
  return matrix.counts.reduce((sum, count) => sum + count, 0);
}

/** Examples whose predicted label is the gold one. */
export function rightCount(matrix: ConfusionMatrix): number {
  return matrix.labels.reduce((sum, _, label) => sum + rightOf(matrix, label), 0);
}

/** In the order of the labels; labels that occur neither in gold nor in prediction are there too, with zeros. */
export function labelScores(matrix: ConfusionMatrix): LabelScore[] {
  const { goldCounts, predictedCounts } = marginals(matrix);
  return matrix.labels.map((label, index) => {
    const right = rightOf(matrix, index);
    const goldCount = goldCounts[index] as number;
    const predictedCount = predictedCounts[index] as number;
    return {
      label,
      precision: quotient(right, predictedCount),
      recall: quotient(right, goldCount),
      f1: quotient(2 * right, goldCount + predictedCount),
      goldCount,
      predictedCount,
    };
  });
}

/**
 * The mean F1 over the labels that occur in gold or prediction, `negativeLabel` left out; null where none does.
 * Equal to scikit-learn's `f1_score(average='macro')` where there is no negative label.
 */
export function macroF1(matrix: ConfusionMatrix, negativeLabel: string | null): number | null {
  const { goldCounts, predictedCounts } = marginals(matrix);
  let sum = 0;
  let labelCount = 0;
  matrix.labels.forEach((label, index) => {
    const occurrences = (goldCounts[index] as number) + (predictedCounts[index] as number);
    if (occurrences === 0 || label === negativeLabel) return;
    sum += (2 * rightOf(matrix, index)) / occurrences;
    labelCount++;
  });
  return labelCount === 0 ? null : sum / labelCount;
}

/** How many labels `macroF1` is the mean of. */
export function occurringLabelCount(matrix: ConfusionMatrix, negativeLabel: string | null): number {
  return labelScores(matrix).filter(
    (score) => score.goldCount + score.predictedCount > 0 && score.label !== negativeLabel,
  ).length;
}

/**
 * F1 over all labels but the negative one, pooled: right / predicted and right / gold, counting examples where the label
 * in question is not the negative one. 0 where neither gold nor prediction has such a label; null without examples.
 * The usual figure of relation extraction (TACRED's scorer, SemEval-2010's "micro-averaged result").
 */
export function microF1(matrix: ConfusionMatrix, negativeLabel: string): number | null {
  if (totalCount(matrix) === 0) return null;
  const { goldCounts, predictedCounts } = marginals(matrix);
  let right = 0;
  let occurrences = 0;
  matrix.labels.forEach((label, index) => {
    if (label === negativeLabel) return;
    right += rightOf(matrix, index);
    occurrences += (goldCounts[index] as number) + (predictedCounts[index] as number);
  });
  return quotient(2 * right, occurrences);
}

function rightOf(matrix: ConfusionMatrix, label: number): number {
  return matrix.counts[label * matrix.labels.length + label] as number;
}

function marginals(matrix: ConfusionMatrix): { goldCounts: Float64Array; predictedCounts: Float64Array } {
  const size = matrix.labels.length;
  const goldCounts = new Float64Array(size);
  const predictedCounts = new Float64Array(size);
  for (let gold = 0; gold < size; gold++) {
    for (let predicted = 0; predicted < size; predicted++) {
      const count = matrix.counts[gold * size + predicted] as number;
      goldCounts[gold] = (goldCounts[gold] as number) + count;
      predictedCounts[predicted] = (predictedCounts[predicted] as number) + count;
    }
  }
  return { goldCounts, predictedCounts };
}

function quotient(numerator: number, denominator: number): number {
  return denominator === 0 ? 0 : numerator / denominator;
}
