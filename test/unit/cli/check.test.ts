import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { reviewKey, rowReviewKey } from '../../../src/engine/datasets/checks/review-key';
import { DatasetDocument } from '../../../src/engine/datasets/document';
import type { Finding } from '../../../src/protocol/dataset';
import { findingsWith } from '../datasets/checks/checking';
import { run } from './run-in-process';

interface CheckedLine extends Finding {
  file: string;
}

function findings(stdout: string): CheckedLine[] {
  return stdout === ''
    ? []
    : stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as CheckedLine);
}

describe('cli: check', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'assay-check-'));
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  function file(name: string, content: string): string {
    const absolute = path.join(folder, name);
    writeFileSync(absolute, content);
    return absolute;
  }

  const faulty = [
    '{"text": "A fine film, from its first shot to its last", "label": "positive"}',
    '{"text": "   ", "label": "negative"}',
    '{"text": "Cut off',
    '{"text": "Two hours of nothing at all", "label": "negative"}',
  ].join('\n');

  it('prints findings in file order, the reader’s among them, and a summary', async () => {
    const name = file('faulty.jsonl', `${faulty}\n`);
    const { code, stdout, stderr } = await run(['check', name, '--few', '0']);
    assert.equal(code, 0, stderr);
    const found = findings(stdout);
    assert.deepEqual(
      found.map((finding) => [finding.file, finding.code, finding.severity, finding.range.startLine]),
      [
        [name, 'assay/empty-text', 'warning', 1],
        [name, 'assay/unreadable-row', 'error', 2],
      ],
    );
    assert.match(
      stderr,
      /2 findings:\n +1 +error +assay\/unreadable-row +Unreadable row\n +1 +warning +assay\/empty-text/,
    );
  });

  it('fails only on the severities that are named', async () => {
    const name = file('severities.jsonl', `${faulty}\n`);
    assert.equal((await run(['check', name, '--fail-on', 'information', '--few', '0'])).code, 0);
    assert.equal((await run(['check', name, '--fail-on', 'error'])).code, 1);
    assert.equal((await run(['check', name, '--fail-on', 'warning,error'])).code, 1);
    const without = ['check', name, '--fail-on', 'warning', '--disable', 'empty-text,assay/few-examples'];
    assert.equal((await run(without)).code, 0);
  });

  it('says what it cannot take', async () => {
    const name = file('fine.csv', 'text,label\nA fine film,positive\n');
    for (const [args, message] of [
      [[], /name the dataset file/],
      [[name, name], /named twice/],
      [[name, '--fail-on', 'fatal'], /error, warning, information, not "fatal"/],
      [[name, '--disable', 'typos'], /does not know typos\. The codes: assay\/unreadable-row,/],
      [[name, '--near-duplicates', '2'], /from 0\.5 to 1, not "2"/],
      [[name, '--few', ''], /from 0 on, not ""/],
    ] as const) {
      const { code, stdout, stderr } = await run(['check', ...args]);
      assert.equal(code, 2, stderr);
      assert.equal(stdout, '');
      assert.match(stderr, message);
    }
    const absent = await run(['check', path.join(folder, 'absent.csv')]);
    assert.equal(absent.code, 3);
  });

  it('takes several files for the splits of one dataset', async () => {
    const shared = 'A film that stays with you long after the lights have gone on again in the hall';
    const train = file('film.train.csv', `text,label\n"${shared}",positive\nDull from start to end,negative\n`);
    const test = file(
      'film.test.csv',
      `text,label\nSomething new,neutral\n"${shared}",positive\n"${shared}, really",positive\n`,
    );
    const { code, stdout, stderr } = await run(['check', train, test, '--few', '0']);
    assert.equal(code, 0, stderr);
    const found = findings(stdout).map((finding) => [finding.file, finding.code, finding.range.startLine]);
    assert.deepEqual(
      found.filter(([, kind]) => kind === 'assay/leakage'),
      [
        [train, 'assay/leakage', 1],
        [test, 'assay/leakage', 2],
        [test, 'assay/leakage', 3],
      ],
    );
    assert.deepEqual(
      found.filter(([, kind]) => kind === 'assay/unknown-label'),
      [[test, 'assay/unknown-label', 1]],
    );
    const leak = findings(stdout).find((finding) => finding.file === test && finding.code === 'assay/leakage');
    assert.equal(leak?.related?.[0]?.file, train);
    const broken = file('film.dev.csv', 'nothing like a dataset');
    const refused = await run(['check', train, broken]);
    assert.equal(refused.code, 3);
    assert.match(refused.stderr, /film\.dev\.csv/);
  });

  it('tells nothing that was marked as reviewed, and refuses a broken file of judgements', async () => {
    const name = file('judged.jsonl', `${faulty}\n`);
    const document = DatasetDocument.open({ name, text: `${faulty}\n` });
    const [empty] = findingsWith('assay/empty-text', document);
    const entry = { file: 'judged.jsonl', text: '', date: '2026-12-01' };
    const reviewed = [
      { ...entry, code: 'assay/empty-text', key: reviewKey(empty!) },
      { ...entry, code: 'assay/unreadable-row', key: rowReviewKey('assay/unreadable-row', '{"text": "Cut off') },
      // Of another file, and of another row.
      { ...entry, file: 'other.jsonl', code: 'assay/few-examples', key: reviewKey(empty!) },
    ];
    mkdirSync(path.join(folder, '.assay'));
    const judgements = path.join(folder, '.assay/reviewed.json');
    try {
      writeFileSync(judgements, JSON.stringify({ version: 1, reviewed }));
      const { code, stdout, stderr } = await run(['check', name, '--few', '0', '--fail-on', 'error,warning']);
      assert.equal(stdout, '');
      assert.equal(code, 0, stderr);
      assert.match(stderr, /no findings\n2 findings marked as reviewed, not told/);
      writeFileSync(judgements, '{"version": 1,\n"reviewed": 5}');
      const refused = await run(['check', name]);
      assert.equal(refused.code, 3);
      assert.match(refused.stderr, /reviewed\.json, line 2: “reviewed” is not a list/);
    } finally {
      rmSync(path.join(folder, '.assay'), { recursive: true });
    }
  });

  it('stops when it is interrupted', async () => {
    const rows = Array.from({ length: 50_000 }, (_, index) => `Row number ${index} of a file without an end,positive`);
    const name = file('long.csv', `text,label\n${rows.join('\n')}\n`);
    const { code, stdout, stderr } = await run(['check', name], { signal: AbortSignal.abort() });
    assert.equal(code, 130, stderr);
    assert.equal(stdout, '');
  });
});
