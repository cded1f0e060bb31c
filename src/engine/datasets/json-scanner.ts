/**
 * Finds the parts of JSON text without building values and without recursion, so that nesting cannot overflow the stack. Strict, as
 * JSON.parse is, except that NaN and Infinity are values (Python writes them).
 */

/** Where and why a text is no JSON. */
export class JsonError extends Error {
  readonly offset: number;

  constructor(reason: string, offset: number) {
    // A file may hold a fault a line, and where each was found in this program is of no use: it is what takes the time.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(reason);
    Error.stackTraceLimit = stackTraceLimit;
    this.offset = offset;
  }
}

export const QUOTE = 34;
export const COMMA = 44;
export const SLASH = 47;
export const COLON = 58;
export const OPEN_LIST = 91;
export const BACKSLASH = 92;
export const CLOSE_LIST = 93;
export const OPEN_OBJECT = 123;
export const CLOSE_OBJECT = 125;

/** The first offset at or after `at` that holds no white space; at most `end`. */
export function skipSpace(text: string, at: number, end: number): number {
  let offset = at;
  for (; offset < end; offset++) {
    const unit = text.charCodeAt(offset);
    if (unit !== 32 && unit !== 10 && unit !== 13 && unit !== 9) break;
  }
  return offset;
}

/** Passes white space and byte-order marks, which files put together from several have in the middle. */
export function skipMark(text: string, at: number, end: number): number {
  let offset = skipSpace(text, at, end);
  while (offset < end && text.charCodeAt(offset) === 0xfeff) offset = skipSpace(text, offset + 1, end);
  return offset;
}

/** The offset behind the closing quote of the string whose opening quote stands at `at`. */
export function stringEnd(text: string, at: number, end: number): number {
  for (let offset = at + 1; offset < end; offset++) {
    const unit = text.charCodeAt(offset);
    if (unit === QUOTE) return offset + 1;
    if (unit === BACKSLASH) {
      offset++;
      if (offset < end) checkEscape(text, offset, end);
      continue;
    }
    if (unit < 32)
      throw new JsonError(
        unit === 10 || unit === 13 ? 'a string is not closed on its line' : 'a string holds a raw control character',
        offset,
      );
  }
  throw new JsonError('a string is not closed', end);
}

function checkEscape(text: string, at: number, end: number): void {
  const escaped = text[at]!;
  if (escaped === 'u') {
    for (let digit = at + 1; digit <= at + 4; digit++) {
      if (digit >= end || !isHexDigit(text.charCodeAt(digit)))
        throw new JsonError('\\u needs four hexadecimal digits', Math.min(digit, end));
    }
  } else if (!'"\\/bfnrt'.includes(escaped)) {
    throw new JsonError(`"\\${escaped}" is no escape that JSON knows`, at);
  }
}

function isHexDigit(unit: number): boolean {
  return (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 70) || (unit >= 97 && unit <= 102);
}

