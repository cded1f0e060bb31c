import type { FormatId, Span, TextChange } from '../../../protocol/dataset';
import { toDocument } from '../../text/offset-map';
import type { Example } from '../dataset';
import type { DatasetDocument } from '../document';
import type { OffsetChange } from '../edits';
import type { ReadExample } from '../format';
import type { CheckFinding, Fix, TextPart } from './finding';
import { changedText, isSameRow } from './proof';
import { movedEnd, waysToWriteLabel, writtenText } from './writing';

/**
 * The changes of a quick fix. They are written as the row is written, and then proved: the changed row is read again, and only if that
 * gives what was meant, and everything else of it as before, is the fix offered. No other row is touched.
 */

/** For menus. */
export function titleOf(fix: Fix): string {
  switch (fix.kind) {
    case 'remove-row':
      return 'Remove this row';
    case 'relabel':
      return `Change the label to “${fix.label}”`;
    default:
      return fix.title;
  }
}

/** What the finding's fix changes of the document as it is now; null where it has none that is safe. */
export function changesOf(document: DatasetDocument, finding: CheckFinding): TextChange[] | null {
  const { example, fix } = finding;
  if (fix === null || !document.has(example)) return null;
  if (fix.kind !== 'move-all-ends') return changesOfRow(document, example, fix);
  const changes = [...changesOfEnds(document, fix.by)].flatMap(({ changes: ofRow }) => ofRow);
  return changes.length === 0 ? null : changes;
}

/** Whether `changesOf` has something to change, as far as one row tells. */
export function isOffered(document: DatasetDocument, { example, fix }: CheckFinding): boolean {
  if (fix === null || !document.has(example)) return false;
  return fix.kind === 'move-all-ends'
    ? movedEnds(document, example, fix.by) !== null
    : changesOfRow(document, example, fix) !== null;
}

/** Each row of the file whose entities would be what it says if they ended one later, or earlier, with the changes that make it so. */
export function* changesOfEnds(
  document: DatasetDocument,
  by: 1 | -1,
): Generator<{ readonly example: Example; readonly changes: TextChange[] }, void> {
  let changed: Example['record'] | null = null;
  for (const example of document.examples) {
    // Relations of one document share their entities.
    if (example.misfits === null || example.record === changed) continue;
    const changes = movedEnds(document, example, by);
    if (changes === null) continue;
    changed = example.record;
    yield { example, changes };
  }
}

type RowFix = Exclude<Fix, { kind: 'move-all-ends' }>;

function changesOfRow(document: DatasetDocument, example: Example, fix: RowFix): TextChange[] | null {
  switch (fix.kind) {
    case 'remove-row':
      return removal(document, example);
    case 'relabel':
      return relabelling(document, example, fix.label);
    case 'replace-text':
      return textReplacement(document, example, fix.parts);
    case 'move-end':
      return withEndsMoved(document, example, [fix.end], fix.by);
  }
}

/** What stands beside the text is said of it by its offsets (BRAT), or a row is only a part of a document. */
const rowsBelongTogether: ReadonlySet<FormatId> = new Set([
  'brat',
  'conll',
  'docred',
  'scierc',
  'spert',
  'relation-triples',
  'linked-entities',
  'label-studio',
  'parquet',
]);

function removal(document: DatasetDocument, example: Example): TextChange[] | null {
  if (rowsBelongTogether.has(document.info.format)) return null;
  const range = document.removalOf(example);
  return range === null ? null : [{ range, text: '' }];
}

function relabelling(document: DatasetDocument, example: Example, label: string): TextChange[] | null {
  const { goldField, gold } = example;
  if (goldField === null || gold === null) return null;
  const { labels, format } = document.info;
  const named = (name: string) => labels.find((each) => each.label === name)?.id;
  // Where a file beside it names the labels, the file itself writes ids.
  const isNamed = named(gold) !== undefined;
  const value = isNamed ? named(label) : label;
  if (value === undefined) return null;
  for (const text of waysToWriteLabel(value, document.rawText(example, goldField), format)) {
    const change = { start: goldField.start, end: goldField.end, text };
    const changes = proved(document, example, [change], (former, after) =>
      isSameRow(former, after, former === example ? { labels: [label, value] } : {}),
    );
    if (changes !== null) return changes;
  }
  return null;
}

function textReplacement(document: DatasetDocument, example: Example, parts: readonly TextPart[]): TextChange[] | null {
  const { format } = document.info;
  const field = document.rawText(example, example.textField);
  const changes: OffsetChange[] = [];
  for (const { span, text } of parts) {
    const raw = toDocument(example.map, span.start, span.end);
    // A unit that is written by several text characters (an escaped pair) is changed as a whole.
    const former = changes.at(-1);
    if (former !== undefined && raw.start < former.end) return null;
    const written = writtenText(text, field, document.rawText(example, raw), format);
    changes.push({ start: raw.start, end: raw.end, text: written });
  }
  // Other examples of the record may be of the same text.
  const isOfThis = ({ textField, text }: Example) =>
    textField.start === example.textField.start && text === example.text;
  return proved(document, example, changes, (former, after) =>
    isSameRow(former, after, isOfThis(former) ? changedText(former, parts) : {}),
  );
}

/** Moves the ends of all entities of a row that this mends. */
function movedEnds(document: DatasetDocument, example: Example, by: 1 | -1): TextChange[] | null {
  const ends = new Map<number, Span>();
  for (const { misfits } of document.rowOf(example).examples) {
    for (const { end, endShift } of misfits ?? []) if (endShift === by && end !== null) ends.set(end.start, end);
  }
  const inOrder = [...ends.values()].sort((a, b) => a.start - b.start);
  return withEndsMoved(document, example, inOrder, by);
}

/** Nothing but the entities may change, and they have to be nearer to what the row says of them. */
function withEndsMoved(
  document: DatasetDocument,
  example: Example,
  ends: readonly Span[],
  by: 1 | -1,
): TextChange[] | null {
  const changes: OffsetChange[] = [];
  for (const end of ends) {
    const text = movedEnd(document.rawText(example, end), by);
    if (text === null) return null;
    changes.push({ start: end.start, end: end.end, text });
  }
  const starts = new Set(ends.map(({ start }) => start));
  return proved(document, example, changes, (former, after) => {
    const left = (former.misfits ?? []).filter(({ end }) => end === null || !starts.has(end.start));
    if ((after.misfits?.length ?? 0) > left.length) return false;
    const { spans } = after;
    return isSameRow(former, after, spans === null ? {} : { spans, mentions: after.mentions });
  });
}

/** Records that are longer (all of a file as an object of columns) are not read again for each of their findings. */
const MAX_PROVED_UNITS = 200_000;

/** The changes (relative to the record) in the document, if each example of the record becomes what was meant, and nothing is wrong that was not. */
function proved(
  document: DatasetDocument,
  example: Example,
  changes: readonly OffsetChange[],
  isMeant: (former: Example, after: ReadExample) => boolean,
): TextChange[] | null {
  if (changes.length === 0) return null;
  const before = document.rowOf(example);
  if (before.length > MAX_PROVED_UNITS) return null;
  const after = document.rowAfter(example, changes);
  if (after === null || after.examples.length !== before.examples.length) return null;
  if (after.problems.length !== before.problems.length) return null;
  if (!before.examples.every((former, index) => isMeant(former, after.examples[index]!))) return null;
  return changes.map(({ start, end, text }) => ({ range: document.fieldRange(example, { start, end }), text }));
}
