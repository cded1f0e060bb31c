import type { ColumnChoice, Span } from '../../protocol/dataset';
import { checkChoice, columnCandidates, guessColumns, SAMPLE_ROWS } from './columns';
import { type Format, noProblems, type Place, type Reading, type Row, type Sample, unreadable } from './format';
import { cutterBelow, elementCutter } from './json-array';
import { exampleAt } from './json-example';
import { visitOpenMembers } from './json-open-members';
import { notJson } from './json-row-reader';
import { unknownShape } from './json-row-starts';
import { cellOf } from './json-sample';
import { JsonError, listValues, OPEN_LIST, OPEN_OBJECT, QUOTE, skipMark, skipSpace, valueEnd } from './json-scanner';
import { stringValue } from './json-text';
import { cutLine } from './jsonl';
import { type Cell, plainValues, type SampleRow } from './sample-row';

/**
 * Rows that are JSON lists, `["a text", "label"]`: in a JSON list, or one a line; their columns are numbered, `#1`. Or below "data" in an
 * object that names them, as pandas writes it (`orient="split"`): `{"columns": ["text", "label"], "index": [0], "data": [[…]]}`.
 */
export const jsonLists: Format = { id: 'json', detect };

function detect(sample: Sample, choice: ColumnChoice | null): Reading | null {
  const { text } = sample;
  const opening = skipMark(text, 0, text.length);
  const named = namedColumns(text, opening);
  if (named === null && text.charCodeAt(opening) !== OPEN_LIST) return null;
  const isNested = named !== null || text.charCodeAt(skipMark(text, opening + 1, text.length)) === OPEN_LIST;
  const begin = (whole: string): Place => {
    if (named !== null) return { offset: dataStart(whole) ?? whole.length, state: '' };
    return { offset: isNested ? skipMark(whole, 0, whole.length) + 1 : 0, state: '' };
  };
  const cut = named !== null ? cutterBelow(unknownShape) : isNested ? elementCutter(unknownShape) : cutLine;
  const rows: SampleRow[] = [];
  let others = 0;
  let width = 0;
  for (let place = begin(text); rows.length + others < SAMPLE_ROWS; ) {
    const found = cut(text, place);
    if (found === null || (!sample.complete && found.looked >= text.length)) break;
    place = found.next;
    if (found.start === found.end) continue;
    const row = sampleRow(text, found.start, found.end, named);
    if (row === null) others++;
    else rows.push(row);
    width = Math.max(width, row?.size ?? 0);
  }
  if (rows.length < 2 || rows.length < others || width > MAX_COLUMNS) return null;
  const names = named ?? Array.from({ length: width }, (_, index) => `#${index + 1}`);
  if (choice !== null) checkChoice(choice, names);
  const guess = choice === null ? guessColumns(names, rows, named !== null) : { columns: choice, confidence: 1 };
  if (guess === null || (choice === null && guess.columns.gold === undefined)) return null;
  const { columns, confidence } = guess;
  return {
    format: isNested ? 'json' : 'jsonl',
    confidence,
    detail: named !== null ? 'JSON, "columns" and "data"' : `${isNested ? 'JSON array' : 'JSON Lines'} of lists`,
    columns,
    candidates: columnCandidates(names, rows),
    key: JSON.stringify(['lists', isNested, named, columns]),
    begin,
    cut,
    read: (whole, start, end) => readList(whole, start, end, columns, names),
    fields: (whole, start, end) => {
      const row = sampleRow(whole, start, end, named);
      return row === null ? null : plainValues(row);
    },
  };
}

/** The columns that an object names, in which the rows stand below "data"; null if it is none of that kind. */
function namedColumns(text: string, opening: number): string[] | null {
  if (text.charCodeAt(opening) !== OPEN_OBJECT) return null;
  let names: string[] | null = null;
  visitOpenMembers(text, opening, (key, start) => {
    if (key !== 'columns') return true;
    names = stringsAt(text, start);
    return false;
  });
  const start = dataStart(text);
  const isRows = start !== null && text.charCodeAt(skipSpace(text, start, text.length)) === OPEN_LIST;
  return isRows ? names : null;
}

/** The values of a list of different strings; null if it is none. */
function stringsAt(text: string, start: number): string[] | null {
  try {
    const stop = valueEnd(text, start, text.length);
    if (text.charCodeAt(start) !== OPEN_LIST) return null;
    const values = listValues(text, start, stop);
    const strings: string[] = [];
    for (let index = 0; index < values.length; index += 2) {
      if (text.charCodeAt(values[index]!) !== QUOTE) return null;
      strings.push(stringValue(text, values[index]!, values[index + 1]!));
    }
    return new Set(strings).size === strings.length ? strings : null;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return null;
  }
}

/** Behind the bracket of the list below "data". */
function dataStart(text: string): number | null {
  let found: number | null = null;
  visitOpenMembers(text, skipMark(text, 0, text.length), (key, start) => {
    if (key !== 'data' || text.charCodeAt(start) !== OPEN_LIST) return true;
    found = start + 1;
    return false;
  });
  return found;
}

/** Lists with more values are no rows. */
const MAX_COLUMNS = 50;

/** The cells of a list of two or more values; null: it is none. */
function sampleRow(text: string, start: number, end: number, named: readonly string[] | null): SampleRow | null {
  const first = skipMark(text, start, end);
  if (text.charCodeAt(first) !== OPEN_LIST) return null;
  try {
    const stop = valueEnd(text, first, end);
    const values = listValues(text, first, stop);
    if (values.length < 4 || values.length > MAX_COLUMNS * 2) return null;
    const row = new Map<string, Cell>();
    for (let index = 0; index < values.length; index += 2) {
      const cell = cellOf(text, values[index]!, values[index + 1]!);
      if (cell?.kind === 'other') return null;
      row.set(named?.[index / 2] ?? `#${index / 2 + 1}`, cell ?? { kind: 'text', value: '' });
    }
    return row;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return null;
  }
}

function readList(text: string, start: number, end: number, columns: ColumnChoice, names: readonly string[]): Row {
  const first = skipMark(text, start, end);
  let values: number[];
  try {
    const stop = valueEnd(text, first, end);
    const after = skipSpace(text, stop, end);
    if (after < end) throw new JsonError('something follows the list on its row', after);
    if (text.charCodeAt(first) !== OPEN_LIST)
      return unreadable('The row is no JSON list [ … ]. It is left out.', first - start, end - start);
    values = listValues(text, first, stop);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return notJson(text, error, start, end);
  }
  const place = (name: string | undefined): Span | null => {
    const index = name === undefined ? -1 : names.indexOf(name);
    return index < 0 || index * 2 >= values.length ? null : { start: values[index * 2]!, end: values[index * 2 + 1]! };
  };
  const parts = { text: place(columns.text), gold: place(columns.gold), id: place(columns.id) };
  if (parts.text === null) {
    return unreadable(
      `The row has ${values.length / 2} value${values.length === 2 ? '' : 's'}, none of them the text, ${columns.text}. It is left out.`,
      first - start,
      end - start,
    );
  }
  const { example, problem } = exampleAt(text, start, { ...parts, text: parts.text });
  return { examples: example === null ? [] : [example], problems: problem === null ? noProblems : [problem] };
}
