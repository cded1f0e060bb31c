/** What a dataset is made of, as it crosses a boundary. Offsets are UTF-16 code units, ends are exclusive. */

export type Task = 'sentiment' | 'relation';

/** A range of an example's text. */
export interface Span {
  start: number;
  end: number;
}

/** The two entities of a relation example. Either may come first in the text. */
export interface EntitySpans {
  head: Span;
  tail: Span;
}

/** A place in a document, 0-based, as VS Code counts: lines end at \n, \r\n or \r; characters are UTF-16 code units. */
export interface Position {
  line: number;
  char: number;
}

/** A range in a document, 0-based, end-exclusive. */
export interface FileRange {
  startLine: number;
  startChar: number;
  endLine: number;
  endChar: number;
}

/** Lines from `start` up to, not including, `end`, 0-based. */
export interface LineRange {
  start: number;
  end: number;
}

/** One change of a document, in coordinates of the document before the change. */
export interface TextChange {
  range: FileRange;
  text: string;
}

export type Severity = 'error' | 'warning' | 'information';

/** Something a person should look at, tied to a range in the file. `code` is stable, e.g. `assay/unreadable-row`. */
export interface Finding {
  code: string;
  severity: Severity;
  /** What is wrong, where, and what to do. */
  message: string;
  range: FileRange;
  /** Names it for **Mark as Reviewed**: a hash of its code and of what it speaks of. Absent: it can only be mended. */
  key?: string;
  /** Other places that it speaks of. */
  related?: RelatedPlace[];
  /** What a safe change of the file would do ("Remove this row"); absent: there is none. */
  fix?: string;
}

/** A place that a finding speaks of. */
export interface RelatedPlace {
  /** A file beside this one, by its name; null: this one. */
  file: string | null;
  range: FileRange;
  message: string;
}

export type FormatId =
  | 'jsonl'
  | 'json'
  | 'csv'
  | 'semeval2010'
  | 'sst-trees'
  | 'fasttext'
  | 'lines'
  | 'aspect-lines'
  | 'semeval2014-xml'
  | 'parquet'
  | 'fewrel'
  | 'docred'
  | 'scierc'
  | 'spert'
  | 'relation-triples'
  | 'linked-entities'
  | 'label-studio'
  | 'conll'
  | 'brat';

/**
 * Where the parts of an example stand in a row. A column is the header's word, `#3` for the third column (1-based) of a
 * table without header, or the path of keys in a JSON row (`review.text`). Absent: the row has no such part.
 */
export interface ColumnChoice {
  task: Task;
  text?: string;
  gold?: string;
  head?: string;
  tail?: string;
  id?: string;
}

/** A column that a person may choose, with a few of its values (shortened). */
export interface ColumnCandidate {
  name: string;
  examples: string[];
}

/** A file of a dataset that is kept in parts, by its name. */
export interface DatasetSplit {
  split: 'train' | 'dev' | 'test';
  /** Relative to the folder of the file that was opened. */
  name: string;
  /** It is the file that was opened. */
  isThis: boolean;
}

/** What a page is of its file. */
export interface PagePlace {
  /** From 1 on. */
  number: number;
  pageCount: number;
  /** The number of its first example in the file, from 1 on. */
  firstExample: number;
  /** Of the whole file. */
  exampleCount: number;
}

/** What was understood of a file, shown to the person and open to correction. */
export interface DatasetInfo {
  format: FormatId;
  /** For people, e.g. `CSV, ";", header` or `JSON Lines, token + h + t`. */
  formatDetail: string;
  encoding: string;
  /** Bytes that the encoding does not allow; each is shown as U+FFFD. */
  badBytes: number;
  /** The encoding that the file looks like, where the editor reads it as another: for people. */
  looksLike?: string;
  columns: ColumnChoice;
  /** How sure the detection is, 0 to 1; 1 when a person chose. */
  confidence: number;
  candidates: ColumnCandidate[];
  exampleCount: number;
  unreadableCount: number;
  lineCount: number;
  /** Gold labels, the most frequent first; `id`: what the file writes where a file beside it names its labels. */
  labels: { label: string; count: number; id?: string }[];
  /** The parts of the dataset that stand beside each other, this one among them; empty where it stands alone. */
  splits: DatasetSplit[];
  /** It is a page of a file; all but the counts of examples and lines are the file's. */
  page?: PagePlace;
}
