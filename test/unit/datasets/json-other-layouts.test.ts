import assert from 'node:assert/strict';
import fc from 'fast-check';
import { at, open, refusal } from './opening';

const rows = [
  { text: 'A warm and funny film.', label: 'pos' },
  { text: 'Nobody “laughed” \u{1f600} at all.', label: 'neg' },
  { text: 'It was fine, "they" say.', label: 'pos' },
];
const read = (text: string) => open(text).examples.map(({ id, text, gold }) => [id, text, gold]);

/** Each text and label stands in the document where it is said to stand. */
function assertPlaces(text: string): void {
  const document = open(text);
  assert.deepEqual(document.findings, []);
  for (const example of document.examples) {
    const field = at(document, document.fieldRange(example, example.textField));
    assert.equal(JSON.parse(field), example.text);
  }
}

describe('datasets: JSON objects of rows', () => {
  for (const indent of [undefined, 2]) {
    it(`by their ids${indent === undefined ? ', on one line' : ', pretty-printed'}`, () => {
      const text = JSON.stringify({ '17': rows[0], b: rows[1], 'c d': rows[2] }, null, indent);
      assert.match(open(text).info.formatDetail, /^JSON object of rows by their ids, text \+ label$/);
      assert.deepEqual(
        read(text),
        ['17', 'b', 'c d'].map((id, index) => [id, rows[index]!.text, rows[index]!.label]),
      );
      assertPlaces(text);
    });
  }

  it('an id of their own counts before the key', () => {
    const own = rows.map((row, index) => ({ id: `r${index}`, ...row }));
    assert.deepEqual(
      read(JSON.stringify({ ...own })).map(([id]) => id),
      ['r0', 'r1', 'r2'],
    );
  });

  it('as JSON reads them, whatever the keys and texts (property)', () => {
    const row = fc.record({ text: fc.string({ unit: 'binary', maxLength: 30 }), label: fc.constantFrom('pos', 'neg') });
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'binary', maxLength: 8 }), row, { minKeys: 2, maxKeys: 6 }),
        fc.constantFrom(undefined, 1),
        (object, indent) => {
          for (const value of Object.values(object)) value.text = `the film ${value.text}`;
          const text = JSON.stringify(object, null, indent);
          assert.deepEqual(
            read(text).map(([, content, gold]) => [content, gold]),
            Object.values(object).map(({ text: content, label }) => [content, label]),
          );
        },
      ),
    );
  });

  it('JSON Lines whose rows are made of objects stay JSON Lines', () => {
    const nested = rows.map(({ text, label }) => ({ data: { content: text }, annotation: { label } }));
    const document = open(nested.map((row) => `${JSON.stringify(row)}\n`).join(''));
    assert.equal(document.info.format, 'jsonl');
    assert.deepEqual(
      document.examples.map(({ text, gold }) => [text, gold]),
      rows.map(({ text, label }) => [text, label]),
    );
    assert.notEqual(open(JSON.stringify(nested[0])).info.formatDetail.slice(0, 19), 'JSON object of rows');
  });

  it('other objects of objects are none', () => {
    assert.match(
      refusal(JSON.stringify({ a: { name: 'x', version: '1' }, b: { name: 'y', version: '2' } })),
      /^This looks/,
    );
  });
});

describe('datasets: JSON objects one behind the other', () => {
  it('over several lines, as jq prints them, with commas between or without', () => {
    for (const separator of ['\n', ',\n', '\n\n']) {
      const text = rows.map((row) => JSON.stringify(row, null, 2)).join(separator);
      assert.match(open(text).info.formatDetail, /^JSON objects over several lines, text \+ label$/);
      assert.deepEqual(
        read(text),
        rows.map(({ text: content, label }, index) => [String(index + 1), content, label]),
      );
      assertPlaces(text);
    }
  });

  it('on a line each they are JSON Lines, also with a comma behind each', () => {
    const text = rows.map((row) => `${JSON.stringify(row)}, \n`).join('');
    const document = open(text);
    assert.equal(document.info.format, 'jsonl');
    assert.equal(document.examples.length, 3);
    assertPlaces(text);
  });
});

describe('datasets: texts by their label', () => {
  const lists = { positive: ['A warm and funny film.', 'Fine, really fine.'], negative: ['Nobody laughed at all.'] };

  it('an example a text, the label is the key', () => {
    for (const indent of [undefined, 2]) {
      const text = JSON.stringify(lists, null, indent);
      assert.deepEqual(read(text), [
        ['1', 'A warm and funny film.', 'positive'],
        ['2', 'Fine, really fine.', 'positive'],
        ['3', 'Nobody laughed at all.', 'negative'],
      ]);
      assertPlaces(text);
    }
  });

  it('a broken text costs that text, and the next at most', () => {
    const document = open(
      '{"positive": ["A warm and "funny film.", "Fine, really fine.", "Go and see it."], "negative": ["Nobody laughed at all.", 7]}',
    );
    assert.deepEqual(
      document.examples.map(({ text }) => text),
      ['Fine, really fine.', 'Go and see it.', 'Nobody laughed at all.'],
    );
    assert.deepEqual(
      document.findings.map(({ message, range }) => [message, range.startChar]),
      [
        ['Not valid JSON: a comma or ] should stand behind the text. The text is left out.', 14],
        ['Not valid JSON: a text in quotes should stand here. The text is left out.', 121],
      ],
    );
  });

  it('lists of names and words are none', () => {
    assert.match(
      refusal(JSON.stringify({ male: ['Al Bo Cy', 'Cy Di Ed'], female: ['Ann Lee Roe', 'Bea Ray Low'] })),
      /^This looks/,
    );
    assert.match(
      refusal(JSON.stringify({ positive: ['good', 'fine', 'lovely'], negative: ['bad', 'dull'] })),
      /^This looks/,
    );
  });
});
