import assert from 'node:assert/strict';
import { summarise } from '../../../src/engine/statistics/summary';

const directed = ['A', 'B'].flatMap((name) => [`${name}(e1,e2)`, `${name}(e2,e1)`]).concat('Other');

function repeated(count: number, gold: string, predicted: string): { gold: string; predicted: string }[] {
  return Array.from({ length: count }, () => ({ gold, predicted }));
}

describe('statistics: summary', () => {
  it('gives sentiment accuracy and macro-F1 over the labels, and no micro-F1', () => {
    const figures = summarise({
      labels: ['negative', 'positive'],
      negativeLabel: null,
      pairs: [
        ...repeated(40, 'negative', 'negative'),
        ...repeated(10, 'positive', 'negative'),
        ...repeated(50, 'positive', 'positive'),
      ],
    });
    assert.equal(figures.judgedCount, 100);
    assert.equal(figures.wrongCount, 10);
    assert.equal(figures.accuracy?.value, 0.9);
    // Wilson, 90 of 100
    assert.equal(figures.accuracy?.low.toFixed(4), '0.8256');
    assert.equal(figures.accuracy?.high.toFixed(4), '0.9448');
    assert.equal(figures.microF1, null);
    assert.ok(Math.abs((figures.macroF1?.value ?? 0) - (80 / 90 + 100 / 110) / 2) < 1e-12);
    assert.ok(figures.macroF1 !== null && figures.macroF1.low < figures.macroF1.value);
    assert.ok(figures.macroF1.high > figures.macroF1.value);
    assert.equal(figures.macroF1Detail, 'over 2 labels');
  });

  it('gives directed relations the official macro-F1, and micro-F1 without the negative label', () => {
    const figures = summarise({
      labels: directed,
      negativeLabel: 'Other',
      pairs: [
        ...repeated(8, 'A(e1,e2)', 'A(e1,e2)'),
        ...repeated(2, 'A(e1,e2)', 'A(e2,e1)'),
        ...repeated(5, 'B(e2,e1)', 'B(e2,e1)'),
        ...repeated(5, 'Other', 'B(e2,e1)'),
        ...repeated(20, 'Other', 'Other'),
      ],
    });
    assert.equal(figures.macroF1Detail, 'official (2+1)-way, directions merged');
    // A: 8 right, 10 gold, 10 predicted: 0.8. B: 5 right, 5 gold, 10 predicted: 2/3.
    assert.ok(Math.abs((figures.macroF1?.value ?? 0) - (0.8 + 2 / 3) / 2) < 1e-12);
    // 13 right, 15 gold, 20 predicted
    assert.ok(Math.abs((figures.microF1?.value ?? 0) - 26 / 35) < 1e-12);
    assert.equal(figures.wrongCount, 7);
  });

  it('says over how many relations the official mean is where gold lacks some', () => {
    const figures = summarise({ labels: directed, negativeLabel: 'Other', pairs: repeated(3, 'A(e1,e2)', 'A(e1,e2)') });
    assert.equal(figures.macroF1Detail, 'official (2+1)-way, directions merged; 1 of the 2 relations occur in gold');
    assert.equal(figures.macroF1?.value, 1);
  });

  it('leaves the negative label out of macro-F1 and says so', () => {
    const figures = summarise({
      labels: ['spouse', 'founder', 'no_relation'],
      negativeLabel: 'no_relation',
      pairs: [...repeated(2, 'spouse', 'spouse'), ...repeated(2, 'no_relation', 'no_relation')],
    });
    assert.equal(figures.macroF1?.value, 1);
    assert.equal(figures.macroF1Detail, 'over 1 label, without no_relation');
  });

  it('has no figures where nothing is judged', () => {
    const figures = summarise({ labels: directed, negativeLabel: 'Other', pairs: [] });
    assert.deepEqual(
      [figures.judgedCount, figures.wrongCount, figures.accuracy, figures.microF1, figures.macroF1],
      [0, 0, null, null, null],
    );
    assert.equal(summarise({ labels: [], negativeLabel: null, pairs: [] }).accuracy, null);
  });

  it('is the same whatever the order of the examples', () => {
    const pairs = [
      ...repeated(30, 'A(e1,e2)', 'A(e1,e2)'),
      ...repeated(9, 'B(e1,e2)', 'Other'),
      ...repeated(4, 'Other', 'Other'),
    ];
    const input = { labels: directed, negativeLabel: 'Other' };
    assert.deepEqual(summarise({ ...input, pairs: [...pairs].reverse() }), summarise({ ...input, pairs }));
  });
});
