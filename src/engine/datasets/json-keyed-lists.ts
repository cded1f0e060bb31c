import type { Cut, Place } from './format';
import { problemAt } from './format';
import { AFTER, elementCutter, restOfText } from './json-array';
import { type RowShape, rowBehindList } from './json-row-starts';
import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  JsonError,
  OPEN_LIST,
  QUOTE,
  skipMark,
  skipSpace,
  stringEnd,
  valueEnd,
} from './json-scanner';
import { stringValue } from './json-text';

/** One JSON object whose lists hold the rows, one behind the other: `{"P177": [{…}, …], "P19": [{…}, …]}`. */
export interface KeyedLists {
  /** What a key names, for messages: `relation`. */
  readonly title: string;
  /** Whether the list below a key holds rows. */
  holdsRows(key: string): boolean;
  /** What the rows look like; unknown while that is found out. */
  readonly shape: RowShape;
  /** What is wrong with a key of rows that has no list; null: what stands below other keys is passed without a word. */
  without(key: string): string | null;
}

/** Where the first record is looked for. */
export function beginKeyedLists(text: string): Place {
  return { offset: skipMark(text, 0, text.length) + 1, state: '' };
}

/** Cuts the rows of all lists. The state of a row is its key behind a bracket (`[P177`), which tells it from the other states. */
export function keyedListCutter(lists: KeyedLists): (text: string, place: Place) => Cut | null {
  const cutInside = elementCutter(lists.shape);
  return (text, place) => {
    const { length } = text;
    let { offset, state } = place;
    for (;;) {
      offset = skipMark(text, offset, length);
      if (state === AFTER) {
        return offset === length ? null : restOfText(text, offset, 'Something follows the end of the JSON object');
      }
      const unit = text.charCodeAt(offset);
      if (state !== '') {
        if (unit !== CLOSE_LIST || rowBehindList(text, skipMark(text, offset + 1, length), lists.shape).isRow) {
          return cutInList(text, offset, state, cutInside);
        }
        offset++;
        state = '';
      } else if (unit === CLOSE_OBJECT) {
        offset++;
        state = AFTER;
      } else if (unit === COMMA) {
        offset++;
      } else {
        return cutKey(text, offset, lists);
      }
    }
  };
}

function cutInList(text: string, offset: number, state: string, cutInside: ReturnType<typeof elementCutter>): Cut {
  const cut = cutInside(text, { offset, state: '' });
  // There is text or the end, for which there is a cut.
  if (cut === null) throw new RangeError('no element');
  return { ...cut, next: { offset: cut.next.offset, state: cut.next.state === AFTER ? AFTER : state } };
}

/** A cut that leads into the list whose key stands at `at`, so that the state of its first row is the key; or says what is wrong there. */
function cutKey(text: string, at: number, lists: KeyedLists): Cut {
  const { length } = text;
  if (at === length) {
    const message = `The JSON object is not closed: the file ends where a } or another ${lists.title} with its list should stand.`;
    return { ...emptyCut(at, at, AFTER), problem: problemAt('assay/unreadable-row', message, 0, 0) };
  }
  try {
    if (text.charCodeAt(at) !== QUOTE) throw new JsonError(`a ${lists.title} in quotes should stand here`, at);
    const keyEnd = stringEnd(text, at, length);
    const colon = skipSpace(text, keyEnd, length);
    if (text.charCodeAt(colon) !== COLON) throw new JsonError('a colon should stand here', colon);
    const value = skipSpace(text, colon + 1, length);
    const key = stringValue(text, at, keyEnd);
    if (text.charCodeAt(value) === OPEN_LIST && lists.holdsRows(key)) {
      return { ...emptyCut(at, value + 1, `[${key}`), problem: null };
    }
    const end = valueEnd(text, value, length);
    const message = lists.without(key);
    const problem = message === null ? null : problemAt('assay/unreadable-row', message, 0, end - at);
    return { ...emptyCut(at, end, ''), problem };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return restOfText(text, at, `Not valid JSON: ${error.message}`);
  }
}

function emptyCut(at: number, next: number, state: string): Omit<Cut, 'problem'> {
  return { start: at, end: at, next: { offset: next, state }, looked: next };
}
