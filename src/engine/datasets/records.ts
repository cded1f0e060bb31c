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

/** The records of a document and all their examples, in order. */
export interface ReadDocument {
  records: StoredRecord[];
  examples: StoredExample[];
}

/** Cuts and reads a whole document. */
export function readDocument(text: string, lines: LineIndex, reading: Reading): ReadDocument {
  const records: StoredRecord[] = [];
  let from = reading.begin(text);
  for (let cut = reading.cut(text, from); cut !== null; cut = reading.cut(text, from)) {
    const row = cut.start === cut.end ? emptyRow : reading.read(text, cut.start, cut.end, from.state);
    records.push(storedRecord(cut, from, row, lines));
    from = cut.next;
  }
  const examples: StoredExample[] = [];
  numberExamples(records, examples);
  return { records, examples };
}

/**
 * Cuts and reads an edited document, keeping every record whose own text the changes do not touch: those are moved in place, and cut
 * again only where something around them changed. `text` and `lines` are the edited ones; `old` is the document before.
 */
export function rereadDocument(
  old: ReadDocument,
  changes: readonly OffsetChange[],
  text: string,
  lines: LineIndex,
  reading: Reading,
): ReadDocument {
  const headCount = countBefore(old.records, changes);
  const last = old.records[headCount - 1];
  const former = new FormerRecords(old.records, headCount, changes);
  const middle: StoredRecord[] = [];
  let from: Place =
    last === undefined ? reading.begin(text) : { offset: last.start + last.nextLength, state: last.nextState };
  for (;;) {
    former.skipTo(from.offset);
    const untouched = former.untouchedFrom(from);
    if (untouched !== null) {
      if (former.isBehindChanges) break;
      untouched.start = from.offset + untouched.leadLength;
      untouched.startLine = lines.lineAt(untouched.start);
      middle.push(untouched);
      from = { offset: untouched.start + untouched.nextLength, state: untouched.nextState };
      former.skip();
      continue;
    }
    const cut = reading.cut(text, from);
    if (cut === null) {
      former.skipTo(Number.POSITIVE_INFINITY);
      break;
    }
    former.skipTo(cut.start);
    const kept = former.sameAs(cut, from.state);
    if (kept === null) {
      middle.push(storedRecord(cut, from, readDetached(text, cut, from.state, reading), lines));
    } else {
      place(kept, cut, from, lines);
      middle.push(kept);
      former.skip();
    }
    from = cut.next;
  }
  return joined(old, headCount, middle, former.index, from.offset, lines);
}

/** How many records stand before all changes, so that nothing that made them has changed. */
function countBefore(records: readonly StoredRecord[], changes: readonly OffsetChange[]): number {
  const first = changes[0]?.start ?? 0;
  let count = 0;
  for (; count < records.length; count++) {
    const { start, lookedLength } = records[count]!;
    if (start + lookedLength >= first) break;
  }
  return count;
}

/** The first `headCount` records, the middle, and the old ones from `tailIndex` on, the first of which is now cut from `tailOffset`. */
function joined(
  old: ReadDocument,
  headCount: number,
  middle: StoredRecord[],
  tailIndex: number,
  tailOffset: number,
  lines: LineIndex,
): ReadDocument {
  const tail = old.records.slice(tailIndex);
  const examplesBefore = (index: number) => old.records[index]?.firstExample ?? old.examples.length;
  const headExamples = examplesBefore(headCount);
  const tailExamples = examplesBefore(tailIndex);
  const first = tail[0];
  if (first !== undefined) {
    const start = tailOffset + first.leadLength;
    const shift = start - first.start;
    const lineShift = lines.lineAt(start) - first.startLine;
    for (const record of tail) {
      record.start += shift;
      record.startLine += lineShift;
    }
  }
  const records = old.records.slice(0, headCount).concat(middle, tail);
  const examples = old.examples.slice(0, headExamples);
  numberExamples(middle, examples);
  // As many as before: the numbers of the others are what they were.
  if (examples.length === tailExamples) return { records, examples: examples.concat(old.examples.slice(tailExamples)) };
  numberExamples(tail, examples);
  return { records, examples };
}

/** The records before an edit, from left to right, and where they would stand after it. */
class FormerRecords {
  readonly #records: readonly StoredRecord[];
  readonly #cursor: ChangeCursor;
  #index: number;
  /** Of the current record, after the edit; null: replaced. */
  #place: number | null = null;
  #start: number | null = null;
  /** Nothing was changed or inserted between its place and its start. */
  #leadIsSame = false;

  constructor(records: readonly StoredRecord[], index: number, changes: readonly OffsetChange[]) {
    this.#records = records;
    this.#index = index;
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

  get index(): number {
    return this.#index;
  }

  /** The current record and all after it stand behind the last change. */
  get isBehindChanges(): boolean {
    return this.#cursor.isAtEnd;
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

/** Sets where a record stands. Field by field: objects made by spreading are slow in every later loop. */
function place(record: StoredRecord, cut: Cut, from: Place, lines: LineIndex): void {
  record.start = cut.start;
  record.startLine = lines.lineAt(cut.start);
  record.leadLength = cut.start - from.offset;
  record.length = cut.end - cut.start;
  record.nextLength = cut.next.offset - cut.start;
  record.lookedLength = cut.looked - cut.start;
  record.moreLines = lines.lineAt(cut.end) - record.startLine;
  record.state = from.state;
  record.nextState = cut.next.state;
  record.cutProblem = cut.problem;
}

function storedRecord(cut: Cut, from: Place, row: Row, lines: LineIndex): StoredRecord {
  const record: StoredRecord = {
    start: 0,
    startLine: 0,
    leadLength: 0,
    length: 0,
    nextLength: 0,
    lookedLength: 0,
    moreLines: 0,
    state: '',
    nextState: '',
    examples: [],
    rowProblems: row.problems,
    cutProblem: null,
    firstExample: -1,
  };
  place(record, cut, from, lines);
  record.examples = row.examples.map((example) => ({
    id: example.id ?? '',
    text: example.text,
    spans: example.spans,
    aspect: example.aspect ?? null,
    mentions: example.mentions,
    sentences: example.sentences ?? null,
    types: example.types,
    misfits: example.misfits ?? null,
    gold: example.gold,
    record,
    map: example.map,
    textField: example.textField,
    goldField: example.goldField,
    numbered: example.id === null,
  }));
  return record;
}

/** Adds the examples of records behind those there are; those without an id of their own get their number. */
function numberExamples(records: readonly StoredRecord[], examples: StoredExample[]): void {
  for (const record of records) {
    const moved = record.firstExample !== examples.length;
    record.firstExample = examples.length;
    for (const example of record.examples) {
      examples.push(example);
      if (moved && example.numbered) example.id = String(examples.length);
    }
  }
}
