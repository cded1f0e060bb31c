import os from 'node:os';
import path from 'node:path';
import { type Classifier, loadClassifier } from '../engine/models/classifier';
import { type ModelFolder, readModelFolder } from '../engine/models/model-folder';
import type { Task } from '../protocol/dataset';
import { bundledModelOfTask } from '../protocol/worker';
import { type CliIo, InputError } from './io';

/**
 * Loads the model in `folder`, or the bundled one for the task, on all cores. Throws ModelError where the folder holds no
 * usable model, InputError where it holds one for another task.
 */
export async function openModel(folder: string | undefined, task: Task, io: CliIo): Promise<Classifier> {
  return loadClassifier(await openModelFolder(folder, task, io), { threads: os.availableParallelism() });
}

/** As `openModel`, before anything is loaded. */
export async function openModelFolder(folder: string | undefined, task: Task, io: CliIo): Promise<ModelFolder> {
  const chosen =
    folder === undefined
      ? path.join(io.packageFolder, 'models', bundledModelOfTask[task])
      : path.resolve(io.workingFolder, folder);
  const model = await readModelFolder(chosen);
  if (model.info.task !== task) {
    throw new InputError(
      `${folder}: this model is for ${model.info.task} examples, the file holds ${task} examples. Choose a ${task} model, or correct the columns of the file (--columns task=${model.info.task},...).`,
    );
  }
  if (model.markersInferred) {
    io.note(
      'model: how it wants entities marked in its input was guessed from its tokenizer; an assay.json beside its config.json can say it',
    );
  }
  return model;
}
