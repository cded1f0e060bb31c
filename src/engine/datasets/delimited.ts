import type { ColumnChoice } from '../../protocol/dataset';
import { plainMap } from '../text/offset-map';
import { type EntityCompanions, entityCompanions, normalised, textNameScore, tokenListNames } from './column-names';
import { checkChoice, columnCandidates, endsAreInclusive, guessColumns, listed, SAMPLE_ROWS } from './columns';
import { dialectOf } from './delimited-dialect';
import {
  commonWidth,
  firstRecord,
  headerNames,
  isHeader,
  namesTextAndLabel,
  numberedNames,
  titleRecords,
} from './delimited-header';
import { isHeaderAgain, type Places, readRecord } from './delimited-rows';
import { type Dialect, fieldValue, nextRecord, ONE_COLUMN, recordFields } from './delimited-scanner';
import { type Format, type Reading, type Refusal, type Sample, unreadable } from './format';
import { markedColumns, markersIn } from './inline-markers';
import { pythonTokens } from './python-list';
import { type Cell, type SampleRow, textCell } from './sample-row';

/** CSV, TSV and their kin: a record a row, RFC 4180 quotes, with or without header. */
export const delimited: Format = { id: 'csv', detect };

const delimiters = ['\t', ',', ';', '|', ONE_COLUMN];

/** More columns than any dataset has. */
const MAX_COLUMNS = 50_000;

/** A table as one delimiter reads the sample. */
interface Table {
  dialect: Dialect;
  /** Cells of the sampled records, the header's among them. */
  records: string[][];
  width: number;
  /** Share of the records that have `width` cells. */
  regular: number;
  /** The first record names a text and a label. */
  surelyHeader: boolean;
  header: boolean;
  /** Records above the header: a title, comments. */
  title: number;
  names: string[];
}

function detect(sample: Sample, choice: ColumnChoice | null): Reading | Refusal | null {
  let winner: { table: Table; columns: ColumnChoice; confidence: number; rows: SampleRow[] } | null = null;
  let refused: Table | null = null;
  for (const delimiter of delimiters) {
    const table = tableOf(sample, delimiter);
    if (table === null) continue;
    const rows = sampleRows(table);
    const guess = choice === null ? guessColumns(table.names, rows, table.header) : fittingChoice(choice, table);
    const isBare = !table.header && choice === null;
    // Without names, one row or an unlabelled column could be anything.
    if (guess === null || (isBare && (rows.length < 2 || guess.columns.gold === undefined))) {
      if (refused === null || table.regular > refused.regular) refused = table;
      continue;
    }
    const confidence = guess.confidence * (0.5 + 0.5 * table.regular);
    if (winner === null || confidence > winner.confidence) winner = { table, columns: guess.columns, confidence, rows };
  }
  if (winner === null) {
    if (refused === null) return null;
    if (choice !== null) checkChoice(choice, refused.names);
    return refusal(refused);
  }
  const { table, columns, rows } = winner;
  const confidence = choice === null ? Math.round(winner.confidence * 100) / 100 : 1;
  return readingOf(table, columns, rows, confidence, choice);
}

function fittingChoice(choice: ColumnChoice, table: Table): { columns: ColumnChoice; confidence: number } | null {
  const parts = [choice.text, choice.gold, choice.head, choice.tail, choice.id].filter((name) => name !== undefined);
  return choice.text !== undefined && parts.every((name) => table.names.includes(name))
    ? { columns: choice, confidence: 1 }
    : null;
}

