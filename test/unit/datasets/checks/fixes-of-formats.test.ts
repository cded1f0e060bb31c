import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import type { CheckFinding, Fix } from '../../../../src/engine/datasets/checks/finding';
import { changesOf } from '../../../../src/engine/datasets/checks/fixes';
import { companionNames } from '../../../../src/engine/datasets/companions';
import type { Example } from '../../../../src/engine/datasets/dataset';
import { DatasetDocument } from '../../../../src/engine/datasets/document';
import { applyChanges, type OffsetChange, offsetChanges } from '../../../../src/engine/datasets/edits';
import type { ColumnChoice, Span } from '../../../../src/protocol/dataset';

declare const ASSAY_ROOT: string;

const folder = path.join(ASSAY_ROOT, 'samples');
const samples = readdirSync(folder).filter((name) => !/README|pid2name|\.ann$|\.parquet$/.test(name));
const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');
const beside = (name: string) =>
  companionNames(name, readdirSync(folder))
    .filter((file) => !file.endsWith('.parquet'))
    .map((file) => ({ name: file, text: read(file) }));

function opened(name: string, text: string, choice?: ColumnChoice): DatasetDocument {
  return DatasetDocument.open({ name, text, companions: beside(name), ...(choice === undefined ? {} : { choice }) });
}

/** The same rows, written otherwise; null: the format has no such way. */
const layouts: Readonly<Record<string, (name: string, text: string) => string | null>> = {
  'as it is': (_, text) => text,
  // BRAT's annotations count the characters of line breaks.
  'lines that end in CRLF': (name, text) => (name.includes('brat') ? null : text.replaceAll('\n', '\r\n')),
  'quotes escaped by backslashes': (name, text) =>
    /\.csv$/.test(name) && text.includes('""') ? text.replaceAll('""', '\\"') : null,
  'pretty-printed': (name, text) => (/\.json$/.test(name) ? JSON.stringify(JSON.parse(text), null, 2) : null),
  'on one line': (name, text) => (/\.json$/.test(name) ? JSON.stringify(JSON.parse(text)) : null),
};

/** All that is read of an example but its place in the file, and its number there. */
function seen({ text, gold, spans, mentions, aspect, sentences, types, misfits }: Example) {
  return { text, gold, spans, mentions, aspect, sentences, types, roles: misfits?.map(({ role }) => role) ?? null };
}

function finding(example: Example, fix: Fix): CheckFinding {
  return { code: 'assay/duplicate', example, place: { part: 'row' }, message: '', related: [], fix };
}

/** The document with the changes, opened anew; nothing else may be wrong with it. */
function reopened(name: string, document: DatasetDocument, edits: readonly OffsetChange[]): DatasetDocument {
  const text = applyChanges(document.text, edits);
  const fresh = opened(name, text, document.info.columns);
  assert.equal(fresh.info.format, document.info.format);
  assert.equal(fresh.findings.length, document.findings.length, 'something else is wrong now');
  return fresh;
}

/** What stands in the text beside a finding's changes is what stood there. */
function assertOnlyWithin(edits: readonly OffsetChange[], span: Span): void {
  for (const { start, end } of edits) assert.ok(start >= span.start && end <= span.end, 'a change outside of the row');
}

const inserted = fc.constantFrom('', 'é“x”', '"', 'a & <b>', '\\', ',;|', '😀', '(', "'", '\t', '{"a"}');

describe('quick fixes in every format', () => {
  for (const name of samples) {
    for (const [layout, write] of Object.entries(layouts)) {
      const text = write(name, read(name));
      if (text === null) continue;
      it(`leave every other row as it is: ${name}, ${layout} (property)`, () => {
        const document = opened(name, text);
        const before = document.examples.map(seen);
        const labels = [...new Set(document.examples.map(({ gold }) => gold ?? 'none'))];
        const label = fc.constantFrom(...labels, 'so "so", <b> & c', 'new-label', '7', "it's; a|b");
        const drawn = fc.record({
          row: fc.nat(document.examples.length - 1),
          label,
          from: fc.double({ min: 0, max: 1, noNaN: true }),
          length: fc.integer({ min: 1, max: 3 }),
          inserted,
        });
        fc.assert(
          fc.property(drawn, ({ row, label: other, from, length, inserted: written }) => {
            const example = document.examples[row]!;
            const editsOf = (fix: Fix) => {
              const changes = changesOf(document, finding(example, fix));
              return changes === null ? null : offsetChanges(changes, document.lines);
            };
            const record = {
              start: example.record.start,
              end: example.record.start + document.rowOf(example).length,
            };

            const removal = editsOf({ kind: 'remove-row' });
            if (removal !== null) {
              assert.deepEqual(reopened(name, document, removal).examples.map(seen), before.toSpliced(row, 1));
            }

            const relabelling = editsOf({ kind: 'relabel', label: other });
            if (relabelling !== null) {
              assertOnlyWithin(relabelling, record);
              const now = reopened(name, document, relabelling).examples.map(seen);
              assert.deepEqual(now, before.with(row, { ...before[row]!, gold: other }));
            }

            const start = Math.floor(from * (example.text.length - length));
            const span = { start: Math.max(0, start), end: Math.min(example.text.length, Math.max(0, start) + length) };
            const parts = [{ span, text: written }];
            const replacement = editsOf({ kind: 'replace-text', parts, title: '' });
            if (replacement === null) return;
            assertOnlyWithin(replacement, record);
            const rows = reopened(name, document, replacement).examples;
            const expected = example.text.slice(0, span.start) + written + example.text.slice(span.end);
            assert.equal(rows.length, before.length);
            for (const [index, now] of rows.entries()) {
              const was = document.examples[index]!;
              // The relations of a document share their text.
              const isShared = was.record === example.record && was.text === example.text;
              if (isShared && was.textField.start === example.textField.start) {
                assert.equal(now.text, expected);
                assert.equal(now.gold, was.gold);
                assertEntitiesAreKept(was, now, span);
              } else {
                assert.deepEqual(seen(now), before[index]);
              }
            }
          }),
          { numRuns: Number(process.env.ASSAY_PROPERTY_RUNS ?? 40) },
        );
      });
    }
  }
});

/** Entities that stand apart from what was replaced are the words they were. */
function assertEntitiesAreKept(was: Example, now: Example, replaced: Span): void {
  if (was.spans === null) return;
  for (const role of ['head', 'tail'] as const) {
    const former: Span = was.spans[role];
    if (former.start < replaced.end && replaced.start < former.end) continue;
    const latter: Span = now.spans![role];
    assert.equal(now.text.slice(latter.start, latter.end), was.text.slice(former.start, former.end));
  }
}
