import os from 'node:os';
import { explainAll } from '../engine/attribution/explain';
import { areNumbers, isComplete, type TokenScores } from '../engine/attribution/method';
import { methodOf } from '../engine/attribution/methods';
import { type Subject, subjectOf, type Target } from '../engine/attribution/subject';
import { defaultClass, likeliest, targetOf } from '../engine/attribution/targets';
import type { Example } from '../engine/datasets/dataset';
import { type Classifier, loadClassifier } from '../engine/models/classifier';
import { type GradientModel, loadGradientModel } from '../engine/models/gradient-model';
import { matchLabels } from '../engine/models/labels';
import { hashOfIds } from '../engine/models/logits-cache';
import { ModelError } from '../engine/models/model-error';
import { classifyAll } from '../engine/models/run';
import { fixedBudget } from '../engine/models/token-budget';
import {
  type Baseline,
  baselines,
  type ExplainedClass,
  type MethodId,
  methodIds,
  methods,
  type NamedClass,
} from '../protocol/attribution';
import { parseFileArguments } from './arguments';
import { columnsHelp, parseColumns } from './columns';
import { datasetNotes } from './dataset-notes';
import { explanationLine } from './explanation-line';
import { type CliIo, exitCode, InputError, UsageError } from './io';
import { labelsHelp, onLine, openDataset } from './open-dataset';
import { openModelFolder } from './open-model';
import type { Verb } from './verb';

const defaultSteps = 64;
/** More than any example needs: beyond it the numbers of a float no longer tell one step from the next. */
const maxSteps = 4096;

const help = `Usage: assay explain FILE --method METHOD [--line N] [--class LABEL] [--against LABEL] [--model FOLDER]
                     [--steps N] [--baseline BASELINE] [--columns COLUMNS] [--labels MAP.json]

Tells how much each token and word of an example speaks for a label: one JSON object a line on stdout, in the order of the file, with
  id, text    of the example
  method      the one that was taken
  class       the label whose logit is explained; "against" where it is the difference of two
  truncated   the input was longer than the model reads
  tokens      [{"token", "start", "end", "score"}]: all that the model reads; start and end (UTF-16 code units of the text, end exclusive)
              are null for special tokens and entity markers
  words       [{"text", "start", "end", "score"}]: the sums over the tokens of a word
  total       ig: what the scores should add up to, the logit (or difference) less that of the baseline
Scores are raw. Those of ig, gxi and occlusion are in units of the logit; of gs and gi squared lengths of gradients, of ig-diagnosere
sums of absolute values: comparable within an example only.

  --method METHOD
${methodIds.map((id) => `      ${id.padEnd(14)} ${methods[id].name}. ${methods[id].description}`).join('\n')}
  --line N           only the examples on this line of the file, counted from 1
  --class LABEL      a label of the model or of the file, "gold" or "predicted" (default: predicted; gold for ig-diagnosere)
  --against LABEL    why the class and not this one, named likewise: the difference of both logits (not with ig-diagnosere)
  --model FOLDER     as for assay predict
  --steps N          points of ig (default ${defaultSteps})
  --baseline WHICH   where ig begins: ${baselines.join(', ')} (default zero: no words at all)
${columnsHelp}
${labelsHelp}
`;

export const explainVerb: Verb = {
  summary: "Tell which words speak for a model's prediction",
  help,
  run,
};

/** Examples that are predicted and explained together; their lines come after them. */
const windowSize = 64;
const predictTokens = 1024;
/** Of embeddings and their gradients: 384 numbers a token and more. */
const gradientTokens = 2048;

interface Tools {
  classifier: Classifier;
  gradients: GradientModel | null;
}

