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
  /** A backslash makes the quote or backslash behind it a character like others (`"he said \"hi\""`). Doubled quotes are read all the same. */
  readonly backslash?: boolean;
  /**
   * Fields of a row, where quotes are often not closed: one that opens on a line of so many fields, followed by another such line, is a
   * stray one. It would swallow rows up to the next stray one.
   */
  readonly rowWidth?: number;
}

/** The delimiter of a table of one column: it separates records in no text. */
export const ONE_COLUMN = '\u001f';

/** A quoted field may go on over lines, but not over more than this where they look like rows: then its quote is a stray one. */
const MAX_QUOTED_UNITS = 1_000_000;
/** Nor over more than this whatever they look like. */
const MAX_LONG_UNITS = 16_000_000;
/** As many lines are looked at to say whether they are rows. */
const LOOKED_LINES = 200;

const QUOTE = 34;
const BACKSLASH = 92;
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
  const wanted = swallowsRows(text, open, end, dialect) ?? end;
  let holdsQuote = false;
  let close = text.indexOf('"', open + 1);
  for (; close !== -1; close = text.indexOf('"', close)) {
    if (dialect.backslash === true && isEscaped(text, open, close)) close++;
    else if (text.charCodeAt(close + 1) === QUOTE && close + 1 < wanted) close += 2;
    else break;
    holdsQuote = true;
  }
  const limit = Math.min(wanted, quotedLimit(text, open, close, dialect));
  if (close === -1 || close >= limit) return unclosed;
  const after = close + 1 < end ? text.charCodeAt(close + 1) : LF;
  if (after === dialect.delimiter.charCodeAt(0) || after === LF || after === CR) {
    return dialect.onlyNeeded === true && !holdsQuote && !needsQuotes(text, open, close, dialect) ? LITERAL : close;
  }
  return dialect.onlyNeeded !== true && isOnOneLine(text, open, close) ? close : unclosed;
}

/** Whether the quote at `at` stands behind a backslash that is none's escape itself. */
function isEscaped(text: string, open: number, at: number): boolean {
  let from = at;
  while (from - 1 > open && text.charCodeAt(from - 1) === BACKSLASH) from--;
  return (at - from) % 2 === 1;
}

/** Up to where the quote at `open` may be closed; that at `close` is the first to do so, if it is there. */
function quotedLimit(text: string, open: number, close: number, dialect: Dialect): number {
  const near = open + MAX_QUOTED_UNITS;
  const isNear = close !== -1 ? close < near : text.length < near;
  return isNear || looksLikeRows(text, open, dialect) ? near : open + MAX_LONG_UNITS;
}

/** Whether most lines behind the one of the quote at `open` have as many fields as each other, and more than one. */
function looksLikeRows(text: string, open: number, { delimiter }: Dialect): boolean {
  const limit = Math.min(text.length, open + MAX_QUOTED_UNITS);
  const counts = new Map<number, number>();
  let lines = 0;
  for (let at = afterLineBreak(text, lineEnd(text, open)); at < limit && lines < LOOKED_LINES; ) {
    const stop = lineEnd(text, at);
    if (stop > at) {
      const count = countOf(text, delimiter, at, Math.min(stop, limit));
      counts.set(count, (counts.get(count) ?? 0) + 1);
      lines++;
    }
    at = afterLineBreak(text, stop);
  }
  if (delimiter === ONE_COLUMN) return lines > 0;
  counts.delete(0);
  return [...counts.values()].some((count) => count >= lines * 0.5);
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
      if (close < 0) looked = Math.max(looked, strayLimit(text, at, dialect));
      else at = close;
    }
    fieldStart = unit === delimiter;
  }
  return { end: at, looked: Math.max(looked, at) };
}

/** How far an unclosed quote was looked after: an edit up to there may close it. */
function strayLimit(text: string, open: number, dialect: Dialect): number {
  const near = open + MAX_QUOTED_UNITS + 1;
  if (text.length <= near) return text.length;
  return looksLikeRows(text, open, dialect) ? near : Math.min(text.length, open + MAX_LONG_UNITS + 1);
}

