import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { NotADataset } from '../../../src/engine/datasets/dataset';
import { DatasetDocument } from '../../../src/engine/datasets/document';
import { refusal, rows, sample, written } from './opening';

declare const ASSAY_ROOT: string;

const sentences = 'A film that never ends .\nSmart , and sweet too .\nIt is what it is\n';
const named = (name: string, text = sentences) => DatasetDocument.open({ name, text });

describe('datasets: a text a line', () => {
  it('takes the label from the name of the file', () => {
    for (const [name, label] of [
      ['pos.txt', 'pos'],
      ['rt-polarity.neg', 'neg'],
      ['train.negative.txt', 'negative'],
      ['a/b/Positive_reviews.txt', 'Positive'],
      ['C:\\data\\neutral', 'neutral'],
      ['negative.test', 'negative'],
    ] as const) {
      const document = named(name);
      assert.equal(document.info.format, 'lines', name);
      assert.ok(document.info.confidence < 0.5);
      assert.deepEqual(document.info.columns, { task: 'sentiment', text: '#line', gold: '#name' });
      assert.deepEqual(
        rows(document),
        sentences
          .trimEnd()
          .split('\n')
          .map((line) => [line, label]),
      );
      assert.ok(document.examples.every(({ goldField }) => goldField === null));
    }
  });

  it('reads the samples', () => {
    for (const [name, label] of [
      ['reviews.pos', 'pos'],
      ['reviews.neg', 'neg'],
    ] as const) {
      const document = sample(name);
      assert.equal(document.info.format, 'lines');
      assert.deepEqual(document.info.labels, [{ label, count: 24 }]);
      assert.deepEqual(document.findings, []);
      for (const example of document.examples)
        assert.equal(written(document, example, { start: 0, end: example.text.length }), example.text);
    }
  });

  it('is nothing that a name alone makes', () => {
    for (const name of ['review.txt', 'position.txt', 'pos-and-neg.txt', 'posneg.txt', 'pos.md', 'negative.py', ''])
      assert.match(refusal(sentences, name), /^This looks like prose/, name);
    for (const file of ['src/engine/datasets/document.ts', 'package.json', 'README.md', 'tsconfig.json'])
      assert.throws(() => named('pos.txt', readFileSync(path.join(ASSAY_ROOT, file), 'utf8')), NotADataset, file);
    const wrapped = Array.from(
      { length: 20 },
      (_, line) => `this is line ${line} of a text that goes on and on over its`,
    );
    assert.throws(() => named('negative.txt', wrapped.join('\n')), NotADataset);
    assert.throws(() => named('negative.txt', 'One paragraph stands here.\n\nAnd here another one.\n'), NotADataset);
    assert.throws(() => named('positive.txt', 'good\nfine\ngreat\nsuperb\n'), NotADataset);
    assert.throws(() => named('positive.txt', ''), NotADataset);
  });

  it('is read from any text where a person chooses it', () => {
    const document = DatasetDocument.open({
      name: 'notes.txt',
      text: sentences,
      choice: { task: 'sentiment', text: '#line' },
    });
    assert.equal(document.info.confidence, 1);
    assert.deepEqual(
      rows(document).map(([, gold]) => gold),
      [null, null, null],
    );
    const chosen = { task: 'sentiment', text: '#line', gold: '#name' } as const;
    assert.deepEqual(rows(DatasetDocument.open({ name: 'neg.csv.txt', text: 'a,b\n\n{"text": 1}', choice: chosen })), [
      ['a,b', 'neg'],
      ['{"text": 1}', 'neg'],
    ]);
    assert.deepEqual(rows(DatasetDocument.open({ name: 'notes', text: 'a', choice: chosen })), [['a', null]]);
    assert.throws(
      () => DatasetDocument.open({ name: 'x', text: 'a', choice: { task: 'sentiment', text: '#line', gold: 'label' } }),
      /no column "label"/,
    );
  });

  it('gives way to formats that say more', () => {
    assert.equal(named('pos.txt', '{"text":"a b c d","label":1}\n{"text":"e f g h","label":0}\n').info.format, 'jsonl');
    assert.equal(named('pos.txt', '__label__a the one text\n__label__b the other text\n').info.format, 'fasttext');
    assert.equal(named('pos.txt', 'text\tlabel\na good film it is\t1\na bad film it is\t0\n').info.format, 'csv');
  });
});
