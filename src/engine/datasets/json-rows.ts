import type { ColumnCandidate, ColumnChoice } from '../../protocol/dataset';
import { lineEnd } from '../text/lines';
import { entityCompanions } from './column-names';
import { checkChoice, columnCandidates, columnNames, endsAreInclusive, guessColumns, listed } from './columns';
import type { Refusal } from './format';
import { markedColumns, markersIn } from './inline-markers';
import { labelReading } from './json-labels';
import { objectEndsAreInclusive } from './json-place-ends';
import { foundAt, type ReadRow, rowReader } from './json-row-reader';
import type { JsonError } from './json-scanner';
import type { SampleRow } from './sample-row';

/** Rows that are JSON objects, whatever they stand in: their columns, and how one is read. */
export interface JsonRows {
  confidence: number;
  columns: ColumnChoice;
  candidates: ColumnCandidate[];
  /** The columns' names, for the format's detail: `token + h + t`. */
  detail: string;
  key: string;
  read: ReadRow;
}

/** Why the rows are none of a dataset. */
export type RefusedRows = Refusal & { readonly refusal: string };

/** What looks like rows of JSON and holds none that is valid. */
export function noValidRow(what: string, text: string, first: JsonError): Refusal {
  const line = text.slice(0, first.offset).split(/\r\n|\r|\n/).length;
  return {
    refusal: `This looks like ${what}, but none of its rows is valid JSON. The first one, on line ${line}: ${first.message}${foundAt(text, first.offset, lineEnd(text, first.offset))}. Assay reads rows such as {"text": …, "label": …}.`,
  };
}

/** How much surer a file is that has one, of 0 to 1. */
const FOUND_LABEL = 0.3;

/**
 * Finds the columns of sampled rows.
 * @throws NotADataset if `choice` names a column that the rows do not have.
 */
export function jsonRows(
  rows: readonly SampleRow[],
  choice: ColumnChoice | null,
  what: string,
): JsonRows | RefusedRows {
  const names = columnNames(rows);
  if (choice !== null) checkChoice(choice, names);
  const guess = choice === null ? guessColumns(names, rows, true) : { columns: choice, confidence: 1 };
  const found = guess?.columns.text === undefined ? null : markersIn(rows, guess.columns.text, choice);
  const markers = found?.kind ?? null;
  // One row alone may be any JSON object: its keys must be surely a dataset's.
  if (guess === null || (rows.length === 1 && guess.confidence < 0.6)) {
    return {
      refusal: `This looks like ${what} with the keys ${listed(names)}: none of them surely holds a text to classify and its label. If one does, name it with Choose Columns.`,
      candidates: columnCandidates(names, rows),
    };
  }
  const labels = labelReading(guess.columns, choice !== null, names, rows);
  // Its label was found by its values.
  const isFound = guess.columns.gold === undefined && labels.columns.gold !== undefined;
  const ofColumns = isFound ? Math.min(0.9, guess.confidence + FOUND_LABEL) : guess.confidence;
  const confidence = choice === null ? Math.min(ofColumns, found?.share ?? 1) : ofColumns;
  const columns = markers === null ? labels.columns : markedColumns(labels.columns);
  const head = columns.head === undefined ? null : entityCompanions(columns.head, names);
  const tail = columns.tail === undefined ? null : entityCompanions(columns.tail, names);
  const inclusive =
    head === null || tail === null
      ? null
      : endsAreInclusive(rows, columns.text, [
          { start: columns.head!, companions: head },
          { start: columns.tail!, companions: tail },
        ]);
  const inclusiveObjects = objectEndsAreInclusive(rows, columns.text, [columns.head, columns.tail]);
  const parts = [columns.text, columns.head, columns.tail, columns.gold].filter((name) => name !== undefined);
  const marked = markers === null ? '' : `, entities marked ${markers.name}`;
  return {
    confidence,
    columns,
    candidates: columnCandidates(names, rows),
    detail:
      parts.join(' + ') +
      marked +
      (inclusiveObjects ? ', ends inclusive' : '') +
      (labels.isOneHot ? ', labels one-hot' : ''),
    key: JSON.stringify([
      columns.task,
      columns.text,
      columns.gold,
      columns.head,
      columns.tail,
      columns.id,
      head,
      tail,
      inclusive,
      inclusiveObjects,
      markers,
      labels.answer,
      labels.isOneHot,
    ]),
    read: rowReader(columns, { head, tail, inclusive, inclusiveObjects, markers, ...labels }),
  };
}
