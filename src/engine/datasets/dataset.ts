import type { ColumnCandidate, EntitySpans, Span } from '../../protocol/dataset';
import type { OffsetMap } from '../text/offset-map';

/** Where a record begins in the document. One object a record, shared by its examples and moved in place by edits. */
export interface RecordRef {
  /** Document offset of the record's first character, in UTF-16 code units. */
  start: number;
  /** 0-based. */
  startLine: number;
}

/** An entity whose words are not what its row says they are. */
export interface EntityMisfit {
  readonly role: 'head' | 'tail';
  /** What the row says. */
  readonly name: string;
  /**
   * What says where the entity ends, relative to the record: the digits, or a list of numbers whose last it is; null where the row says it
   * otherwise.
   */
  readonly end: Span | null;
  /** The entity is what the row says if its end is moved by so many words, or characters where the row counts those; 0: not so either. */
  readonly endShift: 1 | -1 | 0;
}

/** One row to classify. Offsets are UTF-16 code units, ends exclusive. */
export interface Example {
  /** The dataset's own id, else the 1-based number of the example in the file. */
  id: string;
  text: string;
  /** The two entities, in the text. Null for sentiment. A masked entity's span is empty. */
  spans: EntitySpans | null;
  /** The aspect that the label is about, where the format marks one; null elsewhere. */
  aspect: Span | null;
  /** Every mention of the two entities where the format has several; null where each has one. */
  mentions: { head: Span[]; tail: Span[] } | null;
  /** The sentences of the text, where the format tells them apart (document-level relations); null elsewhere. */
  sentences: readonly Span[] | null;
  /** The entities' types where the dataset has them. */
  types: { head: string | null; tail: string | null } | null;
  /** Null, as for almost every row: its entities are what the row says they are, or it does not say. */
  misfits: readonly EntityMisfit[] | null;
  /** The gold label as the file writes it, or the name of one that is an id (`P177`); null where the row has none. */
  gold: string | null;
  record: RecordRef;
  /** Text -> document, relative to `record.start`. */
  map: OffsetMap;
  /** The raw text field, with its quotes or brackets, relative to `record.start`. */
  textField: Span;
  /** The raw gold field, likewise; null too where the label stands outside of the record. */
  goldField: Span | null;
}

/** Whether the texts of a record's examples stand apart, one behind the other (a JSON object of columns). */
export function textsStandApart(examples: readonly Pick<Example, 'textField'>[]): boolean {
  return examples.length > 1 && examples[0]!.textField.start < examples[examples.length - 1]!.textField.start;
}

/** The file is no dataset that Assay reads. The message says what it looks like, why it is none, and what to do. */
export class NotADataset extends Error {
  override readonly name = 'NotADataset';
  /** The columns that were seen all the same, for a person to choose from; empty where there are none. */
  readonly candidates: readonly ColumnCandidate[];

  constructor(message: string, candidates: readonly ColumnCandidate[] = []) {
    super(message);
    this.candidates = candidates;
  }
}

/** The file has not the columns that a person chose. */
export class MissingColumns extends NotADataset {
  /** How many of them, at least 1. */
  readonly missing: number;
  /** Those that it has. */
  readonly names: readonly string[];

  constructor(message: string, missing: number, names: readonly string[]) {
    super(message);
    this.missing = missing;
    this.names = names;
  }
}
