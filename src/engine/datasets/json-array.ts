import type { ColumnChoice } from '../../protocol/dataset';
import { afterLineBreak, lineEnd } from '../text/lines';
import { SAMPLE_ROWS } from './columns';
import { type Cut, type Format, type Place, problemAt, type Reading, type Refusal, type Sample } from './format';
import {
  firstKeyAt,
  listEndBefore,
  type RowFinder,
  type RowShape,
  rowBehindList,
  rowFinder,
  sampledShape,
} from './json-row-starts';
import { jsonRows, noValidRow } from './json-rows';
import { jsonFields, sampleJsonRow } from './json-sample';
import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  COMMA,
  JsonError,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
  SLASH,
  skipMark,
  skipSpace,
  valueEnd,
  visitMembers,
} from './json-scanner';
import type { SampleRow } from './sample-row';

/** A JSON array of objects, on one line or pretty-printed: each element is a record. */
export const jsonArray: Format = { id: 'json', detect };

/** Behind the list's end, or behind a fault after which nothing can be told apart. */
export const AFTER = 'after';

function detect(sample: Sample, choice: ColumnChoice | null): Reading | Refusal | null {
  const { text } = sample;
  const opening = openingOf(text);
  if (text.charCodeAt(opening) !== OPEN_LIST) return null;
  const rows: SampleRow[] = [];
  const firstKeys = new Set<string>();
  let others = 0;
  /** What is wrong with the first object that is none. */
  let broken: JsonError | null = null;
  const cutSampled = elementCutter(sampledShape(text, opening));
  let place: Place = { offset: opening + 1, state: '' };
  while (rows.length + others < SAMPLE_ROWS) {
    const cut = cutSampled(text, place);
    if (cut === null || (!sample.complete && cut.looked >= text.length)) break;
    place = cut.next;
    if (cut.start === cut.end) continue;
    const first = skipSpace(text, cut.start, cut.end);
    try {
      if (text.charCodeAt(first) === OPEN_OBJECT) {
        rows.push(sampleJsonRow(text, first, cut.end).row);
        addFirstKey(firstKeys, text, first);
      } else if (valueEnd(text, first, cut.end) === cut.end) {
        others++;
      }
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      if (text.charCodeAt(first) === OPEN_OBJECT) broken ??= error;
    }
  }
  if (others > 0 && others >= rows.length) {
    return {
      refusal: `This looks like a JSON list of values, not of objects: nothing says which value is the text and which the label. Assay reads lists of rows such as [{"text": …, "label": …}, …].`,
    };
  }
  if (rows.length === 0) return broken === null ? null : noValidRow('a JSON list of objects', text, broken);
  const found = jsonRows(rows, choice, 'a JSON list of objects');
  if ('refusal' in found) return found;
  const { confidence, columns, candidates, detail, key, read } = found;
  const shape = shapeOf(firstKeys, columns, rows);
  return {
    format: 'json',
    confidence,
    detail: `JSON array, ${detail}`,
    columns,
    candidates,
    key: `json ${shapeKey(shape)} ${key}`,
    begin: (whole) => ({ offset: openingOf(whole) + 1, state: '' }),
    cut: elementCutter(shape),
    read,
    fields: jsonFields,
  };
}

/** How many keys that rows begin with are looked for behind a broken row. */
const MAX_FIRST_KEYS = 8;

export function addFirstKey(firstKeys: Set<string>, text: string, at: number): void {
  const key = firstKeys.size < MAX_FIRST_KEYS ? firstKeyAt(text, at) : null;
  if (key !== null) firstKeys.add(key);
}

/** What a file's rows look like, of sampled ones, the keys that they begin with, and the columns that were found. */
export function shapeOf(firstKeys: ReadonlySet<string>, { text }: ColumnChoice, rows: readonly SampleRow[]): RowShape {
  const keys = rows.map((row) => new Set([...row.keys()].map((name) => name.split('.')[0]!)));
  const common = [...(keys[0] ?? [])].filter((key) => !firstKeys.has(key) && keys.every((others) => others.has(key)));
  const ofText = text === undefined ? [] : [text.split('.')[0]!];
  return { firstKeys, needed: new Set(common.length > 0 ? common : ofText), shared: new Set() };
}

/** For the key of a reading: what a cut depends on beside the text. */
export function shapeKey({ firstKeys, needed, shared }: RowShape): string {
  return JSON.stringify([[...firstKeys].sort(), [...needed], [...shared].sort()]);
}

/** Cuts a list into its elements. A broken one ends where the next row of the shape begins. */
export function elementCutter(shape: RowShape): (text: string, place: Place) => Cut | null {
  const finder = rowFinder(shape);
  return (text, place) => cutElement(text, place, shape, finder);
}

/** As `elementCutter`, of a list that stands within an object; what stands behind the list is passed. */
export function cutterBelow(shape: RowShape): (text: string, place: Place) => Cut | null {
  const cut = elementCutter(shape);
  return (text, place) => {
    const start = skipMark(text, place.offset, text.length);
    const closes = place.state !== AFTER && text.charCodeAt(start) === CLOSE_LIST;
    return closes && !rowBehindList(text, skipMark(text, start + 1, text.length), shape).isRow
      ? null
      : cut(text, place);
  };
}

