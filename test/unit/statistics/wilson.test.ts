import assert from 'node:assert/strict';
import fc from 'fast-check';
import { wilsonInterval } from '../../../src/engine/statistics/wilson';

const counts = fc.integer({ min: 1, max: 100_000 }).chain((trials) => fc.tuple(fc.nat(trials), fc.constant(trials)));

describe('statistics: Wilson interval', () => {
  it('gives the intervals of Newcombe (1998), table I, method 3', () => {
    for (const [successes, trials, low, high] of [
      [81, 263, 0.2553, 0.3662],
      [15, 148, 0.0624, 0.1605],
      [0, 20, 0, 0.1611],
      [1, 29, 0.0061, 0.1718],
    ] as const) {
      const interval = wilsonInterval(successes, trials);
      assert.ok(interval !== null);
      assert.equal(interval.low.toFixed(4), low.toFixed(4));
      assert.equal(interval.high.toFixed(4), high.toFixed(4));
    }
  });

  it('has bounds at which the score test is just significant', () => {
    // Each bound p solves |value - p| = z sqrt(p (1 - p) / n): the definition, not the closed form.
    fc.assert(
      fc.property(counts, ([successes, trials]) => {
        const interval = wilsonInterval(successes, trials);
        assert.ok(interval !== null);
        for (const bound of [interval.low, interval.high]) {
          if (bound === 0 || bound === 1) continue;
          const score = Math.abs(interval.value - bound) / Math.sqrt((bound * (1 - bound)) / trials);
          assert.ok(Math.abs(score - 1.959964) < 1e-4, `${successes}/${trials}: ${score}`);
        }
      }),
    );
  });

  it('contains the proportion, lies in [0, 1], and mirrors that of the failures', () => {
    fc.assert(
      fc.property(counts, ([successes, trials]) => {
        const interval = wilsonInterval(successes, trials);
        const mirrored = wilsonInterval(trials - successes, trials);
        assert.ok(interval !== null && mirrored !== null);
        assert.ok(0 <= interval.low && interval.low <= interval.value);
        assert.ok(interval.value <= interval.high && interval.high <= 1);
        assert.ok(Math.abs(interval.low - (1 - mirrored.high)) < 1e-12);
      }),
    );
  });

  it('is null without trials and refuses what is no proportion', () => {
    assert.equal(wilsonInterval(0, 0), null);
    assert.throws(() => wilsonInterval(3, 2), RangeError);
    assert.throws(() => wilsonInterval(-1, 2), RangeError);
    assert.throws(() => wilsonInterval(0.5, 2), RangeError);
  });
});
