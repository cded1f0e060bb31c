import type { FormatId, Task } from '../../../protocol/dataset';
import type { Example } from '../dataset';
import type { CheckFinding } from './finding';
import type { CheckSettings } from './settings';

/** What is known of a row's file. */
export interface RowContext {
  readonly task: Task;
  readonly format: FormatId;
  readonly settings: CheckSettings;
}

/** Says what is wrong with one example, from the example alone. Its findings are kept until the example is edited. */
export type RowCheck = (example: Example, context: RowContext) => readonly CheckFinding[];

export const nothing: readonly CheckFinding[] = [];
