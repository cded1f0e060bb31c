import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { CheckFinding, Fix } from '../../../../src/engine/datasets/checks/finding';
import { changesOf } from '../../../../src/engine/datasets/checks/fixes';
import { placedFinding } from '../../../../src/engine/datasets/checks/places';
import type { Example } from '../../../../src/engine/datasets/dataset';
import type { DatasetDocument } from '../../../../src/engine/datasets/document';
import { applyChanges, offsetChanges } from '../../../../src/engine/datasets/edits';
import { open, openBeside, sample } from '../opening';

function finding(example: Example, fix: Fix): CheckFinding {
  return { code: 'assay/duplicate', example, place: { part: 'row' }, message: '', related: [], fix };
}

/** The file after a fix of one of its rows; null where none is offered. */
function fixed(document: DatasetDocument, row: number, fix: Fix): string | null {
  const changes = changesOf(document, finding(document.examples[row]!, fix));
  return changes === null ? null : applyChanges(document.text, offsetChanges(changes, document.lines));
}

const remove: Fix = { kind: 'remove-row' };
const relabel = (label: string): Fix => ({ kind: 'relabel', label });
const replace = (start: number, end: number, text = ''): Fix => ({
  kind: 'replace-text',
  parts: [{ span: { start, end }, text }],
  title: 'Replace',
});

