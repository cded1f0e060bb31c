import type { ColumnChoice, Task } from '../../../protocol/dataset';
import type { Example } from '../dataset';
import type { LabelNames } from '../format';
import type { CheckFinding } from './finding';
import type { KeptShingles } from './kept-shingles';
import type { RowFacts } from './row-facts';
import type { CheckSettings } from './settings';

/** A dataset as its checks see it: the rows of the file, what is kept of each, and the other splits. */
export interface CheckedFile {
  readonly task: Task;
  readonly columns: ColumnChoice;
  readonly examples: readonly Example[];
  /** The simple values of an example's row, by column; null where the format has none. */
  fieldsOf(example: Example): ReadonlyMap<string, string> | null;
  /** Where an example's row begins, 0-based; its text, where the texts of a record stand apart. */
  firstLineOf(example: Example): number;
  /** The slot of each example in `facts`, in the order of the file. */
  readonly slots: Uint32Array;
  readonly facts: RowFacts;
  readonly labels: LabelCensus;
  /** Which split the file is; null where it stands alone. */
  readonly split: string | null;
  readonly others: readonly OtherSplit[];
  readonly settings: CheckSettings;
  /** What labels that are ids are called; null where no file says it. */
  readonly labelNames: LabelNames | null;
}

/** How often a label occurs. */
export interface LabelCount {
  readonly label: string;
  /** Its id in the file's facts. */
  readonly id: number;
  /** In this file. */
  readonly here: number;
  /** In all splits of the dataset. */
  readonly all: number;
  /** The first row here that has it. */
  readonly firstRow: number;
}

/** What a label was meant to be. */
export interface Misspelling {
  readonly label: LabelCount;
  readonly meant: { readonly label: string; readonly all: number };
  /** They differ in case, spaces, hyphens or underscores alone. */
  readonly isWriting: boolean;
}

/** What the checks of labels have in common, counted once. */
export interface LabelCensus {
  /** The labels of the file, the most frequent first. */
  readonly counts: readonly LabelCount[];
  /** For each of the other splits how often it has each label. */
  readonly beside: readonly ReadonlyMap<string, number>[];
  /** The labels of the file that are misspellings of others, in it or in another split. */
  readonly misspellings: readonly Misspelling[];
}

/** A file that holds another split of the dataset; its texts are not kept. */
export interface OtherSplit {
  readonly split: string;
  /** For people. */
  readonly file: string;
  readonly facts: RowFacts;
  /** To compare with a text of this file. */
  readonly shingles: KeptShingles;
  /** The facts' slots are the rows in the order of the file: 0, 1, 2, … */
  readonly rowCount: number;
  /** Where a row starts, 0-based line. */
  readonly lines: Uint32Array;
}

/** Says what is wrong with rows seen together. It yields about every 5 ms of work, so that it can be set aside or given up. */
export type FileCheck = (file: CheckedFile) => Generator<void, readonly CheckFinding[]>;
