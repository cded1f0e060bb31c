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
  /** What is wrong with the record, and around it. */
  rowProblems: readonly Problem[];
  cutProblem: Problem | null;
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
 * Cuts and reads an edited document, keeping every record whose own text the changes do not touch: those are moved in place, and cut
 * again only where something around them changed. `text` and `lines` are the edited ones; `old` are the records before.
 */
export function rereadRecords(
  old: readonly StoredRecord[],
  changes: readonly OffsetChange[],
  text: string,
  lines: LineIndex,
  reading: Reading,
): StoredRecord[] {
  const records: StoredRecord[] = [];
  const former = new FormerRecords(old, changes);
  let place: Place = reading.begin(text);
  /** How many lines the kept records have moved; known again after one is looked up. */
  let lineShift: number | null = null;
  for (;;) {
    former.skipTo(place.offset);
    const untouched = former.untouchedFrom(place);
    if (untouched !== null) {
      const start = place.offset + untouched.leadLength;
      lineShift ??= lines.position(start).line - untouched.startLine;
      untouched.start = start;
      untouched.startLine += lineShift;
      records.push(untouched);
      place = { offset: start + untouched.nextLength, state: untouched.nextState };
      former.skip();
      continue;
    }
    lineShift = null;
    const cut = reading.cut(text, place);
    if (cut === null) return records;
    former.skipTo(cut.start);
    const kept = former.sameAs(cut, place.state);
    if (kept === null) {
      records.push(storedRecord(cut, place, readDetached(text, cut, place.state, reading), lines));
    } else {
      Object.assign(kept, cutFields(cut, place, lines));
      records.push(kept);
      former.skip();
    }
    place = cut.next;
  }
}

/** The records before an edit, from left to right, and where they would stand after it. */
class FormerRecords {
  readonly #records: readonly StoredRecord[];
  readonly #cursor: ChangeCursor;
  #index = 0;
  /** Of the current record, after the edit; null: replaced. */
  #place: number | null = null;
  #start: number | null = null;
  /** Nothing was changed or inserted between its place and its start. */
  #leadIsSame = false;

  constructor(records: readonly StoredRecord[], changes: readonly OffsetChange[]) {
    this.#records = records;
    this.#cursor = new ChangeCursor(changes);
    this.#look();
  }

  #look(): void {
    const record = this.#records[this.#index];
    if (record === undefined) return;
    const place = record.start - record.leadLength;
    this.#place = this.#cursor.newOffset(place);
    const isUntouched = this.#place !== null && this.#cursor.isUntouchedUpTo(record.start - 1);
    this.#start = this.#cursor.newOffset(record.start);
    // What is inserted at its very start moves the start alone.
    this.#leadIsSame = isUntouched && this.#start === this.#place! + record.leadLength;
  }

  skip(): void {
    this.#index++;
    this.#look();
  }

  /** Passes the records that are gone or stand before an offset of the edited text. */
  skipTo(offset: number): void {
    while (this.#index < this.#records.length && (this.#start === null || this.#start < offset)) this.skip();
  }

  /** The current record, if it would be cut from this place as it was. */
  untouchedFrom(place: Place): StoredRecord | null {
    const record = this.#records[this.#index];
    if (record === undefined || !this.#leadIsSame || this.#place !== place.offset || record.state !== place.state)
      return null;
    return this.#cursor.isUntouchedUpTo(record.start + record.lookedLength) ? record : null;
  }

  /** The current record, if it has the text of this cut. */
  sameAs(cut: Cut, state: string): StoredRecord | null {
    const record = this.#records[this.#index];
    if (
      record === undefined ||
      this.#start !== cut.start ||
      record.length !== cut.end - cut.start ||
      record.state !== state
    )
      return null;
    return this.#cursor.isUntouchedUpTo(record.start + record.length - 1) ? record : null;
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

function cutFields(cut: Cut, place: Place, lines: LineIndex) {
  const startLine = lines.position(cut.start).line;
  return {
    start: cut.start,
    startLine,
    leadLength: cut.start - place.offset,
    length: cut.end - cut.start,
    nextLength: cut.next.offset - cut.start,
    lookedLength: cut.looked - cut.start,
    moreLines: lines.position(cut.end).line - startLine,
    state: place.state,
    nextState: cut.next.state,
    cutProblem: cut.problem,
  };
}

function storedRecord(cut: Cut, place: Place, row: Row, lines: LineIndex): StoredRecord {
  const record: StoredRecord = {
    ...cutFields(cut, place, lines),
    examples: [],
    rowProblems: row.problems,
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
