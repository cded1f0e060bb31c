import assert from 'node:assert/strict';
import type { CheckFinding } from '../../../../src/engine/datasets/checks/finding';
import { reviewKey, rowReviewKey } from '../../../../src/engine/datasets/checks/review-key';
import { DatasetDocument } from '../../../../src/engine/datasets/document';

const rows = [
  { text: 'A fine film', label: 'positive' },
  { text: 'A fine film', label: 'negative' },
  { text: 'A fine film ', label: 'positive' },
  { text: 'Dull', label: 'positive' },
  { text: 'A fine film', label: 'positive' },
];
const { examples } = DatasetDocument.open({
  name: 'rows.jsonl',
  text: rows.map((row) => JSON.stringify(row)).join('\n'),
});

const keyOf = (index: number, over: Partial<CheckFinding> = {}) =>
  reviewKey({
    code: 'assay/html',
    example: examples[index]!,
    place: { part: 'row' },
    message: '',
    related: [],
    fix: null,
    ...over,
  });

describe('the key of a finding', () => {
  it('is that of its text and label, wherever the row stands and whatever is said of it', () => {
    assert.equal(keyOf(4), keyOf(0));
    assert.equal(keyOf(0, { message: 'other words', related: [] }), keyOf(0));
    assert.match(keyOf(0), /^[0-9a-f]{32}$/);
  });

  it('is another one for another code, text, label or place in the text', () => {
    const at = (start: number) => keyOf(0, { place: { part: 'text', span: { start, end: start + 1 } } });
    const keys = [keyOf(0), keyOf(1), keyOf(2), keyOf(3), keyOf(0, { code: 'assay/mojibake' }), at(0), at(1)];
    assert.equal(new Set(keys).size, keys.length);
  });

  it('is another one for other entities', () => {
    const relation = (from: number) => ({
      token: ['Ada', 'met', 'Bo'],
      h: { name: 'x', pos: [from, from + 1] },
      t: { name: 'y', pos: [2, 3] },
      relation: 'met',
    });
    const document = DatasetDocument.open({
      name: 'rows.jsonl',
      text: [relation(0), relation(1), relation(0)].map((row) => JSON.stringify(row)).join('\n'),
    });
    const keys = document.examples.map((example) =>
      reviewKey({ code: 'assay/html', example, place: { part: 'row' }, message: '', related: [], fix: null }),
    );
    assert.notEqual(keys[0], keys[1]);
    assert.equal(keys[0], keys[2]);
  });

  it('of a finding about a label, a column or the file does not depend on the example that shows it', () => {
    const about = (index: number, subject: string) => keyOf(index, { code: 'assay/label-leak', subject });
    assert.equal(about(3, 'id'), about(0, 'id'));
    assert.equal(new Set([about(0, 'id'), about(0, 'source'), about(0, ''), keyOf(0)]).size, 4);
    assert.notEqual(about(0, 'id'), keyOf(0, { code: 'assay/few-examples', subject: 'id' }));
  });

  it('of a row that holds no example is that of its characters', () => {
    assert.equal(rowReviewKey('assay/unreadable-row', '{"a'), rowReviewKey('assay/unreadable-row', '{"a'));
    assert.notEqual(rowReviewKey('assay/unreadable-row', '{"a'), rowReviewKey('assay/unreadable-row', '{"b'));
  });
});
