import assert from 'node:assert/strict';
import fc from 'fast-check';
import { confusionOf, type LabelPair, microF1 } from '../../../src/engine/statistics/confusion';
import { directedRelations, goldRelationCount, officialMacroF1 } from '../../../src/engine/statistics/semeval';

const labels = ['Cause-Effect', 'Component-Whole', 'Message-Topic']
  .flatMap((name) => [`${name}(e1,e2)`, `${name}(e2,e1)`])
  .concat('Other');

function official(pairs: readonly LabelPair[]): number | null {
  const relations = directedRelations(labels, 'Other');
  assert.ok(relations !== null);
  return officialMacroF1(confusionOf(labels, pairs), relations);
}

/** What the README of the task's scorer says, example by example: a class of its own for wrong directions. */
function byTheScorer(pairs: readonly LabelPair[]): number | null {
  const bare = (label: string): string => label.replace(/\(e[12],e[12]\)$/, '');
  const f1s: number[] = [];
  for (const relation of new Set(pairs.map((pair) => bare(pair.gold)))) {
    if (relation === 'Other') continue;
    let right = 0;
    let proposed = 0;
    let wrongDirection = 0;
    let answers = 0;
    for (const { gold, predicted } of pairs) {
      if (bare(gold) === relation) answers++;
      if (gold === predicted && bare(gold) === relation) right++;
      if (bare(gold) === bare(predicted) && gold !== predicted) {
        if (bare(gold) === relation) wrongDirection++;
      } else if (bare(predicted) === relation) proposed++;
    }
    const precision = proposed === 0 ? 0 : right / (proposed + wrongDirection);
    const recall = right / answers;
    f1s.push(precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall));
  }
  return f1s.length === 0 ? null : f1s.reduce((sum, f1) => sum + f1, 0) / f1s.length;
}

describe('statistics: official macro-F1 of SemEval-2010 Task 8', () => {
  it('merges directions, and a wrong direction is an error', () => {
    // Cause-Effect: 2 right of 3 gold, 3 proposed (one with the direction turned round): F1 = 4/6.
    // Component-Whole: 1 right of 1 gold, 2 proposed: F1 = 2/3. Message-Topic does not occur in gold. Other is left out.
    const figure = official([
      { gold: 'Cause-Effect(e1,e2)', predicted: 'Cause-Effect(e1,e2)' },
      { gold: 'Cause-Effect(e2,e1)', predicted: 'Cause-Effect(e2,e1)' },
      { gold: 'Cause-Effect(e2,e1)', predicted: 'Cause-Effect(e1,e2)' },
      { gold: 'Component-Whole(e1,e2)', predicted: 'Component-Whole(e1,e2)' },
      { gold: 'Other', predicted: 'Component-Whole(e2,e1)' },
      { gold: 'Other', predicted: 'Message-Topic(e2,e1)' },
      { gold: 'Other', predicted: 'Other' },
    ]);
    assert.ok(figure !== null && Math.abs(figure - (4 / 6 + 2 / 3) / 2) < 1e-12, String(figure));
  });

  it("equals the scorer's procedure, example by example", () => {
    const pairLists = fc.array(fc.record({ gold: fc.constantFrom(...labels), predicted: fc.constantFrom(...labels) }), {
      maxLength: 80,
    });
    fc.assert(
      fc.property(pairLists, (pairs) => {
        const actual = official(pairs);
        const expected = byTheScorer(pairs);
        if (expected === null) assert.equal(actual, null);
        else assert.ok(actual !== null && Math.abs(actual - expected) < 1e-12, `${actual}, not ${expected}`);
      }),
    );
  });

  it('is 0 where every direction is wrong, though the relation is right', () => {
    const turned = [{ gold: 'Cause-Effect(e1,e2)', predicted: 'Cause-Effect(e2,e1)' }];
    assert.equal(official(turned), 0);
    assert.equal(microF1(confusionOf(labels, turned), 'Other'), 0);
  });

  it('is not defined where gold has only the negative label', () => {
    assert.equal(official([{ gold: 'Other', predicted: 'Cause-Effect(e1,e2)' }]), null);
    assert.equal(official([]), null);
  });

  it('counts the relations that the mean is over', () => {
    const relations = directedRelations(labels, 'Other');
    assert.ok(relations !== null);
    const matrix = confusionOf(labels, [
      { gold: 'Cause-Effect(e1,e2)', predicted: 'Message-Topic(e1,e2)' },
      { gold: 'Cause-Effect(e2,e1)', predicted: 'Other' },
      { gold: 'Other', predicted: 'Other' },
    ]);
    assert.equal(goldRelationCount(matrix, relations), 1);
  });

  it('applies only to directed labels in pairs with a negative label', () => {
    assert.deepEqual(directedRelations(labels, 'Other')?.names, ['Cause-Effect', 'Component-Whole', 'Message-Topic']);
    assert.equal(directedRelations(labels, null), null);
    assert.equal(directedRelations(labels.slice(0, -1), 'Other'), null);
    assert.equal(directedRelations(labels.slice(1), 'Other'), null);
    assert.equal(directedRelations([...labels, 'spouse'], 'Other'), null);
    assert.equal(directedRelations(['Other'], 'Other'), null);
    assert.equal(directedRelations(['negative', 'positive'], null), null);
  });
});