async function run(args: readonly string[], io: CliIo): Promise<number> {
  const { file, line, model, reading, ...asked } = readArguments(args);
  const dataset = await openDataset(file, reading, io);
  for (const note of datasetNotes(file, dataset)) io.note(note);
  const examples = line === null ? dataset.examples : onLine(dataset, line);
  if (examples.length === 0) {
    throw new InputError(line === null ? `${file}: no example could be read.` : `${file}: no example on line ${line}.`);
  }
  const folder = await openModelFolder(model, dataset.info.columns.task, io);
  const threads = os.availableParallelism();
  const classifier = await loadClassifier(folder, { threads });
  let method = asked.method;
  let gradients: GradientModel | null = null;
  try {
    if (methods[method].needsGradients) {
      try {
        gradients = await loadGradientModel(folder, { threads });
        for (const note of gradients.notes) io.note(`model: ${note}`);
      } catch (error) {
        if (!(error instanceof ModelError)) throw error;
        io.note(
          `method: ${method} needs gradients, and there are none: ${error.message} Explained by occlusion instead.`,
        );
        method = 'occlusion';
      }
    }
    const match = matchLabels(dataset.info.labels, classifier.info.labels);
    const inModel = new Map(match.pairs.map((pair) => [pair.dataset, pair.model]));
    const explained = withModelLabels(asked.explained ?? defaultClass(method), inModel, classifier.info.labels);
    const counts = await explainExamples(
      examples,
      { ...asked, method, explained, inModel },
      { classifier, gradients },
      io,
    );
    const name = methods[method].name;
    const steps = method === 'ig' ? `, ${asked.steps} ${asked.steps === 1 ? 'step' : 'steps'}` : '';
    io.note(`${counts.explained} of ${examples.length} explained by ${name}${steps}`);
    if (counts.truncated > 0)
      io.note(`${counts.truncated} truncated: the model did not read the end of the input, which has no scores`);
    if (counts.incomplete > 0) {
      io.note(
        `${counts.incomplete} whose scores do not add up to "total" (by more than 2 % and 0.01): take more steps than ${asked.steps}`,
      );
    }
    for (const [reason, count] of counts.refusals) io.note(`${count} left out: ${reason}`);
    if (io.signal.aborted) return exitCode.interrupted;
    if (counts.explained === 0) throw new InputError(`${file}: none of its examples could be explained.`);
    return exitCode.ok;
  } finally {
    await gradients?.dispose();
    await classifier.dispose();
  }
}

function readArguments(args: readonly string[]) {
  const { file, values } = parseFileArguments('explain', args, {
    method: { type: 'string' },
    line: { type: 'string' },
    class: { type: 'string' },
    against: { type: 'string' },
    model: { type: 'string' },
    steps: { type: 'string' },
    baseline: { type: 'string' },
    columns: { type: 'string' },
    labels: { type: 'string' },
  });
  const method = oneOf<MethodId>('method', values.method, methodIds);
  if (method === 'ig-diagnosere' && values.against !== undefined) {
    throw new UsageError('explain: ig-diagnosere explains the loss of one label: leave --against out, or take ig.');
  }
  for (const option of ['steps', 'baseline'] as const) {
    if (method !== 'ig' && values[option] !== undefined)
      throw new UsageError(`explain: --${option} goes with --method ig only.`);
  }
  return {
    file,
    method,
    line: values.line === undefined ? null : countOf('line', values.line, Number.MAX_SAFE_INTEGER),
    explained: explainedOf(values.class, values.against),
    steps: values.steps === undefined ? defaultSteps : countOf('steps', values.steps, maxSteps),
    baseline:
      values.baseline === undefined ? ('zero' as const) : oneOf<Baseline>('baseline', values.baseline, baselines),
    model: values.model,
    reading: {
      columns: values.columns === undefined ? null : parseColumns(values.columns),
      labels: values.labels ?? null,
    },
  };
}

function oneOf<T extends string>(option: string, value: string | undefined, known: readonly T[]): T {
  const found = known.find((one) => one === value);
  if (found !== undefined) return found;
  const said = value === undefined ? `name one with --${option}` : `--${option} is not ${JSON.stringify(value)}`;
  throw new UsageError(`explain: ${said}: ${known.join(', ')}.`);
}

