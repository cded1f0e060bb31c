import { numberPair, saysPlace } from './json-places';
import { JsonError, OPEN_OBJECT, skipMark, visitMembers } from './json-scanner';
import { stringValue, tokensText } from './json-text';
import { type Cell, plainValues, type SampleRow, textCell } from './sample-row';

/** Objects within objects are columns to this depth (`a.b.c`). */
const MAX_PATH_DEPTH = 3;

/**
 * The columns of the object that starts at `at`, for detection.
 * @throws JsonError
 */
export function sampleJsonRow(text: string, at: number, end: number): { row: SampleRow; end: number } {
  const row = new Map<string, Cell>();
  return { row, end: addCells(text, at, end, '', 1, row) };
}

/** The values of the record [start, end), by column; of two objects on a row, the first one's. Null: it is no object, or broken. */
export function jsonFields(text: string, start: number, end: number): Map<string, string> | null {
  const at = skipMark(text, start, end);
  if (text.charCodeAt(at) !== OPEN_OBJECT) return null;
  try {
    return plainValues(sampleJsonRow(text, at, end).row);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return null;
  }
}

function addCells(
  text: string,
  at: number,
  end: number,
  prefix: string,
  depth: number,
  row: Map<string, Cell>,
): number {
  return visitMembers(text, at, end, (keyStart, keyEnd, start, stop) => {
    const name = prefix + stringValue(text, keyStart - 1, keyEnd + 1);
    const cell = cellOf(text, start, stop);
    if (cell === null) return;
    if (cell.kind === 'other' && text.charCodeAt(start) === OPEN_OBJECT && depth < MAX_PATH_DEPTH) {
      addCells(text, start, stop, `${name}.`, depth + 1, row);
    } else {
      row.set(name, cell);
    }
  });
}

/** A value as detection sees it; null for null. */
export function cellOf(text: string, start: number, end: number): Cell | null {
  const raw = () => text.slice(start, Math.min(end, start + 400));
  switch (text[start]) {
    case '"':
      return textCell(stringValue(text, start, end));
    case '{':
      return { kind: saysPlace(text, start, end) ? 'place' : 'other', value: raw() };
    case '[': {
      const tokens = tokensText(text, start, end, 0);
      if (tokens !== null && tokens.text !== '') return { kind: 'tokens', value: tokens.text };
      return { kind: numberPair(text, start, end) === null ? 'other' : 'place', value: raw() };
    }
    case 'n':
      return null;
    case 't':
    case 'f':
      return { kind: 'boolean', value: raw() };
    default:
      return { kind: 'number', value: raw() };
  }
}
