import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readCompanions } from '../../../src/engine/datasets/companion-files';
import { companionNames, MAX_COMPANION_BYTES } from '../../../src/engine/datasets/companions';
import { labelNamesOf, parseLabelNames } from '../../../src/engine/datasets/label-names';
import { at, jsonl, openBeside } from './opening';

const rows = jsonl(
  { text: 'a b', label: 'P1' },
  { text: 'c d', label: 'P2' },
  { text: 'e f', label: 'P9' },
  { text: 'g h', label: 'P1' },
);

describe('datasets: files beside a dataset', () => {
  it('are worth reading by their names', () => {
    const listing = [
      'train.json',
      'dev.json',
      'pid2name.json',
      'fewrel_pid2name.json',
      'rel_info.json',
      'relation-names.json',
      'id2label.json',
      'rel2id.json',
      'config.json',
      'package.json',
      'information.json',
      'a.txt',
      'a.ann',
      'b.ann',
      'A.ann',
    ];
    const names = ['fewrel_pid2name.json', 'id2label.json', 'pid2name.json', 'rel_info.json', 'relation-names.json'];
    assert.deepEqual(companionNames('train.json', listing), names);
    assert.deepEqual(companionNames('a.txt', listing), ['a.ann', ...names]);
    assert.deepEqual(companionNames('b.ann', listing), names);
    assert.deepEqual(companionNames('a.ann', listing), ['a.txt', ...names]);
    assert.deepEqual(
      companionNames('pid2name.json', listing),
      names.filter((name) => name !== 'pid2name.json'),
    );
  });

  it('are read from disk, as far as they can be and are not too large', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'assay-companions-'));
    try {
      const file = (name: string) => path.join(folder, name);
      writeFileSync(file('pid2name.json'), '\ufeff{"P1": "met"}');
      writeFileSync(file('rel_info.json'), Buffer.alloc(MAX_COMPANION_BYTES + 1, 32));
      writeFileSync(file('label_names.json'), Buffer.from([0, 1, 2, 3, 0, 0, 0, 9]));
      assert.deepEqual(await readCompanions(file('train.json')), [{ name: 'pid2name.json', text: '{"P1": "met"}' }]);
      assert.deepEqual(await readCompanions(path.join(folder, 'none', 'train.json')), []);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('datasets: names of labels', () => {
  it('are read of strings and of lists that begin with one', () => {
    assert.deepEqual(
      [...parseLabelNames('{"P1": ["met", "came upon"], "P2": " left ", "P3": 7}')!],
      [
        ['P1', 'met'],
        ['P2', 'left'],
      ],
    );
    for (const text of ['', '[]', '[["P1", "met"]]', '{"a": 1}', '{}', 'null', '{"a": {"b": "c"}}', '{"P1": "met"']) {
      assert.equal(parseLabelNames(text), null, text);
    }
  });

  it('tell two ids of one name apart, and know every name by its id', () => {
    const names = labelNamesOf([
      { name: 'pid2name.json', text: '{"P1": "part of", "P2": "part of", "__proto__": "odd"}' },
      { name: 'rel_info.json', text: '{"P1": "other", "P3": "of"}' },
      { name: 'x.ann', text: '{"P4": "no"}' },
    ])!;
    assert.deepEqual(
      ['P1', 'P2', 'P3', 'P4', '__proto__', 'constructor'].map((id) => names.nameOf(id)),
      ['part of', 'part of (P2)', 'of', null, 'odd', null],
    );
    assert.equal(names.idOf('part of (P2)'), 'P2');
    assert.equal(names.idOf('nothing'), null);
    assert.equal(names.source, 'pid2name.json, rel_info.json');
  });

  it('stand in the place of ids in any format; the file keeps the id', () => {
    const document = openBeside(rows, 'train.jsonl', [{ name: 'pid2name.json', text: '{"P1": "met", "P2": "left"}' }]);
    assert.deepEqual(
      document.examples.map(({ gold }) => gold),
      ['met', 'left', 'P9', 'met'],
    );
    assert.equal(at(document, document.fieldRange(document.examples[0]!, document.examples[0]!.goldField!)), '"P1"');
    assert.deepEqual(document.info.labels, [
      { label: 'met', count: 2, id: 'P1' },
      { label: 'left', count: 1, id: 'P2' },
      { label: 'P9', count: 1 },
    ]);
    document.applyEdits([{ range: { startLine: 1, startChar: 24, endLine: 1, endChar: 25 }, text: '1' }]);
    assert.equal(document.examples[1]!.gold, 'met');
  });

  it('are not said of a file that has no ids', () => {
    const document = openBeside(rows.replaceAll('P', 'Q'), 'a.jsonl', [
      { name: 'pid2name.json', text: '{"P1": "Q1"}' },
    ]);
    assert.doesNotMatch(document.info.formatDetail, /named/);
    assert.deepEqual(document.info.labels[0], { label: 'Q1', count: 2 });
  });

  it('name numbers only where a person says so', () => {
    const text = 'text,stars\na fine film,1\na dull film,2\n';
    const names = { name: 'id2label.json', text: '{"1": "religion", "2": "sports"}' };
    const golds = (companion: typeof names & { chosen?: boolean }) =>
      openBeside(text, 'a.csv', [companion]).examples.map(({ gold }) => gold);
    assert.deepEqual(golds(names), ['1', '2']);
    assert.deepEqual(golds({ ...names, name: 'any.name', chosen: true }), ['religion', 'sports']);
  });
});
