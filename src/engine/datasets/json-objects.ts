import type { ColumnChoice } from '../../protocol/dataset';
import { lineEnd } from '../text/lines';
import { SAMPLE_ROWS } from './columns';
import { type Cut, type Format, type Place, problemAt, type Reading, type Sample } from './format';
import { addFirstKey, shapeKey, shapeOf, trimmedEnd } from './json-array';
import { type RowShape, rowFinder, sampledShape } from './json-row-starts';
import { jsonRows } from './json-rows';
import { jsonFields, sampleJsonRow } from './json-sample';
import { COMMA, JsonError, OPEN_OBJECT, skipMark, valueEnd } from './json-scanner';
import type { SampleRow } from './sample-row';

/** JSON objects one behind the other, each over several lines and with nothing around them, as jq prints rows. */
export const jsonObjects: Format = { id: 'json', detect };

function detect(sample: Sample, choice: ColumnChoice | null): Reading | null {
  const { text } = sample;
  const opening = skipMark(text, 0, text.length);
  if (text.charCodeAt(opening) !== OPEN_OBJECT) return null;
  const rows: SampleRow[] = [];
  const firstKeys = new Set<string>();
  let overLines = 0;
  const cutSampled = objectCutter(sampledShape(text, opening));
  for (let place = begin(); rows.length < SAMPLE_ROWS; ) {
    const cut = cutSampled(text, place);
    if (cut === null || (!sample.complete && cut.looked >= text.length)) break;
    place = cut.next;
    try {
      rows.push(sampleJsonRow(text, cut.start, cut.end).row);
      addFirstKey(firstKeys, text, cut.start);
      if (lineEnd(text, cut.start) < cut.end) overLines++;
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
    }
  }
  // Rows of a line each are JSON Lines.
  if (rows.length < 2 || overLines <= rows.length / 2) return null;
  const found = jsonRows(rows, choice, 'JSON objects');
  if ('refusal' in found) return null;
  const { confidence, columns, candidates, detail, key, read } = found;
  const shape = shapeOf(firstKeys, columns, rows);
  return {
    format: 'json',
    confidence,
    detail: `JSON objects over several lines, ${detail}`,
    columns,
    candidates,
    key: JSON.stringify(['objects', shapeKey(shape), key]),
    begin,
    cut: objectCutter(shape),
    read,
    fields: jsonFields,
  };
}

function begin(): Place {
  return { offset: 0, state: '' };
}

function objectCutter(shape: RowShape): (text: string, place: Place) => Cut | null {
  const finder = rowFinder(shape);
  return (text, place) => {
    const { length } = text;
    let start = skipMark(text, place.offset, length);
    while (text.charCodeAt(start) === COMMA) start = skipMark(text, start + 1, length);
    if (start === length) return null;
    let fault = start;
    if (text.charCodeAt(start) === OPEN_OBJECT) {
      try {
        const end = valueEnd(text, start, length);
        return { start, end, next: { offset: end, state: '' }, looked: Math.min(end + 1, length), problem: null };
      } catch (error) {
        if (!(error instanceof JsonError)) throw error;
        fault = error.offset;
      }
    }
    const next = finder(text, start, fault);
    const end = trimmedEnd(text, start, next?.at ?? length);
    const message = 'A row { … } should stand here. What stands before the next one is left out.';
    const problem =
      text.charCodeAt(start) === OPEN_OBJECT ? null : problemAt('assay/unreadable-row', message, 0, end - start);
    return {
      start,
      end: problem === null ? end : start,
      next: { offset: next?.at ?? length, state: '' },
      looked: next?.looked ?? length,
      problem,
    };
  };
}
