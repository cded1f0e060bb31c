import type {
  ColumnChoice,
  DatasetInfo,
  DatasetSplit,
  FileRange,
  Finding,
  Span,
  TextChange,
} from '../../protocol/dataset';
import { LineIndex } from '../text/lines';
import { toDocument } from '../text/offset-map';
import type { Companion } from './companions';
import { type Example, NotADataset, textsStandApart } from './dataset';
import type { DatasetSource } from './dataset-source';
import { type DecodedText, decodeFile, encodingTitle } from './decoding';
import { detectReading } from './detection';
import { applyChanges, growth, type OffsetChange, offsetChanges } from './edits';
import type { LabelNames, Problem, Reading, Row } from './format';
import { type ReadDocument, readDocument, rereadDocument, type StoredExample, type StoredRecord } from './records';
import { farLooking, lastUpTo, leavesOthers, removalsOf } from './removal';

/** An open dataset: its text, its examples, and what is wrong with its rows; kept up to date with the editor's changes. */
export class DatasetDocument {
  readonly #name: string;
  readonly #encoding: string;
  readonly #badBytes: number;
  readonly #looksLike: string | undefined;
  readonly #companions: readonly Companion[];
  #text: string;
  #lines: LineIndex;
  #choice: ColumnChoice | null;
  /** It is read so, whatever it holds. */
  readonly #fixed: Reading | null;
  #reading: Reading;
  /** So far from the document's start an edit may change how it is read. */
  #looked = 0;
  /** The last edit left a text that is no dataset: the reading is that of before. */
  #readingIsOld = false;
  #read: ReadDocument;
  #splits: DatasetSplit[] = [];
  #info: DatasetInfo | null = null;
  #findings: Finding[] | null = null;
  /** Records that an edit far behind them may change. */
  #far: readonly number[] | null = null;

  private constructor(source: DatasetSource, { text, encoding, badBytes, looksLike }: DecodedText) {
    const { name, choice, companions } = source;
    this.#name = name;
    this.#encoding = encoding;
    this.#badBytes = badBytes;
    this.#looksLike = looksLike;
    this.#companions = companions ?? [];
    this.#choice = choice ?? null;
    this.#text = text;
    this.#fixed = source.reading ?? null;
    this.#reading = this.#fixed ?? this.#detect(this.#choice);
    this.#lines = LineIndex.of(text);
    this.#read = readDocument(text, this.#lines, this.#reading);
  }

  /** @throws NotADataset, with a message for the person. */
  static open(source: DatasetSource): DatasetDocument {
    const { name, bytes, text, splits, encoding } = source;
    const decoded: DecodedText =
      text !== undefined
        ? { text, encoding: encoding === undefined ? 'UTF-8' : encodingTitle(encoding), badBytes: 0 }
        : decodeFile(bytes ?? new Uint8Array(), name, encoding);
    const document = new DatasetDocument(source, decoded);
    document.#splits = splits ?? [];
    return document;
  }

  get text(): string {
    return this.#text;
  }

  get lines(): LineIndex {
    return this.#lines;
  }

  get examples(): readonly Example[] {
    return this.#read.examples;
  }

  /** `encoding` and `badBytes` are those of the file when it was opened. */
  get info(): DatasetInfo {
    this.#info ??= this.#describe();
    return this.#info;
  }

  /** What its labels are called, where it writes ids and a file beside it names them. */
  get labelNames(): LabelNames | null {
    return this.#reading.labelNames ?? null;
  }

  /** Errors in rows that are no unreadable ones: what they tell of is left out of an example, or a relation is. */
  get errorsInReadRows(): number {
    let count = 0;
    for (const record of this.#read.records) {
      if (isUnread(record)) continue;
      for (const { severity } of record.rowProblems) if (severity === 'error') count++;
      if (record.cutProblem?.severity === 'error') count++;
    }
    return count;
  }

