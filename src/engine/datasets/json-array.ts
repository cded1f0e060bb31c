import type { ColumnChoice } from '../../protocol/dataset';
import { afterLineBreak, lineEnd } from '../text/lines';
import { SAMPLE_ROWS } from './columns';
import { type Cut, type Format, type Place, problemAt, type Reading, type Refusal, type Sample } from './format';
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
  let others = 0;
  /** What is wrong with the first object that is none. */
  let broken: JsonError | null = null;
  let place: Place = { offset: opening + 1, state: '' };
  while (rows.length + others < SAMPLE_ROWS) {
    const cut = cutElement(text, place);
    if (cut === null || (!sample.complete && cut.looked >= text.length)) break;
    place = cut.next;
    if (cut.start === cut.end) continue;
    const first = skipSpace(text, cut.start, cut.end);
    try {
      if (text.charCodeAt(first) === OPEN_OBJECT) rows.push(sampleJsonRow(text, first, cut.end).row);
      else if (valueEnd(text, first, cut.end) === cut.end) others++;
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
  return {
    format: 'json',
    confidence,
    detail: `JSON array, ${detail}`,
    columns,
    candidates,
    key: `json ${key}`,
    begin: (whole) => ({ offset: openingOf(whole) + 1, state: '' }),
    cut: cutElement,
    read,
    fields: jsonFields,
  };
}

/** An element of a list that stands within an object; what stands behind the list is passed. */
export function cutBelow(text: string, place: Place): Cut | null {
  const start = skipMark(text, place.offset, text.length);
  return place.state !== AFTER && text.charCodeAt(start) === CLOSE_LIST ? null : cutElement(text, place);
}

export function cutElement(text: string, place: Place): Cut | null {
  const length = text.length;
  let start = skipMark(text, place.offset, length);
  let { state } = place;
  if (state !== AFTER && text.charCodeAt(start) === CLOSE_LIST) {
    start = skipMark(text, start + 1, length);
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
    return cutBroken(text, place.offset, start, error.offset);
  }
  return cutAfter(text, start, end);
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

/**
 * The cut of an element that is no JSON, found out at `fault`. Where an element a line or more is the file's way, the next element
 * begins on a line that is indented alike; else where the brackets close. Looks at no character twice, so that a file of
 * faults takes no longer. `from` is the place it is cut from.
 */
function cutBroken(text: string, from: number, start: number, fault: number): Cut {
  const { length } = text;
  const indent = indentBefore(text, from, start);
  if (indent === null) {
    const end = bracketsEnd(text, start);
    if (end !== null) return cutAfter(text, start, end);
  } else {
    let line = afterLineBreak(text, lineEnd(text, fault));
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
  }
  return {
    start,
    end: trimmedEnd(text, start, length),
    next: { offset: length, state: AFTER },
    looked: length,
    problem: null,
  };
}

/** The white space between an element and the start of its line; null if it does not begin a line behind `from`. */
function indentBefore(text: string, from: number, start: number): string | null {
  let at = start;
  while (at > from && (text[at - 1] === ' ' || text[at - 1] === '\t')) at--;
  return at > from && (text[at - 1] === '\n' || text[at - 1] === '\r') ? text.slice(at, start) : null;
}

/** Where the brackets that open at `at` close, whatever stands between them; a string ends with its line at the latest. */
function bracketsEnd(text: string, at: number): number | null {
  let depth = 0;
  let inString = false;
  for (let offset = at; offset < text.length; offset++) {
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
function trimmedEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && /[\s,]/.test(text[at - 1]!)) at--;
  return Math.max(at, Math.min(start + 1, end));
}
