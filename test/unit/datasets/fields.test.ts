import assert from 'node:assert/strict';
import { jsonl, open } from './opening';

function fields(text: string, index = 0): Record<string, string> | null {
  const document = open(text);
  const found = document.fieldsOf(document.examples[index]!);
  return found === null ? null : Object.fromEntries(found);
}

const row = { text: 'A warm and witty film', label: 'positive', meta: { source: 'web', stars: 4 }, tags: ['a', 'b c'] };
const other = { text: 'A dull, noisy bakery', label: 'negative', meta: { source: 'shop', stars: 1 }, tags: null };
const expected = { text: other.text, label: 'negative', 'meta.source': 'shop', 'meta.stars': '1' };

describe('datasets: the columns of a row', () => {
  it('are all that hold a text, number or boolean in JSON, whatever the rows stand in', () => {
    assert.deepEqual(fields(jsonl(row, other), 1), expected);
    assert.deepEqual(fields(JSON.stringify([row, other], null, 2), 1), expected);
    assert.deepEqual(fields(JSON.stringify({ data: [row, other] }), 1), expected);
    assert.deepEqual(fields(jsonl(['A warm film', 'positive', 7], ['A dull one, at best', 'negative', 8]), 1), {
      '#1': 'A dull one, at best',
      '#2': 'negative',
      '#3': '8',
    });
  });

  it('are the cells of a table, without quotes', () => {
    const table = 'id,text,label\n1,"A warm, ""witty"" film",positive\n2,A dull one,negative\n';
    assert.deepEqual(fields(table), { id: '1', text: 'A warm, "witty" film', label: 'positive' });
  });

  it('follow edits', () => {
    const document = open(jsonl(row, other));
    const at = document.text.indexOf('web');
    const range = { startLine: 0, startChar: at, endLine: 0, endChar: at + 3 };
    document.applyEdits([{ range, text: 'press' }]);
    assert.equal(document.fieldsOf(document.examples[0]!)?.get('meta.source'), 'press');
    assert.equal(document.fieldsOf(document.examples[1]!)?.get('meta.source'), 'shop');
  });

  it('are none where the format has no columns, or where nothing says whose value is whose', () => {
    assert.equal(fields('__label__good A warm film\n__label__bad A dull one\n'), null);
    assert.equal(fields(JSON.stringify({ text: [row.text, other.text], label: [row.label, other.label] })), null);
  });
});
