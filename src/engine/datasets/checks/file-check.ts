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
  /** Which split the file is; null where it stands alone. */
  readonly split: string | null;
  readonly others: readonly OtherSplit[];
  readonly settings: CheckSettings;
  /** What labels that are ids are called; null where no file says it. */
  readonly labelNames: LabelNames | null;
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
