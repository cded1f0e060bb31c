import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { byteSource } from '../../../src/engine/datasets/byte-source';
import type { Companion } from '../../../src/engine/datasets/companions';
import { NotADataset } from '../../../src/engine/datasets/dataset';
import { DatasetDocument } from '../../../src/engine/datasets/document';
import { openStream, type RecordPlace } from '../../../src/engine/datasets/stream';
import type { Position } from '../../../src/protocol/dataset';

declare const ASSAY_ROOT: string;

/** Beside the samples: what relation ids are called, and where the entities of the BRAT sample stand. */
const companions: Companion[] = ['pid2name.json', 'relations.brat.ann']
  .map((name) => path.join(ASSAY_ROOT, 'samples', name))
  .map((file) => ({ name: path.basename(file), text: readFileSync(file, 'utf8') }));
const encoded = (text: string) => new TextEncoder().encode(text);

/** All that a document says of its rows, to compare with what a stream says. */
function readWhole(bytes: Uint8Array, name: string) {
  const document = DatasetDocument.open({ name, bytes, companions });
  const { format, formatDetail, encoding, badBytes, columns, confidence } = document.info;
  return {
    info: { format, formatDetail, encoding, badBytes, columns, confidence },
    examples: document.examples.map(({ record, ...example }) => {
      const { numbered: _, ...rest } = example as typeof example & { numbered: boolean };
      return { ...rest, at: document.lines.position(record.start) };
    }),
    findings: document.findings.map(({ code, severity, message, range }) => ({
      code,
      severity,
      message,
      start: { line: range.startLine, char: range.startChar },
      end: { line: range.endLine, char: range.endChar },
    })),
  };
}

async function readStreamed(bytes: Uint8Array, name: string, chunkBytes: number, from?: RecordPlace) {
  const stream = await openStream(byteSource(bytes), { name, chunkBytes, companions });
  const examples: ReturnType<typeof readWhole>['examples'] = [];
  const findings: ReturnType<typeof readWhole>['findings'] = [];
  const places: RecordPlace[] = [];
  let badBytes = 0;
  for await (const batch of stream.read(from === undefined ? {} : { from })) {
    for (const record of batch.records) {
      const { cut, row } = record;
      places.push(batch.placeOf(record));
      const start: Position = batch.positionOf(cut.start);
      for (const { id, aspect = null, sentences = null, misfits = null, ...example } of row.examples) {
        examples.push({ ...example, aspect, sentences, misfits, id: id ?? String(examples.length + 1), at: start });
      }
      const problems = cut.problem === null ? row.problems : [...row.problems, cut.problem];
      for (const { code, severity, message, range } of problems) {
        const [first, last] = [batch.positionOf(cut.start + range.start), batch.positionOf(cut.start + range.end)];
        findings.push({ code, severity, message, start: first, end: last });
      }
    }
    badBytes = batch.badBytes;
  }
  const { format, detail, columns, confidence } = stream.reading;
  const info = { format, formatDetail: detail, encoding: stream.encoding.name, badBytes, columns, confidence };
  return { info, examples, findings, places };
}

async function assertSame(bytes: Uint8Array, chunkBytes: number, name = 'file'): Promise<boolean> {
  let whole: ReturnType<typeof readWhole>;
  try {
    whole = readWhole(bytes, name);
  } catch (error) {
    assert.ok(error instanceof NotADataset);
    await assert.rejects(readStreamed(bytes, name, chunkBytes), { name: 'NotADataset', message: error.message });
    return false;
  }
  const { places, ...streamed } = await readStreamed(bytes, name, chunkBytes);
  assert.deepEqual(streamed.examples, whole.examples);
  assert.deepEqual(streamed.findings, whole.findings);
  // A stream without any record has met no byte that it could count.
  if (places.length > 0) assert.deepEqual(streamed.info, whole.info);
  return true;
}