function countOf(option: string, value: string, most: number): number {
  const count = /^[0-9]+$/.test(value) ? Number(value) : 0;
  if (count >= 1 && count <= most) return count;
  const upTo = most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`;
  throw new UsageError(`explain: --${option} is a number from 1${upTo}, not ${JSON.stringify(value)}.`);
}

/** Null: nothing was said. */
function explainedOf(label: string | undefined, against: string | undefined): ExplainedClass | null {
  if (against !== undefined) {
    if (label !== undefined && label === against) {
      throw new UsageError(
        `explain: --class and --against are both ${JSON.stringify(label)}: a label has no difference from itself.`,
      );
    }
    return { kind: 'difference', label: namedClass(label ?? 'predicted'), against: namedClass(against) };
  }
  return label === undefined ? null : namedClass(label);
}

function namedClass(label: string): NamedClass {
  return label === 'gold' || label === 'predicted' ? { kind: label } : { kind: 'label', label };
}

/** Labels may be said as the file has them. Throws InputError for one that neither has. */
function withModelLabels(
  explained: ExplainedClass,
  inModel: ReadonlyMap<string, string | null>,
  labels: readonly string[],
): ExplainedClass {
  const named = (label: string): string => {
    if (labels.includes(label)) return label;
    const matched = inModel.get(label);
    if (matched != null) return matched;
    throw new InputError(`The model has no label ${JSON.stringify(label)}. It has: ${labels.join(', ')}.`);
  };
  const inClass = (one: NamedClass): NamedClass =>
    one.kind === 'label' ? { kind: 'label', label: named(one.label) } : one;
  if (explained.kind === 'contrast') return explained;
  if (explained.kind !== 'difference') return inClass(explained);
  return { kind: 'difference', label: inClass(explained.label), against: inClass(explained.against) };
}

interface Plan {
  method: MethodId;
  explained: ExplainedClass;
  steps: number;
  baseline: Baseline;
  inModel: ReadonlyMap<string, string | null>;
}

interface Counts {
  explained: number;
  truncated: number;
  /** Whose scores do not add up to what they should. */
  incomplete: number;
  refusals: Map<string, number>;
}

async function explainExamples(examples: readonly Example[], plan: Plan, tools: Tools, io: CliIo): Promise<Counts> {
  const counts: Counts = { explained: 0, truncated: 0, incomplete: 0, refusals: new Map() };
  const refuse = (reason: string): void => {
    counts.refusals.set(reason, (counts.refusals.get(reason) ?? 0) + 1);
  };
  for (let from = 0; from < examples.length && !io.signal.aborted; from += windowSize) {
    const window = await predicted(examples.slice(from, from + windowSize), plan, tools, io);
    const asked = window.flatMap((item) => ('target' in item ? [item] : []));
    for (const item of window) if ('refusal' in item) refuse(item.refusal);
    const lines = new Map<Example, string>();
    await explainAll(
      asked,
      (item) => item,
      { run: methodOf[plan.method], options: plan },
      {
        ...tools,
        budgets: { gradients: fixedBudget(gradientTokens), logits: fixedBudget(predictTokens) },
        signal: io.signal,
      },
      (item, scores) => {
        if (!areNumbers(scores)) {
          refuse('its scores are no numbers: the model computes infinite or undefined values for it');
          return;
        }
        lines.set(item.example, lineOf(item, scores, plan, tools.classifier));
        if (item.truncated) counts.truncated += 1;
        if (!isComplete(scores)) counts.incomplete += 1;
      },
    );
    await io.write(asked.map(({ example }) => lines.get(example) ?? '').join(''));
    counts.explained += lines.size;
  }
  return counts;
}

interface Asked {
  example: Example;
  truncated: boolean;
  subject: Subject;
  target: Target;
}

/** What is to be explained of each example, which may hang on what the model predicts of it. */
async function predicted(
  examples: readonly Example[],
  { explained, inModel }: Plan,
  { classifier }: Tools,
  io: CliIo,
): Promise<(Asked | { refusal: string })[]> {
  const { labels } = classifier.info;
  const items = new Map<Example, Asked | { refusal: string }>();
  await classifyAll<Example>(
    classifier,
    {
      next: () => (io.signal.aborted ? [] : examples.filter((example) => !items.has(example))),
      inputOf: (example) => example,
      done(example, { logits, encoded }) {
        const gold = example.gold === null ? null : (inModel.get(example.gold) ?? null);
        const found = targetOf(explained, { ...likeliest(logits, labels), gold }, labels);
        const { truncated } = encoded;
        items.set(
          example,
          'refusal' in found ? found : { example, truncated, subject: subjectOf(classifier, example), ...found },
        );
      },
    },
    { budget: fixedBudget(predictTokens), keyOf: ({ ids }) => hashOfIds(ids), signal: io.signal },
  );
  return examples.flatMap((example) => items.get(example) ?? []);
}

function lineOf(
  { example, subject, target, truncated }: Asked,
  { scores, total }: TokenScores,
  { method }: Plan,
  { info }: Classifier,
): string {
  return explanationLine({
    example,
    method,
    label: info.labels[target.label]!,
    against: target.against === null ? null : info.labels[target.against]!,
    truncated,
    tokens: subject.tokens,
    scores,
    total,
  });
}
