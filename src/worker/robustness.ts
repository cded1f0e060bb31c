/** Runs a suite over examples of an open dataset; what came of it is kept with them. */
import type { Example } from '../engine/datasets/dataset';
import { cacheOfModel, hashOfIds } from '../engine/models/logits-cache';
import { ModelError } from '../engine/models/model-error';
import type { LogitsCache } from '../engine/models/run';
import { collectEntities } from '../engine/perturbation/entity/entity-pool';
import { type ExampleOutcome, runSuite, type SuiteTools } from '../engine/perturbation/run-suite';
import { PatternTooSlow } from '../engine/perturbation/slice';
import { fullSuite, quickSuite, type Suite } from '../engine/perturbation/suite';
import { parseSuite, SuiteFileError } from '../engine/perturbation/suite-file';
import { perturbations } from '../engine/perturbation/table';
import { Tallying, type TestTally } from '../engine/perturbation/tally';
import { weighWords } from '../engine/perturbation/weigh-words';
import { createRandom, shuffled } from '../engine/statistics/random';
import type { Position, Task } from '../protocol/dataset';
import type { RobustnessParams, RobustnessResult, SuiteChoice, TestSummary } from '../protocol/robustness';
import type { LoadedModel } from './models';
import type { OpenDataset } from './open-dataset';
import { examplesAt } from './views';

export interface RobustnessContext {
  cache: LogitsCache;
  signal: AbortSignal;
  onProgress(done: number, total: number): void;
  /** Before each batch: what others have asked meanwhile is answered. */
  starting(): Promise<void>;
}

/** Examples that are tested together: few, so that the first results are drawn soon. */
const windowSize = 16;
/** Weighs words quickly; their order is all that is used. */
const weighing = { steps: 16, baseline: 'zero' as const };

/** Throws ModelError where the model cannot be used at all. */
export async function testRobustness(
  dataset: OpenDataset,
  model: LoadedModel,
  params: RobustnessParams,
  context: RobustnessContext,
): Promise<RobustnessResult> {
  const startedMs = performance.now();
  const { classifier } = model;
  dataset.useModel(classifier.info, params.rememberedLabels);
  let suite: Suite;
  try {
    suite = suiteOf(params.suite, dataset.info.columns.task);
  } catch (error) {
    if (error instanceof SuiteFileError) return { kind: 'badSuite', message: error.message };
    throw error;
  }
  const examples = scopeOf(dataset, params);
  const tallies = new Map(suite.tests.map((test) => [test, new Tallying(test)]));
  let testedCount = 0;
  let failingCount = 0;
  const tell = (outcomes: ExampleOutcome<Example>[]): void => {
    const ofExample = new Map<Example, ExampleOutcome<Example>[]>();
    for (const outcome of outcomes) {
      tallies.get(outcome.test)!.add(outcome);
      const others = ofExample.get(outcome.item);
      if (others === undefined) ofExample.set(outcome.item, [outcome]);
      else others.push(outcome);
    }
    for (const [example, all] of ofExample) {
      dataset.robustness.set(example, all);
      testedCount++;
      if ((dataset.robustness.countsOf(example)?.failing ?? 0) > 0) failingCount++;
    }
    context.onProgress(testedCount, examples.length);
  };
  try {
    const subjects = examples.map((example) => ({
      item: example,
      source: example,
      gold: dataset.goldInModel(example),
    }));
    await runSuite(subjects, suite, await toolsOf(dataset, model, suite, params.seed, context), tell);
  } catch (error) {
    if (error instanceof PatternTooSlow) return { kind: 'badSuite', message: error.message };
    throw error;
  }
  return {
    kind: 'tested',
    suite: suite.name,
    tests: suite.tests.map((test) => summaryOf(tallies.get(test)!.result(params.seed))),
    exampleCount: examples.length,
    testedCount,
    failingCount,
    ms: performance.now() - startedMs,
  };
}

function suiteOf(choice: SuiteChoice, task: Task): Suite {
  if (choice.kind === 'file') return parseSuite(choice.text, perturbations, task);
  const ofTask = perturbations.filter(({ tasks }) => tasks.includes(task));
  return choice.name === 'full' ? fullSuite(ofTask) : quickSuite(ofTask);
}

function scopeOf(dataset: OpenDataset, { scope, seed }: RobustnessParams): readonly Example[] {
  const { document } = dataset;
  switch (scope.kind) {
    case 'all':
      return document.examples;
    case 'at':
      return examplesAt(dataset, scope.position).slice(0, 1);
    case 'lines': {
      const { from, to } = document.examplesBetween(scope.lines.start, scope.lines.end);
      return document.examples.slice(from, to);
    }
    case 'sample': {
      const order = shuffled(
        document.examples.map((_, index) => index),
        createRandom(seed),
      );
      return order
        .slice(0, scope.count)
        .sort((a, b) => a - b)
        .map((index) => document.examples[index]!);
    }
  }
}

async function toolsOf(
  dataset: OpenDataset,
  model: LoadedModel,
  suite: Suite,
  seed: number,
  { cache, signal, starting }: RobustnessContext,
): Promise<SuiteTools> {
  const { classifier } = model;
  const searches = suite.tests.some(({ perturbation }) => perturbation.kind === 'search');
  return {
    classifier,
    seed,
    windowSize,
    pool: dataset.info.columns.task === 'relation' ? collectEntities(dataset.document.examples) : null,
    budget: model.budget,
    keyOf: ({ ids }) => hashOfIds(ids),
    cache: cacheOfModel(cache, classifier.info),
    signal,
    starting,
    weigh: searches ? await weigherOf(model, signal, starting) : null,
  };
}

async function weigherOf(
  model: LoadedModel,
  signal: AbortSignal,
  starting: () => Promise<void>,
): Promise<NonNullable<SuiteTools['weigh']>> {
  const { classifier } = model;
  const gradients = await model.gradients().catch((error: unknown) => {
    // A graph without gradients is explained by occlusion.
    if (error instanceof ModelError) return null;
    throw error;
  });
  const budgets = { gradients: model.gradientBudget, logits: model.budget };
  const method = gradients === null ? 'occlusion' : 'ig';
  return (items) =>
    weighWords(items, { method, options: weighing }, { classifier, gradients, budgets, signal, starting });
}

function summaryOf({ test, passed, failureRate, examples, variants, failing, notApplicable }: TestTally): TestSummary {
  return {
    id: test.id,
    name: test.name,
    family: test.perturbation.family,
    passed,
    threshold: test.threshold,
    failureRate,
    examples,
    variants,
    failing,
    reason: notApplicable[0]?.reason ?? null,
  };
}

/** The text of the next example, behind a position, that has a failing variant; at the end it goes on at the beginning. */
export function nextFailing({ document, robustness }: OpenDataset, position: Position): Position | null {
  const at = document.lines.offset(position);
  const failing = document.examples.filter((example) => (robustness.countsOf(example)?.failing ?? 0) > 0);
  const startOf = (example: Example): number => example.record.start + example.textField.start;
  const next = failing.find((example) => startOf(example) > at) ?? failing[0];
  return next === undefined ? null : document.lines.position(startOf(next));
}
