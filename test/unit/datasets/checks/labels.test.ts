import assert from 'node:assert/strict';
import { editDistance } from '../../../../src/engine/datasets/checks/misspellings';
import type { DatasetDocument } from '../../../../src/engine/datasets/document';
import { createRandom } from '../../../../src/engine/statistics/random';
import { open, openBeside } from '../opening';
import { asSplit, csvRows, findingsOf, findingsWith, linesOf } from './checking';

/** Rows of so many texts a label; no two texts are the same. */
function labelled(counts: Readonly<Record<string, number>>): DatasetDocument {
  const rows: [string, string][] = [];
  const kinds = Object.entries(counts);
  for (let round = 0; kinds.some(([, count]) => round < count); round++) {
    for (const [label, count] of kinds) if (round < count) rows.push([`Text ${label} ${round} of the list`, label]);
  }
  return open(csvRows(...rows));
}

/** The labels that are told as misspelt, and of which. */
function misspelt(counts: Readonly<Record<string, number>>): Record<string, string> {
  const found = findingsWith('assay/misspelt-label', labelled(counts));
  return Object.fromEntries(
    found.map(({ example, fix }) => [example.gold!, fix?.kind === 'relabel' ? fix.label : 'nothing']),
  );
}

describe('dataset checks: misspelt-label', () => {
  it('is told on every row of a rare label that is a frequent one with a letter or two wrong', () => {
    const document = labelled({ positive: 100, negative: 90, postive: 2, negitave: 1, nagative: 1 });
    const found = findingsWith('assay/misspelt-label', document);
    assert.deepEqual(
      found.map(({ example, fix }) => [example.gold, fix]),
      [
        ['postive', { kind: 'relabel', label: 'positive' }],
        ['negitave', { kind: 'relabel', label: 'negative' }],
        ['nagative', { kind: 'relabel', label: 'negative' }],
        ['postive', { kind: 'relabel', label: 'positive' }],
      ],
    );
    assert.equal(
      found.find(({ example }) => example.gold === 'postive')!.message,
      '"postive" (2 examples here) looks like a misspelling of "positive" (100 examples): to a model they are two labels. Write "positive".',
    );
    assert.deepEqual(misspelt({ 'Cause-Effect(e1,e2)': 80, 'Cause-Efect(e1,e2)': 2, Other: 80 }), {
      'Cause-Efect(e1,e2)': 'Cause-Effect(e1,e2)',
    });
  });

  it('is told of another writing at any frequency: case, spaces, hyphens', () => {
    assert.deepEqual(misspelt({ positive: 30, Positive: 29, negative: 30, 'NEGATIVE ': 2 }), {
      Positive: 'positive',
      NEGATIVE: 'negative',
    });
    assert.deepEqual(misspelt({ 'per:city_of_birth': 30, 'per:city-of-birth': 3, 'Per:City of birth': 1 }), {
      'per:city-of-birth': 'per:city_of_birth',
      'Per:City of birth': 'per:city_of_birth',
    });
  });

  it('is not told of labels that only look alike', () => {
    for (const counts of [
      { 'Cause-Effect(e1,e2)': 400, 'Cause-Effect(e2,e1)': 2 },
      { positive: 400, negative: 1 },
      { 'per:city_of_birth': 400, 'per:city_of_death': 1, 'per:country_of_birth': 2 },
      { '1 star': 400, '2 stars': 1, '5 stars': 1 },
      { 1: 400, '-1': 1, 0: 3, 10: 1 },
      { increase: 400, decrease: 1 },
      { moral: 400, amoral: 1 },
      { toxic: 400, 'non-toxic': 1 },
      { internal: 400, external: 1 },
      { 'B-PER': 400, 'I-PER': 1 },
      { 'per:spouse': 400, 'org:spouse': 1 },
      { P177: 400, P176: 1 },
      { good: 400, food: 1 },
    ]) {
      assert.deepEqual(misspelt(counts), {}, JSON.stringify(counts));
    }
    // Not rare enough.
    assert.deepEqual(misspelt({ employee: 100, employer: 20 }), {});
  });

  it('counts edits as the definition does', () => {
    const random = createRandom(3);
    const word = () => Array.from({ length: 1 + random.int(7) }, () => 'abc'[random.int(3)]).join('');
    /** By trying every way to edit, from the end. */
    const slow = (a: string, b: string): number => {
      if (a === '' || b === '') return a.length + b.length;
      const [x, y] = [a.slice(0, -1), b.slice(0, -1)];
      let least = Math.min(slow(x, b) + 1, slow(a, y) + 1, slow(x, y) + (a.at(-1) === b.at(-1) ? 0 : 1));
      if (a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1))
        least = Math.min(least, slow(a.slice(0, -2), b.slice(0, -2)) + 1);
      return least;
    };
    for (let round = 0; round < 200; round++) {
      const [a, b] = [word(), word()];
      assert.equal(editDistance(a, b, 3), Math.min(slow(a, b), 4), `${a} ${b}`);
    }
  });
});

