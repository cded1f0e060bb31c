import { afterLineBreak, lineEnd } from '../text/lines';
import { type OffsetMap, OffsetMapBuilder, plainMap } from '../text/offset-map';

/** How a table of delimited values is written. */
export interface Dialect {
  /** One character. */
  readonly delimiter: string;
  /** Whether a quote at the start of a field quotes it; if not, quotes are characters like others. */
  readonly quotes: boolean;
  /** It does so only where the field could not be written without: it holds a quote, a delimiter or a line break. */
  readonly onlyNeeded?: boolean;
  /**
   * Fields of a row, where quotes are often not closed: one that opens on a line of so many fields, followed by another such line, is a
   * stray one. It would swallow rows up to the next stray one.
   */
  readonly rowWidth?: number;
}

/** A quoted field may go on over lines, but not over more than this: then its quote is a stray one. */
const MAX_QUOTED_UNITS = 1_000_000;

const QUOTE = 34;
const LF = 10;
const CR = 13;
const MARK = 0xfeff;

/** The quote at the start of a field is a stray one: nothing closes it. */
const STRAY = -1;
/** The quote at the start of a field is a character like others. */
const LITERAL = -2;

/**
 * The closing quote of the field whose opening quote stands at `open`. STRAY: nothing closes it before `end`, or only on a later line and not
 * where a field ends, or behind lines that are rows. LITERAL: there is nothing to quote.
 */
function closingQuote(text: string, open: number, end: number, dialect: Dialect): number {
  const unclosed = dialect.onlyNeeded === true ? LITERAL : STRAY;
  const limit = Math.min(end, open + MAX_QUOTED_UNITS, swallowsRows(text, open, end, dialect) ?? end);
  let holdsQuote = false;
  let close = text.indexOf('"', open + 1);
  while (close !== -1 && close < limit && text.charCodeAt(close + 1) === QUOTE && close + 1 < limit) {
    holdsQuote = true;
    close = text.indexOf('"', close + 2);
  }
  if (close === -1 || close >= limit) return unclosed;
  const after = close + 1 < end ? text.charCodeAt(close + 1) : LF;
  if (after === dialect.delimiter.charCodeAt(0) || after === LF || after === CR) {
    return dialect.onlyNeeded === true && !holdsQuote && !needsQuotes(text, open, close, dialect) ? LITERAL : close;
  }
  return dialect.onlyNeeded !== true && isOnOneLine(text, open, close) ? close : unclosed;
}

/** Where the quote at `open` has to be closed, since what follows are rows: the end of its line. Null: it may go on over lines. */
function swallowsRows(text: string, open: number, end: number, { delimiter, rowWidth }: Dialect): number | null {
  if (rowWidth === undefined) return null;
  const stop = lineEnd(text, open);
  const next = afterLineBreak(text, stop);
  if (next >= end) return null;
  let close = text.indexOf('"', open + 1);
  // Most are closed on their line.
  if (close !== -1 && close < stop) return null;
  const start = Math.max(text.lastIndexOf('\n', open), text.lastIndexOf('\r', open)) + 1;
  if (countOf(text, delimiter, start, stop) + 1 !== rowWidth) return null;
  close = lineEnd(text, next);
  return countOf(text, delimiter, next, Math.min(close, end)) + 1 === rowWidth ? stop : null;
}

function countOf(text: string, character: string, start: number, end: number): number {
  const wanted = character.charCodeAt(0);
  let count = 0;
  for (let at = start; at < end; at++) if (text.charCodeAt(at) === wanted) count++;
  return count;
}

function needsQuotes(text: string, open: number, close: number, { delimiter }: Dialect): boolean {
  const wanted = delimiter.charCodeAt(0);
  for (let at = open + 1; at < close; at++) {
    const unit = text.charCodeAt(at);
    if (unit === wanted || unit === LF || unit === CR) return true;
  }
  return false;
}

/** Looks no further than `end`: lines may be megabytes long. */
function isOnOneLine(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (unit === LF || unit === CR) return false;
  }
  return true;
}

/** Where the record that starts at `start` ends, before its line break. `looked`: how far that had to be looked for. */
export function recordEnd(text: string, start: number, dialect: Dialect): { end: number; looked: number } {
  const delimiter = dialect.delimiter.charCodeAt(0);
  let looked = start;
  let fieldStart = true;
  let at = start;
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === LF || unit === CR) break;
    if (fieldStart && unit === QUOTE && dialect.quotes) {
      const close = closingQuote(text, at, text.length, dialect);
      if (close < 0) looked = Math.max(looked, strayLimit(text, at));
      else at = close;
    }
    fieldStart = unit === delimiter;
  }
  return { end: at, looked: Math.max(looked, at) };
}

