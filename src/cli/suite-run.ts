/** What `test` and `variants` have in common: a file, a model and a suite, run to its end. */
import os from 'node:os';
import type { Example } from '../engine/datasets/dataset';
import type { DatasetDocument } from '../engine/datasets/document';
import { type Classifier, loadClassifier } from '../engine/models/classifier';
import { type GradientModel, loadGradientModel } from '../engine/models/gradient-model';
import { matchLabels } from '../engine/models/labels';
import { cacheOfModel, hashOfIds } from '../engine/models/logits-cache';
import { ModelError } from '../engine/models/model-error';
import type { ModelFolder } from '../engine/models/model-folder';
import { fixedBudget } from '../engine/models/token-budget';
import { collectEntities } from '../engine/perturbation/entity/entity-pool';
import { type ExampleOutcome, runSuite, type SuiteTools } from '../engine/perturbation/run-suite';
import { PatternTooSlow } from '../engine/perturbation/slice';
import type { Suite } from '../engine/perturbation/suite';
import { weighWords } from '../engine/perturbation/weigh-words';
import { createRandom, shuffled } from '../engine/statistics/random';
import type { MethodId } from '../protocol/attribution';
import { parseColumns } from './columns';
import { datasetNotes } from './dataset-notes';
import { type CliIo, InputError, UsageError } from './io';
import { openCache } from './open-cache';
import { onLine, openDataset } from './open-dataset';
import { openModelFolder } from './open-model';
import { chooseSuite } from './suite-choice';

/** Options of the command line, for parseArgs. */
export const suiteOptions = {
  suite: { type: 'string' },
  only: { type: 'string', multiple: true },
  sample: { type: 'string' },
  seed: { type: 'string' },
  model: { type: 'string' },
  columns: { type: 'string' },
  labels: { type: 'string' },
  cache: { type: 'string' },
  'no-cache': { type: 'boolean' },
} as const;

export interface SuiteArguments {
  suite?: string | undefined;
  only?: string[] | undefined;
  sample?: string | undefined;
  seed?: string | undefined;
  model?: string | undefined;
  columns?: string | undefined;
  labels?: string | undefined;
  cache?: string | undefined;
  'no-cache'?: boolean | undefined;
  /** Only the examples on this line, counted from 1. */
  line?: number;
}

export interface SuiteRun {
  dataset: DatasetDocument;
  suite: Suite;
  seed: number;
  modelName: string;
  /** How many of the file's examples were to be tested. */
  exampleCount: number;
  /** Fewer: it was interrupted. */
  testedCount: number;
}

/** Tokens a batch; as for `assay predict`. */
const predictTokens = 1024;
const gradientTokens = 2048;
/** Some forty variants each: enough that like lengths meet. */
const windowSize = 48;
/** Weighs words quickly; their order is all that is used. */
const weighing = { method: 'ig' as MethodId, options: { steps: 16, baseline: 'zero' as const } };

/** Tells the outcomes of a window of examples at a time, in the order of the file. Throws UsageError, InputError, ModelError. */
export async function runSuiteOfFile(
  verb: string,
  file: string,
  asked: SuiteArguments,
  io: CliIo,
  tell: (outcomes: ExampleOutcome<Example>[], dataset: DatasetDocument) => void | Promise<void>,
): Promise<SuiteRun> {
  const seed = numberOf(verb, 'seed', asked.seed, 0) ?? 1;
  const sample = numberOf(verb, 'sample', asked.sample, 1);
  const reading = {
    columns: asked.columns === undefined ? null : parseColumns(asked.columns),
    labels: asked.labels ?? null,
  };
  const dataset = await openDataset(file, reading, io);
  for (const note of datasetNotes(file, dataset)) io.note(note);
  if (dataset.examples.length === 0) throw new InputError(`${file}: no example could be read.`);
  const { task } = dataset.info.columns;
  const suite = await chooseSuite(verb, asked.suite, asked.only ?? [], task, io);
  const folder = await openModelFolder(asked.model, task, io);
  const cache = openCache({ folder: asked.cache, isOff: asked['no-cache'] ?? false }, io);
  const threads = os.availableParallelism();
  const classifier = await loadClassifier(folder, { threads });
  let gradients: GradientModel | null = null;
  try {
    const weighsWords = suite.tests.some(({ perturbation }) => perturbation.kind === 'search');
    if (weighsWords) gradients = await gradientsOf(folder, threads, io);
    const match = matchLabels(dataset.info.labels, classifier.info.labels);
    const inModel = new Map(match.pairs.map((pair) => [pair.dataset, pair.model]));
    const { line } = asked;
    const examples = line === undefined ? sampled(dataset.examples, sample, seed) : onLine(dataset, line);
    let testedCount = 0;
    await runSuite(
      examples.map((example) => ({
        item: example,
        source: example,
        gold: example.gold === null ? null : (inModel.get(example.gold) ?? null),
      })),
      suite,
      {
        classifier,
        seed,
        windowSize,
        pool: collectEntities(dataset.examples),
        budget: fixedBudget(predictTokens),
        keyOf: ({ ids }) => hashOfIds(ids),
        cache: cacheOfModel(cache, classifier.info),
        signal: io.signal,
        weigh: weighsWords ? weigherOf(classifier, gradients, io) : null,
      },
      async (outcomes) => {
        await tell(outcomes, dataset);
        testedCount += outcomes.length / suite.tests.length;
      },
    );
    return { dataset, suite, seed, modelName: classifier.info.name, exampleCount: examples.length, testedCount };
  } catch (error) {
    if (error instanceof PatternTooSlow) throw new InputError(error.message);
    throw error;
  } finally {
    await gradients?.dispose();
    await classifier.dispose();
  }
}

/** Null: the graph has none, and a note says so. */
async function gradientsOf(folder: ModelFolder, threads: number, io: CliIo): Promise<GradientModel | null> {
  try {
    return await loadGradientModel(folder, { threads });
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    io.note(`searches: words are weighed by occlusion, for want of gradients: ${error.message}`);
    return null;
  }
}

function weigherOf(classifier: Classifier, gradients: GradientModel | null, { signal }: CliIo): SuiteTools['weigh'] {
  const budgets = { gradients: fixedBudget(gradientTokens), logits: fixedBudget(predictTokens) };
  const how = gradients === null ? { ...weighing, method: 'occlusion' as const } : weighing;
  return (items) => weighWords(items, how, { classifier, gradients, budgets, signal });
}

/** A random choice in the order of the file; all where none was asked for. */
function sampled(examples: readonly Example[], count: number | null, seed: number): readonly Example[] {
  if (count === null || count >= examples.length) return examples;
  const order = shuffled(
    examples.map((_, index) => index),
    createRandom(seed),
  );
  return order
    .slice(0, count)
    .sort((a, b) => a - b)
    .map((index) => examples[index]!);
}

/** Null: it was not said. */
function numberOf(verb: string, option: string, value: string | undefined, least: number): number | null {
  if (value === undefined) return null;
  const number = /^[0-9]+$/.test(value) ? Number(value) : Number.NaN;
  if (Number.isSafeInteger(number) && number >= least) return number;
  throw new UsageError(`${verb}: --${option} is a whole number, ${least} or more, not ${JSON.stringify(value)}.`);
}
