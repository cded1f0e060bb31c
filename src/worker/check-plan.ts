/** What the checks of a dataset have to know beyond its own rows: how its model reads, and what stands in its other splits. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { withFile } from '../engine/datasets/byte-source';
import type { OtherSplit } from '../engine/datasets/checks/file-check';
import { readOtherSplit } from '../engine/datasets/checks/other-split';
import type { InputLength } from '../engine/datasets/checks/settings';
import { readCompanions } from '../engine/datasets/companion-files';
import { NotADataset } from '../engine/datasets/dataset';
import { ModelError } from '../engine/models/model-error';
import type { ColumnChoice, DatasetSplit } from '../protocol/dataset';
import type { CheckOptions } from '../protocol/findings';
import type { ModelChoice } from '../protocol/worker';
import type { CheckingPlan, PlanContext } from './checking';
import { checkSettings } from './findings';
import type { Models } from './models';
import type { OpenDataset } from './open-dataset';

/** Other splits that are remembered; a set in shards has many. */
const rememberedSplits = 16;

export class CheckPlans {
  /** By path, columns, size and time of change; the one used last at the end. */
  readonly #splits = new Map<string, OtherSplit>();
  readonly #log: (message: string) => void;

  /** `log`: why something could not be found out; the checks go on without it. */
  constructor(log: (message: string) => void) {
    this.#log = log;
  }

  async plan(
    { document, file, choice }: OpenDataset,
    options: CheckOptions,
    model: { models: Models; chosen: ModelChoice } | null,
    context: PlanContext,
  ): Promise<CheckingPlan> {
    const { splits, columns } = document.info;
    const others: OtherSplit[] = [];
    for (const split of file === null ? [] : splits) {
      const other = split.isThis ? null : await this.#other(file!, split, choice, context);
      if (other !== null) others.push(other);
    }
    const length = model === null ? null : await this.#inputLength(model.models, model.chosen);
    return {
      settings: checkSettings(options, length?.task === columns.task ? length.inputLength : null),
      whole: { split: splits.find(({ isThis }) => isThis)?.split ?? null, others },
    };
  }

  async #inputLength(
    models: Models,
    { folder }: ModelChoice,
  ): Promise<{ task: string; inputLength: InputLength } | null> {
    try {
      const { classifier, inputLength } = await models.load(folder);
      return { task: classifier.info.task, inputLength: inputLength() };
    } catch (error) {
      // Whoever wants predictions is told what is wrong with the model.
      if (!(error instanceof ModelError)) throw error;
      return null;
    }
  }

  /** Null where it cannot be read. */
  async #other(
    file: string,
    { split, name }: DatasetSplit,
    choice: ColumnChoice | null,
    context: PlanContext,
  ): Promise<OtherSplit | null> {
    const target = path.join(path.dirname(file), name);
    try {
      const { size, mtimeMs } = await stat(target);
      const key = JSON.stringify([target, name, choice, size, mtimeMs]);
      const other = this.#splits.get(key) ?? (await readSplit(target, split, name, choice, context));
      this.#splits.delete(key);
      this.#splits.set(key, other);
      for (const oldest of this.#splits.keys()) {
        if (this.#splits.size <= rememberedSplits) break;
        this.#splits.delete(oldest);
      }
      return other;
    } catch (error) {
      if (context.signal.aborted) throw error;
      this.#log(`${target} is not compared with: ${error instanceof Error ? error.message : String(error)}`);
      return null;
    }
  }
}

async function readSplit(
  target: string,
  split: string,
  name: string,
  choice: ColumnChoice | null,
  context: PlanContext,
): Promise<OtherSplit> {
  const companions = await readCompanions(target);
  const read = (chosen: ColumnChoice | null) =>
    withFile(target, (source) => readOtherSplit(source, { split, name, choice: chosen, companions, ...context }));
  try {
    return await read(choice);
  } catch (error) {
    // Columns that were chosen for the file may be called otherwise in this one.
    if (choice === null || !(error instanceof NotADataset)) throw error;
    return read(null);
  }
}
