import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  confusionOf,
  type LabelPair,
  labelScores,
  macroF1,
  microF1,
  occurringLabelCount,
  rightCount,
  totalCount,
} from '../../../src/engine/statistics/confusion';

const labels = ['a', 'b', 'c', 'none', '__proto__'];
const pairLists = fc.array(fc.record({ gold: fc.constantFrom(...labels), predicted: fc.constantFrom(...labels) }), {
  maxLength: 60,
});

function near(actual: number | null, expected: number): void {
  assert.ok(actual !== null && Math.abs(actual - expected) < 1e-12, `${actual}, not ${expected}`);
}

/** From the list of examples, by sets: precision and recall, then their harmonic mean. */
function f1ByExamples(pairs: readonly LabelPair[], isOf: (label: string) => boolean): number {
  const predicted = pairs.filter((pair) => isOf(pair.predicted));
  const gold = pairs.filter((pair) => isOf(pair.gold));
  const right = pairs.filter((pair) => pair.gold === pair.predicted && isOf(pair.gold)).length;
  const precision = predicted.length === 0 ? 0 : right / predicted.length;
  const recall = gold.length === 0 ? 0 : right / gold.length;
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}

describe('statistics: confusion matrix', () => {
  it("agrees with the example in scikit-learn's documentation of f1_score", () => {
    const gold = [0, 1, 2, 0, 1, 2].map(String);
    const predicted = [0, 2, 1, 0, 0, 1].map(String);
    const matrix = confusionOf(
      ['0', '1', '2'],
      gold.map((label, index) => ({ gold: label, predicted: predicted[index]! })),
    );
    // f1_score(average=None) is [0.8, 0, 0], average='macro' 0.26…
    assert.deepEqual(
      labelScores(matrix).map((score) => score.f1),
      [0.8, 0, 0],
    );
    near(macroF1(matrix, null), 0.8 / 3);
    assert.equal(rightCount(matrix), 2);
    assert.equal(totalCount(matrix), 6);
  });

  it('computes a matrix worked out by hand', () => {
    // gold pos: 3 right, 1 as neg; gold neg: 2 as pos, 4 right. P(pos) = 3/5, R(pos) = 3/4.
    const matrix = { labels: ['pos', 'neg'], counts: Float64Array.of(3, 1, 2, 4) };
    const [positive, negative] = labelScores(matrix);
    assert.deepEqual(positive, {
      label: 'pos',
      precision: 0.6,
      recall: 0.75,
      f1: 6 / 9,
      goldCount: 4,
      predictedCount: 5,
    });
    assert.equal(negative?.f1, 8 / 11);
    near(macroF1(matrix, null), (6 / 9 + 8 / 11) / 2);
    near(microF1(matrix, 'neg'), 6 / 9);
  });

  it('equals the figures computed from the list of examples', () => {
    fc.assert(
      fc.property(pairLists, (pairs) => {
        const matrix = confusionOf(labels, pairs);
        assert.equal(totalCount(matrix), pairs.length);
        assert.equal(rightCount(matrix), pairs.filter((pair) => pair.gold === pair.predicted).length);
        for (const score of labelScores(matrix))
          near(
            score.f1,
            f1ByExamples(pairs, (label) => label === score.label),
          );
        for (const negative of [null, 'none']) {
          const occurring = labels.filter(
            (label) => label !== negative && pairs.some((pair) => pair.gold === label || pair.predicted === label),
          );
          assert.equal(occurringLabelCount(matrix, negative), occurring.length);
          if (occurring.length === 0) assert.equal(macroF1(matrix, negative), null);
          else {
            const sum = occurring.reduce((total, label) => total + f1ByExamples(pairs, (other) => other === label), 0);
            near(macroF1(matrix, negative), sum / occurring.length);
          }
        }
        if (pairs.length === 0) assert.equal(microF1(matrix, 'none'), null);
        else
          near(
            microF1(matrix, 'none'),
            f1ByExamples(pairs, (label) => label !== 'none'),
          );
      }),
    );
  });

  it('leaves a label that never occurs out of the mean, and counts one that is only predicted as 0', () => {
    const onlyGold = confusionOf(['a', 'b', 'c'], [{ gold: 'a', predicted: 'a' }]);
    assert.equal(macroF1(onlyGold, null), 1);
    const alsoPredicted = confusionOf(
      ['a', 'b', 'c'],
      [
        { gold: 'a', predicted: 'a' },
        { gold: 'a', predicted: 'b' },
      ],
    );
    near(macroF1(alsoPredicted, null), 2 / 3 / 2);
    const [, , absent] = labelScores(alsoPredicted);
    assert.deepEqual(absent, { label: 'c', precision: 0, recall: 0, f1: 0, goldCount: 0, predictedCount: 0 });
  });

  it('is defined where only the negative label occurs, and without examples', () => {
    const negativeOnly = confusionOf(['a', 'none'], [{ gold: 'none', predicted: 'none' }]);
    assert.equal(microF1(negativeOnly, 'none'), 0);
    assert.equal(macroF1(negativeOnly, 'none'), null);
    const empty = confusionOf(['a', 'none'], []);
    assert.equal(microF1(empty, 'none'), null);
    assert.equal(macroF1(empty, null), null);
    assert.equal(totalCount(confusionOf([], [])), 0);
  });

  it('refuses a label it does not know', () => {
    assert.throws(() => confusionOf(['a'], [{ gold: 'a', predicted: 'b' }]), /"b" is not one of the labels/);
  });
});
