import type { ColumnChoice, Span } from '../../protocol/dataset';
import { checkChoice, columnCandidates, guessColumns, isSurelyLabelled, SAMPLE_ROWS } from './columns';
import {
  type Cut,
  type Format,
  noProblems,
  type Place,
  type Problem,
  problemAt,
  type ReadExample,
  type Reading,
  type Refusal,
  type Row,
  type Sample,
} from './format';
import { AFTER, restOfText } from './json-array';
import { exampleAt } from './json-example';
import { visitOpenMembers } from './json-open-members';
import { cellOf } from './json-sample';
import { afterKey, COMMA, JsonError, OPEN_LIST, OPEN_OBJECT, skipMark, skipSpace, valueEnd } from './json-scanner';
import { stringValue } from './json-text';
import type { Cell, SampleRow } from './sample-row';

/**
 * One JSON object of columns: `{"text": ["…", …], "label": [1, …]}`, or by row names as pandas writes it, `{"text": {"0": "…", …}, …}`.
 * All of it is one record, since a row stands in several places of it.
 */
export const jsonColumns: Format = { id: 'json', detect };

const SURE_ENOUGH = 0.6;

function detect(sample: Sample, choice: ColumnChoice | null): Reading | Refusal | null {
  if (choice?.task === 'relation') return null;
  const text = sample.whole ?? sample.text;
  const opening = skipMark(text, 0, text.length);
  if (text.charCodeAt(opening) !== OPEN_OBJECT) return null;
  const columns = new Map<string, Column>();
  let others = 0;
  const fault = visitOpenMembers(text, opening, (name, start) => {
    const column = columnAt(text, start, SAMPLE_ROWS);
    if (column === null) others++;
    else columns.set(name, column);
    return others <= MAX_OTHERS;
  });
  if (columns.size === 0 || others > columns.size) return null;
  const rows = sampleRows(text, columns);
  const names = [...columns.keys()];
  if (choice === null && rows.length < 2) return null;
  if (choice !== null) checkChoice(choice, names);
  const guess = choice === null ? guessColumns(names, rows, true) : { columns: choice, confidence: 1 };
  if (guess === null || guess.confidence < SURE_ENOUGH || guess.columns.task === 'relation') return null;
  if (choice === null && guess.columns.gold === undefined && fault !== null && fault.offset >= text.length) {
    return {
      refusal: `This looks like one JSON object of columns whose labels stand too far behind its texts to be found, or are cut off. Assay reads such a file best as rows: save it as JSON Lines, a row {"text": …, "label": …} a line.`,
    };
  }
  if (choice === null && !isSurelyLabelled(guess.columns, rows)) return null;
  const { confidence } = guess;
  return {
    format: 'json',
    confidence,
    detail: 'JSON object of columns',
    columns: guess.columns,
    candidates: columnCandidates(names, rows),
    key: JSON.stringify(['columns', guess.columns]),
    needsWhole: true,
    begin: () => ({ offset: 0, state: '' }),
    cut: cutObject,
    read: (whole, start, end) => readColumns(whole, start, end, guess.columns),
  };
}

/** More members that are no columns than any dataset has. */
const MAX_OTHERS = 20;

/** The values of a column by the names of their rows: their numbers, or what an object calls them. */
interface Column {
  values: Map<string, Span>;
  /** Where it is no JSON; null: it is read to its end, or as far as was asked. */
  fault: JsonError | null;
}

/** The first `limit` values of the list or object at `start`; null if it is neither, or holds no cells. */
function columnAt(text: string, start: number, limit: number): Column | null {
  const first = text.charCodeAt(start);
  if (first !== OPEN_LIST && first !== OPEN_OBJECT) return null;
  const values = new Map<string, Span>();
  const column: Column = { values, fault: null };
  const end = text.length;
  try {
    let at = skipSpace(text, start + 1, end);
    if (text.charCodeAt(at) === first + 2) return column;
    while (values.size < limit) {
      let name = String(values.size);
      if (first === OPEN_OBJECT) {
        const { keyEnd, valueStart } = afterKey(text, at, end);
        name = stringValue(text, at, keyEnd);
        at = valueStart;
        // Of names that are there twice the last counts.
        values.delete(name);
      }
      const stop = valueEnd(text, at, end);
      if (text.charCodeAt(at) === OPEN_OBJECT) return null;
      values.set(name, { start: at, end: stop });
      at = skipSpace(text, stop, end);
      const unit = text.charCodeAt(at);
      if (unit === first + 2) break;
      if (unit !== COMMA) throw new JsonError(`a comma or ${first === OPEN_LIST ? ']' : '}'} should stand here`, at);
      at = skipSpace(text, at + 1, end);
    }
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    column.fault = error;
  }
  return column;
}

