import type { ColumnChoice } from '../../protocol/dataset';
import { lineEnd } from '../text/lines';
import { isSurelyLabelled, SAMPLE_ROWS } from './columns';
import { type Cut, type Format, type Place, problemAt, type Reading, type Row, type Sample } from './format';
import { AFTER, addFirstKey, bracketsEnd, restOfText, shapeKey, shapeOf, trimmedEnd } from './json-array';
import {
  isRowAt,
  memberKeyBefore,
  type RowFinder,
  type RowShape,
  type RowStart,
  rowFinder,
  sampledShape,
  sharedOf,
} from './json-row-starts';
import { jsonRows } from './json-rows';
import { jsonFields, sampleJsonRow } from './json-sample';
import {
  afterKey,
  CLOSE_OBJECT,
  COMMA,
  JsonError,
  OPEN_OBJECT,
  skipMark,
  skipSpace,
  valueEnd,
  visitMembers,
} from './json-scanner';
import { stringValue } from './json-text';

import type { SampleRow } from './sample-row';

/** Rows by their ids in one JSON object: `{"17": {"text": …, "label": …}, "18": {…}}`, as pandas writes it (`orient="index"`). */
export const jsonKeyedRows: Format = { id: 'json', detect };

/** As sure as one must be of one object that it holds rows. */
const SURE = 0.9;

function detect(sample: Sample, choice: ColumnChoice | null): Reading | null {
  const { text } = sample;
  const opening = skipMark(text, 0, text.length);
  if (text.charCodeAt(opening) !== OPEN_OBJECT || isRowOfLines(text, opening)) return null;
  const first = skipSpace(text, opening + 1, text.length);
  // The first member is a row, or all is something else that is broken.
  if (!/^"(?:[^"\\]|\\.){0,200}"\s*:\s*[{"]/.test(text.slice(first, first + 300))) return null;
  const rows: SampleRow[] = [];
  const firstKeys = new Set<string>();
  let others = 0;
  let withKey = 0;
  const cutSampled = memberCutter(sampledShape(text, first));
  for (let place = begin(text); rows.length + others < SAMPLE_ROWS; ) {
    const cut = cutSampled(text, place);
    if (cut === null || (!sample.complete && cut.looked >= text.length)) break;
    const { state } = place;
    place = cut.next;
    if (cut.start === cut.end) continue;
    try {
      if (text.charCodeAt(cut.start) !== OPEN_OBJECT) others++;
      else {
        rows.push(sampleJsonRow(text, cut.start, cut.end).row);
        if (state.length > 1) withKey++;
        addFirstKey(firstKeys, text, cut.start);
      }
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
    }
  }
  if (rows.length < 2 || others >= rows.length || withKey < rows.length / 2) return null;
  const found = jsonRows(rows, choice, 'rows');
  if ('refusal' in found || (choice === null && !isSurelyLabelled(found.columns, rows))) return null;
  const { confidence, columns, candidates, detail, key, read } = found;
  // The parts of one row are objects too, but not alike.
  const alike = rows.filter((row) => row.has(columns.text ?? '') && row.has(columns.gold ?? '')).length;
  if (choice === null && alike < rows.length / 2) return null;
  const counts = new Map<string, number>();
  for (const row of rows) {
    const members = new Set([...row.keys()].map((name) => name.split('.')[0]!));
    for (const member of members) counts.set(member, (counts.get(member) ?? 0) + 1);
  }
  const shape = { ...shapeOf(firstKeys, columns, rows), shared: sharedOf(counts) };
  return {
    format: 'json',
    confidence: Math.max(confidence, SURE),
    detail: `JSON object of rows by their ids, ${detail}`,
    columns,
    candidates,
    key: JSON.stringify(['keyed rows', shapeKey(shape), key]),
    begin,
    cut: memberCutter(shape),
    read: (whole, start, end, state) => named(read(whole, start, end), state.slice(1)),
    fields: jsonFields,
  };
}

/** Whether the object is followed by another one, or breaks on its line while others follow on theirs: then it is a row itself. */
function isRowOfLines(text: string, opening: number): boolean {
  try {
    return text.charCodeAt(skipMark(text, valueEnd(text, opening, text.length), text.length)) === OPEN_OBJECT;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return error.offset <= lineEnd(text, opening) && /[\n\r][ \t]*\{/.test(text);
  }
}

function begin(text: string): Place {
  return { offset: skipMark(text, 0, text.length) + 1, state: '' };
}

/** The key is the id of a row that has no other. */
function named({ examples, problems }: Row, key: string): Row {
  return {
    examples: examples.map((example) => ({ ...example, id: example.id ?? (key === '' ? null : key) })),
    problems,
  };
}

/** Characters behind a } that are looked at for another row. */
const LOOKAHEAD = 400;
const memberBehind = /^[\s}]*,\s*"(?:[^"\\]|\\.){0,200}"\s*:\s*\{/;