/** How far an unclosed quote was looked after: an edit up to there may close it. */
function strayLimit(text: string, open: number): number {
  return Math.min(text.length, open + MAX_QUOTED_UNITS + 1);
}

/** What the quotes at the start of fields do in a text, if quotes quote. */
export function quoteUses(text: string, dialect: Dialect) {
  const delimiter = dialect.delimiter.charCodeAt(0);
  const uses = { needed: 0, needless: 0, stray: 0, fields: 0 };
  let fieldStart = true;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (fieldStart) uses.fields++;
    if (fieldStart && unit === QUOTE) {
      const close = closingQuote(text, at, text.length, dialect);
      const after = close + 1 < text.length ? text.charCodeAt(close + 1) : LF;
      if (close === -1 || (after !== delimiter && after !== LF && after !== CR)) {
        uses.stray++;
      } else {
        const content = text.slice(at + 1, close);
        const isNeeded = content.includes('"') || content.includes(dialect.delimiter) || /[\n\r]/.test(content);
        if (isNeeded) uses.needed++;
        else uses.needless++;
        at = close;
      }
    }
    fieldStart = unit === delimiter || unit === LF || unit === CR;
  }
  return uses;
}

/** A field of a record. */
export interface Field {
  start: number;
  /** Exclusive. */
  end: number;
  /** The closing quote of a quoted field; negative: the field is not quoted. */
  close: number;
  /** It starts with a quote that nothing closes. */
  stray: boolean;
}

/** The fields of the record [start, end). An empty record has one empty field. */
export function recordFields(text: string, start: number, end: number, dialect: Dialect): Field[] {
  const delimiter = dialect.delimiter.charCodeAt(0);
  const fields: Field[] = [];
  let at = start;
  for (;;) {
    const quoted = dialect.quotes && at < end && text.charCodeAt(at) === QUOTE;
    const close = quoted ? closingQuote(text, at, end, dialect) : LITERAL;
    let stop = close < 0 ? at : close + 1;
    while (stop < end && text.charCodeAt(stop) !== delimiter) stop++;
    fields.push({ start: at, end: stop, close, stray: close === STRAY });
    if (stop >= end) return fields;
    at = stop + 1;
  }
}

/** A field's value: without its quotes, doubled ones single; what follows the closing quote belongs to it, as in Python's csv. */
export function fieldValue(text: string, field: Field): string {
  if (field.close < 0) return text.slice(field.start, field.end);
  // Not by replacing: a string made so takes many times its length.
  const content = text
    .slice(field.start + 1, field.close)
    .split('""')
    .join('"');
  return field.close + 1 === field.end ? content : content + text.slice(field.close + 1, field.end);
}

/** A field's value and its map, relative to `origin`. A doubled quote is one unit. */
export function fieldText(text: string, field: Field, origin: number): { text: string; map: OffsetMap } {
  const value = fieldValue(text, field);
  if (field.close < 0) return { text: value, map: plainMap(value.length, field.start - origin) };
  const from = field.start + 1;
  if (field.end === field.close + 1 && value.length === field.close - from) {
    return { text: value, map: plainMap(value.length, from - origin) };
  }
  const builder = new OffsetMapBuilder(from - origin);
  let at = from;
  while (at < field.close) {
    const quote = Math.min(text.indexOf('"', at), field.close);
    builder.copy(quote - at, at - origin);
    if (quote < field.close) builder.unit(1, quote - origin, 2);
    at = quote < field.close ? quote + 2 : quote;
  }
  builder.copy(field.end - field.close - 1, field.close + 1 - origin);
  return { text: value, map: builder.finish() };
}

/** The next record from `offset` on, past blank lines and byte-order marks, which joined files have in the middle; null at the end. */
export function nextRecord(
  text: string,
  offset: number,
  dialect: Dialect,
): { start: number; end: number; next: number; looked: number } | null {
  let start = offset;
  while (start < text.length) {
    if (text.charCodeAt(start) === MARK) {
      start++;
      continue;
    }
    const line = blankLineEnd(text, start);
    if (line === null) {
      const { end, looked } = recordEnd(text, start, dialect);
      const next = afterLineBreak(text, end);
      return { start, end, next, looked: Math.max(looked, next) };
    }
    start = afterLineBreak(text, line);
  }
  return null;
}

/** Where a line of nothing but spaces ends; null for any other. */
function blankLineEnd(text: string, start: number): number | null {
  let at = start;
  while (at < text.length && text.charCodeAt(at) === 32) at++;
  const unit = at < text.length ? text.charCodeAt(at) : LF;
  return unit === LF || unit === CR ? at : null;
}