function sampleRows(text: string, columns: ReadonlyMap<string, Column>): SampleRow[] {
  const rows = new Map<string, Map<string, Cell>>();
  for (const [name, { values }] of columns) {
    for (const [row, { start, end }] of values) {
      const cell = cellOf(text, start, end);
      if (cell === null) continue;
      const cells = rows.get(row) ?? new Map<string, Cell>();
      rows.set(row, cells.set(name, cell));
    }
  }
  return [...rows.values()].slice(0, SAMPLE_ROWS);
}

/** The object, or what there is of it. */
function cutObject(text: string, place: Place): Cut | null {
  const { length } = text;
  const start = skipMark(text, place.offset, length);
  if (start === length) return null;
  if (place.state === AFTER) return restOfText(text, start, 'Something follows the end of the JSON object');
  let end: number;
  try {
    end = valueEnd(text, start, length);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    end = length;
    while (end > start + 1 && /\s/.test(text[end - 1]!)) end--;
    return { start, end, next: { offset: length, state: AFTER }, looked: length, problem: null };
  }
  return { start, end, next: { offset: end, state: AFTER }, looked: end, problem: null };
}

function readColumns(whole: string, start: number, end: number, columns: ColumnChoice): Row {
  const text = start === 0 && end === whole.length ? whole : whole.slice(start, end);
  const opening = skipMark(text, 0, text.length);
  const wanted = new Set([columns.text, columns.gold, columns.id].filter((name) => name !== undefined));
  const found = new Map<string, Column>();
  let fault: JsonError | null = null;
  if (text.charCodeAt(opening) === OPEN_OBJECT) {
    fault = visitOpenMembers(text, opening, (name, at) => {
      if (!wanted.has(name)) return true;
      const column = columnAt(text, at, Number.POSITIVE_INFINITY);
      if (column !== null) found.set(name, column);
      return column?.fault == null;
    });
  }
  for (const column of found.values()) fault ??= column.fault;
  const column = (name: string | undefined) => (name === undefined ? undefined : found.get(name)?.values);
  const texts = column(columns.text);
  const labels = column(columns.gold);
  const ids = column(columns.id);
  const problems: Problem[] = [];
  const examples: ReadExample[] = [];
  let unlabelled = 0;
  let lost = 0;
  for (const [row, place] of texts ?? []) {
    const gold = labels?.get(row) ?? null;
    if (gold === null && columns.gold !== undefined) {
      // Where the file is cut off the label stood behind.
      if (fault !== null) {
        lost++;
        continue;
      }
      unlabelled++;
    }
    const { example, problem } = exampleAt(text, 0, { text: place, gold, id: ids?.get(row) ?? null });
    if (problem !== null) problems.push(problem);
    if (example !== null) examples.push(example);
  }
  if (texts === undefined && fault === null) problems.push(ofAll(`There is no column "${columns.text}".`, text));
  if (unlabelled > 0)
    problems.push(
      ofAll(
        `${unlabelled} of the texts ${unlabelled === 1 ? 'has' : 'have'} no label in "${columns.gold}": ${unlabelled === 1 ? 'it is' : 'they are'} read without.`,
        text,
        'warning',
      ),
    );
  if (fault !== null) {
    const at = Math.max(0, Math.min(fault.offset, text.length - 1));
    const rows = lost === 0 ? '' : ` ${lost} of the texts are left out, since their labels cannot be read.`;
    problems.push(problemAt('assay/unreadable-row', `Not valid JSON: ${fault.message}.${rows}`, at, at + 1));
  }
  return { examples, problems: problems.length === 0 ? noProblems : problems };
}

/** A problem of all the columns, told at the opening bracket. */
function ofAll(message: string, text: string, severity: 'error' | 'warning' = 'error'): Problem {
  return problemAt('assay/unreadable-row', message, 0, Math.min(1, text.length), severity);
}
