import type { LineIndex } from '../text/lines';
import type { Example, RecordRef } from './dataset';
import { ChangeCursor, type OffsetChange } from './edits';
import type { Cut, Place, Problem, Reading, Row } from './format';

/** A record of the document and what was read of it. Offsets but `start` are relative to it, so that moving it moves them. */
export interface StoredRecord extends RecordRef {
  /** From the place it was cut from to its start. */
  leadLength: number;
  /** Of the record itself. */
  length: number;
  /** From its start to the next place, and to the end of what its cut depends on. */
  nextLength: number;
  lookedLength: number;
  /** Lines it goes on over after its first. */
  moreLines: number;
  /** State before and behind it. */
  state: string;
  nextState: string;
  examples: StoredExample[];
  problems: readonly Problem[];
  /** Number of its first example among the document's, 0-based; -1: not numbered yet. */
  firstExample: number;
}

export interface StoredExample extends Example {
  record: StoredRecord;
  /** Its id is its number. */
  readonly numbered: boolean;
}

/** Cuts and reads a whole document. */
export function readRecords(text: string, lines: LineIndex, reading: Reading): StoredRecord[] {
  const records: StoredRecord[] = [];
  let place = reading.begin(text);
  for (let cut = reading.cut(text, place); cut !== null; cut = reading.cut(text, place)) {
    const row = cut.start === cut.end ? emptyRow : reading.read(text, cut.start, cut.end, place.state);
    records.push(storedRecord(cut, place, row, lines));
    place = cut.next;
  }
  return records;
}

/**
 * Cuts and reads an edited document, keeping every record that the changes do not touch: those are moved in place.
 * `text` and `lines` are the edited ones; `old` are the records before.
 */
export function rereadRecords(
  old: readonly StoredRecord[],
  changes: readonly OffsetChange[],
  text: string,
  lines: LineIndex,
  reading: Reading,
): StoredRecord[] {
  const records: StoredRecord[] = [];
  const cursor = new ChangeCursor(changes);
  let place: Place = reading.begin(text);
  let index = 0;
  /** Where the old record at `index` would now be cut from. */
  let moved = index < old.length ? cursor.newOffset(placeOf(old[0]!)) : null;
  let lineShift = 0;
  let shiftKnown = false;
  for (;;) {
    while (index < old.length && (moved === null || moved < place.offset)) {
      index++;
      moved = index < old.length ? cursor.newOffset(placeOf(old[index]!)) : null;
      shiftKnown = false;
    }
    const record = old[index];
    const isKept =
      record !== undefined &&
      moved === place.offset &&
      record.state === place.state &&
      cursor.isUntouchedUpTo(record.start + record.lookedLength);
    if (isKept) {
      const start = place.offset + record.leadLength;
      const next = start + record.nextLength;
      if (!shiftKnown) {
        lineShift = lines.position(start).line - record.startLine;
        shiftKnown = true;
      }
      record.start = start;
      record.startLine += lineShift;
      records.push(record);
      place = { offset: next, state: record.nextState };
      index++;
      moved = index < old.length ? cursor.newOffset(placeOf(old[index]!)) : null;
    } else {
      const cut = reading.cut(text, place);
      if (cut === null) return records;
      records.push(storedRecord(cut, place, readDetached(text, cut, place.state, reading), lines));
      place = cut.next;
      shiftKnown = false;
    }
  }
}

const emptyRow: Row = { examples: [], problems: [] };

/**
 * Reads a record from a copy of its text. Strings cut from the document keep all of it in memory; after many edits that would be many
 * documents.
 */
function readDetached(text: string, cut: Cut, state: string, reading: Reading): Row {
  if (cut.start === cut.end) return emptyRow;
  const copy = ` ${text.slice(cut.start, cut.end)}`.slice(1);
  return reading.read(copy, 0, copy.length, state);
}

function placeOf(record: StoredRecord): number {
  return record.start - record.leadLength;
}

function storedRecord(cut: Cut, place: Place, row: Row, lines: LineIndex): StoredRecord {
  const startLine = lines.position(cut.start).line;
  const record: StoredRecord = {
    start: cut.start,
    startLine,
    leadLength: cut.start - place.offset,
    length: cut.end - cut.start,
    nextLength: cut.next.offset - cut.start,
    lookedLength: cut.looked - cut.start,
    moreLines: lines.position(cut.end).line - startLine,
    state: place.state,
    nextState: cut.next.state,
    examples: [],
    problems: cut.problem === null ? row.problems : [...row.problems, cut.problem],
    firstExample: -1,
  };
  record.examples = row.examples.map((example) => ({
    id: example.id ?? '',
    text: example.text,
    spans: example.spans,
    mentions: example.mentions,
    types: example.types,
    gold: example.gold,
    record,
    map: example.map,
    textField: example.textField,
    goldField: example.goldField,
    numbered: example.id === null,
  }));
  return record;
}

/** All examples in order; those without an id of their own get their number. */
export function numberExamples(records: readonly StoredRecord[]): StoredExample[] {
  const examples: StoredExample[] = [];
  for (const record of records) {
    const moved = record.firstExample !== examples.length;
    record.firstExample = examples.length;
    for (const example of record.examples) {
      examples.push(example);
      if (moved && example.numbered) example.id = String(examples.length);
    }
  }
  return examples;
}
