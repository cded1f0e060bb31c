import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatasetDocument } from '../../../src/engine/datasets/document';
import { splitsOf } from '../../../src/engine/datasets/splits';
import { splitsBeside } from '../../../src/engine/datasets/splits-beside';
import type { DatasetSplit } from '../../../src/protocol/dataset';

/** `train: a.csv` of each, the opened one with a star. */
function inWords(splits: readonly DatasetSplit[]): string[] {
  return splits.map(({ split, name, isThis }) => `${split}: ${name}${isThis ? '*' : ''}`);
}

/** The first name is opened; the others stand beside it. */
const together: [names: string[], splits: string[]][] = [
  [
    ['dev.tsv', 'test.tsv', 'train.tsv', 'SOURCE.txt'],
    ['train: train.tsv', 'dev: dev.tsv*', 'test: test.tsv'],
  ],
  [
    ['sst2.train.tsv', 'sst2.test.tsv', 'sst5.dev.tsv'],
    ['train: sst2.train.tsv*', 'test: sst2.test.tsv'],
  ],
  [
    ['wiki80_val.jsonl', 'wiki80_train.jsonl', 'wiki80_Q1_val_ents.jsonl'],
    ['train: wiki80_train.jsonl', 'dev: wiki80_val.jsonl*'],
  ],
  [
    ['TRAIN_FILE.TXT', 'TEST_FILE_FULL.TXT', 'RELEASE_README.txt', 'TRAINING_README.txt'],
    ['train: TRAIN_FILE.TXT*', 'test: TEST_FILE_FULL.TXT'],
  ],
  [
    ['TEST_FILE_FULL.TXT', 'TRAIN_FILE.TXT'],
    ['train: TRAIN_FILE.TXT', 'test: TEST_FILE_FULL.TXT*'],
  ],
  [
    ['test.csv', 'Train.csv', 'train_full.csv'],
    ['train: Train.csv', 'test: test.csv*'],
  ],
  [
    ['trainset.json', 'testset.json'],
    ['train: trainset.json*', 'test: testset.json'],
  ],
  [
    ['reviews (train).csv', 'reviews (validation).csv'],
    ['train: reviews (train).csv*', 'dev: reviews (validation).csv'],
  ],
  [
    ['eng.train', 'eng.test'],
    ['train: eng.train*', 'test: eng.test'],
  ],
  [
    ['train.csv', 'eval.csv'],
    ['train: train.csv*', 'test: eval.csv'],
  ],
  [
    ['train.csv', 'eval.csv', 'test.csv'],
    ['train: train.csv*', 'dev: eval.csv', 'test: test.csv'],
  ],
  [
    ['test_train.csv', 'test_dev.csv', 'dev_dev.csv'],
    ['train: test_train.csv*', 'dev: test_dev.csv'],
  ],
  [
    ['train-00000-of-00002.parquet', 'train-00001-of-00002.parquet', 'test-00000-of-00001.parquet'],
    [
      'train: train-00000-of-00002.parquet*',
      'train: train-00001-of-00002.parquet',
      'test: test-00000-of-00001.parquet',
    ],
  ],
  [
    ['train/reviews.jsonl', 'test/reviews.jsonl', 'test/other.jsonl'],
    ['train: train/reviews.jsonl*', 'test: test/reviews.jsonl'],
  ],
  [
    ['train/train.jsonl', 'test/test.jsonl'],
    ['train: train/train.jsonl*', 'test: test/test.jsonl'],
  ],
  [
    ['обзор_train.csv', 'обзор_test.csv'],
    ['train: обзор_train.csv*', 'test: обзор_test.csv'],
  ],
];

/** The first name is opened, and is no part of a dataset with the others. */
const apart: string[][] = [
  ['contest.csv', 'contrain.csv', 'test.csv', 'train.csv'],
  ['latest.json', 'train.json'],
  ['training_notes.txt', 'notes.txt'],
  ['notes.txt', 'training_notes.txt', 'test_notes.txt'],
  ['test.csv'],
  ['test.csv', 'train.json'],
  ['train.csv', 'test_results.csv'],
  ['train.csv', 'training.csv'],
  ['dev.csv', 'val.csv'],
  ['trainer.csv', 'tester.csv'],
  ['devices.csv', 'testices.csv'],
  ['trains.csv', 'tests.csv'],
  ['attest_train.csv', 'attest.csv'],
  ['evaluated.csv', 'trained.csv'],
  ['a_train.csv', 'b_test.csv'],
  ['données_latest.csv', 'données_train.csv'],
  [''],
];

describe('datasets: splits', () => {
  for (const [names, splits] of together) {
    it(`are told: ${names.slice(0, 3).join(', ')}`, () => {
      assert.deepEqual(inWords(splitsOf(names[0]!, names)), splits);
      // Whether the listing holds the file itself, and in which order, makes no difference.
      assert.deepEqual(inWords(splitsOf(names[0]!, names.slice(1).reverse())), splits);
    });
  }

  for (const names of apart) {
    it(`are not told: ${names.join(', ') || 'a file without name'}`, () => {
      assert.deepEqual(splitsOf(names[0]!, names), []);
    });
  }

  it('of one dataset are the same, whichever file is opened', () => {
    const names = ['b.dev.tsv', 'b.test.tsv', 'b.train.tsv', 'a.dev.tsv'];
    const listed = names
      .slice(0, 3)
      .map((name) => splitsOf(name, names).map((split) => `${split.split} ${split.name}`));
    assert.deepEqual(listed[0], ['train b.train.tsv', 'dev b.dev.tsv', 'test b.test.tsv']);
    assert.deepEqual(listed[1], listed[0]);
    assert.deepEqual(listed[2], listed[0]);
  });

  describe('on disk', () => {
    let folder: string;
    before(() => {
      folder = mkdtempSync(path.join(os.tmpdir(), 'assay-splits-'));
      mkdirSync(path.join(folder, 'one', 'test.csv.d'), { recursive: true });
      mkdirSync(path.join(folder, 'one', 'dev.csv'));
      for (const name of ['train', 'test', 'other', 'valid'])
        mkdirSync(path.join(folder, 'two', name), { recursive: true });
      for (const name of [
        'one/train.csv',
        'one/test.csv',
        'two/train/x.jsonl',
        'two/test/x.jsonl',
        'two/other/x.jsonl',
      ]) {
        writeFileSync(path.join(folder, name), '');
      }
    });
    after(() => {
      rmSync(folder, { recursive: true });
    });

    it('are found in the folder, where a folder is no file', async () => {
      assert.deepEqual(inWords(await splitsBeside(path.join(folder, 'one', 'test.csv'))), [
        'train: train.csv',
        'test: test.csv*',
      ]);
    });

    it('are found in folders named after splits', async () => {
      assert.deepEqual(inWords(await splitsBeside(path.join(folder, 'two/test/x.jsonl'))), [
        'train: ../train/x.jsonl',
        'test: x.jsonl*',
      ]);
      assert.deepEqual(await splitsBeside(path.join(folder, 'two/other/x.jsonl')), []);
    });

    it('are none where there is no folder', async () => {
      assert.deepEqual(await splitsBeside(path.join(folder, 'three', 'train.csv')), []);
    });
  });

  it('are in the info of a document', () => {
    const splits = splitsOf('train.csv', ['test.csv']);
    const document = DatasetDocument.open({ name: 'train.csv', text: 'text,label\na b,1\nc d,0\n', splits });
    assert.deepEqual(document.info.splits, splits);
  });
});