interface Row {
  text: string;
  label: string;
}

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
/** Layouts in which the same rows are written, each with a line break of its own. */
const layouts: Readonly<Record<string, (rows: readonly Row[]) => string>> = {
  'JSON Lines': (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  'JSON Lines, CRLF, mark': (rows) => `\ufeff${rows.map((row) => JSON.stringify(row)).join('\r\n')}`,
  'CSV with quotes': (rows) =>
    `text,label\n${rows.map((row) => `${quoted(row.text)},${quoted(row.label)}\n`).join('')}`,
  'CSV, CRLF, mark': (rows) =>
    `\ufefflabel;text\r\n${rows.map((row) => `${row.label};${quoted(row.text)}`).join('\r\n')}`,
  'pretty JSON': (rows) => `${JSON.stringify(rows, null, 2)}\n`,
  'JSON on one line': (rows) => JSON.stringify(rows),
  'JSON below a key': (rows) => JSON.stringify({ version: 1, data: rows, more: [1, 2] }, null, 1),
};

const text = fc
  .array(fc.constantFrom('film', 'dull', 'fine "quoted"', 'a,b;c', 'two\nlines', 'é', '🎬', '\\', 'x\u0007y'), {
    minLength: 3,
    maxLength: 8,
  })
  .map((words) => words.join(' '));
const someRows = fc.array(fc.record({ text, label: fc.constantFrom('positive', 'negative') }), {
  minLength: 2,
  maxLength: 6,
});

const seen = ({ text: content, gold }: Example) => [content, gold];

describe('quick fixes', () => {
  for (const [name, write] of Object.entries(layouts)) {
    it(`leave all else of the file as it is: ${name}`, () => {
      fc.assert(
        fc.property(someRows, fc.nat(), (rows, pick) => {
          const document = open(write(rows), { task: 'sentiment', text: 'text', gold: 'label' });
          const before = document.examples.map(seen);
          assert.equal(before.length, rows.length);
          const row = pick % rows.length;
          const applied = (fix: Fix) => {
            const result = fixed(document, row, fix);
            assert.ok(result !== null, 'no fix is offered');
            return {
              result,
              examples: open(result, { task: 'sentiment', text: 'text', gold: 'label' }).examples.map(seen),
            };
          };

          assert.deepEqual(applied(remove).examples, before.toSpliced(row, 1));
          // What is left is what was there, without one piece.
          const gone = applied(remove).result;
          assert.ok(commonStart(document.text, gone) + commonEnd(document.text, gone) >= gone.length);

          const other = rows[row]!.label === 'positive' ? 'negative' : 'positive';
          const relabelled = applied(relabel(other));
          assert.deepEqual(relabelled.examples, before.with(row, [rows[row]!.text, other]));
          assert.equal(relabelled.result.length - document.text.length, other.length - rows[row]!.label.length);

          const bell = rows[row]!.text.indexOf('\u0007');
          if (bell !== -1) {
            const expected = rows[row]!.text.replace('\u0007', '');
            const without = applied(replace(bell, bell + 1));
            assert.deepEqual(without.examples, before.with(row, [expected, rows[row]!.label]));
          }
        }),
        { numRuns: Number(process.env.ASSAY_PROPERTY_RUNS ?? 150) },
      );
    });
  }

  it('remove the first, a middle and the last row of a pretty list with its comma', () => {
    const [a, b, c] = ['one fine film', 'two dull hours', 'three more'].map((content) => ({
      text: content,
      label: 'positive',
    }));
    const document = open(JSON.stringify([a, b, c], null, 2));
    assert.equal(fixed(document, 0, remove), JSON.stringify([b, c], null, 2));
    assert.equal(fixed(document, 1, remove), JSON.stringify([a, c], null, 2));
    assert.equal(fixed(document, 2, remove), JSON.stringify([a, b], null, 2));
  });

  it('write a label as the file does', () => {
    const cases: [file: string, label: string, expected: string | null][] = [
      ['{"text": "A fine film", "label": 1}\n{"text": "Dull", "label": 0}\n', '0', '"label": 0}\n{'],
      [
        '{"text": "A fine film", "label": "good"}\n{"text": "Dull", "label": "bad"}\n',
        'b "c"',
        '"label": "b \\"c\\""}\n{',
      ],
      ['text,label\nA fine film,good\nDull,bad\n', 'so, so', 'A fine film,"so, so"\n'],
      ['text\tlabel\nA fine film\tgood\nDull\tbad\n', 'so, so', 'A fine film\tso, so\n'],
    ];
    cases.push(
      // A list of one label; a label with white space around it; a column of numbers holds no words.
      ['{"text": "A fine film", "label": [ "good" ]}\n{"text": "Dull", "label": ["bad"]}\n', 'bad', '[ "bad" ]}\n{'],
      ['text,label\nA fine film, good\nDull, bad\n', 'bad', 'A fine film, bad\nDull'],
      [
        '{"text": "Fin", "label": "\\u00e9mu"}\n{"text": "Dull", "label": "froid"}\n',
        'frôlé',
        '"label": "fr\\u00f4l\\u00e9"}\n{',
      ],
    );
    const numbers = '{"text": "A fine film", "label": 1}\n{"text": "Dull", "label": 0}\n';
    assert.equal(fixed(open(numbers), 0, relabel('good')), null);
    for (const [file, label, expected] of cases) {
      const result = fixed(open(file), 0, relabel(label));
      assert.ok(result !== null && expected !== null && result.includes(expected), `${label}: ${result}`);
    }
    const fasttext = sample('sentiment.fasttext.txt');
    const first = fixed(fasttext, 0, relabel('positive'));
    assert.ok(first?.startsWith('__label__positive '), first ?? 'none');
    // A label of two words cannot be written there.
    assert.equal(fixed(fasttext, 0, relabel('very positive')), null);
  });

  it('write the id of a label that a file beside it names', () => {
    const text =
      '{"text": "Ann met Bo", "head": "Ann", "tail": "Bo", "relation": "P1"}\n{"text": "Cy has Di", "head": "Cy", "tail": "Di", "relation": "P2"}\n';
    const document = openBeside(text, 'x.jsonl', [{ name: 'pid2name.json', text: '{"P1": "meets", "P2": "owns"}' }]);
    assert.equal(document.examples[0]!.gold, 'meets');
    assert.match(fixed(document, 0, relabel('owns')) ?? '', /"relation": "P2"}\n.*"P2"/);
    assert.equal(fixed(document, 0, relabel('sells')), null);
  });

  it('delete an escape as a whole, and one character of a CSV field', () => {
    const json = open('{"text": "A \\u0007fine film", "label": "good"}\n{"text": "Dull", "label": "bad"}\n');
    assert.match(fixed(json, 0, replace(2, 3)) ?? '', /"A fine film"/);
    const csv = open('text,label\n"A \u0007""fine"" film",good\nDull,bad\n');
    assert.match(fixed(csv, 0, replace(2, 3)) ?? '', /^"A ""fine"" film",good$/m);
  });

  it('are not offered where they would move the entities', () => {
    const row = { text: 'A\u0007nn met Bo', h: { pos: [0, 4] }, t: { pos: [9, 11] }, relation: 'meets' };
    const document = open(`${JSON.stringify(row)}\n${JSON.stringify(row)}\n`);
    assert.equal(fixed(document, 0, replace(1, 2)), null);
    const tokens = { token: ['A\u0007nn', 'met', 'Bo'], h: { pos: [0, 1] }, t: { pos: [2, 3] }, relation: 'meets' };
    const byToken = open(`${JSON.stringify(tokens)}\n${JSON.stringify(tokens)}\n`);
    assert.match(fixed(byToken, 0, replace(1, 2)) ?? '', /^\{"token":\["Ann"/);
    // Between two tokens nothing is written that could be changed.
    assert.equal(fixed(byToken, 0, replace(4, 5, '-')), null);
  });

  it('are not offered for a row among others that belong to it', () => {
    const docred = sample('relations.docred.json');
    assert.equal(fixed(docred, 0, remove), null);
    const brat = openBeside('Ann met Bo.\n', 'x.txt', [
      { name: 'x.ann', text: 'T1\tPerson 0 3\tAnn\nT2\tPerson 8 10\tBo\nR1\tmeets Arg1:T1 Arg2:T2\n' },
    ]);
    assert.equal(brat.examples.length, 1);
    assert.equal(fixed(brat, 0, remove), null);
  });

  it('are offered for one of several examples of a record', () => {
    const docred = sample('relations.docred.json');
    const [first] = docred.examples;
    const other = docred.examples.find(({ gold }) => gold !== first!.gold)!.gold!;
    const changes = changesOf(docred, finding(first!, relabel(other)))!;
    assert.equal(changes.length, 1);
    assert.deepEqual(changes[0]!.range, docred.fieldRange(first!, first!.goldField!));
    const xml = open(
      '<sentences><sentence id="1"><text>A film</text><aspectTerms><aspectTerm term="film" polarity="good" from="2" to="6"/><aspectTerm term="A" polarity="bad" from="0" to="1"/></aspectTerms></sentence></sentences>',
    );
    assert.match(fixed(xml, 1, relabel('so "so"')) ?? '', /term="A" polarity="so &quot;so&quot;" from="0"/);
  });

  it('are not offered where what stands behind would be read otherwise', () => {
    // The annotations of what follows count the characters before it.
    const brat = openBeside('Ann met Bo\u0007.\nCy has Di.\n', 'x.txt', [
      {
        name: 'x.ann',
        text: 'T1\tP 0 3\tAnn\nT2\tP 8 10\tBo\nR1\tmeets Arg1:T1 Arg2:T2\nT3\tP 13 15\tCy\nT4\tP 20 22\tDi\nR2\thas Arg1:T3 Arg2:T4\n',
      },
    ]);
    assert.equal(brat.examples.length, 2);
    assert.equal(fixed(brat, 0, replace(10, 11)), null);
    assert.match(fixed(brat, 0, replace(10, 11, '!')) ?? '', /^Ann met Bo!\./);
    const csv = open('text,label\nA fine film,good\nDull,bad\n');
    assert.match(fixed(csv, 0, relabel('two\nlines')) ?? '', /^A fine film,"two\nlines"$/m);
  });

  it('are gone with their row', () => {
    const document = open('{"text": "A fine film", "label": 1}\n{"text": "Dull", "label": 0}\n');
    const stale = finding(document.examples[0]!, remove);
    document.applyEdits([{ range: { startLine: 0, startChar: 12, endLine: 0, endChar: 13 }, text: 'One' }]);
    assert.equal(changesOf(document, stale), null);
  });

  it('are named in the finding', () => {
    const document = open('text,label\n,good\nDull,bad\nA fine film,good\n');
    assert.equal(placedFinding(document, finding(document.examples[0]!, remove)).fix, 'Remove this row');
    assert.equal(
      placedFinding(document, finding(document.examples[0]!, relabel('bad'))).fix,
      'Change the label to “bad”',
    );
  });
});

function commonStart(a: string, b: string): number {
  let at = 0;
  while (at < Math.min(a.length, b.length) && a[at] === b[at]) at++;
  return at;
}

function commonEnd(a: string, b: string): number {
  let at = 0;
  while (at < Math.min(a.length, b.length) && a[a.length - 1 - at] === b[b.length - 1 - at]) at++;
  return at;
}
