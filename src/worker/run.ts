/** One run of a model over a dataset: what is on the screen first, then the rest, then the suspects of a crash. */
import type { Example } from '../engine/datasets/dataset';
import { cacheOfModel, hashOfIds } from '../engine/models/logits-cache';
import { classifyAll, type LogitsCache } from '../engine/models/run';
import type { LineRange } from '../protocol/dataset';
import type { RunParams, RunProgress, RunResult } from '../protocol/worker';
import type { LoadedModel } from './models';
import type { OpenDataset } from './open-dataset';

/** Examples taken together, so that like lengths meet; encoding them takes some 50 ms. */
const windowSize = 1024;
/** The first report comes with the first batch; then no oftener than this, nor for more than a tenth of the time. */
const progressEveryMs = 150;

export interface RunContext {
  cache: LogitsCache;
  signal: AbortSignal;
  onProgress(progress: RunProgress): void;
  /** Resolves when the host has been told, and what it has asked meanwhile is answered. `isUrgent`: a person looks at it. */
  onStarting(keys: string[], isUrgent: boolean): Promise<void>;
  onFinished(): void;
}

export async function run(
  dataset: OpenDataset,
  model: LoadedModel,
  params: RunParams,
  context: RunContext,
): Promise<RunResult> {
  const startedMs = performance.now();
  const { classifier } = model;
  const labels = dataset.useModel(classifier.info, params.rememberedLabels);
  dataset.visible = params.visible;
  const guilty = new Set(params.guilty);
  const suspects = new Set(params.suspects.flat());
  const postponed = new Map<string, Set<Example>>();
  let isIsolating = false;
  let reusedCount = 0;
  let classifiedCount = 0;
  let nextReportMs = 0;
  let firstResultMs = Number.POSITIVE_INFINITY;
  /** Where the last window was found: all before it is done, unless the file was edited. */
  let cursor = 0;

  const examplesOn = (lines: LineRange): readonly Example[] => {
    const { from, to } = dataset.document.examplesBetween(lines.start, lines.end);
    return dataset.document.examples.slice(from, to);
  };
  const { scope } = params;
  /** Edited while the run goes on: it takes them along, whatever its scope. */
  const wanted = (): readonly Example[] => {
    if (scope.kind === 'all') return dataset.document.examples;
    const edited = dataset.pendingEdited();
    if (scope.kind === 'edited') return edited;
    return edited.length === 0 ? examplesOn(scope.lines) : [...new Set([...examplesOn(scope.lines), ...edited])];
  };
  const isPostponed = (example: Example) => [...postponed.values()].some((examples) => examples.has(example));
  const isPending = (example: Example) => !dataset.isDone(example) && (postponed.size === 0 || !isPostponed(example));
  const pendingOn = (lines: LineRange): Example[] => examplesOn(lines).filter(isPending).slice(0, windowSize);
  const nextWindow = (): Example[] => {
    const examples = wanted();
    for (const [from, to] of [
      [Math.min(cursor, examples.length), examples.length],
      [0, Math.min(cursor, examples.length)],
    ] as const) {
      const pending: Example[] = [];
      for (let index = from; index < to && pending.length < windowSize; index++) {
        const example = examples[index]!;
        if (!isPending(example)) continue;
        if (pending.length === 0) cursor = index;
        pending.push(example);
      }
      if (pending.length > 0) return pending;
    }
    return [];
  };
  const urgent = (): Example[] => {
    const visible = dataset.visible;
    // What edits have changed is where the person is.
    if (visible === null || scope.kind === 'edited') return [];
    if (scope.kind === 'all') return pendingOn(visible);
    const start = Math.max(visible.start, scope.lines.start);
    const end = Math.min(visible.end, scope.lines.end);
    return start < end ? pendingOn({ start, end }) : [];
  };
  let isServingUrgent = false;

  const report = () => {
    const reportStartMs = performance.now();
    const examples = wanted();
    const done = examples.reduce((count, example) => count + (dataset.isDone(example) ? 1 : 0), 0);
    const msPerExample = (reportStartMs - firstResultMs) / Math.max(1, classifiedCount);
    context.onProgress({
      uri: dataset.uri,
      done,
      total: examples.length,
      // The first batches tell little: the model warms up, and the budget is not found yet.
      remainingMs: reportStartMs - firstResultMs < 500 ? null : (examples.length - done) * msPerExample,
      summary: dataset.summary(),
    });
    const nowMs = performance.now();
    nextReportMs = nowMs + Math.max(progressEveryMs, 10 * (nowMs - reportStartMs));
  };

  await classifyAll<Example>(
    classifier,
    {
      next() {
        const first = urgent();
        isServingUrgent = first.length > 0;
        if (isServingUrgent) return first;
        const rest = nextWindow();
        if (rest.length > 0) return rest;
        // Last, each suspected batch by itself: if it kills the worker again, all else is already done.
        for (const keys of params.suspects) {
          const group = keys.flatMap((key) => [...(postponed.get(key) ?? [])]);
          for (const key of keys) postponed.delete(key);
          isIsolating = true;
          if (group.length > 0) return group;
        }
        return [];
      },
      inputOf: (example) => example,
      isInterrupted: () => !isServingUrgent && urgent().length > 0,
      postponed(example, key) {
        if (guilty.has(key)) {
          dataset.setGuilty(example);
          return true;
        }
        if (isIsolating || !suspects.has(key)) return false;
        const others = postponed.get(key) ?? new Set();
        postponed.set(key, others.add(example));
        return true;
      },
      starting: (keys) => context.onStarting([...keys], isServingUrgent),
      finished: context.onFinished,
      done(example, { logits, encoded, reused }) {
        dataset.setResult(example, logits, encoded.truncated, encoded.tokenCount);
        firstResultMs = Math.min(firstResultMs, performance.now());
        if (reused) reusedCount++;
        else classifiedCount++;
        if (performance.now() >= nextReportMs) report();
      },
    },
    {
      budget: model.budget,
      keyOf: (encoded) => hashOfIds(encoded.ids),
      cache: cacheOfModel(context.cache, classifier.info),
      signal: context.signal,
    },
  );
  report();
  return {
    model: classifier.info,
    labels,
    summary: dataset.summary(),
    reusedCount,
    classifiedCount,
    ms: performance.now() - startedMs,
  };
}