/** The sample as a table, or null if this delimiter makes none of it. */
function tableOf(sample: Sample, delimiter: string): Table | null {
  if (!sample.text.includes(delimiter) && delimiter !== ONE_COLUMN) return null;
  const dialect = dialectOf(sample.text, delimiter);
  const records: string[][] = [];
  const title = titleRecords(sample.text, dialect);
  for (let offset = firstRecord(sample.text, dialect, title); records.length <= SAMPLE_ROWS; ) {
    const record = nextRecord(sample.text, offset, dialect);
    if (record === null) break;
    const fields = recordFields(sample.text, record.start, record.end, dialect);
    // The last record of a part is cut off where its line is, or where it opens a quote that nothing closes.
    const isLast = !sample.complete && record.next >= sample.text.length;
    if (isLast && (record.end === sample.text.length || fields.some(({ stray }) => stray))) break;
    if (fields.length > MAX_COLUMNS) return null;
    records.push(fields.map((field) => fieldValue(sample.text, field, dialect)));
    offset = record.next;
  }
  const first = records[0];
  if (first === undefined) return null;
  const isSingle = delimiter === ONE_COLUMN;
  const namesText = first.some((cell) => textNameScore(cell) > 0.5);
  // Without its name, one column is any text.
  if (isSingle && (!namesText || first.length > 1)) return null;
  const surelyHeader = isSingle || namesTextAndLabel(first);
  const width = surelyHeader ? first.length : commonWidth(records);
  const regular = records.filter((record) => record.length === width).length / records.length;
  if ((width < 2 && !isSingle) || (regular < 0.8 && !surelyHeader)) return null;
  const header = isSingle || isHeader(records, width, surelyHeader);
  return {
    dialect,
    records,
    width,
    regular,
    surelyHeader,
    header,
    title,
    names: header ? headerNames(first) : numberedNames(width),
  };
}

/** Words as a list, in a column that is named so, are no text of their own; in others they may be labels. */
function cellOf(name: string, cell: string): Cell {
  const tokens = tokenListNames.includes(normalised(name)) ? listOf(cell) : null;
  return tokens === null ? textCell(cell) : { kind: 'tokens', value: tokens.text };
}

function listOf(cell: string) {
  return pythonTokens({ text: cell, map: plainMap(cell.length, 0) });
}

/** Whether most texts are lists of words. */
function holdsLists(rows: readonly SampleRow[], text: string): boolean {
  const cells = rows.flatMap((row) => row.get(text) ?? []);
  const lists = cells.filter(({ kind, value }) => kind === 'tokens' || listOf(value) !== null).length;
  return lists > cells.length / 2;
}

function sampleRows(table: Table): SampleRow[] {
  const rows = table.records.slice(table.header ? 1 : 0).filter((record) => record.length === table.width);
  return rows.map(
    (record) => new Map(record.map((cell, column) => [table.names[column]!, cellOf(table.names[column]!, cell)])),
  );
}

function quotesAs({ quotes, backslash }: Dialect): string {
  if (!quotes) return ', quotes as they are';
  return backslash === true ? ', quotes escaped by backslashes' : '';
}

function kindOf({ delimiter }: Dialect): string {
  if (delimiter === '\t') return 'TSV';
  if (delimiter === ONE_COLUMN) return 'CSV, one column';
  return delimiter === ',' ? 'CSV' : `CSV, ${delimiterName(delimiter)}`;
}

function delimiterName(delimiter: string): string {
  return delimiter === '\t' ? 'tab' : `"${delimiter}"`;
}