/** Cuts the values of the members. The state of one is its key behind a bracket (`{17`). */
function memberCutter(shape: RowShape): (text: string, place: Place) => Cut | null {
  const finder = rowFinder(shape);
  return (text, place) => {
    const { length } = text;
    let { offset, state } = place;
    for (;;) {
      offset = skipSpace(text, offset, length);
      if (state === AFTER) {
        return offset === length ? null : restOfText(text, offset, 'Something follows the end of the JSON object');
      }
      if (state !== '') return cutValue(text, offset, shape, finder);
      const unit = text.charCodeAt(offset);
      if (unit === CLOSE_OBJECT) {
        if (memberBehind.test(text.slice(offset + 1, offset + LOOKAHEAD))) {
          const message = 'A } stands here, and rows follow it: they are read as well.';
          const problem = problemAt('assay/unreadable-row', message, 0, 1, 'warning');
          const looked = Math.min(offset + LOOKAHEAD, length);
          return { start: offset, end: offset, next: { offset: offset + 1, state: '' }, looked, problem };
        }
        state = AFTER;
      } else if (unit !== COMMA) return cutKey(text, offset, finder);
      offset++;
    }
  };
}

/** A cut that leads to the value whose key stands at `at`, or says what is wrong there. */
function cutKey(text: string, at: number, finder: RowFinder): Cut {
  const { length } = text;
  if (at === length) {
    const message = 'The JSON object is not closed: the file ends where a } or another row with its id should stand.';
    const problem = problemAt('assay/unreadable-row', message, 0, 0);
    return { start: at, end: at, next: { offset: at, state: AFTER }, looked: at, problem };
  }
  try {
    const { keyEnd, valueStart } = afterKey(text, at, length);
    const state = `{${stringValue(text, at, keyEnd)}`;
    return { start: at, end: at, next: { offset: valueStart, state }, looked: valueStart, problem: null };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const next = finder(text, at, error.offset);
    if (next === null) return restOfText(text, at, `Not valid JSON: ${error.message}`);
    const message = `Not valid JSON: ${error.message}. What stands before the next row is left out.`;
    const { offset, state } = placeOf(text, at, next);
    const problem = problemAt('assay/unreadable-row', message, 0, Math.max(1, offset - at));
    return { start: at, end: at, next: { offset, state }, looked: next.looked, problem };
  }
}

function cutValue(text: string, start: number, shape: RowShape, finder: RowFinder): Cut {
  const { length } = text;
  try {
    let end = start;
    /** The key of a row within the row, whose last bracket was lost. */
    let next = -1;
    if (text.charCodeAt(start) === OPEN_OBJECT) {
      end = visitMembers(text, start, length, (keyStart, keyEnd, at) => {
        if (next !== -1 || text.charCodeAt(at) !== OPEN_OBJECT) return;
        if (!shape.shared.has(text.slice(keyStart, keyEnd)) && isRowAt(text, at, shape)) next = keyStart - 1;
      });
    } else end = valueEnd(text, start, length);
    if (next !== -1) {
      const looked = Math.min(end + 1, length);
      return { start, end: trimmedEnd(text, start, next), next: { offset: next, state: '' }, looked, problem: null };
    }
    const behind = skipSpace(text, end, length);
    const unit = text.charCodeAt(behind);
    const isClosed = unit === COMMA || unit === CLOSE_OBJECT || behind === length;
    const message = 'A comma should stand between this row and the next.';
    const problem = isClosed
      ? null
      : problemAt('assay/unreadable-row', message, end - start - 1, end - start, 'warning');
    return { start, end, next: { offset: end, state: '' }, looked: Math.min(behind + 1, length), problem };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const next = finder(text, start, error.offset);
    if (next !== null) {
      const place = placeOf(text, start, next);
      return { start, end: trimmedEnd(text, start, place.offset), next: place, looked: next.looked, problem: null };
    }
    const closed = bracketsEnd(text, start, length);
    const end = closed ?? trimmedEnd(text, start, length);
    return {
      start,
      end,
      next: { offset: closed ?? length, state: closed === null ? AFTER : '' },
      looked: length,
      problem: null,
    };
  }
}

/** Where cutting goes on: at the key of the row that was found, or, where it has none, at the row. */
function placeOf(text: string, from: number, { at }: RowStart): Place {
  const key = memberKeyBefore(text, from, at);
  return key === null || key === from ? { offset: at, state: '{' } : { offset: key, state: '' };
}