/**
 * Whether quotes within quoted fields are escaped by backslashes: more fields end where they can only so than would only end where their
 * quotes are doubled (`"C:\\"`).
 */
export function escapesQuotes(text: string, delimiter: string): boolean {
  if (!text.includes('\\"')) return false;
  const doubling = { delimiter, quotes: true };
  const escaping = { ...doubling, backslash: true };
  const wanted = delimiter.charCodeAt(0);
  let balance = 0;
  let fieldStart = true;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (fieldStart && unit === QUOTE) {
      const doubled = closingQuote(text, at, text.length, doubling);
      const escaped = closingQuote(text, at, text.length, escaping);
      const isEnd = (close: number) => close >= 0 && endsField(text, close + 1, wanted);
      if (doubled !== escaped) balance += Number(isEnd(escaped)) - Number(isEnd(doubled));
      if (isEnd(escaped)) at = escaped;
      else if (isEnd(doubled)) at = doubled;
      fieldStart = false;
      continue;
    }
    fieldStart = unit === wanted || unit === LF || unit === CR;
  }
  return balance > 0;
}

function endsField(text: string, at: number, delimiter: number): boolean {
  const unit = at < text.length ? text.charCodeAt(at) : LF;
  return unit === delimiter || unit === LF || unit === CR;
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

/** A field's value: without its quotes, escaped and doubled ones single; what follows the closing quote belongs to it, as in Python's csv. */
export function fieldValue(text: string, field: Field, dialect: Dialect): string {
  if (dialect.backslash === true) {
    const raw = text.slice(field.start, field.end);
    if (raw.includes('\\')) return fieldText(text, field, 0, dialect).text;
  }
  if (field.close < 0) return text.slice(field.start, field.end);
  // Not by replacing: a string made so takes many times its length.
  const content = text
    .slice(field.start + 1, field.close)
    .split('""')
    .join('"');
  return field.close + 1 === field.end ? content : content + text.slice(field.close + 1, field.end);
}

/** A field's value and its map, relative to `origin`. A doubled or escaped quote is one unit. */
export function fieldText(
  text: string,
  field: Field,
  origin: number,
  dialect: Dialect,
): { text: string; map: OffsetMap } {
  const isQuoted = field.close >= 0;
  if (dialect.backslash !== true) {
    // Nearly all fields stand there as they are.
    const value = fieldValue(text, field, dialect);
    const at = isQuoted ? field.start + 1 : field.start;
    if (value.length === field.end - field.start - (isQuoted ? 2 : 0) && (!isQuoted || field.end === field.close + 1))
      return { text: value, map: plainMap(value.length, at - origin) };
  }
  const from = isQuoted ? field.start + 1 : field.start;
  const to = isQuoted ? field.close : field.end;
  const builder = new OffsetMapBuilder(from - origin);
  const parts: string[] = [];
  let at = from;
  for (
    let pair = nextPair(text, at, to, isQuoted, dialect);
    pair !== -1;
    pair = nextPair(text, at, to, isQuoted, dialect)
  ) {
    parts.push(text.slice(at, pair));
    builder.copy(pair - at, at - origin);
    parts.push(text[pair + 1]!);
    builder.unit(1, pair - origin, 2);
    at = pair + 2;
  }
  builder.copy(to - at, at - origin);
  parts.push(text.slice(at, to));
  if (isQuoted) {
    builder.copy(field.end - to - 1, to + 1 - origin);
    parts.push(text.slice(to + 1, field.end));
  }
  return { text: parts.join(''), map: builder.finish() };
}

/** Where the next two characters stand in [from, to) that are written for the second of them; -1: nowhere. */
function nextPair(text: string, from: number, to: number, isQuoted: boolean, { backslash }: Dialect): number {
  for (let at = from; at + 1 < to; at++) {
    const unit = text.charCodeAt(at);
    if (unit !== QUOTE && unit !== BACKSLASH) continue;
    const next = text.charCodeAt(at + 1);
    if (unit === QUOTE ? isQuoted && next === QUOTE : backslash === true && (next === QUOTE || next === BACKSLASH))
      return at;
  }
  return -1;
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