/** Only what is surely a table is called one; of other text, other things are said. */
function refusal(table: Table): Refusal | null {
  const rows = table.records.slice(table.header ? 1 : 0);
  const candidates = columnCandidates(table.names, sampleRows(table));
  if (table.surelyHeader && !rows.some((row) => row.length === table.width)) {
    const named = `The first line names the columns ${listed(table.names)}`;
    return {
      refusal:
        rows.length === 0
          ? `${named}, but there are no rows below it. Add some, or open another file: Assay reads rows of a text and its label.`
          : `${named}, but no row below it has ${table.width} fields: a text that holds ${delimiterName(table.dialect.delimiter)} must stand in quotes. Assay reads rows of a text and its label.`,
    };
  }
  if (rows.length < 2 || table.regular < 0.95) return null;
  const cells = rows.flat().filter((cell) => cell.trim() !== '');
  const numbers = cells.filter((cell) => textCell(cell).kind === 'number').length;
  const what = `a table of ${table.width} columns separated by ${delimiterName(table.dialect.delimiter)}`;
  if (numbers > cells.length * 0.8) {
    return { refusal: `This looks like ${what} that holds numbers: no column holds a text to classify.`, candidates };
  }
  if (!table.header || !table.names.every((name) => /^[\p{L}_#][\p{L}\p{N} _.:#-]*$/u.test(name))) {
    // Nothing says that it is no dataset, and a person may know its columns.
    return { refusal: null, candidates };
  }
  return {
    candidates,
    refusal: `This looks like ${what} (${listed(table.names)}): none of them surely holds a text to classify and its label. If one does, name it with Choose Columns.`,
  };
}

function readingOf(
  table: Table,
  guessed: ColumnChoice,
  rows: readonly SampleRow[],
  confidence: number,
  choice: ColumnChoice | null,
): Reading {
  const { dialect, names, header, title, width } = table;
  const found = markersIn(rows, guessed.text ?? '', choice);
  const markers = found?.kind ?? null;
  const columns = markers === null ? guessed : markedColumns(guessed);
  const place = (name: string | null | undefined) => (name === null || name === undefined ? -1 : names.indexOf(name));
  const companions = (name: string | undefined): EntityCompanions | null =>
    name === undefined || columns.task !== 'relation' ? null : entityCompanions(name, names);
  const head = companions(columns.head);
  const tail = companions(columns.tail);
  const relation = columns.task === 'relation' && head !== null && tail !== null;
  const places: Places = {
    text: place(columns.text),
    gold: place(columns.gold),
    id: place(columns.id),
    head: relation ? place(columns.head) : -1,
    tail: relation ? place(columns.tail) : -1,
    headEnd: place(head?.end),
    tailEnd: place(tail?.end),
    headType: place(head?.type),
    tailType: place(tail?.type),
    headName: place(head?.name),
    tailName: place(tail?.name),
  };
  const isTokens = holdsLists(rows, columns.text ?? '');
  const ends =
    head !== null &&
    tail !== null &&
    endsAreInclusive(rows, columns.text, [
      { start: columns.head!, companions: head },
      { start: columns.tail!, companions: tail },
    ]);
  const inclusive = ends ?? (isTokens && head?.inclusive === true);
  const marked = markers === null ? '' : `, entities marked ${markers.name}`;
  return {
    format: 'csv',
    confidence: choice === null ? Math.min(confidence, found?.share ?? 1) : confidence,
    detail: `${kindOf(dialect)}, ${header ? 'header' : 'no header'}${title > 0 ? ' below a title' : ''}${quotesAs(dialect)}${isTokens ? ', lists of words' : ''}${marked}`,
    columns,
    candidates: columnCandidates(names, rows),
    key: JSON.stringify(['csv', dialect, header, title, width, relation, places, inclusive, markers, isTokens]),
    begin: (text) => {
      const start = firstRecord(text, dialect, title);
      return { offset: header ? (nextRecord(text, start, dialect)?.next ?? start) : start, state: '' };
    },
    cut: (text, at) => {
      const record = nextRecord(text, at.offset, dialect);
      if (record === null) return null;
      return {
        start: record.start,
        end: record.end,
        next: { offset: record.next, state: '' },
        looked: record.looked,
        problem: null,
      };
    },
    read: (text, start, end) => {
      const fields = recordFields(text, start, end, dialect);
      return header && isHeaderAgain(text, fields, dialect, places)
        ? unreadable('The header stands here again: the row is left out.', 0, end - start)
        : readRecord(text, start, end, fields, dialect, width, places, inclusive, markers, isTokens);
    },
    fields: (text, start, end) =>
      new Map(
        recordFields(text, start, end, dialect)
          .slice(0, width)
          .map((field, column) => [names[column]!, fieldValue(text, field, dialect)]),
      ),
  };
}
