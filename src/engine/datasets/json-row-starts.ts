/** Where rows begin in JSON text that is broken somewhere: told by the key that they begin with. */
import { afterKey, JsonError, skipSpace, valueEnd, visitMembers } from './json-scanner';
import { stringValue } from './json-text';

/** What is known of a file's rows. */
export interface RowShape {
  /** Keys that rows begin with. */
  readonly firstKeys: ReadonlySet<string>;
  /** Keys of which every row has one that objects within rows have not; empty: none are known. */
  readonly needed: ReadonlySet<string>;
  /** Keys that several rows have. */
  readonly shared: ReadonlySet<string>;
}

export const unknownShape: RowShape = { firstKeys: new Set(), needed: new Set(), shared: new Set() };

const objectStart = /\{[ \t\r\n]*("(?:[^"\\\r\n]|\\.){0,200}")[ \t\r\n]*:/g;
const objectStartHere = new RegExp(objectStart.source, 'y');

/** The key that the object at `at` begins with; null if it does not begin with one. */
export function firstKeyAt(text: string, at: number): string | null {
  objectStartHere.lastIndex = at;
  const found = objectStartHere.exec(text);
  return found === null ? null : keyOf(found[1]!);
}

/** Characters of a sample that are looked at to learn what rows begin with. */
const SHAPE_CHARS = 1_000_000;
/** Objects that are not closed whose inside is looked at. */
const MAX_OPEN = 16;

/**
 * What the rows of a sample begin with: the keys of the objects that are whole and not within another one, by how much of the text they
 * make up. So a first row that is broken, whose parts are whole objects, does not hide it.
 */
export function sampledShape(text: string, from: number): RowShape {
  const lengths = new Map<string, number>();
  const others = new Map<string, number>();
  const counts = new Map<string, number>();
  const limit = Math.min(text.length, from + SHAPE_CHARS);
  let total = 0;
  let opened = 0;
  objectStart.lastIndex = from;
  for (let found = objectStart.exec(text); found !== null && found.index < limit; found = objectStart.exec(text)) {
    objectStart.lastIndex = found.index + 1;
    const key = keyOf(found[1]!);
    if (key === null) continue;
    try {
      const members: string[] = [];
      const end = visitMembers(text, found.index, limit, (keyStart, keyEnd) => {
        members.push(text.slice(keyStart, keyEnd));
      });
      for (const member of members) counts.set(member, (counts.get(member) ?? 0) + 1);
      for (const member of members.slice(1)) others.set(member, (others.get(member) ?? 0) + end - found.index);
      lengths.set(key, (lengths.get(key) ?? 0) + end - found.index);
      total += end - found.index;
      objectStart.lastIndex = end;
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      // What ends with the text may hold all other rows; else what was looked at is passed, so that no character is looked at often.
      const isOpen = error.offset >= limit && opened++ < MAX_OPEN;
      if (!isOpen) objectStart.lastIndex = Math.max(error.offset, found.index + 1);
    }
  }
  const above = (share: number, of: ReadonlyMap<string, number>) =>
    new Set([...of].filter(([, length]) => length > total * share).map(([key]) => key));
  return { firstKeys: above(1 / 8, lengths), needed: above(1 / 2, others), shared: sharedOf(counts) };
}

/** Those that were counted twice or more. */
export function sharedOf(counts: ReadonlyMap<string, number>): Set<string> {
  return new Set([...counts].filter(([, count]) => count > 1).map(([key]) => key));
}

/** Whether a row begins at `at`: an object that begins as rows do, and has a key that they have. */
export function isRowAt(text: string, at: number, { firstKeys, needed }: RowShape): boolean {
  const key = firstKeyAt(text, at);
  return key !== null && firstKeys.has(key) && needed.size > 0 && judge(text, at, needed, -1).kind === 'row';
}

/** The start of a row, and how far the text was looked at to be sure of it and of the fault. */
export interface RowStart {
  readonly at: number;
  readonly looked: number;
}

/** Finds where the row behind a broken one begins, which was found to be broken at `fault`; null: none does, up to the text's end. */
export type RowFinder = (text: string, brokenStart: number, fault: number) => RowStart | null;

/**
 * Looks for objects that begin as the broken one does, or as other rows do. One that is whole and has not the key that every row has is an
 * object within a row. What was once looked through is remembered: a file of faults takes no longer than another one.
 */
