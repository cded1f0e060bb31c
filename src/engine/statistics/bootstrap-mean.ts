import type { Interval } from '../../protocol/prediction';
import { type BootstrapOptions, drawMultinomial, quantile } from './bootstrap';
import { createRandom } from './random';

/**
 * The mean of one value an example with its 95 % percentile interval, by bootstrap over the examples (never over their variants, which are
 * not independent); null where there is none. A resample of n examples is a multinomial draw over the distinct values, so the time grows with
 * these and not with n. Source: Efron and Tibshirani (1993), An Introduction to the Bootstrap, section 13.3.
 */
export function bootstrapMean(values: readonly number[], options: BootstrapOptions): Interval | null {
  if (values.length === 0) return null;
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  // The fullest first, as drawMultinomial wants it; equal ones by value, so that the order of the examples does not matter.
  const distinct = [...counts].sort(([a, m], [b, n]) => n - m || a - b);
  const weights = Float64Array.from(distinct, ([, count]) => count);
  const cells = distinct.map((_, cell) => cell);
  const drawn = new Float64Array(weights.length);
  const random = createRandom(options.seed);
  const means = new Float64Array(options.resamples ?? 1000);
  for (let round = 0; round < means.length; round++) {
    drawn.fill(0);
    drawMultinomial(random, weights, cells, values.length, drawn);
    let sum = 0;
    for (const cell of cells) sum += drawn[cell]! * distinct[cell]![0];
    means[round] = sum / values.length;
  }
  means.sort();
  const value = distinct.reduce((sum, [one, count]) => sum + one * count, 0) / values.length;
  return { value, low: quantile(means, 0.025), high: quantile(means, 0.975) };
}
