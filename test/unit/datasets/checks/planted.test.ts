import assert from 'node:assert/strict';
import type { CheckCode } from '../../../../src/engine/datasets/checks/catalogue';
import type { CheckFinding } from '../../../../src/engine/datasets/checks/finding';
import type { DatasetDocument } from '../../../../src/engine/datasets/document';
import { createRandom } from '../../../../src/engine/statistics/random';
import { jsonl, open } from '../opening';
import { asSplit, csvRows, findingsOf } from './checking';
import { nearCopy, plantedRelations, plantedRows, sentence } from './planted';

const rowCount = 20_000;
const share = 0.02;
/** Candidates for near duplicates are found by chance, at the stated threshold with this recall. */
const nearRecall = 0.95;

/** The rows on which each kind was found. */
function foundOn(document: DatasetDocument, findings: readonly CheckFinding[]): Map<CheckCode, Set<number>> {
  const rowOf = new Map(document.examples.map((example, row) => [example, row]));
  const found = new Map<CheckCode, Set<number>>();
  for (const { code, example } of findings) {
    const rows = found.get(code) ?? new Set();
    found.set(code, rows.add(rowOf.get(example)!));
  }
  return found;
}

/** Every planted fault was found, and nothing else. */
function assertFound(found: Map<CheckCode, Set<number>>, planted: Map<CheckCode, Set<number>>, near: CheckCode): void {
  assert.deepEqual([...found.keys()].sort(), [...planted.keys()].sort());
  for (const [code, rows] of planted) {
    const known = found.get(code)!;
    assert.deepEqual(
      [...known].filter((row) => !rows.has(row)),
      [],
      `${code}: on rows without`,
    );
    const recall = [...rows].filter((row) => known.has(row)).length / rows.size;
    assert.ok(recall >= (code === near ? nearRecall : 1), `${code}: recall ${recall}`);
  }
}

describe('dataset checks: planted faults', () => {
  it('are all found in 20,000 sentiment rows, 2 % of each kind, and clean rows are told of nothing', () => {
    const { rows, faults } = plantedRows(rowCount, share, 1);
    const document = open(csvRows(...rows.map(({ text, label }) => [text, label] as const)));
    assert.equal(document.examples.length, rowCount);
    assertFound(foundOn(document, findingsOf(document)), faults, 'assay/near-duplicate');
  });

  it('are all found in 20,000 relations, 2 % of each kind, and clean rows are told of nothing', () => {
    const { rows, faults } = plantedRelations(rowCount, share, 2);
    const document = open(jsonl(...rows));
    assert.equal(document.examples.length, rowCount);
    assertFound(foundOn(document, findingsOf(document)), faults, 'assay/near-duplicate');
  });

  it('that leak into another split are all found, exact ones and near ones', () => {
    const random = createRandom(3);
    const train = Array.from({ length: rowCount }, () => sentence(random));
    const test = Array.from({ length: 5000 }, () => sentence(random));
    const [same, near] = [new Set<number>(), new Set<number>()];
    for (let number = 0; number < 100; number++) {
      const [at, of] = [number * 50, number * 200];
      test[at] = number % 2 === 0 ? train[of]! : train[of]!.toUpperCase();
      same.add(at);
      test[at + 25] = nearCopy(random, train[of + 100]!);
      near.add(at + 25);
    }
    const labelled = (texts: readonly string[]) =>
      open(csvRows(...texts.map((text, at) => [text, `class ${at % 3}`] as const)));
    const document = labelled(test);
    const others = [asSplit('train', 'train.csv', labelled(train))];
    const found = foundOn(document, findingsOf(document, {}, { split: 'test', others }));
    assert.deepEqual([...found.keys()], ['assay/leakage']);
    const leaks = found.get('assay/leakage')!;
    assert.deepEqual(
      [...leaks].filter((row) => !same.has(row) && !near.has(row)),
      [],
    );
    assert.ok([...same].every((row) => leaks.has(row)));
    const recall = [...near].filter((row) => leaks.has(row)).length / near.size;
    assert.ok(recall >= nearRecall, `recall ${recall}`);
  });

  /** Clean rows whose labels, and other columns, a dataset of its own has. */
  const files: [CheckCode, (row: number) => { label: string } & Record<string, unknown>, string | null][] = [
    [
      'assay/few-examples',
      (row) => ({ label: row % 2500 === 7 ? 'rare' : row % 2500 < 20 ? 'scarce thing' : `class ${row % 3}` }),
      null,
    ],
    ['assay/class-imbalance', (row) => ({ label: row % 40 === 0 ? 'rare' : 'frequent' }), null],
    ['assay/unseen-label', (row) => ({ label: row % 500 === 3 ? 'never met' : `class ${row % 3}` }), 'test'],
    ['assay/unknown-label', (row) => ({ label: row === 700 ? 'something' : `class ${row % 3}` }), 'test'],
    ['assay/label-leak', (row) => ({ label: `class ${row % 3}`, id: `${'abc'[row % 3]}-${row}` }), null],
    ['assay/label-copy', (row) => ({ label: `class ${row % 3}`, class_name: ['one', 'two', 'three'][row % 3] }), null],
  ];
  for (const [code, columnsOf, split] of files) {
    it(`${code} is found in a dataset of its own, once`, () => {
      const random = createRandom(4);
      const rows = Array.from({ length: 4000 }, (_, row) => ({ text: sentence(random), ...columnsOf(row) }));
      const train = Array.from({ length: 300 }, (_, row) => [sentence(random), `class ${row % 3}`] as const);
      const others = split === null ? [] : [asSplit('train', 'train.csv', open(csvRows(...train)))];
      const codes = findingsOf(open(jsonl(...rows)), {}, { split, others }).map((finding) => finding.code);
      // What is rare is out of balance too, and an odd label has few examples.
      const also: CheckCode[] = ['assay/few-examples', 'assay/class-imbalance'];
      assert.equal(codes.filter((found) => found === code).length, 1, codes.join());
      assert.deepEqual(
        codes.filter((found) => found !== code && !also.includes(found)),
        [],
      );
    });
  }
});
