import type { ColumnChoice, DatasetSplit } from '../../protocol/dataset';
import type { Companion } from './companions';
import type { Reading } from './format';

/** A file to read: either its bytes, or its text as the editor has it. */
export interface DatasetSource {
  /** For messages; the detection of lines of text alone looks at it, whose label it may tell. */
  name: string;
  bytes?: Uint8Array;
  text?: string;
  /** Files beside it that say more (companions.ts). */
  companions?: readonly Companion[];
  /** The columns a person chose; without it they are detected. */
  choice?: ColumnChoice;
  /** How it is read, where that is known; then nothing is detected. */
  reading?: Reading;
  /** What the editor that shows the file decodes it as, by VS Code's name (`utf8`); without it the encoding is found out. */
  encoding?: string;
  /** The dataset's files beside it (`splitsBeside`), for its info. */
  splits?: DatasetSplit[];
}
