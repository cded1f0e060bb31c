import path from 'node:path';
import { fullSuite, plainTest, quickSuite, type Suite } from '../engine/perturbation/suite';
import { parseSuite, SuiteFileError } from '../engine/perturbation/suite-file';
import { perturbations } from '../engine/perturbation/table';
import type { Task } from '../protocol/dataset';
import { type CliIo, InputError, UsageError } from './io';
import { readInput } from './open-dataset';

/** What a verb's help says of the options. */
export const suiteHelp = `  --suite SUITE      quick (the default: no searches), full, or a suite file such as .assay/suite.json
  --only NAME        a perturbation, or a family: random, counterfactual, entity; may be given several times`;

/** The suite that was asked for, what is not for the task left out. Throws UsageError, InputError. */
export async function chooseSuite(
  verb: string,
  asked: string | undefined,
  only: readonly string[],
  task: Task,
  io: CliIo,
): Promise<Suite> {
  const ofTask = perturbations.filter(({ tasks }) => tasks.includes(task));
  const suite = await suiteOf(asked ?? 'quick', task, io);
  if (only.length === 0) return suite;
  for (const name of only) {
    if (perturbations.some(({ id, family }) => id === name || family === name)) continue;
    const known = ofTask.map(({ id }) => id).join(', ');
    throw new UsageError(
      `${verb}: there is no perturbation ${JSON.stringify(name)}. Of a family (random, counterfactual, entity): ${known}.`,
    );
  }
  const chosen = ofTask.filter(({ id, family }) => only.includes(id) || only.includes(family));
  const [first] = only;
  if (chosen.length === 0) {
    const others = task === 'sentiment' ? 'relation' : 'sentiment';
    throw new UsageError(
      `${verb}: ${JSON.stringify(first)} is for ${others} examples, the file holds ${task} examples.`,
    );
  }
  const known = new Map(suite.tests.map((test) => [test.id, test]));
  return { ...suite, tests: chosen.map((one) => known.get(one.id) ?? plainTest(one, 8)) };
}

async function suiteOf(asked: string, task: Task, io: CliIo): Promise<Suite> {
  const ofTask = perturbations.filter(({ tasks }) => tasks.includes(task));
  if (asked === 'quick') return quickSuite(ofTask);
  if (asked === 'full') return fullSuite(ofTask);
  const bytes = await readInput(path.resolve(io.workingFolder, asked), asked);
  try {
    return parseSuite(new TextDecoder().decode(bytes), perturbations, task, path.basename(asked));
  } catch (error) {
    if (error instanceof SuiteFileError) throw new InputError(`${asked}: ${error.message}`);
    throw error;
  }
}