  get findings(): readonly Finding[] {
    this.#findings ??= this.#read.records.flatMap((record) => {
      const problems = record.cutProblem === null ? record.rowProblems : [...record.rowProblems, record.cutProblem];
      return problems.map(({ code, severity, message, range }) => ({
        code,
        severity,
        message,
        range: this.#range(record, range),
      }));
    });
    return this.#findings;
  }

  /**
   * Applies the changes of one edit, each in coordinates of the text before all of them. Only records that they touch are read
   * again; all other Example objects stay the same. If the edited text is no dataset any more, it is read as before.
   */
  applyEdits(changes: readonly TextChange[]): void {
    const edits = offsetChanges(changes, this.#lines);
    const first = edits[0];
    const last = edits.at(-1);
    if (first === undefined || last === undefined) return;
    const text = applyChanges(this.#text, edits);
    this.#lines = this.#lines.edited(text, first.start, last.end, last.end + growth(edits));
    this.#text = text;
    const reading = this.#readingAfter(first.start);
    const isSame = reading.key === this.#reading.key;
    this.#reading = reading;
    this.#read = isSame
      ? rereadDocument(this.#read, edits, text, this.#lines, reading)
      : readDocument(text, this.#lines, reading);
    this.#forget();
  }

  /**
   * Reads the document with other columns.
   * @throws NotADataset if it has no such columns; the document is then as before.
   */
  choose(choice: ColumnChoice): void {
    this.#reading = this.#detect(choice);
    this.#choice = choice;
    this.#readingIsOld = false;
    this.#read = readDocument(this.#text, this.#lines, this.#reading);
    this.#forget();
  }

  /** A range of an example's text, in the document. */
  fileRange(example: Example, span: Span): FileRange {
    return this.#range(example.record, toDocument(example.map, span.start, span.end));
  }

  /** An example's `textField` or `goldField`, in the document. */
  fieldRange(example: Example, field: Span): FileRange {
    return this.#range(example.record, field);
  }

  /** The simple values of the row that an example stands in, by column; null where the format has none, or the row is broken. */
  fieldsOf(example: Example): ReadonlyMap<string, string> | null {
    const { start, length, examples } = this.#recordOf(example);
    // An object of columns is one record: nothing says which value is whose.
    return examples.length > 1 ? null : (this.#reading.fields?.(this.#text, start, start + length) ?? null);
  }

  /** From the first to the last character of the example's record; of its text, where those of the record stand apart. */
  recordRange(example: Example): FileRange {
    const record = this.#recordOf(example);
    return this.#range(record, textsStandApart(record.examples) ? example.textField : { start: 0, end: record.length });
  }

  /** The 0-based line on which `recordRange` begins. */
  firstLineOf(example: Example): number {
    const record = this.#recordOf(example);
    return this.#lineAt(record, textsStandApart(record.examples) ? example.textField.start : 0);
  }

  /** The indices of the examples whose record (`recordRange`) touches the lines from `startLine` up to, not including, `endLine`. */
  examplesBetween(startLine: number, endLine: number): { from: number; to: number } {
    const from = this.#firstWhere(
      ({ record, textField }) =>
        this.#lineAt(record, textsStandApart(record.examples) ? textField.end : record.length) >= startLine,
    );
    const to = this.#firstWhere(
      ({ record, textField }) =>
        this.#lineAt(record, textsStandApart(record.examples) ? textField.start : 0) >= endLine,
    );
    return { from, to: Math.max(from, to) };
  }

  #lineAt(record: StoredRecord, offset: number): number {
    if (offset === 0) return record.startLine;
    if (offset === record.length) return record.startLine + record.moreLines;
    return this.#lines.lineAt(record.start + offset);
  }

  /** The index of the first example that holds what none before it holds and every one behind it does. */
  #firstWhere(holds: (example: StoredExample) => boolean): number {
    const examples = this.#read.examples;
    let low = 0;
    let high = examples.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (holds(examples[middle]!)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** The text of the record that stands at an offset, or last before it. */
  recordTextAt(offset: number): string {
    const { records } = this.#read;
    const record = records[lastUpTo(records, offset)];
    return record === undefined ? '' : this.#text.slice(record.start, record.start + record.length);
  }

  /** What is written at a span of an example's record, relative to the record's start. */
  rawText(example: Example, span: Span): string {
    const { start } = this.#recordOf(example);
    return this.#text.slice(start + span.start, start + span.end);
  }

  /** An example's record: its length in UTF-16 units, the examples that stand in it, and what is wrong with it. */
  rowOf(example: Example): {
    readonly length: number;
    readonly examples: readonly Example[];
    readonly problems: readonly Problem[];
  } {
    const { length, examples, rowProblems } = this.#recordOf(example);
    return { length, examples, problems: rowProblems };
  }

  /**
   * What an example's record would hold after changes of it, in offsets relative to its start, in order. Null if it would end elsewhere, or
   * leave those behind it another state: then they may be read otherwise.
   */
  rowAfter(example: Example, changes: readonly OffsetChange[]): Row | null {
    const { start, length, leadLength, nextLength, lookedLength, state, nextState } = this.#recordOf(example);
    const changed = applyChanges(this.#text.slice(start, start + length), changes);
    // A cut depends on nothing but the text from its place on, up to where it looked.
    const before = this.#text.slice(start - leadLength, start);
    const cut = this.#reading.cut(
      before + changed + this.#text.slice(start + length, start + Math.max(lookedLength, nextLength)),
      { offset: 0, state },
    );
    const isOneStill =
      cut !== null &&
      cut.start === leadLength &&
      cut.end === leadLength + changed.length &&
      cut.next.offset === cut.end + nextLength - length &&
      cut.next.state === nextState;
    return isOneStill ? this.#reading.read(changed, 0, changed.length, state) : null;
  }

  /** What has to be deleted for an example's row to be gone; null where that cannot be done without touching another. */
  removalOf(example: Example): FileRange | null {
    return this.removalsOf([example])[0]?.range ?? null;
  }

  /** The same for many, in order: rows that follow one another go in one piece. Rows that hold more than the example stay. */
  removalsOf(examples: readonly Example[]): { range: FileRange; examples: readonly Example[] }[] {
    const records = examples.map((example) => this.#recordOf(example));
    const removable = new Set(
      records.filter((record) => record.examples.length === 1 && record.rowProblems.length === 0),
    );
    const { records: all } = this.#read;
    this.#far ??= farLooking(all);
    const far = this.#far;
    return removalsOf(this.#text, all, removable)
      .filter((removal) => leavesOthers(this.#text, all, removal, far, this.#reading.cut))
      .map(({ span, records: gone }) => ({
        range: this.#range({ start: 0 }, span),
        examples: gone.flatMap((record) => record.examples),
      }));
  }

  /** False: an edit has taken it away, or put another one in its place. */
  has(example: Example): boolean {
    return this.#findRecord(example) !== null;
  }

  #recordOf(example: Example): StoredRecord {
    const record = this.#findRecord(example);
    if (record === null) throw new RangeError(`Example ${example.id} is not one of this document, or no longer.`);
    return record;
  }

  #findRecord(example: Example): StoredRecord | null {
    const index = this.#firstWhere(({ record }) => record.start >= example.record.start);
    const record = this.#read.examples[index]?.record;
    // A record keeps its examples as long as it lives.
    return record !== undefined && record === example.record ? record : null;
  }

  /** @throws NotADataset */
  #detect(choice: ColumnChoice | null): Reading {
    const facts = { name: this.#name, companions: this.#companions };
    const { reading, looked } = detectReading(this.#text, facts, choice);
    this.#looked = looked;
    return reading;
  }

  /** The reading of the edited text, whose first change is at `start`. */
  #readingAfter(start: number): Reading {
    if (this.#fixed !== null) return this.#fixed;
    if (start > this.#looked && !this.#readingIsOld && this.#reading.needsWhole !== true) return this.#reading;
    try {
      const reading = this.#detect(this.#choice);
      this.#readingIsOld = false;
      return reading;
    } catch (error) {
      if (!(error instanceof NotADataset)) throw error;
      this.#readingIsOld = true;
      return this.#reading;
    }
  }

  /** What is worked out when asked for. */
  #forget(): void {
    this.#info = null;
    this.#findings = null;
    this.#far = null;
  }

  #range(record: { start: number }, range: Span): FileRange {
    const start = this.#lines.position(record.start + range.start);
    const end = this.#lines.position(record.start + range.end);
    return { startLine: start.line, startChar: start.char, endLine: end.line, endChar: end.char };
  }

  #describe(): DatasetInfo {
    const counts = new Map<string, number>();
    for (const { gold } of this.#read.examples) if (gold !== null) counts.set(gold, (counts.get(gold) ?? 0) + 1);
    const { format, detail, columns, candidates, confidence, labelNames } = this.#reading;
    return {
      format,
      formatDetail: detail,
      encoding: this.#encoding,
      badBytes: this.#badBytes,
      ...(this.#looksLike === undefined ? {} : { looksLike: this.#looksLike }),
      columns,
      confidence,
      candidates,
      exampleCount: this.#read.examples.length,
      unreadableCount: this.#read.records.filter(isUnread).length,
      lineCount: this.#lines.lineCount,
      labels: [...counts]
        .map(([label, count]) => {
          const id = labelNames?.idOf(label) ?? null;
          return id === null ? { label, count } : { label, count, id };
        })
        .sort((a, b) => b.count - a.count),
      splits: this.#splits,
    };
  }
}

/** A record may hold no example and be right: a sentence without aspects, a comment. */
function isUnread({ examples, rowProblems, cutProblem }: StoredRecord): boolean {
  const isError = (problem: Problem | null) => problem?.severity === 'error';
  return examples.length === 0 && (rowProblems.some(isError) || isError(cutProblem));
}
