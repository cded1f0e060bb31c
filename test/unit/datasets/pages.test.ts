import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { byteSource } from '../../../src/engine/datasets/byte-source';
import { readCompanions } from '../../../src/engine/datasets/companion-files';
import type { Example } from '../../../src/engine/datasets/dataset';
import { DatasetDocument } from '../../../src/engine/datasets/document';
import type { ReadExample } from '../../../src/engine/datasets/format';
import { indexPages } from '../../../src/engine/datasets/page-index';
import { pageReading, pageRow, problemRow } from '../../../src/engine/datasets/page-rows';
import { whyPaged } from '../../../src/engine/datasets/paged-file';
import { plainMap } from '../../../src/engine/text/offset-map';
import { jsonl, open } from './opening';

declare const ASSAY_ROOT: string;

const encoded = (text: string) => new TextEncoder().encode(text);

/** What an example says, wherever it stands. */
function said({ id, text, gold, spans, mentions, types, aspect, sentences }: Example) {
  return { id, text, gold, spans, mentions, types, aspect, sentences };
}

/** A page's text, read as the worker reads it. */
function openPage(text: string, task: 'sentiment' | 'relation') {
  return DatasetDocument.open({ name: 'page', text, reading: pageReading(task) });
}

const samples = path.join(ASSAY_ROOT, 'samples');
/** What stands beside the samples, and Parquet, which is no text. */
const others = /\.(md|parquet|ann)$|^pid2name/;

