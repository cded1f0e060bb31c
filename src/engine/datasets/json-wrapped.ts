import type { ColumnChoice } from '../../protocol/dataset';
import { lineEnd } from '../text/lines';
import { isSurelyLabelled, SAMPLE_ROWS } from './columns';
import { NotADataset } from './dataset';
import type { Format, Place, Reading, Sample } from './format';
import { AFTER, addFirstKey, cutterBelow, shapeKey, shapeOf } from './json-array';
import { visitOpenMembers } from './json-open-members';
import { type RowShape, sampledShape } from './json-row-starts';
import { type JsonRows, jsonRows } from './json-rows';
import { jsonFields, sampleJsonRow } from './json-sample';
import { JsonError, OPEN_LIST, OPEN_OBJECT, skipMark, valueEnd } from './json-scanner';
import type { SampleRow } from './sample-row';

/** Rows that stand in a list within one JSON object: `{"version": 1, "data": [{…}, {…}]}`. */
export const jsonWrapped: Format = { id: 'json', detect };

/** Keys that lead to the rows, outermost first, at most so many. */
const MAX_KEYS = 3;
/** Lists that are looked at: where there are more, each belongs to a row. */
const MAX_LISTS = 40;
/** As sure as one must be that a list within an object is the dataset. */
const SURE_ENOUGH = 0.6;

function detect(sample: Sample, choice: ColumnChoice | null): Reading | null {
  const { text } = sample;
  const opening = skipMark(text, 0, text.length);
  if (text.charCodeAt(opening) !== OPEN_OBJECT || isFollowed(text, opening)) return null;
  let best: { path: string[]; rows: JsonRows; shape: RowShape } | null = null;
  for (const { path, offset } of listsOfObjects(text, opening, [])) {
    const found = jsonRowsAt(sample, offset, choice);
    if (found !== null && found.rows.confidence > (best?.rows.confidence ?? 0)) best = { path, ...found };
  }
  if (best === null || best.rows.confidence < SURE_ENOUGH) return null;
  const { path, rows, shape } = best;
  const { confidence, columns, candidates, detail, key, read } = rows;
  return {
    format: 'json',
    confidence,
    detail: `JSON, rows under "${path.join('.')}", ${detail}`,
    columns,
    candidates,
    key: JSON.stringify(['wrapped', path, shapeKey(shape), key]),
    begin: (whole) => beginAt(whole, path),
    cut: cutterBelow(shape),
    read,
    fields: jsonFields,
  };
}

/** Whether something follows the object: then it is a row among others. */
function isFollowed(text: string, opening: number): boolean {
  try {
    return skipMark(text, valueEnd(text, opening, text.length), text.length) < text.length;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    // Not closed, or broken: a row among others if it breaks on its first line, and others follow on theirs.
    return error.offset <= lineEnd(text, opening) && /[\n\r][ \t]*\{/.test(text);
  }
}

/** What the first row of a list begins with, and what may be left of one that has lost its bracket. */
const row = /^\s*\{/;
const rowOrRest = /^\s*(?:\{|"(?:[^"\\]|\\.){0,200}"\s*[^\s,\]])/;

/** The lists that hold an object first, with the keys that lead to them and the offset behind their bracket. */
function listsOfObjects(text: string, opening: number, path: string[]): { path: string[]; offset: number }[] {
  const found: { path: string[]; offset: number }[] = [];
  visitOpenMembers(text, opening, (name, start) => {
    const inner = [...path, name];
    const first = text.charCodeAt(start);
    // The first row may have lost its bracket.
    if (first === OPEN_LIST && (inner.length === 1 ? rowOrRest : row).test(text.slice(start + 1, start + 300)))
      found.push({ path: inner, offset: start + 1 });
    else if (first === OPEN_OBJECT && inner.length < MAX_KEYS) found.push(...listsOfObjects(text, start, inner));
    return found.length < MAX_LISTS;
  });
  return found;
}

function jsonRowsAt(
  sample: Sample,
  offset: number,
  choice: ColumnChoice | null,
): { rows: JsonRows; shape: RowShape } | null {
  const { text } = sample;
  const rows: SampleRow[] = [];
  const firstKeys = new Set<string>();
  const cutSampled = cutterBelow(sampledShape(text, offset));
  for (let place: Place = { offset, state: '' }; rows.length < SAMPLE_ROWS; ) {
    const cut = cutSampled(text, place);
    if (cut === null || (!sample.complete && cut.looked >= text.length)) break;
    place = cut.next;
    if (text.charCodeAt(cut.start) !== OPEN_OBJECT || cut.start === cut.end) continue;
    try {
      rows.push(sampleJsonRow(text, cut.start, cut.end).row);
      addFirstKey(firstKeys, text, cut.start);
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
    }
  }
  if (rows.length === 0) return null;
  try {
    const found = jsonRows(rows, choice, 'rows');
    if ('refusal' in found || (choice === null && !isSurelyLabelled(found.columns, rows))) return null;
    return { rows: found, shape: shapeOf(firstKeys, found.columns, rows) };
  } catch (error) {
    // Of several lists another may have the chosen columns.
    if (!(error instanceof NotADataset)) throw error;
    return null;
  }
}

/** Behind the bracket of the list that the keys lead to. Looks at nothing behind it. */
function beginAt(text: string, path: readonly string[]): Place {
  let opening = skipMark(text, 0, text.length);
  for (const [depth, key] of path.entries()) {
    const wanted = depth === path.length - 1 ? OPEN_LIST : OPEN_OBJECT;
    let inner = -1;
    visitOpenMembers(text, opening, (name, start) => {
      if (name !== key || text.charCodeAt(start) !== wanted) return true;
      inner = start;
      return false;
    });
    if (inner === -1) return { offset: text.length, state: AFTER };
    opening = inner;
  }
  return { offset: opening + 1, state: '' };
}
