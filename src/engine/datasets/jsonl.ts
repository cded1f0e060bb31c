import type { ColumnChoice } from '../../protocol/dataset';
import { afterLineBreak, lineEnd } from '../text/lines';
import { SAMPLE_ROWS } from './columns';
import type { Cut, Format, Place, Reading, Refusal, Sample } from './format';
import { jsonRows, noValidRow } from './json-rows';
import { jsonFields, sampleJsonRow } from './json-sample';
import { COMMA, JsonError, OPEN_LIST, OPEN_OBJECT, skipMark, skipSpace, valueEnd } from './json-scanner';
import type { SampleRow } from './sample-row';

/** JSON Lines: an object a line, also where most lines are broken. Blank lines are skipped. */
export const jsonLines: Format = { id: 'jsonl', detect };

/** How an object starts, also one whose keys are quoted wrongly or not at all. */
const objectStart = /^\{\s*(?:["'}]|[\p{L}_]\w*\s*:)/u;

function detect(sample: Sample, choice: ColumnChoice | null): Reading | Refusal | null {
  const isInList = sample.text.charCodeAt(skipMark(sample.text, 0, sample.text.length)) === OPEN_LIST;
  const rows: SampleRow[] = [];
  let lists = 0;
  let lines = 0;
  /** Lines that are JSON values or begin as objects do, whole or not. */
  let jsonLike = 0;
  /** The first line is a bracket or an unfinished part of a value that goes on over lines. */
  let goesOn = false;
  let broken: JsonError | null = null;
  for (let start = 0; start < sample.text.length && lines < SAMPLE_ROWS; ) {
    const end = lineEnd(sample.text, start);
    const at = skipMark(sample.text, start, end);
    start = afterLineBreak(sample.text, end);
    if (at === end) continue;
    lines++;
    const first = sample.text.charCodeAt(at);
    if (first === OPEN_OBJECT && objectStart.test(sample.text.slice(at, at + 40))) jsonLike++;
    try {
      if (first === OPEN_OBJECT) {
        const { row, end: rowEnd } = sampleJsonRow(sample.text, at, end);
        const next = skipSpace(sample.text, rowEnd, end);
        if (
          next === end ||
          sample.text.charCodeAt(next) === OPEN_OBJECT ||
          (!isInList && isLastComma(sample.text, next, end))
        )
          rows.push(row);
        else broken ??= new JsonError('something follows the object on its row', next);
      } else {
        // A row of CSV that begins with a quoted field is no JSON value.
        if (skipSpace(sample.text, valueEnd(sample.text, at, end), end) === end) jsonLike++;
        if (first === OPEN_LIST) lists++;
      }
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      if (first === OPEN_OBJECT) broken ??= error;
      if (lines === 1) goesOn = error.offset >= end && /[[{,]\s*$/.test(sample.text.slice(Math.max(at, end - 20), end));
    }
  }
  if (lists >= 2 && lists > lines / 2) {
    return {
      refusal:
        'Each line is a JSON list, not an object: this looks like scores or tokens that a program wrote. Assay reads JSON Lines whose rows name their parts, such as {"text": …, "label": …}.',
    };
  }
  if (rows.length === 0 || rows.length < lines / 2) {
    // Many rows may be broken; what goes on over lines is other JSON, and a line alone may be anything.
    if (isInList || goesOn || lines < 2 || jsonLike < lines / 2) return null;
    if (rows.length === 0) return broken === null ? null : noValidRow('JSON Lines', sample.text, broken);
  }
  const found = jsonRows(rows, choice, lines === 1 ? 'one JSON object' : 'JSON Lines');
  if ('refusal' in found) return found;
  const { confidence, columns, candidates, detail, key, read } = found;
  return {
    format: 'jsonl',
    confidence,
    detail: `JSON Lines, ${detail}`,
    columns,
    candidates,
    key: `jsonl ${key}`,
    begin: () => ({ offset: 0, state: '' }),
    cut: cutRow,
    read,
    fields: jsonFields,
  };
}

/** Whether a comma stands at `at` and nothing else on the line: rows that were taken out of a list have one each. */
function isLastComma(text: string, at: number, end: number): boolean {
  return text.charCodeAt(at) === COMMA && skipSpace(text, at + 1, end) === end;
}

/** The next row: a line without the comma behind its object. */
function cutRow(text: string, place: Place): Cut | null {
  const cut = cutLine(text, place);
  if (cut === null || !/\}[ \t]*,[ \t]*$/.test(text.slice(Math.max(cut.start, cut.end - 40), cut.end))) return cut;
  return { ...cut, end: text.lastIndexOf(',', cut.end) };
}

/** The next line that is not blank. */
export function cutLine(text: string, place: Place): Cut | null {
  let start = place.offset;
  while (start < text.length) {
    const end = lineEnd(text, start);
    const next = afterLineBreak(text, end);
    if (skipSpace(text, start, end) < end) {
      return { start, end, next: { offset: next, state: '' }, looked: next, problem: null };
    }
    start = next;
  }
  return null;
}
