import assert from 'node:assert/strict';
import { ByteWriter, parquetWrite } from 'hyparquet-writer';
import { byteSource } from '../../../../src/engine/datasets/byte-source';
import type { OtherSplit } from '../../../../src/engine/datasets/checks/file-check';
import { readOtherSplit } from '../../../../src/engine/datasets/checks/other-split';
import { shinglesOf } from '../../../../src/engine/datasets/checks/row-facts';
import { jaccard } from '../../../../src/engine/datasets/checks/text-scan';
import { createRandom } from '../../../../src/engine/statistics/random';
import { jsonl, open } from '../opening';
import { asSplit, csvRows, findingsWith, linesOf } from './checking';

const long = 'After a long week the ferry to Split was late again and nobody on board could say why it was';

describe('dataset checks: leakage', () => {
  const train = asSplit(
    'train',
    'train.csv',
    open(
      csvRows(
        ['The soup was warm.', 'good'],
        [`${long}.`, 'bad'],
        ['Something else.', 'bad'],
        ['The Soup was warm.', 'good'],
        ['', 'bad'],
      ),
    ),
  );
  const dev = asSplit('dev', 'dev.csv', open(csvRows(['the soup  was warm.', 'bad'], ['A lamp.', 'good'])));

  it('is told of the same text and of nearly the same, with file, line and how alike', () => {
    const document = open(
      csvRows(['the soup was warm.', 'good'], [`Well, ${long}`, 'good'], ['All my own.', 'bad'], [' ', 'bad']),
    );
    const found = findingsWith('assay/leakage', document, {}, { split: 'test', others: [train, dev] });
    assert.deepEqual(linesOf(found), [2, 3]);
    assert.equal(
      found[0]!.message,
      'The same text stands in train.csv (train), line 2 and in dev.csv (dev), line 2. It is labelled "bad" there and "good" here. What a model has seen in training it is not tested on: keep the row in one split only.',
    );
    assert.deepEqual(found[0]!.related, [
      { kind: 'beside', file: 'train.csv', position: { line: 1, char: 0 }, message: 'In train' },
      { kind: 'beside', file: 'dev.csv', position: { line: 1, char: 0 }, message: 'In dev' },
    ]);
    assert.equal(
      found[1]!.message,
      'The text is nearly that of train.csv (train), line 3: they share 95 % of their word pairs (80 % or more is told). It is labelled "bad" there and "good" here. What a model has seen in training it is not tested on: keep the row in one split only, unless the difference is meant.',
    );
    assert.deepEqual(
      found.map(({ fix }) => fix),
      [null, null],
    );
  });

  it('offers to remove the row from train only', () => {
    const document = open(csvRows(['The soup was warm.', 'good'], ['All my own.', 'bad']));
    const [found] = findingsWith('assay/leakage', document, {}, { split: 'train', others: [dev] });
    assert.deepEqual(found?.fix, { kind: 'remove-row' });
  });

  it('is none between the files of one split, nor below the threshold', () => {
    const document = open(csvRows(['The soup was warm.', 'good'], [`Well, ${long}`, 'good']));
    assert.deepEqual(findingsWith('assay/leakage', document, {}, { split: 'train', others: [train] }), []);
    const strict = findingsWith(
      'assay/leakage',
      document,
      { nearDuplicateThreshold: 0.96 },
      { split: 'dev', others: [train] },
    );
    assert.deepEqual(linesOf(strict), [2]);
  });

  it('of a relation has the same entities', () => {
    const text = `Mira founded Orbel in Ghent. ${long}`;
    const row = (head: string, tail: string, of = text) => ({
      text: of,
      h: { pos: [of.indexOf(head), of.indexOf(head) + head.length] },
      t: { pos: [of.indexOf(tail), of.indexOf(tail) + tail.length] },
      relation: 'x',
    });
    const other = asSplit('train', 'train.jsonl', open(jsonl(row('Mira', 'Orbel'), row('Orbel', 'Ghent'))));
    const document = open(
      jsonl(
        row('Mira', 'Ghent'),
        row('Orbel', 'Ghent'),
        row('Mira', 'Orbel', `${text}!`),
        row('Mira', 'Ghent', `${text}!`),
      ),
    );
    const found = findingsWith('assay/leakage', document, {}, { split: 'test', others: [other] });
    assert.deepEqual(linesOf(found), [2, 3]);
  });
});

