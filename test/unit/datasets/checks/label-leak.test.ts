import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { CheckFinding } from '../../../../src/engine/datasets/checks/finding';
import { NotADataset } from '../../../../src/engine/datasets/dataset';
import { DatasetDocument } from '../../../../src/engine/datasets/document';
import { createRandom, type Random } from '../../../../src/engine/statistics/random';
import { jsonl, open } from '../opening';
import { findingsWith } from './checking';

declare const ASSAY_ROOT: string;

const labels = ['good', 'bad', 'mixed'] as const;
type Label = (typeof labels)[number];

/** 400 rows with columns of their own beside text and label, as JSON Lines. */
function rowsWith(columnsOf: (label: Label, row: number, random: Random) => object, sorted = false): DatasetDocument {
  const random = createRandom(6);
  const drawn = Array.from({ length: 400 }, () => labels[random.int(3)]!);
  if (sorted) drawn.sort();
  const rows = drawn.map((label, row) => ({
    text: `Row ${random.uint32()} says little of ${random.int(40)} things`,
    label,
    ...columnsOf(label, row, random),
  }));
  return open(jsonl(...rows));
}

function leaks(document: DatasetDocument): CheckFinding[] {
  return findingsWith('assay/label-leak', document);
}

describe('dataset checks: label-leak', () => {
  const cases: [string, (label: Label, row: number, random: Random) => object, RegExp][] = [
    [
      'a prefix of ids',
      (label, row) => ({ id: `${label.slice(0, 1)}_${row}` }),
      /^The column "id" gives the label away by what stands before its digits: so alone 100 % of the labels are right on rows left out, against 3\d %/,
    ],
    ['a folder', (label, row) => ({ file: `reviews/${label}/${row}_7.txt` }), /^The column "file" .*before its digits/],
    [
      'a source',
      (label, _, random) => ({
        source: random.int(20) === 0 ? 'web' : { good: 'shop', bad: 'forum', mixed: 'press' }[label],
      }),
      /^The column "source" gives the label away by its value: so alone 9\d %/,
    ],
    [
      'stars',
      (label, _, random) => ({ stars: { good: 4, bad: 1, mixed: 3 }[label] + (label === 'mixed' ? 0 : random.int(2)) }),
      /^The column "stars" gives the label away by its value: so alone 100 %/,
    ],
    [
      'a threshold',
      (label, _, random) => ({ score: ({ good: 70, bad: 0, mixed: 40 }[label] + random.uniform() * 30).toFixed(6) }),
      /^The column "score" gives the label away by its order: so alone 9\d %/,
    ],
    [
      'a time',
      (label, row) => ({
        created: new Date(1.6e12 + ({ good: 0, bad: 9e9, mixed: 4e10 }[label] + row * 1e6)).toISOString(),
      }),
      /^The column "created" gives the label away by its order/,
    ],
  ];
  for (const [name, columnsOf, message] of cases) {
    it(`tells ${name}, on the first row`, () => {
      const document = rowsWith(columnsOf);
      const found = leaks(document);
      assert.equal(found.length, 1, JSON.stringify(found.map((finding) => finding.message)));
      assert.match(found[0]!.message, message);
      assert.equal(found[0]!.example, document.examples[0]);
    });
  }

  it('tells numbers of rows that were sorted by label, in tables too', () => {
    assert.match(leaks(rowsWith((_, row) => ({ id: row }), true))[0]!.message, /^The column "id" .* by its order/);
    const random = createRandom(2);
    const rows = Array.from(
      { length: 300 },
      (_, row) => `${row},Row ${random.uint32()} of the list,${row < 160 ? 'pos' : 'neg'}`,
    );
    const [found] = leaks(open(`id,text,label\n${rows.join('\n')}\n`));
    assert.match(found!.message, /^The column "id" .* by its order/);
  });

  it('is none where nothing but chance ties a column to the label', () => {
    const document = rowsWith((_, row, random) => ({
      id: `r-${row}`,
      uuid: `${random.uint32().toString(16)}-${random.uint32().toString(16)}`,
      source: ['shop', 'forum', 'press'][random.int(3)],
      author: `user${random.int(150)}`,
      created: new Date(1.6e12 + random.uint32()).toISOString(),
      words: random.int(40),
      empty: '',
      constant: 'en',
      title: `On ${random.uint32()} and ${random.uint32()}`,
      // A hint that leaves most labels open.
      hint: random.int(3) === 0 ? 'a' : 'b',
    }));
    assert.deepEqual(leaks(document), []);
    const weak = rowsWith((label, _, random) => ({ hint: random.int(3) === 0 ? label.slice(1) : 'x' }));
    assert.deepEqual(leaks(weak), []);
  });

  it('is none of entities: their places, types and names belong to the example', () => {
    const random = createRandom(4);
    const rows = Array.from({ length: 300 }, (_, row) => {
      const isFounder = random.int(2) === 0;
      const head = isFounder ? 'Mira' : 'Orbel';
      const text = `${head} of row ${row} came to Ghent`;
      const tail = text.indexOf('Ghent');
      return {
        text,
        h: { pos: [0, head.length], type: isFounder ? 'PER' : 'ORG', name: head, id: isFounder ? 'Q1' : 'Q2' },
        t: { pos: [tail, tail + 5], type: 'LOC', name: 'Ghent' },
        subj_ner: isFounder ? 'PER' : 'ORG',
        e1_start: isFounder ? 0 : 1,
        relation: isFounder ? 'born_in' : 'based_in',
      };
    });
    const document = open(jsonl(...rows));
    assert.equal(document.info.columns.task, 'relation');
    assert.deepEqual(leaks(document), []);
  });

  it('of small files says nothing', () => {
    const rows = Array.from({ length: 40 }, (_, row) => ({
      text: `Row ${row} of few`,
      label: row % 2 ? 'a' : 'b',
      id: `${row % 2}_${row}`,
    }));
    assert.deepEqual(leaks(open(jsonl(...rows))), []);
  });

  it('is not told of a copy of the label, which is told as such', () => {
    const document = rowsWith((label) => ({
      label_text: { good: 'Very good', bad: 'Rather bad', mixed: 'So so' }[label],
      y: label.toUpperCase(),
      group: { good: 1, bad: 2, mixed: 3 }[label],
    }));
    const copies = findingsWith('assay/label-copy', document).map(({ message }) => message);
    assert.deepEqual(copies, [
      'The column "label_text" is the label under another name: each of its values stands for one label. Keep it out of what a model reads.',
      'The column "y" is the label under another name: each of its values stands for one label. Keep it out of what a model reads.',
    ]);
    assert.deepEqual(
      leaks(document).map(({ message }) => message.slice(0, 18)),
      ['The column "group"'],
    );
  });

  it('of our samples says nothing', () => {
    const folder = path.join(ASSAY_ROOT, 'samples');
    for (const name of readdirSync(folder)) {
      let document: DatasetDocument;
      try {
        document = DatasetDocument.open({ name, bytes: readFileSync(path.join(folder, name)) });
      } catch (error) {
        // Some belong to a file beside them.
        if (error instanceof NotADataset) continue;
        throw error;
      }
      assert.deepEqual(
        [...leaks(document), ...findingsWith('assay/label-copy', document)].map(({ message }) => message),
        [],
        name,
      );
    }
  });
});
