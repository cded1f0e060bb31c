import { afterLineBreak, lineEnd } from '../text/lines';
import { goldNameScore, isLabelValue, textNameScore } from './column-names';
import { wordCount } from './columns';
import { type Dialect, fieldValue, nextRecord, recordFields } from './delimited-scanner';
import { textCell } from './sample-row';

/** What stands above the rows of a table: comments, a title, the names of its columns. */

/** More records above a header than any title has. */
const MAX_TITLE_RECORDS = 10;
/** Longer records are neither a title nor a header. */
const MAX_TITLE_UNITS = 2000;

/**
 * How many records stand above one that names a text and a label: a title, comments. What has as many cells as the header and is no
 * comment is a row; one such alone may be a title ("Reviews, 2024"), more of them are not.
 */
export function titleRecords(text: string, dialect: Dialect): number {
  const above: { width: number; isComment: boolean }[] = [];
  for (let offset = firstRecord(text, dialect, 0); above.length <= MAX_TITLE_RECORDS; ) {
    const record = nextRecord(text, offset, dialect);
    if (record === null || record.end - record.start > MAX_TITLE_UNITS) return 0;
    const cells = recordFields(text, record.start, record.end, dialect).map((field) =>
      fieldValue(text, field, dialect),
    );
    if (cells.length > 1 && cells.every(isShort) && namesTextAndLabel(cells)) {
      const rows = above.filter(({ width, isComment }) => !isComment && width === cells.length).length;
      return rows > 1 || nextRecord(text, record.next, dialect) === null ? 0 : above.length;
    }
    above.push({ width: cells.length, isComment: /^\s*(?:#|\/\/|%)/.test(cells[0]!) });
    offset = record.next;
  }
  return 0;
}

/**
 * Where the first record begins: behind `sep=;`, which spreadsheets write for each other, behind comments that hold no delimiter, and
 * behind so many records of a title.
 */
export function firstRecord(text: string, dialect: Dialect, title: number): number {
  let start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (start < text.length) {
    const end = lineEnd(text, start);
    const line = text.slice(start, end);
    const isComment = line.startsWith('#') && !line.includes(dialect.delimiter);
    if (line.toLowerCase() !== `sep=${dialect.delimiter}` && !isComment) break;
    start = afterLineBreak(text, end);
  }
  for (let count = 0; count < title; count++) start = nextRecord(text, start, dialect)?.next ?? start;
  return start;
}

export function commonWidth(records: readonly string[][]): number {
  const counts = new Map<number, number>();
  for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1);
  return [...counts].reduce((a, b) => (b[1] > a[1] ? b : a))[0];
}

/** Whether cells name a text and its label: they are surely a header. */
export function namesTextAndLabel(cells: readonly string[]): boolean {
  return cells.some((cell) => textNameScore(cell) > 0.5) && cells.some((cell) => goldNameScore(cell) > 0.4);
}

function isShort(cell: string): boolean {
  return cell.length <= 60;
}

/** Whether the first record names the columns. */
export function isHeader(records: readonly string[][], width: number, surelyHeader: boolean): boolean {
  const first = records[0]!.map((cell) => cell.trim());
  if (
    first.length !== width ||
    first.some((cell) => !isShort(cell) || textCell(cell).kind === 'number' || isLabelValue(cell))
  )
    return false;
  const blank = first.filter((cell) => cell === '').length;
  const below = records.slice(1);
  if (blank === first.length || (blank > 1 && !surelyHeader && !standAboveTexts(first, below))) return false;
  if (first.some((cell) => textNameScore(cell) > 0 || goldNameScore(cell) > 0.4)) return true;
  // Names are short, and none is a value of its own column.
  if (first.some((cell) => cell.split(/\s+/).length > 3)) return false;
  return first.every((cell, column) => cell === '' || !below.some((record) => record[column]?.trim() === cell));
}

/**
 * Whether the first cells, all others of which are empty, may be names that say nothing (`v1,v2,,,`): single words, one of them above
 * texts of several.
 */
function standAboveTexts(first: readonly string[], below: readonly string[][]): boolean {
  const names = first.slice(0, first.findLastIndex((cell) => cell !== '') + 1);
  if (!names.every((cell) => /^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(cell))) return false;
  return names.some((_, column) => {
    const texts = below.filter((record) => wordCount(record[column] ?? '') > 1).length;
    return texts > 1 && texts >= below.length * 0.9;
  });
}

/** The header's words; an empty or repeated one is named by its number, `#3`. */
export function headerNames(first: readonly string[]): string[] {
  const seen = new Set<string>();
  return first.map((cell, column) => {
    const name = cell.trim();
    if (name === '' || seen.has(name)) return `#${column + 1}`;
    seen.add(name);
    return name;
  });
}

export function numberedNames(width: number): string[] {
  return Array.from({ length: width }, (_, column) => `#${column + 1}`);
}
