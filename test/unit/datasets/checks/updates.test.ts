import assert from 'node:assert/strict';
import { DatasetChecks } from '../../../../src/engine/datasets/checks/dataset-checks';
import type { CheckFinding } from '../../../../src/engine/datasets/checks/finding';
import { defaultCheckSettings } from '../../../../src/engine/datasets/checks/settings';
import type { DatasetDocument } from '../../../../src/engine/datasets/document';
import { createRandom, type Random } from '../../../../src/engine/statistics/random';
import { open } from '../opening';
import { asSplit, csvRows, finish } from './checking';

const runs = Number(process.env.ASSAY_PROPERTY_RUNS ?? 300) / 10;
const editsARun = 12;

/** Few words, so that duplicates, near ones and conflicts come and go with every edit. */
const words = 'the ferry was late and warm soup is not what we had when rain fell on a lamp of glass here today'.split(
  ' ',
);
const others = [
  'Das war nicht gut und wir kommen auch nicht wieder',
  'Суп был холодный и официант был груб',
  ':)',
  '',
  'It is <br> cold',
];
const labels = ['good', 'good', 'good', 'bad', 'bad', 'Good', 'odd', ''];

function pick<T>(random: Random, list: readonly T[]): T {
  return list[random.int(list.length)]!;
}

function textOf(random: Random): string {
  if (random.int(8) === 0) return pick(random, others);
  const count = 1 + random.int(14);
  const start = random.int(words.length - count);
  const text = words.slice(start, start + count);
  if (random.int(3) === 0) text[random.int(count)] = pick(random, words);
  return text.join(' ');
}

function rowOf(random: Random): readonly [string, string] {
  return [textOf(random), random.int(60) === 0 ? 'stray' : pick(random, labels)];
}

function lineOf(random: Random): string {
  return csvRows(rowOf(random)).split('\n')[1]!;
}

/** Lines put in, taken out, written anew or moved; letters typed. */
function edit(document: DatasetDocument, random: Random): void {
  const lines = document.text.split('\n');
  const line = 1 + random.int(lines.length - 2);
  const whole = { startLine: line, startChar: 0, endLine: line + 1, endChar: 0 };
  const at = { startLine: line, startChar: 0, endLine: line, endChar: 0 };
  const inside = Math.min(1, lines[line]!.length);
  switch (random.int(5)) {
    case 0:
      document.applyEdits([{ range: at, text: `${lineOf(random)}\n` }]);
      break;
    case 1:
      if (lines.length > 30) document.applyEdits([{ range: whole, text: '' }]);
      break;
    case 2:
      document.applyEdits([{ range: whole, text: `${lineOf(random)}\n` }]);
      break;
    case 3:
      // A copy of another row.
      document.applyEdits([{ range: at, text: `${lines[1 + random.int(lines.length - 2)]!}\n` }]);
      break;
    default:
      document.applyEdits([
        {
          range: { startLine: line, startChar: inside, endLine: line, endChar: inside },
          text: pick(random, ['x', 'the ', ' ', 'Ä']),
        },
      ]);
  }
}

/** Findings without the objects that they hang on. */
function plain(document: DatasetDocument, findings: readonly CheckFinding[]) {
  const rows = new Map(document.examples.map((example, row) => [example, row]));
  return findings.map(({ example, related, ...rest }) => ({
    ...rest,
    row: rows.get(example),
    related: related.map((one) => (one.kind === 'here' ? { ...one, example: rows.get(one.example) } : one)),
  }));
}

describe('dataset checks: updates', () => {
  it('after random edits find what checks made anew find', () => {
    const codes = new Set<string>();
    for (let seed = 1; seed <= runs; seed++) {
      const random = createRandom(seed);
      const rows = Array.from({ length: 60 }, () => rowOf(random));
      const document = open(csvRows(...rows), { task: 'sentiment', text: 'text', gold: 'label' });
      const beside = asSplit('train', 'train.csv', open(csvRows(...Array.from({ length: 30 }, () => rowOf(random)))));
      const settings = { ...defaultCheckSettings, fewExamples: 3, imbalanceRatio: 5, nearDuplicateThreshold: 0.7 };
      const dataset = { split: 'test', others: [beside] };
      const checks = new DatasetChecks(document, settings, dataset);
      finish(checks.update());
      for (let number = 0; number < editsARun; number++) {
        for (let several = random.int(3); several >= 0; several--) edit(document, random);
        if (random.int(3) === 0) {
          // Given up on the way, as by the next key.
          const steps = checks.update();
          for (let step = random.int(6); step > 0; step--) steps.next();
          edit(document, random);
        }
        finish(checks.update());
        const fresh = new DatasetChecks(document, settings, dataset);
        finish(fresh.update());
        const expected = plain(document, fresh.findings);
        assert.deepEqual(plain(document, checks.findings), expected, `seed ${seed}, edit ${number}`);
        for (const { code } of expected) codes.add(code);
      }
    }
    for (const code of [
      'duplicate',
      'near-duplicate',
      'conflicting-labels',
      'leakage',
      'misspelt-label',
      'other-language',
      'empty-text',
      'html',
      'few-examples',
      'class-imbalance',
      'unknown-label',
    ]) {
      assert.ok(codes.has(`assay/${code}`), `no ${code} came up`);
    }
  });
});
