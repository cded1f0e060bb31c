import type { Example } from '../engine/datasets/dataset';
import type { DatasetDocument } from '../engine/datasets/document';
import { type Classifier, predictionOf } from '../engine/models/classifier';
import { matchLabels } from '../engine/models/labels';
import { hashOfIds } from '../engine/models/logits-cache';
import { classifyAll, type LogitsCache } from '../engine/models/run';
import { fixedBudget } from '../engine/models/token-budget';
import { summarise } from '../engine/statistics/summary';
import type { LabelMatch, Prediction, Summary } from '../protocol/prediction';
import { parseFileArguments } from './arguments';
import { columnsHelp, parseColumns } from './columns';
import { datasetNotes } from './dataset-notes';
import { type CliIo, exitCode, InputError, UsageError } from './io';
import { labelsHelp, openDataset } from './open-dataset';
import { openModel } from './open-model';
import { jsonLine } from './prediction-line';
import { summaryNotes } from './summary-notes';
import type { Verb } from './verb';

const help = `Usage: assay predict FILE [--model FOLDER] [--columns COLUMNS] [--labels MAP.json] [--format jsonl]

Prints what a model says of each example: one JSON object a line on stdout, in the order of the file, with
  id             the dataset's own, else the number of the example
  text           as the model was given it, without the file's quotes and escapes
  spans          null, or {"head": {"start", "end"}, "tail": {"start", "end"}}, or {"aspect": {"start", "end"}}, in UTF-16 code
                 units of the text, end exclusive
  gold           the label in the file, or null
  label          the predicted label
  probabilities  of each of the model's labels
  truncated      the input was longer than the model reads
and a summary on stderr.

  --model FOLDER     config.json, tokenizer.json, an .onnx file and, for relations, assay.json (default: the bundled model)
${columnsHelp}
${labelsHelp}
  --format jsonl     the only one
`;

export const predictVerb: Verb = {
  summary: "Print a model's prediction of every example of a dataset file",
  help,
  run,
};

/** Examples whose like lengths are put together in batches; the first output comes after the first of these. */
const windowSize = 2048;
/** Tokens a batch, padding included: throughput has levelled off there, larger batches only take more memory. */
const batchTokens = 1024;
/** Distinct inputs whose logits are remembered for repetitions further down the file. */
const rememberedInputs = 100_000;

async function run(args: readonly string[], io: CliIo): Promise<number> {
  const { file, model, ...reading } = readArguments(args);
  const dataset = await openDataset(file, reading, io);
  for (const line of datasetNotes(file, dataset)) io.note(line);
  if (dataset.examples.length === 0) throw new InputError(`${file}: no example could be read.`);
  const classifier = await openModel(model, dataset.info.columns.task, io);
  try {
    const match = matchLabels(dataset.info.labels, classifier.info.labels);
    const results = await predictAll(dataset.examples, classifier, io);
    const summary = summaryOf(dataset, results, classifier, match);
    for (const line of summaryNotes(classifier.info, match, summary)) io.note(line);
    if (summary.predictedCount < summary.exampleCount) {
      io.note(`interrupted after ${summary.predictedCount} of ${summary.exampleCount} examples`);
      return exitCode.interrupted;
    }
    return exitCode.ok;
  } finally {
    await classifier.dispose();
  }
}

function readArguments(args: readonly string[]) {
  const { file, values } = parseFileArguments('predict', args, {
    model: { type: 'string' },
    columns: { type: 'string' },
    labels: { type: 'string' },
    format: { type: 'string' },
  });
  if (values.format !== undefined && values.format !== 'jsonl') {
    throw new UsageError(`predict: --format is jsonl, not ${JSON.stringify(values.format)}.`);
  }
  return {
    file,
    model: values.model,
    columns: values.columns === undefined ? null : parseColumns(values.columns),
    labels: values.labels ?? null,
  };
}

/**
 * Predicts all examples and writes their lines in the order of the file, as far as they are known, between the batches.
 * An interrupt ends it early: the result is then shorter than the examples.
 */
async function predictAll(examples: readonly Example[], classifier: Classifier, io: CliIo): Promise<Prediction[]> {
  const { labels } = classifier.info;
  const predictions: (Prediction | undefined)[] = new Array(examples.length);
  let written = 0;
  let windowStart = 0;

  const writeKnown = async (): Promise<void> => {
    const lines: string[] = [];
    for (let known = predictions[written]; known !== undefined; known = predictions[++written]) {
      lines.push(jsonLine(examples[written]!, known, labels));
    }
    if (lines.length > 0) await io.write(lines.join(''));
  };

  await classifyAll<number>(
    classifier,
    {
      next() {
        if (io.signal.aborted) return [];
        while (predictions[windowStart] !== undefined) windowStart++;
        const window: number[] = [];
        for (let index = windowStart; index < examples.length && window.length < windowSize; index++) {
          if (predictions[index] === undefined) window.push(index);
        }
        return window;
      },
      inputOf: (index) => examples[index]!,
      starting: writeKnown,
      done(index, { logits, encoded }) {
        predictions[index] = predictionOf(logits, labels, encoded.truncated);
      },
    },
    {
      budget: fixedBudget(batchTokens),
      keyOf: ({ ids }) => hashOfIds(ids),
      cache: forgetfulCache(),
      signal: io.signal,
    },
  );
  await writeKnown();
  return predictions.slice(0, written) as Prediction[];
}

/** Forgets everything when it is full: cheap, and repetitions mostly stand close together. */
function forgetfulCache(): LogitsCache {
  const known = new Map<string, Float32Array>();
  return {
    get: (key) => known.get(key),
    set(key, logits) {
      if (known.size >= rememberedInputs) known.clear();
      known.set(key, logits);
    },
  };
}

function summaryOf(
  dataset: DatasetDocument,
  predictions: readonly Prediction[],
  classifier: Classifier,
  match: LabelMatch,
): Summary {
  const modelLabelOf = new Map(match.pairs.map((pair) => [pair.dataset, pair.model]));
  const pairs = predictions.flatMap((prediction, index) => {
    const { gold } = dataset.examples[index]!;
    const inModel = gold === null ? null : (modelLabelOf.get(gold) ?? null);
    return inModel === null ? [] : [{ gold: inModel, predicted: prediction.label }];
  });
  return {
    ...summarise({ labels: classifier.info.labels, negativeLabel: classifier.info.negativeLabel, pairs }),
    exampleCount: dataset.examples.length,
    predictedCount: predictions.length,
    truncatedCount: predictions.filter((prediction) => prediction.truncated).length,
  };
}
