import assert from 'node:assert/strict';
import { matchLabels } from '../../../src/engine/models/labels';

/** `sure` or `guess`, and the model's label for each of the dataset's. */
function match(
  dataset: readonly string[],
  model: readonly string[],
  remembered?: Map<string, string | null>,
): unknown[] {
  const counted = dataset.map((label, index) => ({ label, count: index + 1 }));
  const { pairs, sure } = matchLabels(counted, model, remembered);
  assert.deepEqual(
    pairs.map(({ dataset: label, count }) => ({ label, count })),
    counted,
    'every label of the dataset once, in order, with its count',
  );
  return [sure ? 'sure' : 'guess', ...pairs.map((pair) => pair.model)];
}

const binary = ['negative', 'positive'];
const ternary = ['negative', 'neutral', 'positive'];
const fine = ['very negative', 'negative', 'neutral', 'positive', 'very positive'];
const stars = ['1 star', '2 stars', '3 stars', '4 stars', '5 stars'];
const unnamed = ['LABEL_0', 'LABEL_1'];

describe('labels of dataset and model', () => {
  it('match by name', () => {
    assert.deepEqual(match(['positive', 'negative'], binary), ['sure', 'positive', 'negative']);
    assert.deepEqual(match(['per:title', 'no_relation'], ['no_relation', 'per:title']), [
      'sure',
      'per:title',
      'no_relation',
    ]);
  });

  it('match by the id of a label that a file beside the dataset names', () => {
    const named = [
      { label: 'crosses', count: 1, id: 'P177' },
      { label: 'part of', count: 1, id: 'P361' },
    ];
    const models = (model: string[]) => matchLabels(named, model).pairs.map((pair) => pair.model);
    assert.deepEqual(models(['part of', 'crosses']), ['crosses', 'part of']);
    assert.deepEqual(models(['P361', 'P177']), ['P177', 'P361']);
  });

  it('match but for case, spaces, underscores and hyphens', () => {
    assert.deepEqual(match(['Positive', ' NEGATIVE '], binary), ['sure', 'positive', 'negative']);
    assert.deepEqual(match(['other', 'cause_effect(E1,E2)'], ['Cause-Effect(e1,e2)', 'Other']), [
      'sure',
      'Other',
      'Cause-Effect(e1,e2)',
    ]);
    assert.deepEqual(match(['NoRelation', 'member of'], ['no_relation', 'member_of']), [
      'sure',
      'no_relation',
      'member_of',
    ]);
    assert.deepEqual(match(['ｐｏｓｉｔｉｖｅ'], binary), ['sure', 'positive']);
  });

  it('keep other punctuation apart', () => {
    assert.deepEqual(match(['per title'], ['per:title', 'no_relation']), ['guess', null]);
    assert.deepEqual(match(['Cause-Effect(e2,e1)'], ['Cause-Effect(e1,e2)', 'Other']), ['guess', null]);
  });

  it('prefer the exact name among labels that differ in case only', () => {
    assert.deepEqual(match(['PER', 'per'], ['per', 'PER']), ['sure', 'PER', 'per']);
    assert.deepEqual(match(['Per'], ['per', 'PER']), ['guess', 'per']);
  });

  it('read abbreviations of feelings', () => {
    assert.deepEqual(match(['neg', 'pos'], binary), ['sure', 'negative', 'positive']);
    assert.deepEqual(match(['POS', 'NEU', 'NEG'], ternary), ['sure', 'positive', 'neutral', 'negative']);
    assert.deepEqual(match(['positive', 'negative'], ['NEG', 'POS']), ['sure', 'POS', 'NEG']);
  });

  it('guess other words for feelings', () => {
    assert.deepEqual(match(['good', 'bad'], binary), ['guess', 'positive', 'negative']);
    assert.deepEqual(match(['positive', 'negative'], ['bad', 'good']), ['guess', 'good', 'bad']);
    assert.deepEqual(match(['True', 'False'], binary), ['guess', 'positive', 'negative']);
    assert.deepEqual(match(['+', '-'], binary), ['guess', 'positive', 'negative']);
  });

  it('read 0 and 1', () => {
    assert.deepEqual(match(['0', '1'], binary), ['sure', 'negative', 'positive']);
    assert.deepEqual(match(['1', '0'], ['NEGATIVE', 'POSITIVE']), ['sure', 'POSITIVE', 'NEGATIVE']);
    assert.deepEqual(match(['1.0', '0.0'], binary), ['sure', 'positive', 'negative']);
    assert.deepEqual(match(['0'], binary), ['sure', 'negative']);
  });

  it('guess 0 and 1 where the order of the ids says otherwise, or half of them is missing', () => {
    assert.deepEqual(match(['0', '1'], ['positive', 'negative']), ['guess', 'negative', 'positive']);
    assert.deepEqual(match(['1'], binary), ['guess', 'positive']);
    assert.deepEqual(match(['0', '1'], ternary), ['guess', 'negative', 'positive']);
  });

  it('read -1, 0 and 1', () => {
    assert.deepEqual(match(['-1', '0', '1'], ternary), ['sure', 'negative', 'neutral', 'positive']);
    assert.deepEqual(match(['1', '-1'], binary), ['sure', 'positive', 'negative']);
    assert.deepEqual(match(['-1', '0', '1'], binary), ['sure', 'negative', null, 'positive']);
    assert.deepEqual(match(['-1', '1'], ['Other', 'Cause']), ['guess', null, null]);
  });

  it('read 0, 1, 2 as three feelings', () => {
    assert.deepEqual(match(['0', '1', '2'], ternary), ['sure', 'negative', 'neutral', 'positive']);
    assert.deepEqual(match(['0', '1', '2'], ['neutral', 'negative', 'positive']), [
      'guess',
      'negative',
      'neutral',
      'positive',
    ]);
  });

  it('guess numbers that count from 1', () => {
    assert.deepEqual(match(['1', '2'], binary), ['guess', 'negative', 'positive']);
    assert.deepEqual(match(['2', '1'], unnamed), ['guess', 'LABEL_1', 'LABEL_0']);
    assert.deepEqual(match(['1', '2', '3'], ternary), ['guess', 'negative', 'neutral', 'positive']);
    assert.deepEqual(match(['3', '1', '2'], ['Other', 'Cause', 'Part']), ['guess', 'Part', 'Other', 'Cause']);
  });

  it('guess scales that are finer than the model', () => {
    assert.deepEqual(match(['1', '2', '3', '4', '5'], binary), [
      'guess',
      'negative',
      'negative',
      null,
      'positive',
      'positive',
    ]);
    assert.deepEqual(match(['0', '4'], binary), ['guess', 'negative', 'positive']);
    assert.deepEqual(match(['0', '2', '4'], ternary), ['guess', 'negative', 'neutral', 'positive']);
    assert.deepEqual(match(['0', '1', '2', '3', '4'], ternary), [
      'guess',
      'negative',
      'negative',
      'neutral',
      'positive',
      'positive',
    ]);
    assert.deepEqual(match(['very negative', 'neutral', 'very positive'], binary), [
      'guess',
      'negative',
      null,
      'positive',
    ]);
    assert.deepEqual(match(['2', '9'], binary), ['guess', 'negative', 'positive']);
    assert.deepEqual(match(['17', '99'], binary), ['guess', null, null]);
  });

  it('read stars', () => {
    assert.deepEqual(match(['1', '2', '3', '4', '5'], stars), ['sure', ...stars]);
    assert.deepEqual(match(['5 star', 'one star', '★★★☆☆'], stars), ['sure', '5 stars', '1 star', '3 stars']);
    assert.deepEqual(match(['5-star', '1_stars'], stars), ['sure', '5 stars', '1 star']);
    assert.deepEqual(match(['0', '1', '2', '3', '4'], stars), ['guess', ...stars]);
    assert.deepEqual(match(['1', '2', '3', '4', '5'], fine), ['guess', ...fine]);
    assert.deepEqual(match(['0', '1', '2', '3', '4'], fine), ['sure', ...fine]);
    assert.deepEqual(match(['5 stars', '3 stars', '1 star'], binary), ['guess', 'positive', null, 'negative']);
    assert.deepEqual(match(['very_negative', 'positive', 'neutral'], stars), ['guess', '1 star', '4 stars', '3 stars']);
    assert.deepEqual(match(['negative', 'positive'], stars), ['guess', null, null]);
    assert.deepEqual(match(['6 stars'], stars), ['guess', null]);
  });

  it('read labels without names', () => {
    assert.deepEqual(match(['LABEL_1', 'LABEL_0'], binary), ['sure', 'positive', 'negative']);
    assert.deepEqual(match(['0', '1'], unnamed), ['sure', 'LABEL_0', 'LABEL_1']);
    assert.deepEqual(match(['label 1'], unnamed), ['sure', 'LABEL_1']);
    assert.deepEqual(match(['1'], ['0', '1']), ['sure', '1']);
    assert.deepEqual(match(['LABEL_1', 'LABEL_0'], ['0', '1']), ['sure', '1', '0']);
    assert.deepEqual(match(['negative', 'positive'], unnamed), ['guess', 'LABEL_0', 'LABEL_1']);
    assert.deepEqual(match(['neg', 'neu', 'pos'], [...unnamed, 'LABEL_2']), ['guess', 'LABEL_0', 'LABEL_1', 'LABEL_2']);
    assert.deepEqual(match(['LABEL_1', 'LABEL_0'], ['Other', 'Cause']), ['guess', 'Cause', 'Other']);
    assert.deepEqual(match(['Cause', 'Other'], unnamed), ['guess', null, null]);
  });

  it('find ids in the order of ten labels, not of their digits', () => {
    const twelve = Array.from({ length: 12 }, (_, id) => `LABEL_${id}`);
    assert.deepEqual(match(['10', '2'], twelve), ['sure', 'LABEL_10', 'LABEL_2']);
    assert.deepEqual(match(['10', '0'], [...twelve].reverse()), ['sure', 'LABEL_10', 'LABEL_0']);
  });

  it('guess other names of no relation', () => {
    assert.deepEqual(match(['NA', 'per:title'], ['no_relation', 'per:title']), ['guess', 'no_relation', 'per:title']);
    assert.deepEqual(match(['NA', 'none'], ['no_relation', 'per:title']), ['guess', null, null]);
  });

  it('are sure of a label that the model lacks only where all of the model is used', () => {
    assert.deepEqual(match(['negative', 'neutral', 'positive'], binary), ['sure', 'negative', null, 'positive']);
    assert.deepEqual(match(['Other', 'Kausal'], ['Other', 'Cause-Effect']), ['guess', 'Other', null]);
    assert.deepEqual(match(['Other'], ['Other', 'Cause-Effect']), ['sure', 'Other']);
    assert.deepEqual(match(['sports', 'politics'], binary), ['guess', null, null]);
    assert.deepEqual(match([], binary), ['sure']);
  });

  it('follow what a person chose', () => {
    const chosen = new Map([
      ['0', 'positive'],
      ['1', 'negative'],
    ]);
    assert.deepEqual(match(['0', '1'], binary, chosen), ['sure', 'positive', 'negative']);
    assert.deepEqual(match(['mixed', 'pos'], binary, new Map([['mixed', null]])), ['sure', null, 'positive']);
    assert.deepEqual(match(['negative'], binary, new Map([['negative', 'positive']])), ['sure', 'positive']);
    // A choice made for another model does not hold.
    assert.deepEqual(match(['0', '1'], binary, new Map([['0', 'Other']])), ['sure', 'negative', 'positive']);
  });

  it('survive labels that are names of object members', () => {
    assert.deepEqual(match(['__proto__', 'constructor', 'toString'], binary), ['guess', null, null, null]);
    assert.deepEqual(match(['__proto__'], ['__proto__', 'constructor']), ['sure', '__proto__']);
    assert.deepEqual(match(['', ' ', '-', '.'], ['a', 'b']), ['guess', null, null, null, null]);
  });
});