describe('dataset checks: another split, read through a window', () => {
  const random = createRandom(8);
  const rows = Array.from({ length: 3000 }, (_, at): [string, string] => [
    `Row ${at}, in which ${random.int(50)} of ${random.int(50)} things\nwere "fine" and one was été ${'long '.repeat(at % 500 === 0 ? 400 : 1)}`,
    ['good', 'bad', ''][at % 3]!,
  ]);

  /** What the checks can see of it. */
  function seen({ facts, shingles, lines, rowCount }: OtherSplit) {
    return Array.from({ length: rowCount }, (_, row) => [
      facts.identityHash(row),
      facts.bandKey(row, 0, 64),
      facts.label(row),
      facts.shingleCount(row),
      facts.packedLanguages(row),
      lines[row],
      shingles.similarity(row, shinglesOf(rows[row]![0])),
    ]);
  }

  it('is what the document is', async () => {
    const text = csvRows(...rows);
    const expected = asSplit('dev', 'dev.csv', open(text));
    let breaths = 0;
    const found = await readOtherSplit(byteSource(new TextEncoder().encode(text)), {
      split: 'dev',
      name: 'dev.csv',
      breathe: async () => {
        breaths++;
      },
    });
    assert.equal(found.rowCount, rows.length);
    assert.deepEqual(seen(found), seen(expected));
    assert.ok(breaths >= 2);
    assert.ok(seen(found).every((row) => row.at(-1) === 1));
  });

  it('is read from Parquet too, its lines being rows', async () => {
    const writer = new ByteWriter();
    parquetWrite({
      writer,
      columnData: [
        { name: 'text', data: rows.map(([text]) => text) },
        { name: 'label', data: rows.map(([, label]) => label) },
      ],
    });
    const found = await readOtherSplit(byteSource(new Uint8Array(writer.getBuffer())), {
      split: 'dev',
      name: 'x.parquet',
    });
    assert.equal(found.rowCount, rows.length);
    assert.deepEqual([...found.lines.subarray(0, 3)], [0, 1, 2]);
    assert.equal(found.facts.label(1), 'bad');
  });

  it('stops when it is told to', async () => {
    const abort = new AbortController();
    const reading = readOtherSplit(byteSource(new TextEncoder().encode(csvRows(...rows))), {
      split: 'dev',
      name: 'dev.csv',
      signal: abort.signal,
      breathe: async () => abort.abort(new Error('enough')),
    });
    await assert.rejects(reading, /enough/);
  });

  it('compares long texts by a sample of their shingles, near enough', async () => {
    const text = (seed: number) => {
      const pick = createRandom(seed);
      return Array.from({ length: 2000 }, () => `w${pick.int(100_000)}`);
    };
    for (let seed = 1; seed <= 5; seed++) {
      const first = text(seed);
      const second = [...first.slice(0, 1700), ...text(seed + 100).slice(0, 300)];
      const split = asSplit('dev', 'dev.csv', open(csvRows([first.join(' '), 'a'], ['short', 'b'])));
      const exact = jaccard(shinglesOf(first.join(' ')).slice(), shinglesOf(second.join(' ')));
      const estimated = split.shingles.similarity(0, shinglesOf(second.join(' ')));
      // Four standard errors of 256 draws.
      assert.ok(Math.abs(estimated - exact) < 4 * Math.sqrt((exact * (1 - exact)) / 256), `${estimated}, not ${exact}`);
    }
  });
});