describe('datasets: pages', () => {
  for (const name of readdirSync(samples).filter((each) => !others.test(each))) {
    it(`say all that the file says: ${name}`, async () => {
      const bytes = readFileSync(path.join(samples, name));
      const companions = await readCompanions(path.join(samples, name));
      const whole = DatasetDocument.open({ name, bytes, companions });
      const file = await indexPages(byteSource(bytes), { name, companions, chunkBytes: 500, pageExamples: 7 });
      assert.equal(file.info.exampleCount, whole.examples.length);
      assert.equal(file.info.findingCount, whole.findings.length);
      assert.deepEqual(file.info.labels, whole.info.labels);
      assert.equal(file.info.pageCount, Math.ceil(whole.examples.length / 7));
      const examples: ReturnType<typeof said>[] = [];
      const messages: string[] = [];
      for (let index = 0; index < file.info.pageCount; index++) {
        const page = await file.readPage(byteSource(bytes), index);
        const document = openPage(page.text, file.info.columns.task);
        assert.equal(document.examples.length, page.exampleCount);
        examples.push(...document.examples.map(said));
        messages.push(...document.findings.map(({ message }) => message));
      }
      assert.deepEqual(examples, whole.examples.map(said));
      assert.deepEqual(
        messages,
        whole.findings.map(({ message, range }) => `Line ${range.startLine + 1}: ${message}`),
      );
    });
  }

  it('begin and end anywhere: between rows, within a row of several examples, at rows that cannot be read (property)', async () => {
    const row = fc.oneof(
      fc.constantFrom('{"text":"cut off', '{"label":"x"}', '[1]', '  '),
      fc.integer({ min: 0, max: 99 }).map((number) => JSON.stringify({ text: `the film ${number}`, label: 'x' })),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 40 }),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 8, max: 300 }),
        async (rows, pageExamples, chunkBytes) => {
          const good = jsonl({ text: 'a good film', label: 'x' }, { text: 'a bad film', label: 'y' });
          const text = good.repeat(25) + rows.join('\n');
          const whole = open(text);
          const bytes = encoded(text);
          const file = await indexPages(byteSource(bytes), { name: 'file', pageExamples, chunkBytes });
          let examples = 0;
          let findings = 0;
          for (let index = 0; index < file.info.pageCount; index++) {
            const page = await file.readPage(byteSource(bytes), index);
            const document = openPage(page.text, 'sentiment');
            const isLast = index === file.info.pageCount - 1;
            assert.ok(isLast || page.exampleCount === pageExamples);
            for (const example of document.examples) {
              assert.deepEqual(said(example), said(whole.examples[examples++]!));
              assert.equal(example.id, String(examples));
            }
            findings += document.findings.length;
          }
          assert.equal(examples, whole.examples.length);
          assert.equal(findings, whole.findings.length);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('lose nothing of an example (property)', () => {
    const text = fc.string({ unit: 'binary', maxLength: 30 });
    const record = <T extends Record<string, unknown>>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
      fc.record<T>(model, { noNullPrototype: true });
    /** Not within a surrogate pair. */
    const span = (of: string) =>
      fc.tuple(fc.nat(of.length), fc.nat(of.length)).map(([a, b]) => {
        const whole = (at: number) =>
          /[\udc00-\udfff]/.test(of[at] ?? '') && /[\ud800-\udbff]/.test(of[at - 1] ?? '') ? at - 1 : at;
        return { start: whole(Math.min(a, b)), end: whole(Math.max(a, b)) };
      });
    const example = text.chain((of) =>
      record({
        text: fc.constant(of),
        id: fc.string({ unit: 'binary', minLength: 1 }),
        // A blank label is none.
        gold: fc.option(fc.string({ unit: 'binary' }).filter((label) => label.trim() !== '')),
        spans: record({ head: span(of), tail: span(of) }),
        mentions: fc.option(
          record({
            head: fc.array(span(of), { minLength: 1, maxLength: 3 }),
            tail: fc.array(span(of), { minLength: 1, maxLength: 3 }),
          }),
        ),
        types: fc.option(record({ head: fc.string(), tail: fc.option(fc.string()) })),
        aspect: fc.option(span(of)),
        sentences: fc.option(fc.array(span(of), { minLength: 1, maxLength: 3 })),
      }),
    );
    fc.assert(
      fc.property(fc.array(example, { maxLength: 5 }), fc.boolean(), (examples, isRelation) => {
        const read = examples.map(
          (each): ReadExample => ({
            ...each,
            ...(isRelation ? {} : { spans: null, mentions: null, types: null }),
            map: plainMap(0, 0),
            textField: { start: 0, end: 0 },
            goldField: null,
          }),
        );
        const lines = read.map((each) => pageRow(each, each.id!));
        assert.ok(lines.every((line) => !/[\n\r\u2028\u2029]/.test(line)));
        const document = openPage(lines.join('\n'), isRelation ? 'relation' : 'sentiment');
        assert.deepEqual(document.findings, []);
        assert.deepEqual(
          document.examples.map(said),
          read.map((each) => ({
            id: each.id,
            text: each.text,
            gold: each.gold,
            spans: each.spans,
            mentions: each.mentions,
            types: each.types,
            aspect: each.aspect ?? null,
            sentences: each.sentences ?? null,
          })),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('are read by the JSON Lines reader too, when they are saved', () => {
    const row = (text: string, head: [number, number], tail: [number, number]) =>
      pageRow(
        {
          id: null,
          text,
          spans: { head: { start: head[0], end: head[1] }, tail: { start: tail[0], end: tail[1] } },
          mentions: {
            head: [
              { start: head[0], end: head[1] },
              { start: 0, end: 2 },
            ],
            tail: [{ start: tail[0], end: tail[1] }],
          },
          types: { head: 'PER', tail: null },
          gold: 'knows',
          map: plainMap(0, 0),
          textField: { start: 0, end: 0 },
          goldField: null,
        },
        '7',
      );
    const document = open(`${row('😀 Ada met Bo', [3, 6], [11, 13])}\n${row('Al met Bo', [0, 2], [7, 9])}\n`);
    assert.deepEqual(document.info.columns, { task: 'relation', text: 'text', gold: 'label', head: 'h', tail: 't' });
    const [first] = document.examples;
    assert.deepEqual(first!.spans, { head: { start: 3, end: 6 }, tail: { start: 11, end: 13 } });
    assert.deepEqual(first!.mentions, {
      head: [
        { start: 3, end: 6 },
        { start: 0, end: 2 },
      ],
      tail: [{ start: 11, end: 13 }],
    });
    assert.deepEqual(first!.types, { head: 'PER', tail: null });
  });

  it('show the first thousand unreadable rows of a page, and count the others', async () => {
    const good = jsonl({ text: 'a good film', label: 'x' }, { text: 'a bad film', label: 'y' });
    const bytes = encoded(good.repeat(600) + '{"text"\n'.repeat(1500));
    const file = await indexPages(byteSource(bytes), { name: 'file' });
    assert.equal(file.info.pageCount, 2);
    const document = openPage((await file.readPage(byteSource(bytes), 1)).text, 'sentiment');
    assert.equal(document.examples.length, 200);
    assert.equal(document.findings.length, 1001);
    assert.match(document.findings[0]!.message, /^Line 1,201: Not valid JSON/);
    assert.match(document.findings[1000]!.message, /500 more problems/);
    assert.equal(
      problemRow({ code: 'assay/unreadable-row', severity: 'error', message: 'm' }, 'w').includes('\n'),
      false,
    );
  });

  it('are what long single lines, large files and Parquet need, and nothing else does', async () => {
    const why = (text: string) => whyPaged(byteSource(encoded(text)), { name: 'file' });
    const rows = Array.from({ length: 4000 }, (_, index) => ({ text: `the film ${index} is fine`, label: 'x' }));
    assert.equal(await why(JSON.stringify(rows)), 'longLines');
    assert.equal(await why(JSON.stringify(rows, null, 1)), null);
    assert.equal(await why(jsonl(...rows)), null);
    assert.equal(await why(JSON.stringify(rows.slice(0, 100))), null);
    // Long texts, each on its own line: pages would show them no better.
    assert.equal(await why(jsonl({ text: 'fine '.repeat(40_000), label: 'x' }, { text: 'b c', label: 'y' })), null);
    const large = { ...byteSource(encoded('text,label\n')), size: 60 * 1024 * 1024 };
    assert.equal(await whyPaged(large, { name: 'file' }), 'size');
  });
});
