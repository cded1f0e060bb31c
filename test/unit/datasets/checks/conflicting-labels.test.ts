import assert from 'node:assert/strict';
import { DatasetChecks } from '../../../../src/engine/datasets/checks/dataset-checks';
import { placedFinding } from '../../../../src/engine/datasets/checks/places';
import { defaultCheckSettings } from '../../../../src/engine/datasets/checks/settings';
import { jsonl, open } from '../opening';
import { alone, asSplit, csvRows, findingsWith, linesOf } from './checking';

describe('dataset checks: conflicting-labels of many rows', () => {
  it('are told of each row where one text stands 60,000 times, in short steps', () => {
    const rows = Array.from({ length: 60_000 }, (_, row) => ({
      text: 'The soup was cold.',
      label: row % 3 === 0 ? 'bad' : 'good',
    }));
    const document = open(jsonl(...rows));
    const checks = new DatasetChecks(document, defaultCheckSettings, alone);
    let steps = 0;
    for (const _ of checks.update()) steps++;
    const found = checks.findings.filter(({ code }) => code === 'assay/conflicting-labels');
    assert.equal(found.length, 60_000);
    assert.equal(
      found[0]!.message,
      'The same text is labelled "bad" here, but "good" on lines 2, 3, 5 and 39997 more. Decide which is right, and relabel or remove the others.',
    );
    assert.deepEqual(
      found[1]!.related.map((row) => row.kind === 'here' && row.example.id),
      ['1', '4', '7', '10', '13', '16', '19', '22', '25', '28'],
    );
    // Of the rows alone it is 938, of the groups of the same rows 125 more.
    assert.ok(steps > 1000, `${steps} steps`);
  });

  it('name some of many labels and count the rest', () => {
    const rows = Array.from({ length: 20_000 }, (_, row) => ['Nobody came.', `note ${row}`] as const);
    const found = findingsWith('assay/conflicting-labels', open(csvRows(...rows)));
    assert.equal(found.length, 20_000);
    assert.equal(
      found[2]!.message,
      'The same text is labelled "note 2" here, but "note 0" on line 2, "note 1" on line 3, "note 3" on line 5, "note 4" on line 6, and 19995 more labels. Decide which is right, and relabel or remove the others.',
    );
    const six = findingsWith('assay/conflicting-labels', open(csvRows(...rows.slice(0, 6))));
    assert.match(six[5]!.message, /"note 3" on line 5, and 1 more label\. /);
    const five = findingsWith('assay/conflicting-labels', open(csvRows(...rows.slice(0, 5))));
    assert.match(five[4]!.message, /"note 3" on line 5\. /);
  });
});

describe('dataset checks: conflicting-labels of rows that share a record', () => {
  const columns = (indent?: number) =>
    JSON.stringify(
      {
        text: ['The soup was cold.', 'A fine garden.', 'the soup was  cold.', 'Far away', 'The soup was cold.'],
        label: ['bad', 'good', 'good', 'good', 'good'],
      },
      null,
      indent,
    );

  it('are told within an object of columns, on the lines of the texts', () => {
    const document = open(columns(1));
    const found = findingsWith('assay/conflicting-labels', document);
    assert.deepEqual(
      found.map(({ example }) => example.id),
      ['1', '3', '5'],
    );
    assert.equal(
      found[0]!.message,
      'The same text is labelled "bad" here, but "good" on lines 5, 7. Decide which is right, and relabel or remove the others.',
    );
    assert.match(found[1]!.message, /is labelled "good" here, but "bad" on line 3\. /);
    const [marked, related] = [placedFinding(document, found[0]!), placedFinding(document, found[0]!).related!];
    // The label's own place, and the other texts'.
    assert.deepEqual(marked.range, { startLine: 9, startChar: 2, endLine: 9, endChar: 7 });
    assert.deepEqual(
      related.map(({ range }) => [range.startLine, range.startChar]),
      [
        [4, 3],
        [6, 3],
      ],
    );
    const duplicates = findingsWith('assay/duplicate', document);
    assert.match(duplicates[0]!.message, /stands on line 5\. /);
    const oneLine = findingsWith('assay/conflicting-labels', open(columns()));
    assert.equal(oneLine.length, 3);
  });

  it('leak into another split on the line of the text', () => {
    const train = asSplit('train', 'train.json', open(columns(1)));
    const document = open(csvRows(['A fine garden.', 'good'], ['Something else', 'bad']));
    const found = findingsWith('assay/leakage', document, {}, { split: 'test', others: [train] });
    assert.match(found[0]!.message, /^The same text stands in train\.json \(train\), line 4\./);
  });

  const document = (title: string, ...relations: string[]) => ({
    title,
    sents: [['Mira', 'founded', 'Orbel', '.']],
    vertexSet: ['Mira', 'Orbel'].map((name, at) => [{ name, pos: [at * 2, at * 2 + 1], sent_id: 0, type: 'X' }]),
    labels: relations.map((r) => ({ h: 0, t: 1, r, evidence: [0] })),
  });

  const documents = (...all: object[]) => open(JSON.stringify(all).replaceAll('},{"title"', '},\n{"title"'));

  it('are told of documents with one text, of the relations that not all of them have', () => {
    const found = findingsWith(
      'assay/conflicting-labels',
      documents(document('a', 'founder', 'owner'), document('b', 'founder'), document('c', 'founder', 'owner')),
    );
    assert.deepEqual(linesOf(found), [1, 3]);
    assert.match(found[0]!.message, /labelled "owner" here, but "founder" on lines 2, 3\. /);
    assert.match(found[1]!.message, /labelled "owner" here, but "founder" on lines 1, 2\. /);
    const others = documents(document('a', 'founder', 'owner'), document('b', 'buyer'));
    const opposed = findingsWith('assay/conflicting-labels', others);
    assert.deepEqual(linesOf(opposed), [1, 1, 2]);
    assert.match(opposed[2]!.message, /labelled "buyer" here, but "founder" on line 1, "owner" on line 1\. /);
  });

  it('are none of documents in which a pair has the same relations', () => {
    const same = documents(document('a', 'founder', 'owner'), document('b', 'owner', 'founder'));
    assert.deepEqual(findingsWith('assay/conflicting-labels', same), []);
  });
});