function cutElement(text: string, place: Place, shape: RowShape, finder: RowFinder): Cut | null {
  const length = text.length;
  let start = skipMark(text, place.offset, length);
  let { state } = place;
  if (state !== AFTER && text.charCodeAt(start) === CLOSE_LIST) {
    const bracket = start;
    start = skipMark(text, start + 1, length);
    const behind = rowBehindList(text, start, shape);
    if (behind.isRow) {
      const message = 'A ] stands here, and rows follow it: they are read as well.';
      return { ...passed(text, bracket, behind.comma + 1, '', message), looked: behind.looked };
    }
    state = AFTER;
  }
  const comment = start < length ? commentEnd(text, start) : null;
  if (comment !== null) return passed(text, start, comment, state, 'JSON has no comments: this one is passed over.');
  if (state === AFTER) {
    if (start === length) return null;
    return text.charCodeAt(start) === OPEN_LIST
      ? passed(text, start, start + 1, '', 'Another JSON array begins here: its rows are read as well.')
      : restOfText(text, start, 'Something follows the end of the JSON array');
  }
  if (text.charCodeAt(start) === COMMA) {
    return passed(text, start, start + 1, '', 'A row should stand before this comma.');
  }
  if (start === length) {
    const problem = problemAt(
      'assay/unreadable-row',
      'The JSON array is not closed: the file ends where a ] or another row should stand.',
      0,
      0,
    );
    return { start, end: start, next: { offset: length, state: AFTER }, looked: length, problem };
  }
  let end: number;
  try {
    end = valueEnd(text, start, length);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return cutBroken(text, { from: place.offset, start, fault: error.offset }, shape, finder);
  }
  const isRest = text.charCodeAt(start) !== OPEN_OBJECT && !endsElement(text, end);
  // The rest of a row that has lost its bracket.
  if (!isRest) return cutAfter(text, start, end);
  const next = finder(text, start, end);
  return next === null ? { ...cutAfter(text, start, end), looked: length } : cutBefore(text, start, next);
}

/** Where the list opens, behind marks and comments. */
function openingOf(text: string): number {
  let at = skipMark(text, 0, text.length);
  for (let end = commentEnd(text, at); end !== null; end = commentEnd(text, at)) at = skipMark(text, end, text.length);
  return at;
}

/** The offset behind the comment that starts at `at`; the text's end if it is not closed, null if there is none. */
function commentEnd(text: string, at: number): number | null {
  if (text.charCodeAt(at) !== SLASH) return null;
  if (text[at + 1] === '/') return lineEnd(text, at);
  if (text[at + 1] !== '*') return null;
  const close = text.indexOf('*/', at + 2);
  return close === -1 ? text.length : close + 2;
}

/** A cut that holds nothing to read: what stands at [start, end) is passed, and told. */
function passed(text: string, start: number, end: number, state: string, message: string): Cut {
  const problem = problemAt('assay/unreadable-row', message, 0, end - start, 'warning');
  return { start, end: start, next: { offset: end, state }, looked: Math.min(end + 1, text.length), problem };
}

/** The cut of an element that ends at `end`: on to the comma; where there is none, the next place is the element's end. */
function cutAfter(text: string, start: number, end: number): Cut {
  const next = skipSpace(text, end, text.length);
  const unit = text.charCodeAt(next);
  if (unit === COMMA) return { start, end, next: { offset: next + 1, state: '' }, looked: next + 1, problem: null };
  const closes = unit === CLOSE_LIST || next === text.length;
  const problem = closes
    ? null
    : problemAt(
        'assay/unreadable-row',
        'A comma should stand between this row and the next.',
        end - start - 1,
        end - start,
        'warning',
      );
  return { start, end, next: { offset: end, state: '' }, looked: Math.min(next + 1, text.length), problem };
}

export function restOfText(text: string, start: number, what: string): Cut {
  const { length } = text;
  const problem = problemAt('assay/unreadable-row', `${what}. It is left out.`, 0, lineEnd(text, start) - start);
  return { start, end: start, next: { offset: length, state: AFTER }, looked: length, problem };
}

/** Whether what stands at `end` may follow an element. */
function endsElement(text: string, end: number): boolean {
  const unit = text.charCodeAt(skipSpace(text, end, text.length));
  return Number.isNaN(unit) || unit === COMMA || unit === CLOSE_LIST;
}

interface Broken {
  /** The place it is cut from. */
  readonly from: number;
  readonly start: number;
  /** Where it was found to be no JSON. */
  readonly fault: number;
}

/**
 * The cut of an element that is no JSON. Where an element a line or more is the file's way, the next element begins on a line that is
 * indented alike; else where an object begins as rows do; of the last one, where the brackets close. A file of faults takes no longer than
 * another one.
 */