/** A text of each format: the samples, and what they leave out. */
function seeds(): { name: string; text: string }[] {
  const folder = path.join(ASSAY_ROOT, 'samples');
  const texts = readdirSync(folder)
    .filter((name) => !/\.(md|parquet|ann)$|^pid2name/.test(name))
    .map((name) => ({ name, text: readFileSync(path.join(folder, name), 'utf8') }));
  const rows = Array.from({ length: 8 }, (_, index) => ({
    text: `Film ${index} is “fine”\n😀`,
    label: index % 2 ? 'pos' : 'neg',
  }));
  const array = JSON.stringify(rows);
  return [
    ...texts,
    { name: 'JSON array', text: array },
    { name: 'JSON array, indented', text: JSON.stringify(rows, null, 2) },
    { name: 'JSON array, a row a line', text: `[\n${rows.map((row) => JSON.stringify(row)).join(',\r\n')}\n]\n` },
    { name: 'CSV', text: `text;label\r\n${rows.map(({ text, label }) => `"${text}";${label}`).join('\r\n')}` },
  ];
}

/** Not cut within a surrogate pair, which no encoder would write. */
function headOf(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}

describe('datasets: reading a file through a window', () => {
  for (const { name, text } of seeds()) {
    it(`gives what opening it gives: ${name}`, async () => {
      const bytes = encoded(text);
      assert.ok(await assertSame(bytes, 16, name));
      assert.ok(await assertSame(bytes, 1000, name));
      assert.ok(await assertSame(new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le')), 100, name));
    });

    it(`gives what opening it gives, damaged anyhow: ${name} (property)`, async () => {
      const start = headOf(text, 1500);
      // Cut off, an object of columns has no labels.
      const head = (await assertSame(encoded(start), 64, name)) ? start : text;
      const shards = [
        '{',
        '}',
        '[',
        ']',
        '"',
        ',',
        '\n',
        '\r\n',
        '\r',
        '\t',
        '\\',
        '\\ud83d',
        ' ',
        'e1',
        '<e1>',
        ':',
        '',
      ];
      let opened = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.record({ at: fc.nat(head.length), deleted: fc.nat(40), inserted: fc.constantFrom(...shards) }), {
            maxLength: 4,
          }),
          fc.integer({ min: 8, max: 200 }),
          async (damages, chunkBytes) => {
            let damaged = head;
            for (const { at, deleted, inserted } of damages)
              damaged = damaged.slice(0, at) + inserted + damaged.slice(at + deleted);
            if (await assertSame(encoded(damaged), chunkBytes, name)) opened++;
          },
        ),
        { numRuns: 60 },
      );
      assert.ok(opened > 8, `only ${opened} were read`);
    });
  }

  it('gives what opening it gives, whatever the bytes (property)', async () => {
    const head = encoded('{"text":"good film","label":"pos"}\n{"text":"bad film","label":"neg"}\n');
    const tail = encoded('"}\n{"text":"caf\u00e9 😀","label":"neg"}\n');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(0x22, 0x2c, 0x41, 0x80, 0xa9, 0xc3, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0xff, 0xed, 0xa0), {
          maxLength: 30,
        }),
        fc.integer({ min: 8, max: 40 }),
        async (middle, chunkBytes) => {
          await assertSame(Uint8Array.from([...head, ...middle, ...tail]), chunkBytes);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('begins again at the place of any record', async () => {
    for (const { name, text } of seeds()) {
      const bytes = encoded(text.replace('a', '\ufffd'));
      const all = await readStreamed(bytes, name, 64);
      const middle = all.places.length >> 1;
      const rest = await readStreamed(bytes, name, 48, all.places[middle]!);
      assert.deepEqual(
        rest.places.map(({ state, position }) => ({ state, position })),
        all.places.slice(middle).map(({ state, position }) => ({ state, position })),
      );
      const tail = all.examples.slice(all.examples.length - rest.examples.length);
      assert.deepEqual(
        rest.examples.map(({ text: each, at }) => [each, at]),
        tail.map(({ text: each, at }) => [each, at]),
      );
    }
  });

  it('tells how far it is, and stops when it is told to', async () => {
    const text = Array.from({ length: 500 }, (_, index) => `{"text":"good film ${index}","label":"pos"}\n`).join('');
    const stream = await openStream(byteSource(encoded(text)), { name: 'file', chunkBytes: 1000 });
    const told: number[] = [];
    const abort = new AbortController();
    const reading = (async () => {
      for await (const _ of stream.read({ signal: abort.signal, onProgress: (done) => told.push(done) })) {
        if (told.length === 3) abort.abort();
      }
    })();
    await assert.rejects(reading, { name: 'AbortError' });
    assert.equal(told.length, 3);
    assert.ok(told[2]! > told[0]! && told[2]! < text.length);
  });
});
