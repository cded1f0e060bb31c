import type { Interval } from '../../protocol/prediction';
import { drawBinomial } from './binomial';
import { type ConfusionMatrix, totalCount } from './confusion';
import { createRandom, type Random } from './random';

/** A figure of a confusion matrix; null where the matrix does not define it. */
export type MatrixStatistic = (matrix: ConfusionMatrix) => number | null;

export interface BootstrapOptions {
  seed: number;
  /** 1000 unless said otherwise. */
  resamples?: number;
}

/**
 * 95 % percentile intervals of figures of a confusion matrix, by bootstrap over its examples. The matrix of a resample of
 * n examples is a multinomial draw of n with the observed proportions, so cells are drawn, not examples: the time does not
 * grow with n. Each figure is computed on a resample exactly as on the data (labels that do not occur in the resample are
 * left out of a mean as they would be there); resamples that leave a figure undefined are left out of its interval.
 * A figure that is null on the data has no interval (null). The interval says nothing of errors that the data do not show:
 * where every prediction is right it is [1, 1], however few they are.
 * Source: Efron and Tibshirani (1993), An Introduction to the Bootstrap, section 13.3.
 */
export function bootstrapIntervals(
  matrix: ConfusionMatrix,
  statistics: readonly MatrixStatistic[],
  options: BootstrapOptions,
): (Interval | null)[] {
  const resamples = options.resamples ?? 1000;
  if (!Number.isInteger(resamples) || resamples < 1) throw new RangeError(`Not a number of resamples: ${resamples}.`);
  const values = statistics.map((statistic) => statistic(matrix));
  const drawn: number[][] = statistics.map(() => []);
  const total = totalCount(matrix);
  if (total > 0) {
    const random = createRandom(options.seed);
    const resample: ConfusionMatrix = { labels: matrix.labels, counts: new Float64Array(matrix.counts.length) };
    const cells = occupiedCells(matrix);
    for (let round = 0; round < resamples; round++) {
      drawMultinomial(random, matrix.counts, cells, total, resample.counts);
      statistics.forEach((statistic, index) => {
        const value = statistic(resample);
        if (value !== null) (drawn[index] as number[]).push(value);
      });
    }
  }
  return values.map((value, index) => {
    if (value === null) return null;
    const sorted = Float64Array.from(drawn[index] as number[]).sort();
    if (sorted.length === 0) return { value, low: value, high: value };
    return { value, low: quantile(sorted, 0.025), high: quantile(sorted, 0.975) };
  });
}

/** The fullest cells first: the rest to be drawn shrinks soonest. */
function occupiedCells(matrix: ConfusionMatrix): number[] {
  const cells = [...matrix.counts.keys()].filter((cell) => (matrix.counts[cell] as number) > 0);
  return cells.sort((a, b) => (matrix.counts[b] as number) - (matrix.counts[a] as number));
}

/** Cell by cell, each a binomial draw of what the cells before it have left. */
export function drawMultinomial(
  random: Random,
  weights: Float64Array,
  cells: readonly number[],
  total: number,
  into: Float64Array,
): void {
  let trialsLeft = total;
  let weightLeft = total;
  for (const cell of cells) {
    const weight = weights[cell] as number;
    const count = weight >= weightLeft ? trialsLeft : drawBinomial(random, trialsLeft, weight / weightLeft);
    into[cell] = count;
    trialsLeft -= count;
    weightLeft -= weight;
  }
}

/** Between neighbours linearly (type 7 of Hyndman and Fan 1996, the default of numpy and R). `sorted` is not empty. */
export function quantile(sorted: Float64Array, share: number): number {
  const position = (sorted.length - 1) * share;
  const below = Math.floor(position);
  const low = sorted[below] as number;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number;
  return low + (high - low) * (position - below);
}
