import type { ColumnCandidate, ColumnChoice, FormatId, Span } from '../../protocol/dataset';
import type { Companion } from './companions';
import type { Example } from './dataset';

/**
 * What a dataset format is: one file with a `Format`, and one row in formats.ts.
 *
 * A document is cut into *records*, one after the other; a record is read into examples by itself. What a cut and a reading say may
 * depend on nothing but the text from the place on and the cut's state. That is what makes every format incremental: after an edit, cutting
 * starts again at the record it touched and stops as soon as it meets the place and state of a record it did not touch. And it
 * lets a window of a large file be read without the rest: a cut that `looked` no further than the window is final.
 */
export interface Format {
  readonly id: FormatId;
  /**
   * Whether a sample is of this format, by its content only. With `choice`, the columns are those; without, they are detected.
   * Null: it is not of this format.
   * @throws NotADataset if it is of this format and `choice` names a column it does not have.
   */
  detect(sample: Sample, choice: ColumnChoice | null): Reading | Refusal | null;
}

/** The first lines of a document, whole lines unless the first one alone is very long. */
export interface Sample {
  readonly text: string;
  /** It is the whole document. */
  readonly complete: boolean;
  /** All there is of the document, or more than the sample. For formats whose labels stand behind all texts. */
  readonly whole?: string;
  /** The file's name. Only lines of text look at it, whose label may stand nowhere else (`pos.txt`). */
  readonly name?: string;
  /** Files beside the document that say more of it. */
  readonly companions?: readonly Companion[];
}

/** The file has the format's shape but holds no dataset, or none that is surely one. */
export interface Refusal {
  /** What it looks like and why it is no dataset: whole sentences for the person. Null: it may be of another format. */
  readonly refusal: string | null;
  /** The columns that the format would read it by, if a person chose some. */
  readonly candidates?: readonly ColumnCandidate[];
}

/** How one file is read, once its format and columns are known. */
export interface Reading {
  readonly format: FormatId;
  /** How sure the detection is, 0 to 1; 1 where a person chose the columns. */
  readonly confidence: number;
  /** For people. */
  readonly detail: string;
  readonly columns: ColumnChoice;
  readonly candidates: ColumnCandidate[];
  /** Two readings with the same key read every record alike, so an edit that leaves it as it was keeps the records. */
  readonly key: string;
  /** What labels that are ids are called; the examples' labels are named already. */
  readonly labelNames?: LabelNames;
  /** Detection looked further than the sample: an edit anywhere may change what it says. */
  readonly needsWhole?: boolean;
  /** Where the first record is looked for. */
  begin(text: string): Place;
  /** The next record from a place on; null when there is none. */
  cut(text: string, place: Place): Cut | null;
  /**
   * Reads the record [start, end) of `text`. Offsets in the row are relative to `start`. `state` is that of the place it was
   * cut from. Never throws: what cannot be read is a problem.
   */
  read(text: string, start: number, end: number, state: string): Row;
  /**
   * The values of all columns of such a record that hold a text, number or boolean, also those that `columns` does not name; null where it
   * cannot be read. Absent: the format has no other columns.
   */
  fields?(text: string, start: number, end: number): ReadonlyMap<string, string> | null;
}

/** What the labels of a dataset are called, where it writes ids (`P177`) and a file beside it says their names. */
export interface LabelNames {
  /** The file that says them. */
  readonly source: string;
  /** Null: it has no name. */
  nameOf(id: string): string | null;
  /** The id of a label that was named; null if it was not. */
  idOf(name: string): string | null;
}

/** A place in a document where cutting may go on. */
export interface Place {
  readonly offset: number;
  /** What the cut needs to know of the text before: in a list or behind it, the key a list stands under. Empty for most formats. */
  readonly state: string;
}

/** A record of the document. */
export interface Cut {
  readonly start: number;
  /** Exclusive. `start === end`: nothing to read, there is only a problem. */
  readonly end: number;
  readonly next: Place;
  /** The cut depends on the text up to this offset at most, at least `next.offset`. */
  readonly looked: number;
  /** Something wrong around the record, relative to `start`. */
  readonly problem: Problem | null;
}

/** A finding within a record, relative to the record's start. */
export interface Problem {
  readonly code:
    | 'assay/unreadable-row'
    | 'assay/span-out-of-bounds'
    | 'assay/entity-not-found'
    | 'assay/multi-label'
    | 'assay/markers';
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly range: Span;
}

/** An example before it has its place in the file. `id` null: it is numbered. */
export type ReadExample = Omit<Example, 'record' | 'id' | 'aspect' | 'sentences' | 'misfits'> & {
  id: string | null;
  aspect?: Span | null;
  sentences?: readonly Span[] | null;
  misfits?: Example['misfits'];
};

/** What a record holds. */
export interface Row {
  readonly examples: readonly ReadExample[];
  readonly problems: readonly Problem[];
}

export const noProblems: readonly Problem[] = [];

/** A row that gives no example. */
export function unreadable(message: string, start: number, end: number): Row {
  return { examples: [], problems: [problemAt('assay/unreadable-row', message, start, end)] };
}

export function problemAt(
  code: Problem['code'],
  message: string,
  start: number,
  end: number,
  severity: Problem['severity'] = 'error',
): Problem {
  return { code, severity, message, range: { start, end } };
}
