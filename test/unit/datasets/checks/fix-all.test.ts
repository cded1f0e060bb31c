import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { CheckFinding, Fix } from '../../../../src/engine/datasets/checks/finding';
import { changesOfAll } from '../../../../src/engine/datasets/checks/fix-all';
import type { Example } from '../../../../src/engine/datasets/dataset';
import type { DatasetDocument } from '../../../../src/engine/datasets/document';
import { applyChanges, offsetChanges } from '../../../../src/engine/datasets/edits';
import { open } from '../opening';

const remove: Fix = { kind: 'remove-row' };
const choice = { task: 'sentiment', text: 'text', gold: 'label' } as const;

const finding = (example: Example, fix: Fix | null): CheckFinding => ({
  code: 'assay/duplicate',
  example,
  place: { part: 'row' },
  message: '',
  related: [],
  fix,
});

function together(document: DatasetDocument, findings: readonly CheckFinding[]) {
  const steps = changesOfAll(document, findings);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  const { changes, fixedCount } = step.value;
  return { text: applyChanges(document.text, offsetChanges(changes, document.lines)), fixedCount, changes };
}

interface Row {
  text: string;
  label: string;
}

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
const layouts: Readonly<Record<string, (rows: readonly Row[]) => string>> = {
  'JSON Lines': (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  'JSON Lines, no end of line at the end': (rows) => rows.map((row) => JSON.stringify(row)).join('\r\n'),
  'CSV with quotes': (rows) =>
    `text,label\n${rows.map((row) => `${quoted(row.text)},${quoted(row.label)}\n`).join('')}`,
  'pretty JSON': (rows) => `${JSON.stringify(rows, null, 2)}\n`,
  'JSON on one line': (rows) => JSON.stringify(rows),
  'JSON below a key': (rows) => JSON.stringify({ version: 1, data: rows, more: [1, 2] }, null, 1),
};

const rowsOf = fc.array(
  fc.record({
    text: fc.constantFrom('A fine film', 'Dull, and "endless"', 'two\nlines', 'Simply lovely 🎬', 'a ] b } c'),
    label: fc.constantFrom('positive', 'negative'),
  }),
  { minLength: 2, maxLength: 9 },
);

describe('quick fixes of many findings at once', () => {
  for (const [name, write] of Object.entries(layouts)) {
    it(`any rows but all are taken out in one edit: ${name}`, () => {
      fc.assert(
        fc.property(rowsOf, fc.infiniteStream(fc.boolean()), fc.nat(), (found, stream, keptPick) => {
          const rows = found.map(({ text, label }) => ({ text, label }));
          const document = open(write(rows), choice);
          assert.equal(document.examples.length, rows.length);
          const kept = keptPick % rows.length;
          const goes = rows.map((_, index) => index !== kept && stream.next().value);
          const findings = document.examples
            .filter((_, index) => goes[index])
            .map((example) => finding(example, remove));
          const { text, fixedCount } = together(document, findings);
          assert.equal(fixedCount, findings.length);
          const left = rows.filter((_, index) => !goes[index]);
          if (/^[[{]/.test(write(rows)) && !name.includes('Lines')) {
            const parsed = JSON.parse(text);
            assert.deepEqual(Array.isArray(parsed) ? parsed : parsed.data, left);
          }
          assert.deepEqual(
            open(text, choice).examples.map((example) => ({ text: example.text, label: example.gold })),
            left,
          );
        }),
        { numRuns: Number(process.env.ASSAY_PROPERTY_RUNS ?? 150) },
      );
    });
  }

  it('all rows of a file stay: nothing would be left', () => {
    const document = open(layouts['pretty JSON']!([{ text: 'A fine film', label: 'positive' }]), choice);
    const { changes, fixedCount } = together(
      document,
      document.examples.map((example) => finding(example, remove)),
    );
    assert.deepEqual([changes, fixedCount], [[], 0]);
  });

  it('of a row with several fixes one is made; the others are left, not lost in each other', () => {
    const text = 'text,label\nA \u0007fine\u0007 film,positive\nDull,negative\n';
    const document = open(text, choice);
    const first = document.examples[0]!;
    const bell = (at: number): Fix => ({
      kind: 'replace-text',
      parts: [{ span: { start: at, end: at + 1 }, text: '' }],
      title: 'Remove',
    });
    const result = together(document, [
      finding(first, bell(2)),
      finding(first, bell(7)),
      finding(document.examples[1]!, null),
    ]);
    assert.equal(result.fixedCount, 1);
    assert.equal(result.text, text.replace('\u0007', ''));
  });

  it('what else is wrong with a row that goes, goes with it', () => {
    const document = open(
      layouts['JSON Lines']!([
        { text: 'A fine film', label: 'positive' },
        { text: 'Dull', label: 'negative' },
      ]),
      choice,
    );
    const [first] = document.examples;
    const { text, fixedCount } = together(document, [
      finding(first!, remove),
      finding(first!, { kind: 'relabel', label: 'negative' }),
    ]);
    assert.equal(fixedCount, 2);
    assert.equal(text, '{"text":"Dull","label":"negative"}\n');
  });
});
