import type { ColumnChoice } from '../../protocol/dataset';
import type { EntityCompanions } from './column-names';
import { BACKSLASH, OPEN_OBJECT, visitMembers } from './json-scanner';
import { stringValue } from './json-text';

/** Finds the values of a row that its columns ask for, without reading the others. */

const slots = [
  'text',
  'gold',
  'id',
  'head',
  'tail',
  'headEnd',
  'tailEnd',
  'headType',
  'tailType',
  'headName',
  'tailName',
  'answer',
] as const;
export type Slot = (typeof slots)[number];

export interface Wanted {
  slot: number;
  path: string;
}

/** Where the wanted values of a row stand. One object a reader, cleared for each row. */
export class FoundValues {
  readonly #starts: number[] = slots.map(() => -1);
  readonly #ends: number[] = slots.map(() => -1);

  clear(): void {
    this.#starts.fill(-1);
  }

  set(slot: number, start: number, end: number): void {
    this.#starts[slot] = start;
    this.#ends[slot] = end;
  }

  /** -1: there is none. */
  start(slot: Slot): number {
    return this.#starts[slots.indexOf(slot)]!;
  }

  end(slot: Slot): number {
    return this.#ends[slots.indexOf(slot)]!;
  }

  /** There is a value, and it is not null. */
  has(slot: Slot, text: string): boolean {
    const start = this.start(slot);
    return start !== -1 && text.charCodeAt(start) !== 110;
  }
}

/** Finds the wanted paths in the object at `at`; of keys that are there twice the last counts, as in JSON.parse. */
export function locate(text: string, at: number, end: number, wanted: readonly Wanted[], found: FoundValues): number {
  return visitMembers(text, at, end, (keyStart, keyEnd, start, stop) => {
    const key = hasEscape(text, keyStart, keyEnd) ? stringValue(text, keyStart - 1, keyEnd + 1) : null;
    const length = key === null ? keyEnd - keyStart : key.length;
    let inner: Wanted[] | null = null;
    for (const { slot, path } of wanted) {
      const matches = key === null ? startsWithAt(path, text, keyStart, length) : path.startsWith(key);
      if (!matches) continue;
      if (path.length === length) {
        found.set(slot, start, stop);
      } else if (path[length] === '.' && text.charCodeAt(start) === OPEN_OBJECT) {
        inner ??= [];
        inner.push({ slot, path: path.slice(length + 1) });
      }
    }
    if (inner !== null) locate(text, start, stop, inner, found);
  });
}

function hasEscape(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (text.charCodeAt(at) === BACKSLASH) return true;
  return false;
}

/** Whether `path` starts with the `length` characters of `text` at `at`. */
function startsWithAt(path: string, text: string, at: number, length: number): boolean {
  if (path.length < length) return false;
  for (let offset = 0; offset < length; offset++) {
    if (path.charCodeAt(offset) !== text.charCodeAt(at + offset)) return false;
  }
  return true;
}

export function wantedPaths(
  columns: ColumnChoice,
  head: EntityCompanions | null,
  tail: EntityCompanions | null,
  answer: string | null,
): Wanted[] {
  const paths: Record<Slot, string | null | undefined> = {
    text: columns.text,
    gold: columns.gold,
    id: columns.id,
    head: columns.head,
    tail: columns.tail,
    headEnd: head?.end,
    tailEnd: tail?.end,
    headType: head?.type,
    tailType: tail?.type,
    headName: head?.name,
    tailName: tail?.name,
    answer,
  };
  return slots.flatMap((name, slot) => {
    const path = paths[name];
    return path === null || path === undefined ? [] : [{ slot, path }];
  });
}
