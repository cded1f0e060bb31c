/** Explains examples of an open dataset: predicts those that are not, then asks the method; each is drawn as soon as it is known. */
import { explainAll } from '../engine/attribution/explain';
import { areNumbers } from '../engine/attribution/method';
import { methodOf } from '../engine/attribution/methods';
import { type Subject, subjectOf, type Target } from '../engine/attribution/subject';
import { likeliest, targetOf } from '../engine/attribution/targets';
import type { Example } from '../engine/datasets/dataset';
import type { GradientModel } from '../engine/models/gradient-model';
import { ModelError } from '../engine/models/model-error';
import { type ExplainParams, type ExplainResult, type MethodId, methods } from '../protocol/attribution';
import type { LineRange } from '../protocol/dataset';
import type { LoadedModel } from './models';
import type { OpenDataset } from './open-dataset';
import { examplesAt } from './views';

export interface ExplainContext {
  signal: AbortSignal;
  /** Predicts what stands on the lines. */
  predict(lines: LineRange): Promise<void>;
  /** Something can be drawn. */
  onProgress(): void;
  /** Before each batch: what others have asked meanwhile is answered. */
  starting(): Promise<void>;
}

interface Asked {
  example: Example;
  subject: Subject;
  target: Target;
}

/** Throws ModelError where the model cannot be used at all. */
export async function explain(
  dataset: OpenDataset,
  model: LoadedModel,
  params: ExplainParams,
  context: ExplainContext,
): Promise<ExplainResult> {
  const startedMs = performance.now();
  const { classifier } = model;
  dataset.useModel(classifier.info, params.rememberedLabels);
  const chosen = await choose(model, params.options.method);
  const { steps, baseline } = params.options;
  const key = [params.options.method, steps, baseline, classifier.info.hash].join(' ');
  const wanted = wantedExamples(dataset, params.scope, key);
  if (wanted.some((example) => !dataset.isDone(example))) await context.predict(linesOf(dataset, wanted));

  const refusals = new Set<string>();
  const asked = wanted.flatMap((example): Asked[] => {
    const prediction = dataset.resultOf(example);
    if (prediction === undefined) {
      if (!context.signal.aborted) refusals.add('its prediction ended the worker');
      return [];
    }
    const { labels } = classifier.info;
    const known = { ...likeliest(prediction.logits, labels), gold: dataset.goldInModel(example) };
    const found = targetOf(params.explained, known, labels);
    if ('target' in found) return [{ example, subject: subjectOf(classifier, example), ...found }];
    refusals.add(found.refusal);
    return [];
  });
  let explainedCount = 0;
  await explainAll(
    asked,
    (item) => item,
    { run: methodOf[chosen.method], options: params.options },
    {
      classifier,
      gradients: chosen.gradients,
      budgets: { gradients: model.gradientBudget, logits: model.budget },
      signal: context.signal,
      starting: context.starting,
    },
    ({ example, subject, target }, scores) => {
      if (!areNumbers(scores)) {
        refusals.add('its scores are no numbers: the model computes infinite or undefined values for it');
        return;
      }
      dataset.explanations.set(example, key, {
        subject,
        target,
        scores,
        labels: classifier.info.labels,
        method: chosen.method,
        insteadOf: chosen.fallback === null ? null : params.options.method,
        isTruncated: dataset.resultOf(example)?.truncated === true,
        notes: chosen.fallback === null ? (chosen.gradients?.notes ?? []) : [chosen.fallback],
      });
      explainedCount++;
      context.onProgress();
    },
  );
  return { explainedCount, refusals: [...refusals], fallback: chosen.fallback, ms: performance.now() - startedMs };
}

/** The method that this model can be explained by. */
async function choose(
  model: LoadedModel,
  method: MethodId,
): Promise<{ method: MethodId; gradients: GradientModel | null; fallback: string | null }> {
  if (!methods[method].needsGradients) return { method, gradients: null, fallback: null };
  try {
    return { method, gradients: await model.gradients(), fallback: null };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return {
      method: 'occlusion',
      gradients: null,
      fallback: `${methods[method].name} needs gradients, and this model gives none: ${error.message}`,
    };
  }
}

/** The example at a position, anew; or those on the lines that are not explained yet, one a text: of a document's pairs the first. */
function wantedExamples(dataset: OpenDataset, scope: ExplainParams['scope'], key: string): Example[] {
  if (scope.kind === 'at') return examplesAt(dataset, scope.position).slice(0, 1);
  const { document, explanations } = dataset;
  const { from, to } = document.examplesBetween(scope.lines.start, scope.lines.end);
  const ofText = new Map<number, Example[]>();
  for (const example of document.examples.slice(from, to)) {
    const at = example.record.start + example.textField.start;
    ofText.set(at, [...(ofText.get(at) ?? []), example]);
  }
  return [...ofText.values()].flatMap((examples) =>
    examples.some((example) => explanations.has(example, key)) ? [] : examples.slice(0, 1),
  );
}

function linesOf(dataset: OpenDataset, examples: readonly Example[]): LineRange {
  const ranges = examples.map((example) => dataset.document.recordRange(example));
  return {
    start: Math.min(...ranges.map(({ startLine }) => startLine)),
    end: Math.max(...ranges.map(({ endLine }) => endLine)) + 1,
  };
}
