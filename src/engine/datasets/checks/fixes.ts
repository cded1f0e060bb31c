import type { FileRange, FormatId, Span, TextChange } from '../../../protocol/dataset';
import { toDocument } from '../../text/offset-map';
import type { Example } from '../dataset';
import type { DatasetDocument } from '../document';
import type { OffsetChange } from '../edits';
import type { ReadExample, Row } from '../format';
import type { CheckFinding, Fix, TextPart } from './finding';

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
export function changesOf(document: DatasetDocument, { example, fix }: CheckFinding): TextChange[] | null {
  if (fix === null || !document.has(example)) return null;
  switch (fix.kind) {
    case 'remove-row':
      return removal(document, example);
    case 'relabel':
      return relabelling(document, example, fix.label);
    case 'replace-text':
      return textReplacement(document, example, fix.parts);
    case 'add-to-number':
      return correctedNumber(document, example, fix.digits, fix.by);
  }
}

/** What stands beside the text is said of it by its offsets (BRAT), or a row is only a part of a document. */
const rowsBelongTogether: ReadonlySet<FormatId> = new Set(['brat', 'docred', 'scierc', 'spert', 'parquet']);

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
  const raw = document.rawText(example, goldField);
  for (const text of waysToWrite(value, raw, format)) {
    const change = { start: goldField.start, end: goldField.end, text };
    const changes = proved(document, example, [change], (after) => isSameBut(example, after, { gold: label, value }));
    if (changes !== null) return changes;
  }
  return null;
}

/** A value as it may be written in the place of another, likeliest first. */
function waysToWrite(value: string, former: string, format: FormatId): string[] {
  if (former.startsWith('"')) {
    return format === 'csv' ? [`"${value.replaceAll('"', '""')}"`] : [JSON.stringify(value)];
  }
  if (format === 'csv') return [value, `"${value.replaceAll('"', '""')}"`];
  if (format === 'semeval2014-xml') return [escapedXml(value)];
  const isJsonNumber = /^-?\d+(\.\d+)?$/.test(former);
  if (isJsonNumber && !/^-?\d+(\.\d+)?$/.test(value)) return [value, JSON.stringify(value)];
  return [former.startsWith('__label__') ? `__label__${value}` : value];
}

function textReplacement(document: DatasetDocument, example: Example, parts: readonly TextPart[]): TextChange[] | null {
  const { format } = document.info;
  const changes: OffsetChange[] = [];
  let expected = '';
  let at = 0;
  for (const { span, text } of parts) {
    expected += example.text.slice(at, span.start) + text;
    at = span.end;
    const raw = toDocument(example.map, span.start, span.end);
    const written = writtenText(text, document.rawText(example, example.textField), format);
    // A unit that is written by several text characters (an escaped pair) is changed as a whole.
    const former = changes.at(-1);
    if (former !== undefined && raw.start < former.end) return null;
    changes.push({ start: raw.start, end: raw.end, text: written });
  }
  expected += example.text.slice(at);
  return proved(document, example, changes, (after) => isSameBut(example, after, { text: expected, parts }));
}

/** Text as the format writes it within a text. */
function writtenText(text: string, field: string, format: FormatId): string {
  if (format === 'csv') return field.startsWith('"') ? text.replaceAll('"', '""') : text;
  if (format === 'semeval2014-xml') return escapedXml(text);
  return /^["[]/.test(field) ? JSON.stringify(text).slice(1, -1) : text;
}

function escapedXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** The row has to be nearer to what it says of its entities than before. */
function correctedNumber(document: DatasetDocument, example: Example, digits: Span, by: number): TextChange[] | null {
  const raw = document.rawText(example, digits);
  if (!/^\d{1,9}$/.test(raw)) return null;
  const change = { start: digits.start, end: digits.end, text: String(Number(raw) + by) };
  const misfitCount = (row: Pick<Example, 'misfits'> | ReadExample) => row.misfits?.length ?? 0;
  return proved(document, example, [change], (after) => {
    const row = after.examples[0];
    return row !== undefined && isSameBut(example, after, {}) && misfitCount(row) < misfitCount(example);
  });
}

/** The changes (relative to the record) in the document, if the row they leave is what was meant. */
function proved(
  document: DatasetDocument,
  example: Example,
  changes: readonly OffsetChange[],
  isMeant: (after: Row) => boolean,
): TextChange[] | null {
  if (changes.length === 0 || !isMeant(document.rowAfter(example, changes))) return null;
  return changes.map(({ start, end, text }) => ({ range: rangeOf(document, example, { start, end }), text }));
}

function rangeOf(document: DatasetDocument, example: Example, span: Span): FileRange {
  return document.fieldRange(example, span);
}

interface Meant {
  text?: string;
  parts?: readonly TextPart[];
  /** The label, and what the file writes for it. */
  gold?: string;
  value?: string;
}

/** Whether a row holds the one example as it was but for what was meant, and tells of nothing wrong. */
function isSameBut(former: Example, { examples, problems }: Row, meant: Meant): boolean {
  const [after, ...more] = examples;
  if (after === undefined || more.length > 0 || problems.length > 0) return false;
  const { text = former.text, gold = former.gold, value } = meant;
  if (after.text !== text || (after.gold !== gold && (value === undefined || after.gold !== value))) return false;
  if (after.id !== null && after.id !== former.id) return false;
  // An entity's end that is moved changes its words: that is what is meant.
  return meant.parts === undefined || entitiesAreKept(former, after, meant.parts);
}

/** The words of head, tail and aspect are what they were, changed as the text was. */
function entitiesAreKept(former: Example, after: ReadExample, parts: readonly TextPart[]): boolean {
  const words = (text: string, span: Span | null | undefined) =>
    span === null || span === undefined ? null : text.slice(span.start, span.end);
  const changed = (span: Span | null): string | null => {
    if (span === null) return null;
    let result = '';
    let at = span.start;
    for (const { span: part, text } of parts) {
      if (part.end <= span.start || part.start >= span.end) continue;
      result += former.text.slice(at, Math.max(at, part.start)) + text;
      at = part.end;
    }
    return result + former.text.slice(at, Math.max(at, span.end));
  };
  return (
    changed(former.spans?.head ?? null) === words(after.text, after.spans?.head) &&
    changed(former.spans?.tail ?? null) === words(after.text, after.spans?.tail) &&
    changed(former.aspect) === words(after.text, after.aspect)
  );
}
