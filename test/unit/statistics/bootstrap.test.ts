import assert from 'node:assert/strict';
import { bootstrapIntervals, quantile } from '../../../src/engine/statistics/bootstrap';
import {
  type ConfusionMatrix,
  confusionOf,
  macroF1,
  rightCount,
  totalCount,
} from '../../../src/engine/statistics/confusion';
import { createRandom } from '../../../src/engine/statistics/random';

const matrix: ConfusionMatrix = { labels: ['a', 'b', 'c'], counts: Float64Array.of(50, 7, 3, 11, 80, 9, 2, 0, 38) };
const accuracy = (resample: ConfusionMatrix): number => rightCount(resample) / totalCount(resample);
const macro = (resample: ConfusionMatrix): number | null => macroF1(resample, null);

/** The bootstrap as the textbook has it: examples drawn one by one with replacement. */
function byExamples(statistic: (resample: ConfusionMatrix) => number, resamples: number): [number, number] {
  const random = createRandom(99);
  const examples = [...matrix.counts].flatMap((count, cell) => new Array<number>(count).fill(cell));
  const values: number[] = [];
  for (let round = 0; round < resamples; round++) {
    const counts = new Float64Array(matrix.counts.length);
    for (let draw = 0; draw < examples.length; draw++) counts[examples[random.int(examples.length)]!]!++;
    values.push(statistic({ labels: matrix.labels, counts }));
  }
  const sorted = Float64Array.from(values).sort();
  return [quantile(sorted, 0.025), quantile(sorted, 0.975)];
}

describe('statistics: bootstrap of a confusion matrix', () => {
  it('draws as many examples as there are, cells with their observed shares, and never an empty cell', () => {
    const seen: Float64Array[] = [];
    bootstrapIntervals(
      matrix,
      [
        (resample) => {
          seen.push(resample.counts.slice());
          return 0;
        },
      ],
      { seed: 4, resamples: 4000 },
    );
    const resamples = seen.slice(1);
    const total = totalCount(matrix);
    assert.equal(resamples.length, 4000);
    for (const counts of resamples)
      assert.equal(
        counts.reduce((a, b) => a + b, 0),
        total,
      );
    const mean = (of: (counts: Float64Array) => number): number =>
      resamples.reduce((sum, counts) => sum + of(counts), 0) / resamples.length;
    for (let cell = 0; cell < 9; cell++) {
      const share = matrix.counts[cell]! / total;
      const variance = total * share * (1 - share);
      const cellMean = mean((counts) => counts[cell]!);
      assert.ok(
        Math.abs(cellMean - matrix.counts[cell]!) <= 4 * Math.sqrt(variance / 4000),
        `cell ${cell}: ${cellMean}`,
      );
      const cellVariance = mean((counts) => (counts[cell]! - cellMean) ** 2);
      assert.ok(Math.abs(cellVariance - variance) <= 0.12 * variance, `cell ${cell}: ${cellVariance}, not ${variance}`);
    }
    // Cells of a multinomial hang together: cov = -n p q.
    const covariance = mean((counts) => (counts[0]! - matrix.counts[0]!) * (counts[4]! - matrix.counts[4]!));
    const expected = -(matrix.counts[0]! * matrix.counts[4]!) / total;
    assert.ok(Math.abs(covariance - expected) < 0.15 * Math.abs(expected), `${covariance}, not ${expected}`);
  });

  it('gives the intervals that drawing examples one by one gives', () => {
    const [accuracyInterval, macroInterval] = bootstrapIntervals(matrix, [accuracy, macro], {
      seed: 1,
      resamples: 6000,
    });
    for (const [interval, statistic] of [
      [accuracyInterval, accuracy],
      [macroInterval, (resample: ConfusionMatrix) => macro(resample) ?? Number.NaN],
    ] as const) {
      const [low, high] = byExamples(statistic, 6000);
      assert.ok(interval);
      // One of the 200 examples is 0.005 of the accuracy.
      assert.ok(Math.abs(interval.low - low) < 0.0051, `${interval.low}, not ${low}`);
      assert.ok(Math.abs(interval.high - high) < 0.0051, `${interval.high}, not ${high}`);
      assert.ok(interval.low < interval.value && interval.value < interval.high);
    }
  });

  it('gives the same interval for the same seed, another for another', () => {
    const first = bootstrapIntervals(matrix, [macro], { seed: 7 });
    assert.deepEqual(bootstrapIntervals(matrix, [macro], { seed: 7 }), first);
    assert.notDeepEqual(bootstrapIntervals(matrix, [macro], { seed: 8 }), first);
  });

  it('covers the true value about as often as it says', () => {
    // True shares known; 300 data sets of 300 examples each are drawn from them.
    const truth = Float64Array.of(0.35, 0.05, 0.12, 0.48);
    const trueMacro = macroF1({ labels: ['a', 'b'], counts: truth }, null)!;
    const random = createRandom(17);
    let covered = 0;
    for (let round = 0; round < 300; round++) {
      const counts = new Float64Array(4);
      for (let draw = 0; draw < 300; draw++) {
        const u = random.uniform();
        counts[u < 0.35 ? 0 : u < 0.4 ? 1 : u < 0.52 ? 2 : 3]!++;
      }
      const [interval] = bootstrapIntervals({ labels: ['a', 'b'], counts }, [macro], { seed: round, resamples: 300 });
      if (interval && interval.low <= trueMacro && trueMacro <= interval.high) covered++;
    }
    assert.ok(covered / 300 > 0.91 && covered / 300 < 0.985, String(covered / 300));
  });

  it('has no interval where the figure is not defined, and a point where the data allow no other value', () => {
    assert.deepEqual(bootstrapIntervals(confusionOf(['a'], []), [macro], { seed: 0 }), [null]);
    const oneClass = confusionOf(['a', 'b'], [{ gold: 'a', predicted: 'a' }]);
    assert.deepEqual(bootstrapIntervals(oneClass, [macro], { seed: 0 }), [{ value: 1, low: 1, high: 1 }]);
  });

  it('leaves out resamples on which the figure is not defined', () => {
    // F1 without "none" is not defined where a resample holds nothing but right "none".
    const rare = confusionOf(
      ['a', 'none'],
      [
        { gold: 'a', predicted: 'a' },
        { gold: 'none', predicted: 'none' },
      ],
    );
    const [interval] = bootstrapIntervals(rare, [(resample) => macroF1(resample, 'none')], { seed: 0 });
    assert.deepEqual(interval, { value: 1, low: 1, high: 1 });
  });

  it('refuses a number of resamples that is none', () => {
    assert.throws(() => bootstrapIntervals(matrix, [macro], { seed: 0, resamples: 0 }), RangeError);
  });

  it('interpolates quantiles linearly', () => {
    // numpy.quantile([1, 2, 4, 8, 16, 32, 64], [0.025, 0.5, 0.975]) is [1.15, 8, 59.2].
    const sorted = Float64Array.of(1, 2, 4, 8, 16, 32, 64);
    assert.deepEqual(
      [0.025, 0.5, 0.975].map((share) => quantile(sorted, share).toFixed(6)),
      ['1.150000', '8.000000', '59.200000'],
    );
    assert.equal(quantile(Float64Array.of(3), 0.975), 3);
  });
});