function cutBroken(text: string, { from, start, fault }: Broken, shape: RowShape, finder: RowFinder): Cut {
  const { length } = text;
  const indent = indentBefore(text, from, start);
  const cut = indent === null ? null : cutAtLine(text, start, fault, indent);
  if (cut !== null) return cut;
  const next = finder(text, start, fault);
  const closed = indent === null ? bracketsEnd(text, start, next?.at ?? length) : null;
  if (next === null) {
    // It was looked for rows to the end of the text.
    if (closed !== null) return { ...cutAfter(text, start, closed), looked: length };
    const end = trimmedEnd(text, start, length);
    return { start, end, next: { offset: length, state: AFTER }, looked: length, problem: null };
  }
  // Rows that begin otherwise may stand between.
  const behind = closed === null ? null : rowBehind(text, closed, shape.needed);
  // For a line it was looked to the end of the text.
  const looked = indent === null ? Math.max(next.looked, behind?.looked ?? 0) : length;
  return closed !== null && behind?.isRow === true
    ? { ...cutAfter(text, start, closed), looked }
    : { ...cutBefore(text, start, next), looked };
}

/** The cut that ends before the row at `next`, or before the end of the list where that row is the first of another one. */
function cutBefore(text: string, start: number, next: { at: number; looked: number }): Cut {
  const at = listEndBefore(text, start, next.at) ?? next.at;
  // A line break before it is left to the next element, which is to see that it begins a line.
  const indent = indentBefore(text, start, at);
  const offset = indent === null ? at : at - indent.length - 1;
  return { start, end: trimmedEnd(text, start, at), next: { offset, state: '' }, looked: next.looked, problem: null };
}

/** Whether a whole object with one of the keys stands behind the comma that follows, and how far the text was looked at to tell. */
function rowBehind(text: string, end: number, needed: ReadonlySet<string>): { isRow: boolean; looked: number } {
  const comma = skipSpace(text, end, text.length);
  const at = skipSpace(text, comma + 1, text.length);
  const looked = (offset: number) => Math.min(offset + 1, text.length);
  if (text.charCodeAt(comma) !== COMMA || text.charCodeAt(at) !== OPEN_OBJECT)
    return { isRow: false, looked: looked(at) };
  let isRow = false;
  try {
    const stop = visitMembers(text, at, text.length, (keyStart, keyEnd) => {
      if (needed.has(text.slice(keyStart, keyEnd))) isRow = true;
    });
    return { isRow, looked: looked(stop) };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { isRow: false, looked: looked(error.offset) };
  }
}

/** The cut that ends before the next line that is indented as the broken element is, and begins as one; null: there is none. */
function cutAtLine(text: string, start: number, fault: number, indent: string): Cut | null {
  const { length } = text;
  // What was found to be no part of the element may be the next one.
  let line = fault - indent.length;
  const isLine = line > start && (text[line - 1] === '\n' || text[line - 1] === '\r');
  if (!isLine) line = afterLineBreak(text, lineEnd(text, fault));
  while (line < length) {
    const at = line + indent.length;
    const unit = text.charCodeAt(at);
    const isNext = text.startsWith(indent, line) && (unit === OPEN_OBJECT || unit === OPEN_LIST);
    const closing = skipSpace(text, line, Math.min(at + 1, length));
    if (isNext || text.charCodeAt(closing) === CLOSE_LIST) {
      return {
        start,
        end: trimmedEnd(text, start, line),
        // Its line break is left to the next element, which is to see that it begins a line.
        next: { offset: line - 1, state: '' },
        looked: at + 1,
        problem: null,
      };
    }
    line = afterLineBreak(text, lineEnd(text, line));
  }
  return null;
}

/** The white space between an element and the start of its line; null if it does not begin a line behind `from`. */
function indentBefore(text: string, from: number, start: number): string | null {
  let at = start;
  while (at > from && (text[at - 1] === ' ' || text[at - 1] === '\t')) at--;
  return at > from && (text[at - 1] === '\n' || text[at - 1] === '\r') ? text.slice(at, start) : null;
}

/** Where the brackets that open at `at` close, before `limit`, whatever stands between them; a string ends with its line at the latest. */
export function bracketsEnd(text: string, at: number, limit: number): number | null {
  let depth = 0;
  let inString = false;
  for (let offset = at; offset < limit; offset++) {
    const unit = text.charCodeAt(offset);
    if (inString) {
      if (unit === 92) offset++;
      else if (unit === QUOTE || unit === 10 || unit === 13) inString = false;
    } else if (unit === QUOTE) {
      inString = true;
    } else if (unit === OPEN_OBJECT || unit === OPEN_LIST) {
      depth++;
    } else if (unit === CLOSE_OBJECT || unit === CLOSE_LIST) {
      depth--;
      if (depth === 0) return offset + 1;
      if (depth < 0) return null;
    }
  }
  return null;
}

/** Without the comma and white space at the end. */
export function trimmedEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && /[\s,]/.test(text[at - 1]!)) at--;
  return Math.max(at, Math.min(start + 1, end));
}