const scalar = /-?(?:(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|Infinity)|true|false|null|NaN/y;

function scalarEnd(text: string, at: number, end: number): number {
  scalar.lastIndex = at;
  const stop = scalar.test(text) ? scalar.lastIndex : at;
  if (stop === at || stop > end || (stop < end && isWordUnit(text.charCodeAt(stop)))) {
    throw new JsonError('a value (text in quotes, a number, true, false or null) should stand here', at);
  }
  return stop;
}

/** Letters, digits, `.`, `+`, `-`, `_`: what would make a longer word of a number or literal. */
function isWordUnit(unit: number): boolean {
  return (
    (unit >= 48 && unit <= 57) ||
    (unit >= 65 && unit <= 90) ||
    (unit >= 97 && unit <= 122) ||
    unit === 46 ||
    unit === 43 ||
    unit === 45 ||
    unit === 95
  );
}

/**
 * The offset behind the JSON value that starts at `at` (no white space before it), not looking past `end`.
 * @throws JsonError
 */
export function valueEnd(text: string, at: number, end: number): number {
  const first = text.charCodeAt(at);
  if (at < end && first === QUOTE) return stringEnd(text, at, end);
  if (at >= end || (first !== OPEN_LIST && first !== OPEN_OBJECT)) return scalarEnd(text, at, end);

  const open: number[] = [];
  let offset = at;
  for (;;) {
    // Here a value begins.
    const unit = offset < end ? text.charCodeAt(offset) : 0;
    if (unit === OPEN_OBJECT || unit === OPEN_LIST) {
      open.push(unit);
      offset = skipSpace(text, offset + 1, end);
      const closes = offset < end && text.charCodeAt(offset) === unit + 2;
      if (!closes) {
        if (unit === OPEN_OBJECT) offset = valueOfKey(text, offset, end);
        continue;
      }
    } else {
      offset = unit === QUOTE ? stringEnd(text, offset, end) : scalarEnd(text, offset, end);
    }
    // Here a value has ended, or a bracket closes.
    for (;;) {
      offset = skipSpace(text, offset, end);
      const container = open[open.length - 1]!;
      const after = offset < end ? text.charCodeAt(offset) : 0;
      if (after === container + 2) {
        open.pop();
        offset++;
        if (open.length === 0) return offset;
        continue;
      }
      if (after !== COMMA) {
        throw new JsonError(
          container === OPEN_OBJECT ? 'a comma or } should stand here' : 'a comma or ] should stand here',
          offset,
        );
      }
      offset = skipSpace(text, offset + 1, end);
      if (container === OPEN_OBJECT) offset = valueOfKey(text, offset, end);
      break;
    }
  }
}

/** Passes `"key" :` and the white space around; the offset of the value. */
function valueOfKey(text: string, at: number, end: number): number {
  return afterColon(text, keyStringEnd(text, at, end), end);
}

/**
 * The offset behind the key in quotes at `at`, and that of its value.
 * @throws JsonError
 */
export function afterKey(text: string, at: number, end: number): { keyEnd: number; valueStart: number } {
  const keyEnd = keyStringEnd(text, at, end);
  return { keyEnd, valueStart: afterColon(text, keyEnd, end) };
}

function keyStringEnd(text: string, at: number, end: number): number {
  if (at >= end || text.charCodeAt(at) !== QUOTE) throw new JsonError('a key in quotes should stand here', at);
  return stringEnd(text, at, end);
}

function afterColon(text: string, at: number, end: number): number {
  const colon = skipSpace(text, at, end);
  if (colon >= end || text.charCodeAt(colon) !== COLON) throw new JsonError('a colon should stand here', colon);
  return skipSpace(text, colon + 1, end);
}

/** Called with the offsets of a key, without its quotes, and of its value. */
export type MemberVisitor = (keyStart: number, keyEnd: number, valueStart: number, valueEnd: number) => void;

/**
 * Visits the members of the object that starts at `at`; the offset behind its closing bracket. Values are checked, not visited.
 * @throws JsonError, after visiting what came before.
 */
export function visitMembers(text: string, at: number, end: number, visit: MemberVisitor): number {
  let offset = skipSpace(text, at + 1, end);
  if (offset < end && text.charCodeAt(offset) === CLOSE_OBJECT) return offset + 1;
  for (;;) {
    const keyStop = keyStringEnd(text, offset, end);
    const valueStart = afterColon(text, keyStop, end);
    const valueStop = valueEnd(text, valueStart, end);
    visit(offset + 1, keyStop - 1, valueStart, valueStop);
    offset = skipSpace(text, valueStop, end);
    const after = offset < end ? text.charCodeAt(offset) : 0;
    if (after === CLOSE_OBJECT) return offset + 1;
    if (after !== COMMA) throw new JsonError('a comma or } should stand here', offset);
    offset = skipSpace(text, offset + 1, end);
  }
}

/**
 * The values of the list that starts at `at`, as pairs of start and end. The list was checked before.
 */
export function listValues(text: string, at: number, end: number): number[] {
  const found: number[] = [];
  let offset = skipSpace(text, at + 1, end);
  while (offset < end && text.charCodeAt(offset) !== CLOSE_LIST) {
    const stop = valueEnd(text, offset, end);
    found.push(offset, stop);
    offset = skipSpace(text, stop, end);
    if (offset < end && text.charCodeAt(offset) === COMMA) offset = skipSpace(text, offset + 1, end);
  }
  return found;
}