describe('dataset checks: unseen-label and unknown-label', () => {
  const train = asSplit('train', 'train.csv', labelled({ good: 30, bad: 30, mixed: 30 }));
  const told = (document: DatasetDocument, split = 'test', others = [train]) =>
    findingsOf(document, {}, { split, others })
      .filter(({ code }) => /unseen|unknown|misspelt/.test(code))
      .map(({ code, message }) => `${code.slice(6)}: ${message}`);

  it('are a label of test that train lacks: once where it has many rows, on each of one or two', () => {
    assert.deepEqual(told(labelled({ good: 10, bad: 10, mixed: 5, strange: 4, odd: 2 })), [
      'unseen-label: The label "strange" has 4 examples here and none in train.csv: a model trained there gets all of them wrong. Add examples to train, or leave the label out.',
      'unknown-label: train.csv does not know the label "odd", which has 2 examples here. Correct it; if it is meant, no model trained there can predict it.',
      'unknown-label: train.csv does not know the label "odd", which has 2 examples here. Correct it; if it is meant, no model trained there can predict it.',
    ]);
  });

  it('are told once where most labels are others', () => {
    assert.deepEqual(told(labelled({ good: 10, north: 10, south: 5, west: 1 })), [
      'unseen-label: 3 of the 4 labels here never occur in train.csv: "north", "south", "west". That is right for few-shot tasks; else the files do not belong together.',
    ]);
  });

  it('are none in train, without train, of a train split without labels, or where the label is misspelt', () => {
    const odd = labelled({ good: 10, bad: 10, strange: 1 });
    assert.deepEqual(told(odd, 'train', [asSplit('test', 'test.csv', labelled({ good: 3 }))]), []);
    assert.deepEqual(told(odd, 'test', [asSplit('dev', 'dev.csv', labelled({ good: 3 }))]), []);
    assert.deepEqual(
      told(odd, 'test', [asSplit('train', 'train.csv', open('text,label\nA warm film,\nA dull one,\n'))]),
      [],
    );
    assert.deepEqual(
      told(labelled({ good: 10, bad: 10, Mixed: 2 })).map((line) => line.slice(0, 60)),
      Array(2).fill('misspelt-label: "Mixed" (2 examples here) is another writing'),
    );
  });

  it('are a label that the file of names lacks', () => {
    const rows = (...ids: string[]) => ids.map((id, at) => JSON.stringify({ text: `Row ${at} of Orbel`, label: id }));
    const names = [
      { name: 'pid2name.json', text: JSON.stringify({ P177: 'crosses', P112: 'founder', P17: 'country' }) },
    ];
    const document = openBeside(rows('P177', 'P112', 'P17', 'P9999', 'P177').join('\n'), 'x.jsonl', names);
    const found = findingsWith('assay/unknown-label', document);
    assert.deepEqual(linesOf(found), [4]);
    assert.equal(
      found[0]!.message,
      'pid2name.json, which names the labels, has no "P9999". Correct the label, or name it there.',
    );
  });
});

describe('dataset checks: few-examples and class-imbalance', () => {
  it('tell a label with few examples on the first of them', () => {
    const document = labelled({ good: 30, bad: 12, odd: 3 });
    const found = findingsWith('assay/few-examples', document);
    assert.deepEqual(
      found.map(({ example }) => example),
      [document.examples.find(({ gold }) => gold === 'odd')],
    );
    assert.match(found[0]!.message, /^The label "odd" has 3 examples; fewer than 10 are told\./);
    assert.deepEqual(findingsWith('assay/few-examples', document, { fewExamples: 3 }), []);
  });

  it('tell a file where no label has enough in one finding', () => {
    const found = findingsWith('assay/few-examples', labelled({ good: 3, bad: 2 }));
    assert.equal(found.length, 1);
    assert.match(found[0]!.message, /^Each of the 2 labels has fewer than 10 examples:/);
  });

  it('tell how far the classes are out of balance, once, on the first example of the rarest', () => {
    const document = labelled({ good: 60, bad: 5, odd: 6, fine: 40 });
    const found = findingsWith('assay/class-imbalance', document);
    assert.deepEqual(
      found.map(({ example }) => example),
      [document.examples.find(({ gold }) => gold === 'bad')],
    );
    assert.match(
      found[0]!.message,
      /^"good" has 60 examples, "bad" 5: 12 to 1; from 10 to 1 on it is told\. 2 labels are 10 times rarer or more: "bad", "odd"\./,
    );
    assert.deepEqual(findingsWith('assay/class-imbalance', document, { imbalanceRatio: 13 }), []);
  });

  it('leave out what is told as misspelt, and say nothing of one label', () => {
    const document = labelled({ good: 60, bad: 50, Good: 1 });
    assert.deepEqual(findingsWith('assay/few-examples', document), []);
    assert.deepEqual(findingsWith('assay/class-imbalance', document), []);
    assert.deepEqual(findingsWith('assay/class-imbalance', labelled({ good: 60 })), []);
  });

  it('are told once of a file in which every row has a label of its own', () => {
    const rows = Array.from({ length: 150_000 }, (_, row) => JSON.stringify({ text: `no ${row}`, label: `s${row}` }));
    const found = findingsWith('assay/few-examples', open(rows.join('\n')));
    assert.deepEqual(
      found.map(({ message }) => message.slice(0, 60)),
      ['Each of the 150000 labels has fewer than 10 examples: what i'],
    );
  });
});
