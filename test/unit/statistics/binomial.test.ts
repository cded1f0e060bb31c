import assert from 'node:assert/strict';
import { drawBinomial } from '../../../src/engine/statistics/binomial';
import { createRandom } from '../../../src/engine/statistics/random';

/** The exact probabilities, by their recurrence from the mode outwards, normalised. */
function probabilities(trials: number, p: number): number[] {
  const mode = Math.min(trials, Math.floor((trials + 1) * p));
  const result = new Array<number>(trials + 1).fill(0);
  result[mode] = 1;
  for (let k = mode; k < trials; k++) result[k + 1] = ((result[k]! * (trials - k)) / (k + 1)) * (p / (1 - p));
  for (let k = mode; k > 0; k--) result[k - 1] = ((result[k]! * k) / (trials - k + 1)) * ((1 - p) / p);
  const sum = result.reduce((a, b) => a + b, 0);
  return result.map((value) => value / sum);
}

describe('statistics: binomial draws', () => {
  for (const [trials, p] of [
    [1, 0.3],
    [12, 0.5],
    [60, 0.02],
    [50_000, 0.0001],
    [25, 0.4],
    [40, 0.9],
    [2717, 0.11],
    [50_000, 0.5],
    [50_000, 0.997],
  ] as const) {
    it(`follow the exact probabilities: ${trials} trials, p = ${p}`, () => {
      const random = createRandom(2024);
      const draws = 40_000;
      const seen = new Array<number>(trials + 1).fill(0);
      for (let draw = 0; draw < draws; draw++) {
        const value = drawBinomial(random, trials, p);
        assert.ok(Number.isInteger(value) && 0 <= value && value <= trials);
        seen[value]!++;
      }
      // Neighbours are pooled until 20 are expected; then Pearson's chi-square, as z by Wilson and Hilferty.
      let chiSquare = 0;
      let cells = 0;
      let expected = 0;
      let observed = 0;
      const exact = probabilities(trials, p);
      let rest = draws;
      for (let k = 0; k <= trials; k++) {
        expected += exact[k]! * draws;
        observed += seen[k]!;
        rest -= exact[k]! * draws;
        if (expected < 20 || (rest < 20 && k < trials)) continue;
        chiSquare += (observed - expected) ** 2 / expected;
        cells++;
        expected = 0;
        observed = 0;
      }
      const freedom = cells - 1;
      assert.ok(freedom >= 1);
      const zScore = ((chiSquare / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / Math.sqrt(2 / (9 * freedom));
      assert.ok(zScore < 3.3, `chi-square ${chiSquare} on ${freedom} degrees of freedom`);
    });
  }

  it('know the certain cases', () => {
    const random = createRandom(1);
    assert.equal(drawBinomial(random, 0, 0.5), 0);
    assert.equal(drawBinomial(random, 9, 0), 0);
    assert.equal(drawBinomial(random, 9, 1), 9);
  });
});
