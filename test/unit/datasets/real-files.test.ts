import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DatasetDocument } from '../../../src/engine/datasets/document';
import { aspectText, refusal, spanTexts, written } from './opening';

declare const ASSAY_ROOT: string;

const data = process.env.ASSAY_DATA ?? path.join(ASSAY_ROOT, '../shared/data');

/** Opens a file of the data folder; skips the test, saying so, where it is absent. */
function openFile(test: Mocha.Context, ...parts: string[]): DatasetDocument {
  const file = path.join(data, ...parts);
  if (!existsSync(file)) {
    test.test!.title += ` (skipped: no ${parts.join('/')} in ASSAY_DATA)`;
    test.skip();
  }
  return DatasetDocument.open({ name: parts.join('/'), bytes: readFileSync(file) });
}

function labels(document: DatasetDocument): Record<string, number> {
  return Object.fromEntries(document.info.labels.map(({ label, count }) => [label, count]));
}

describe('datasets: real files', () => {
  for (const [name, counts] of [
    ['test.tsv', { 0: 428, 1: 444 }],
    ['dev.tsv', { 0: 2994, 1: 3741 }],
    ['train.tsv', { 0: 26_786, 1: 33_828 }],
  ] as const) {
    it(`SST-2 ${name}: every row is its line`, function () {
      const document = openFile(this, 'sst2', name);
      const lines = document.text.split('\n').filter((line) => line !== '');
      assert.deepEqual(
        document.examples.map(({ text, gold }) => `${text}\t${gold}`),
        lines.slice(1),
      );
      assert.deepEqual(document.findings, []);
      assert.deepEqual(document.info.columns, { task: 'sentiment', text: 'sentence', gold: 'label' });
      assert.deepEqual(labels(document), { ...counts });
    });
  }

  for (const [name, count] of [
    ['TRAIN_FILE.TXT', 8000],
    ['TEST_FILE_FULL.TXT', 2717],
  ] as const) {
    it(`SemEval-2010 ${name}: every span is what stands between the markers`, function () {
      const document = openFile(this, 'semeval2010task8', name);
      assert.deepEqual(document.findings, []);
      assert.equal(document.examples.length, count);
      const lines = document.text.split('\r\n');
      const sentences = lines.filter((line) => /^\d+\t/.test(line));
      assert.equal(sentences.length, count);
      for (const [index, example] of document.examples.entries()) {
        const [, id, sentence] = /^(\d+)\t"(.*)"$/.exec(sentences[index]!)!;
        const head = /<e1>(.*)<\/e1>/.exec(sentence!)![1]!;
        const tail = /<e2>(.*)<\/e2>/.exec(sentence!)![1]!;
        assert.ok(head !== '' && tail !== '');
        assert.equal(example.id, id);
        assert.equal(example.text, sentence!.replace(/<\/?e[12]>/g, ''));
        assert.deepEqual(spanTexts(example), { head, tail });
        assert.equal(written(document, example, example.spans!.head), head);
        assert.equal(written(document, example, example.spans!.tail), tail);
        assert.equal(example.gold, lines[example.record.startLine + 1]);
      }
      assert.equal(document.info.labels.length, 19);
    });
  }

  it('Wiki80 and TACRED rows: spans are the words the rows name', function () {
    const folder = path.join(data, 'formats', 'wiki80');
    if (!existsSync(folder)) this.skip();
    const names = readdirSync(folder).filter((name) => /^wiki80_(train|val|Q[1245]_.*)\.jsonl$/.test(name));
    assert.equal(names.length, 11);
    for (const name of names) {
      const document = openFile(this, 'formats', 'wiki80', name);
      const parsed = document.text
        .trimEnd()
        .split('\n')
        .map(
          (line) =>
            JSON.parse(line) as {
              token: string[];
              h: { pos: [number, number] };
              t: { pos: [number, number] };
              relation: string;
            },
        );
      assert.deepEqual(document.findings, [], name);
      assert.equal(document.info.columns.task, 'relation');
      assert.deepEqual(
        document.examples.map((example) => ({ text: example.text, gold: example.gold, ...spanTexts(example) })),
        parsed.map(({ token, h, t, relation }) => ({
          text: token.join(' '),
          gold: relation,
          head: token.slice(...h.pos).join(' '),
          tail: token.slice(...t.pos).join(' '),
        })),
        name,
      );
    }
    const synthetic = openFile(this, 'formats', 'wiki80', 'tacred_schema_synthetic.jsonl');
    assert.deepEqual(synthetic.examples.map(spanTexts), [{ head: 'Ada Smith', tail: 'chairman' }]);
    const tacred = openFile(this, 'formats', 'mixdebias', 'tacred_row_synthetic.json');
    assert.deepEqual(tacred.examples.map(spanTexts), [{ head: 'Ada Smith', tail: 'chairman' }]);
    assert.deepEqual(tacred.examples[0]!.types, { head: 'PERSON', tail: 'TITLE' });
  });

  it('reads an unlabelled file unlabelled', function () {
    const document = openFile(this, 'formats', 'bert_lrp', 'SST2_test.tsv');
    assert.deepEqual(document.info.columns, { task: 'sentiment', text: 'sentence', id: 'index' });
    assert.deepEqual(
      document.examples.map(({ id, gold }) => [id, gold]),
      [
        ['0', null],
        ['1', null],
        ['2', null],
      ],
    );
  });

  it('Twitter aspects: an example an aspect, its words those the rows name', function () {
    const document = openFile(this, 'formats', 'm2df', 'twitter2015_dev_2rows.json');
    const parsed = JSON.parse(document.text) as {
      words: string[];
      aspects: { from: number; to: number; polarity: string; term: string[] }[];
    }[];
    assert.deepEqual(document.findings, []);
    assert.deepEqual(
      document.examples.map((example) => [example.text, example.gold, aspectText(example)]),
      parsed.flatMap(({ words, aspects }) =>
        aspects.map(({ polarity, term }) => [words.join(' '), polarity, term.join(' ')]),
      ),
    );
    for (const example of document.examples)
      assert.equal(written(document, example, example.aspect!), aspectText(example));
  });

  it('tells the files that are no datasets', function () {
    const folder = path.join(data, 'formats');
    if (!existsSync(folder)) this.skip();
    for (const name of [
      'wiki80/wiki80_Q3_val_grad.jsonl',
      'wiki80/cf_schema_synthetic.jsonl',
      'wiki80/rules_schema_synthetic.json',
      'mixdebias/entity-dict-wiki_5each.json',
      'adv_re/entities_complete_schema_synthetic.json',
      'SOURCE.txt',
    ]) {
      assert.match(refusal(readFileSync(path.join(folder, name)), name), /^This looks like/);
    }
  });
});
