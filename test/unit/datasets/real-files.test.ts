import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { companionNames } from '../../../src/engine/datasets/companions';
import { DatasetDocument } from '../../../src/engine/datasets/document';
import { aspectText, mentionTexts, refusal, spanTexts, written } from './opening';

declare const ASSAY_ROOT: string;

const data = process.env.ASSAY_DATA ?? path.join(ASSAY_ROOT, '../shared/data');

type FewRelEntity = [name: string, id: string, mentions: number[][]];

/** Opens a file of the data folder; skips the test, saying so, where it is absent. */
function openFile(test: Mocha.Context, ...parts: string[]): DatasetDocument {
  const file = path.join(data, ...parts);
  if (!existsSync(file)) {
    test.test!.title += ` (skipped: no ${parts.join('/')} in ASSAY_DATA)`;
    test.skip();
  }
  const folder = path.dirname(file);
  const companions = companionNames(path.basename(file), readdirSync(folder)).map((name) => ({
    name,
    text: readFileSync(path.join(folder, name), 'utf8'),
  }));
  return DatasetDocument.open({ name: path.basename(file), bytes: readFileSync(file), companions });
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

  for (const [name, perRelation] of [
    ['val_wiki.json', 700],
    ['wiki16.test.json', 140],
  ] as const) {
    it(`FewRel ${name}: 16 relations by their names, every mention as its words`, function () {
      const document = openFile(this, 'fewrel', name);
      const names = JSON.parse(readFileSync(path.join(data, 'fewrel', 'pid2name.json'), 'utf8')) as Record<
        string,
        [string, string]
      >;
      const parsed = JSON.parse(document.text) as Record<
        string,
        { tokens: string[]; h: FewRelEntity; t: FewRelEntity }[]
      >;
      assert.equal(document.info.format, 'fewrel');
      assert.deepEqual(document.findings, []);
      assert.equal(document.info.labels.length, 16);
      assert.ok(
        document.info.labels.every(({ count, label, id }) => count === perRelation && names[id!]![0] === label),
      );
      const flat = Object.entries(parsed).flatMap(([key, list]) => list.map((row) => ({ key, ...row })));
      assert.equal(document.examples.length, 16 * perRelation);
      let several = 0;
      for (const [index, example] of document.examples.entries()) {
        const { key, tokens, h, t } = flat[index]!;
        assert.equal(example.gold, names[key]![0]);
        assert.equal(example.text, tokens.join(' '));
        const words = ([, , mentions]: FewRelEntity) =>
          mentions.map((each) => tokens.slice(Math.min(...each), Math.max(...each) + 1).join(' '));
        const found = mentionTexts(example) ?? { head: [spanTexts(example)!.head], tail: [spanTexts(example)!.tail] };
        assert.deepEqual(found, { head: words(h), tail: words(t) });
        if (example.mentions !== null) several++;
        const first = JSON.parse(`["${written(document, example, example.spans!.head)}"]`) as string[];
        assert.equal(first.join(' '), words(h)[0]);
      }
      assert.ok(several > 0);
      assert.equal(several, flat.filter(({ h, t }) => h[2].length > 1 || t[2].length > 1).length);
    });
  }

  it('MixRED documents: every labelled pair whose entities there are', function () {
    const folder = path.join(data, 'formats', 'mixred');
    if (!existsSync(folder)) this.skip();
    for (const name of readdirSync(folder)) {
      const document = openFile(this, 'formats', 'mixred', name);
      assert.equal(document.info.format, 'docred', name);
      const doc = JSON.parse(document.text) as {
        sents: string[][];
        vertexSet: { pos: [number, number]; sent_id: number; type: string }[][];
        labels: { r: string; h: number; t: number }[];
      };
      const pairs = doc.labels.filter(({ h, t }) => Math.max(h, t) < doc.vertexSet.length);
      assert.deepEqual(
        document.findings.map(({ message }) => message),
        doc.labels.length === pairs.length
          ? []
          : ['head is entity 5, the document has 0 to 3. The relation is left out.'],
      );
      const words = (entity: number) => [
        ...new Map(
          doc.vertexSet[entity]!.map(({ sent_id, pos }) => [
            `${sent_id} ${pos}`,
            doc.sents[sent_id]!.slice(...pos).join(' '),
          ]),
        ).values(),
      ];
      assert.deepEqual(
        document.examples.map((example) => ({
          ...(mentionTexts(example) ?? { head: [spanTexts(example)!.head], tail: [spanTexts(example)!.tail] }),
          gold: example.gold,
          types: example.types,
          sentences: example.sentences!.map(({ start, end }) => example.text.slice(start, end)),
        })),
        pairs.map(({ r, h, t }) => ({
          head: words(h),
          tail: words(t),
          gold: r,
          types: { head: doc.vertexSet[h]![0]!.type, tail: doc.vertexSet[t]![0]!.type },
          sentences: doc.sents.map((sentence) => sentence.join(' ')),
        })),
      );
    }
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
