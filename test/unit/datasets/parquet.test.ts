import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { byteSource } from '../../../src/engine/datasets/byte-source';
import { NotADataset } from '../../../src/engine/datasets/dataset';
import { DatasetDocument } from '../../../src/engine/datasets/document';
import type { PagedFile } from '../../../src/engine/datasets/page-index';
import { pageReading } from '../../../src/engine/datasets/page-rows';
import { openPaged, whyPaged } from '../../../src/engine/datasets/paged-file';
import type { ColumnChoice } from '../../../src/protocol/dataset';
import { listColumn, numberColumn, parquetFile, structColumn, textColumn } from '../../fixtures/parquet/build';
import { open, rows, spanTexts } from './opening';

declare const ASSAY_ROOT: string;

const opened = (bytes: Uint8Array, choice: ColumnChoice | null = null, pageExamples = 1000) =>
  openPaged(byteSource(bytes), { name: 'rows.parquet', choice, pageExamples });

async function page(file: PagedFile, bytes: Uint8Array, index: number): Promise<DatasetDocument> {
  const { text } = await file.readPage(byteSource(bytes), index);
  return DatasetDocument.open({ name: 'page', text, reading: pageReading(file.info.columns.task) });
}

async function refused(bytes: Uint8Array): Promise<string> {
  const error = await opened(bytes).then(
    () => assert.fail('it was taken for a dataset'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof NotADataset);
  return error.message;
}

const texts = Array.from({ length: 25 }, (_, index) => `The film number ${index} is “fine” 😀`);
const flat = (values: { text?: unknown[]; label?: unknown[] } = {}) => [
  { schema: textColumn('text'), values: values.text ?? texts },
  { schema: numberColumn('label'), values: values.label ?? texts.map((_, index) => BigInt(index % 2)) },
];

describe('datasets: Parquet', () => {
  it('is told by its content, and needs pages', async () => {
    assert.equal(await whyPaged(byteSource(parquetFile(flat())), { name: 'data.bin' }), 'parquet');
  });

  it('reads columns by name, pages across row groups', async () => {
    for (const rowGroupSize of [3, 10, 1000]) {
      const bytes = parquetFile(flat(), { rowGroupSize });
      const file = await opened(bytes, null, 7);
      assert.equal(file.info.format, 'parquet');
      assert.equal(file.info.formatDetail, 'Parquet, text + label');
      assert.deepEqual(file.info.columns, { task: 'sentiment', text: 'text', gold: 'label' });
      assert.equal(file.info.exampleCount, 25);
      assert.equal(file.info.pageCount, 4);
      assert.deepEqual(file.info.labels, [
        { label: '0', count: 13 },
        { label: '1', count: 12 },
      ]);
      const read: [string, string, string | null][] = [];
      for (let index = 0; index < 4; index++) {
        const document = await page(file, bytes, index);
        read.push(...document.examples.map(({ id, text, gold }): (typeof read)[number] => [id, text, gold]));
      }
      assert.deepEqual(
        read,
        texts.map((text, index) => [String(index + 1), text, String(index % 2)]),
      );
    }
  });

  it('reads every compression, and rows of which some lack a value', async () => {
    const values = { text: [...texts.slice(0, 24), null], label: texts.map((_, index) => (index === 3 ? null : 1n)) };
    for (const codec of ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'BROTLI'] as const) {
      const bytes = parquetFile(flat(values), { codec });
      const file = await opened(bytes);
      assert.equal(file.info.exampleCount, 24);
      assert.equal(file.info.unreadableCount, 1);
      const document = await page(file, bytes, 0);
      assert.equal(document.examples[3]!.gold, null);
      assert.equal(document.findings.length, 1);
      assert.match(document.findings[0]!.message, /^Row 25: The row has no "text"/);
      assert.equal(document.findings[0]!.range.startLine, 24);
    }
  });

  it('calls labels as the file says they are called; -1 is none', async () => {
    const label = texts.map((_, index) => BigInt((index % 3) - 1));
    const bytes = parquetFile(flat({ label }), { classNames: { label: ['negative', 'positive'] } });
    const document = await page(await opened(bytes), bytes, 0);
    assert.deepEqual(
      document.examples.slice(0, 3).map(({ gold }) => gold),
      [null, 'negative', 'positive'],
    );
  });

  it('reads nested fields, and lists of tokens with entities', async () => {
    const nested = parquetFile([
      {
        schema: structColumn('review', [textColumn('text'), numberColumn('stars')]),
        values: texts.map((text, index) => ({ text, stars: BigInt(1 + (index % 5)) })),
      },
    ]);
    const reviews = await opened(nested);
    assert.deepEqual(reviews.info.columns, { task: 'sentiment', text: 'review.text', gold: 'review.stars' });
    assert.equal((await page(reviews, nested, 0)).examples[4]!.gold, '5');

    const entity = (name: string) =>
      structColumn(name, [textColumn('name'), textColumn('type'), listColumn('pos', numberColumn('element'))]);
    const relations = parquetFile([
      {
        schema: listColumn('token', textColumn('element')),
        values: [
          ['Ada', 'Smith', 'met', '😀', 'Bo'],
          ['Al', 'is', 'Bo'],
        ],
      },
      {
        schema: entity('h'),
        values: [
          { name: 'ada smith', type: 'PER', pos: [0n, 2n] },
          { name: 'al', type: null, pos: [0n, 1n] },
        ],
      },
      {
        schema: entity('t'),
        values: [
          { name: 'bo', type: 'PER', pos: [4n, 5n] },
          { name: 'bo', type: null, pos: [2n, 3n] },
        ],
      },
      { schema: textColumn('relation'), values: ['met', 'is'] },
    ]);
    const file = await opened(relations);
    assert.equal(file.info.columns.task, 'relation');
    const document = await page(file, relations, 0);
    assert.deepEqual(document.examples.map(spanTexts), [
      { head: 'Ada Smith', tail: 'Bo' },
      { head: 'Al', tail: 'Bo' },
    ]);
    assert.deepEqual(document.examples[0]!.types, { head: 'PER', tail: 'PER' });
  });

  it('reads the columns that a person chose, and says which there are', async () => {
    const bytes = parquetFile([
      ...flat(),
      { schema: textColumn('summary'), values: texts.map((text) => text.toUpperCase()) },
    ]);
    const file = await opened(bytes, { task: 'sentiment', text: 'summary' });
    assert.equal((await page(file, bytes, 0)).examples[0]!.text, texts[0]!.toUpperCase());
    await assert.rejects(opened(bytes, { task: 'sentiment', text: 'nothing' }), {
      name: 'NotADataset',
      message: /no column "nothing".*"text", "label", "summary"/,
    });
  });

  it('leaves out columns of pictures, and keys that are none', async () => {
    const picture = new Uint8Array(60_000).map((_, index) => (index * 7919) % 251);
    const bytes = parquetFile(
      [
        ...flat(),
        {
          schema: [{ name: 'image', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' }],
          values: texts.map((_, index) => picture.map((byte) => byte ^ index)),
        },
        { schema: textColumn('__proto__'), values: texts },
      ],
      { codec: 'UNCOMPRESSED' },
    );
    const file = await opened(bytes);
    assert.deepEqual(
      file.info.candidates.map(({ name }) => name),
      ['text', 'label', '__proto__'],
    );
    assert.equal((await page(file, bytes, 0)).examples.length, 25);
  });

  it('refuses what holds no dataset, no rows, or is cut off, and says so', async () => {
    const numbers = parquetFile([
      { schema: numberColumn('x'), values: [1n, 2n] },
      { schema: numberColumn('y'), values: [1n, 2n] },
    ]);
    assert.match(await refused(numbers), /^This looks like a Parquet table with the keys "x", "y": none/);
    assert.match(await refused(parquetFile(flat({ text: [], label: [] }))), /Parquet file without rows/);
    const whole = parquetFile(flat(), { codec: 'UNCOMPRESSED' });
    const broken = whole.slice();
    broken.fill(0xff, 4, whole.length - 200);
    assert.match(await refused(broken), /^rows\.parquet is a Parquet file that cannot be read/);
    // Without its end it is just bytes.
    assert.match(await refused(whole.subarray(0, whole.length - 50)), /Parquet file that is cut off/);
  });

  it('reads the sample, which is the JSON Lines sample in Parquet', async () => {
    const bytes = readFileSync(path.join(ASSAY_ROOT, 'samples/reviews.parquet'));
    const file = await opened(bytes);
    const lines = open(readFileSync(path.join(ASSAY_ROOT, 'samples/sentiment.jsonl'), 'utf8'));
    const document = await page(file, bytes, 0);
    const names = ['negative', 'positive'];
    assert.deepEqual(
      rows(document),
      rows(lines).map(([text, gold]) => [text, names[Number(gold)]]),
    );
    assert.deepEqual(
      document.examples.map(({ id }) => id),
      lines.examples.map(({ id }) => id),
    );
  });
});