export function rowFinder({ firstKeys, needed }: RowShape): RowFinder {
  let memo = { text: '', from: 0, scanned: 0, starts: new Map<string, number[]>() };

  /** The first object behind `after` that begins with one of the keys. */
  const next = (text: string, after: number, keys: ReadonlySet<string>): number | null => {
    if (memo.text !== text || after < memo.from) memo = { text, from: after, scanned: after, starts: new Map() };
    let best: number | null = null;
    for (const key of keys) {
      const known = firstAbove(memo.starts.get(key) ?? [], after);
      if (known !== null && (best === null || known < best)) best = known;
    }
    if (best !== null) return best;
    objectStart.lastIndex = Math.max(memo.scanned, after + 1);
    for (let found = objectStart.exec(text); found !== null; found = objectStart.exec(text)) {
      // Only the bracket is taken: the value may be an object that begins alike.
      objectStart.lastIndex = found.index + 1;
      memo.scanned = found.index + 1;
      const key = keyOf(found[1]!);
      if (key === null) continue;
      const starts = memo.starts.get(key);
      if (starts === undefined) memo.starts.set(key, [found.index]);
      else starts.push(found.index);
      if (found.index > after && keys.has(key)) return found.index;
    }
    memo.scanned = text.length;
    return null;
  };

  return (text, brokenStart, fault) => {
    const own = firstKeyAt(text, brokenStart);
    const keys = own === null ? firstKeys : new Set([own, ...firstKeys]);
    if (keys.size === 0) return null;
    let within = 0;
    for (let at = next(text, brokenStart, keys); at !== null; ) {
      const { kind, end } = judge(text, at, needed, fault);
      if (kind === 'row') return { at, looked: Math.min(Math.max(end, fault) + 1, text.length) };
      // What holds the fault may hold a row before it: a lost quote is found out in the row behind.
      at = next(text, kind === 'holds the fault' && within++ < MAX_WITHIN ? at : end - 1, keys);
    }
    return null;
  };
}

/** Objects that are looked into for a row before the fault. */
const MAX_WITHIN = 64;

/**
 * A broken object may be a row as well, unless what is wrong with it is what is wrong with the row that is broken: then it stands within that.
 * `end`: where it ends, or the fault in it.
 */
function judge(
  text: string,
  at: number,
  needed: ReadonlySet<string>,
  fault: number,
): { kind: 'row' | 'within a row' | 'holds the fault'; end: number } {
  try {
    if (needed.size === 0) return { kind: 'row', end: valueEnd(text, at, text.length) };
    let isRow = false;
    const end = visitMembers(text, at, text.length, (keyStart, keyEnd) => {
      if (needed.has(stringValue(text, keyStart - 1, keyEnd + 1))) isRow = true;
    });
    return { kind: isRow ? 'row' : 'within a row', end };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { kind: error.offset === fault ? 'holds the fault' : 'row', end: Math.max(error.offset, at + 1) };
  }
}

/** Where the list before ends, if a row is the first of the list of a key: the ] before `"P177": [`. Null: it is not. */
export function listEndBefore(text: string, from: number, at: number): number | null {
  const before = text.slice(Math.max(from, at - 400), at);
  const key = /"(?:[^"\\\r\n]|\\.)*"[ \t\r\n]*:[ \t\r\n]*\[[ \t\r\n]*$/.exec(before);
  const end = key === null ? -1 : before.lastIndexOf(']', key.index);
  return end === -1 ? null : at - before.length + end;
}

/** Where the key of a member stands, `"7":` before its value at `at`; null if none stands there. */
export function memberKeyBefore(text: string, from: number, at: number): number | null {
  const before = text.slice(Math.max(from, at - 400), at);
  const found = /"(?:[^"\\\r\n]|\\.)*"[ \t\r\n]*:[ \t\r\n]*$/.exec(before);
  return found === null ? null : at - before.length + found.index;
}

/**
 * Whether a row begins behind the ] before `at`: behind a comma, also where brackets that belong to a broken row close first. And how far the
 * text was looked at to tell.
 */
export function rowBehindList(
  text: string,
  at: number,
  { firstKeys }: RowShape,
): { isRow: boolean; comma: number; looked: number } {
  const { length } = text;
  const looked = (offset: number) => Math.min(offset + 1, length);
  const comma = at + (/^[\]}\s]{0,20}/.exec(text.slice(at, at + 20))?.[0].length ?? 0);
  if (text[comma] !== ',') return { isRow: false, comma, looked: looked(at + 20) };
  const opening = skipSpace(text, comma + 1, length);
  const key = skipSpace(text, opening + 1, length);
  if (text[opening] !== '{' || text[key] !== '"') return { isRow: false, comma, looked: looked(key) };
  try {
    const { keyEnd, valueStart } = afterKey(text, key, length);
    return { isRow: firstKeys.has(stringValue(text, key, keyEnd)), comma, looked: looked(valueStart) };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { isRow: false, comma, looked: looked(error.offset) };
  }
}

/** Null: it has an escape that is none. */
function keyOf(quoted: string): string | null {
  try {
    return stringValue(quoted, 0, quoted.length);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return null;
  }
}

function firstAbove(sorted: readonly number[], limit: number): number | null {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! > limit) high = middle;
    else low = middle + 1;
  }
  return sorted[low] ?? null;
}
