import type { ColumnCandidate, ColumnChoice } from './dataset';

/** Files that no editor shows as they are (over 50 MB, Parquet, megabytes on one line), in pages of examples. */

export interface PagedFileParams {
  path: string;
  name: string;
  /** The columns a person chose for it; null: they are detected. */
  choice: ColumnChoice | null;
}

/** A page of a file. */
export interface PageParams extends PagedFileParams {
  /** From 0 on. */
  index: number;
}

/** Why a file is shown in pages; null where an editor can show it. */
export type WhyPaged = 'size' | 'parquet' | 'longLines' | null;

export type PagedFileResult =
  | { kind: 'opened'; pageCount: number; exampleCount: number }
  /** The message says what the file looks like and what to do; `candidates`: columns that were seen all the same. */
  | { kind: 'notADataset'; message: string; candidates: ColumnCandidate[] };

/** How far a file has been gone over, to find its pages. */
export interface PagingProgress {
  path: string;
  bytesDone: number;
  bytesTotal: number;
}
