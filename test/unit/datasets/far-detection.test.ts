import assert from 'node:assert/strict';
import { byteSource } from '../../../src/engine/datasets/byte-source';
import { NotADataset } from '../../../src/engine/datasets/dataset';
import { DatasetDocument } from '../../../src/engine/datasets/document';
import { openStream } from '../../../src/engine/datasets/stream';
import type { ColumnChoice } from '../../../src/protocol/dataset';
import { open } from './opening';

const encode = (text: string) => new TextEncoder().encode(text);
const words = (count: number) =>
  'plain words of a long review '
    .repeat(Math.ceil(count / 29))
    .slice(0, count)
    .trim();

/** Texts and labels, read as a whole and through the window of a stream, which must agree. */
async function rowsOf(text: string, choice?: ColumnChoice): Promise<(string | null)[][]> {
  const whole = open(text, choice).examples.map((example) => [example.text, example.gold]);
  const stream = await openStream(byteSource(encode(text)), { name: 'file', choice: choice ?? null });
  const streamed: (string | null)[][] = [];
  for await (const batch of stream.read()) {
    for (const { row } of batch.records) streamed.push(...row.examples.map((example) => [example.text, example.gold]));
  }
  assert.deepEqual(
    streamed.map(([content, gold]) => [content?.length, gold]),
    whole.map(([content, gold]) => [content?.length, gold]),
  );
  return whole;
}

const short = [
  ['A fine film', 'positive'],
  ['Two hours of nothing', 'negative'],
];
const csv = (rows: string[][]) => rows.map(([text, label]) => `"${text}",${label}`).join('\n');
const objects = (rows: string[][]) => rows.map(([text, label]) => ({ text, label }));

describe('rows that are longer than what is looked at first', () => {
  for (const size of [100_000, 900_000]) {
    const long = [words(size), 'negative'];

    it(`CSV with a row of ${size} characters, first or second`, async () => {
      for (const rows of [
        [long, ...short],
        [short[0]!, long, short[1]!],
      ]) {
        assert.deepEqual(await rowsOf(`text,label\n${csv(rows)}\n`), rows);
      }
    });

    it(`JSON Lines and a JSON list with a row of ${size} characters`, async () => {
      const rows = [long, ...short];
      const lines = objects(rows).map((row) => JSON.stringify(row));
      assert.deepEqual(await rowsOf(lines.join('\n')), rows);
      assert.deepEqual(await rowsOf(JSON.stringify(objects(rows))), rows);
      assert.deepEqual(await rowsOf(JSON.stringify(objects(rows), null, 2)), rows);
    });
  }

  it('a one-line JSON list whose first row is three million characters', async () => {
    const rows = [[words(3_000_000), 'negative'], ...short];
    assert.deepEqual(await rowsOf(JSON.stringify(objects(rows))), rows);
  });

  it('an edit far behind a first row that is long reads as before', () => {
    const rows = [[words(100_000), 'negative'], ...short];
    const document = open(`text,label\n${csv(rows)}\n`);
    document.applyEdits([{ range: { startLine: 2, startChar: 1, endLine: 2, endChar: 2 }, text: 'Such a' }]);
    assert.deepEqual(
      document.examples.map(({ text }) => text),
      [rows[0]![0], 'Such a fine film', 'Two hours of nothing'],
    );
  });
});

