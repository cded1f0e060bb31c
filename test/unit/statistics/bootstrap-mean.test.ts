import assert from 'node:assert/strict';
import { quantile } from '../../../src/engine/statistics/bootstrap';
import { bootstrapMean } from '../../../src/engine/statistics/bootstrap-mean';
import { createRandom } from '../../../src/engine/statistics/random';

describe('statistics: bootstrap of a mean', () => {
  const values = Array.from({ length: 60 }, (_, index) => [0, 0, 0.25, 1, 0.5][index % 5]!);

  it('agrees with drawing the examples one by one', () => {
    const random = createRandom(5);
    const means = Float64Array.from({ length: 20_000 }, () => {
      let sum = 0;
      for (let draw = 0; draw < values.length; draw++) sum += values[random.int(values.length)]!;
      return sum / values.length;
    }).sort();
    const interval = bootstrapMean(values, { seed: 1, resamples: 20_000 })!;
    assert.equal(interval.value, 0.35);
    assert.ok(Math.abs(interval.low - quantile(means, 0.025)) < 0.006);
    assert.ok(Math.abs(interval.high - quantile(means, 0.975)) < 0.006);
  });

  it('does not hang on the order of the examples, only on the seed', () => {
    const interval = bootstrapMean(values, { seed: 7 });
    assert.deepEqual(bootstrapMean([...values].reverse(), { seed: 7 }), interval);
    assert.notDeepEqual(bootstrapMean(values, { seed: 8 }), interval);
  });

  it('of nothing is null, of equal values a point', () => {
    assert.equal(bootstrapMean([], { seed: 1 }), null);
    assert.deepEqual(bootstrapMean([0.5, 0.5], { seed: 1 }), { value: 0.5, low: 0.5, high: 0.5 });
  });
});