describe('further layouts', () => {
  it('all splits in one JSON object', async () => {
    const value = {
      version: 2,
      train: objects(short),
      about: { labels: ['positive', 'negative'] },
      validation: objects([['Lovely', 'positive']]),
      test: [],
    };
    for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
      assert.deepEqual(await rowsOf(text), [...short, ['Lovely', 'positive']]);
    }
    const long = { train: [{ text: words(90_000), label: 'negative' }], dev: objects(short), test: objects(short) };
    assert.deepEqual((await rowsOf(JSON.stringify(long))).length, 5);
    const document = open(JSON.stringify(value));
    assert.match(document.info.formatDetail, /all splits \("train", "validation", "test"\)/);
    assert.deepEqual(document.findings, []);
  });

  it('a split that is cut off keeps the rows before the cut', () => {
    const text = JSON.stringify({ train: objects(short), test: objects(short) });
    const document = open(text.slice(0, -30));
    assert.deepEqual(
      document.examples.map(({ text: content }) => content),
      ['A fine film', 'Two hours of nothing', 'A fine film'],
    );
    assert.equal(document.findings.length, 1);
  });

  it('columns and data, as pandas writes them (orient="split")', async () => {
    const value = {
      columns: ['id', 'label', 'text'],
      index: [0, 1],
      data: short.map(([text, label], id) => [id, label, text]),
    };
    for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2)])
      assert.deepEqual(await rowsOf(text), short);
    const document = open(JSON.stringify(value), { task: 'sentiment', text: 'text' });
    assert.deepEqual(
      document.examples.map(({ gold }) => gold),
      [null, null],
    );
  });

  it('one column of texts', async () => {
    const text = 'text\nA fine film, really\n"Quoted, as ""CSV"" does"\nDull\n';
    const rows = ['A fine film, really', 'Quoted, as "CSV" does', 'Dull'].map((content) => [content, null]);
    assert.deepEqual(await rowsOf(text), rows);
    assert.deepEqual(await rowsOf(text, { task: 'sentiment', text: 'text' }), rows);
  });

  it('a NUL or two in a text file', () => {
    const document = DatasetDocument.open({
      name: 'x.csv',
      bytes: encode('text,label\nA \0fine film,positive\nDull,negative\n'),
    });
    assert.deepEqual(
      document.examples.map(({ text }) => text),
      ['A \0fine film', 'Dull'],
    );
  });

  it('a quote that opens far behind in TSV swallows no row', async () => {
    const rows = Array.from({ length: 5000 }, (_, index) => [`Row ${index} of many`, String(index % 2)]);
    rows.push(['"never closed', '1'], ['between', '0'], ['ends with "', '1'], ['last', '0']);
    const text = `sentence\tlabel\n${rows.map((row) => row.join('\t')).join('\n')}\n`;
    assert.deepEqual(await rowsOf(text), rows);
  });

  it('a quoted field far behind in TSV is unquoted where it needs its quotes', async () => {
    const rows = Array.from({ length: 5000 }, (_, index) => [`Row ${index} of many`, String(index % 2)]);
    const text = `sentence\tlabel\n${rows.map((row) => row.join('\t')).join('\n')}\n"A ""fine""\nfilm"\t1\n"as it is" he said\t0\n`;
    assert.deepEqual((await rowsOf(text)).slice(5000), [
      ['A "fine"\nfilm', '1'],
      ['"as it is" he said', '0'],
    ]);
  });
});

describe('what is refused', () => {
  function candidatesOf(text: string): string[] {
    try {
      open(text);
    } catch (error) {
      assert.ok(error instanceof NotADataset);
      return error.candidates.map(({ name }) => name);
    }
    return assert.fail('it was not refused');
  }

  it('tells the columns it has, which may be chosen', () => {
    const table = 'alpha,beta\nred or so,left\nblue it is,right\ngreen then,left\n';
    assert.deepEqual(candidatesOf(table), ['alpha', 'beta']);
    const chosen = open(table, { task: 'sentiment', text: 'alpha', gold: 'beta' });
    assert.deepEqual(
      chosen.examples.map(({ text, gold }) => [text, gold]),
      [
        ['red or so', 'left'],
        ['blue it is', 'right'],
        ['green then', 'left'],
      ],
    );
    const rows = [
      { one: 'red or so', two: { three: 'left' } },
      { one: 'blue it is', two: { three: 'right' } },
    ];
    for (const text of [JSON.stringify(rows), rows.map((row) => JSON.stringify(row)).join('\n')]) {
      assert.deepEqual(candidatesOf(text), ['one', 'two.three']);
    }
    assert.deepEqual(candidatesOf('{"a": 1}'), ['a']);
  });

  it('rows below a key are read by chosen columns, labelled or not', () => {
    const text = JSON.stringify({ payload: [{ x: 'red or so' }, { x: 'blue it is' }] });
    const document = open(text, { task: 'sentiment', text: 'x' });
    assert.deepEqual(
      document.examples.map(({ text: content }) => content),
      ['red or so', 'blue it is'],
    );
  });

  it('has no columns where there are none', () => {
    assert.deepEqual(candidatesOf(''), []);
    assert.deepEqual(candidatesOf('[1, 2, 3]'), []);
  });
});
