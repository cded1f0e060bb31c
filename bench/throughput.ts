/** Real tokens a second of a run, against simpler ways to run the same model, and against the model alone. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { Classifier, EncodedInput } from '../src/engine/models/classifier';
import { hashOfIds } from '../src/engine/models/logits-cache';
import { readModelFolder } from '../src/engine/models/model-folder';
import type { ClassifierInput } from '../src/engine/models/model-input';
import { classifyAll } from '../src/engine/models/run';
import { fixedBudget, type TokenBudget } from '../src/engine/models/token-budget';
import { Models } from '../src/worker/models';
import { median, processorMs, ratioFigure, tell, timed, valueFigure } from './figures';
import { sentimentRows } from './sentences';

declare const ASSAY_ROOT: string;

const modelFolder = path.join(ASSAY_ROOT, 'models/sentiment-minilm-sst2');
const sst2File = path.join(process.env.ASSAY_DATA ?? path.join(ASSAY_ROOT, '../shared/data'), 'sst2/test.tsv');
const rounds = 5;
const sentenceCount = 1024;
/** As worker/run.ts takes them. */
const windowSize = 1024;
const naiveBatchSize = 16;
/** The worker's own number on two cores: one is left to the person. */
const threads = 1;

const inputOf = (text: string): ClassifierInput => ({ text, spans: null, mentions: null, types: null });

async function runOurs(classifier: Classifier, texts: readonly string[], budget: TokenBudget): Promise<void> {
  const pending = new Set(texts);
  await classifyAll<string>(
    classifier,
    {
      next: () => [...pending].slice(0, windowSize),
      inputOf,
      done: (text) => pending.delete(text),
    },
    { budget, keyOf: (encoded) => hashOfIds(encoded.ids) },
  );
}

/** In the file's order, encoding included, so many examples a run, padded to the longest of them. */
async function runInOrder(classifier: Classifier, texts: readonly string[], batchSize: number): Promise<void> {
  for (let from = 0; from < texts.length; from += batchSize) {
    await classifier.run(texts.slice(from, from + batchSize).map((text) => classifier.encode(inputOf(text))));
  }
}

/** The batches that a run makes, as the tensors that ONNX Runtime is given: running them is the floor. */
async function recordFeeds(
  classifier: Classifier,
  texts: readonly string[],
  budget: TokenBudget,
): Promise<Record<string, Tensor>[]> {
  const batches: (readonly Pick<EncodedInput, 'ids'>[])[] = [];
  const recording: Classifier = {
    ...classifier,
    run(batch) {
      batches.push(batch);
      return classifier.run(batch);
    },
  };
  await runOurs(recording, texts, budget);
  return batches.map((batch) => {
    const longest = Math.max(...batch.map(({ ids }) => ids.length));
    const dims = [batch.length, longest];
    const fill = (valueAt: (ids: Int32Array, column: number) => number) => {
      const values = new BigInt64Array(batch.length * longest);
      batch.forEach(({ ids }, row) => {
        for (let column = 0; column < longest; column++) values[row * longest + column] = BigInt(valueAt(ids, column));
      });
      return new Tensor('int64', values, dims);
    };
    return {
      input_ids: fill((ids, column) => ids[column] ?? 0),
      attention_mask: fill((ids, column) => (column < ids.length ? 1 : 0)),
      token_type_ids: fill(() => 0),
    };
  });
}

async function measure(name: string, texts: readonly string[]): Promise<void> {
  const folder = await readModelFolder(modelFolder);
  const { classifier, budget: calibrated } = await new Models(threads).load(modelFolder);
  const session = await InferenceSession.create(folder.onnxFile, {
    executionProviders: ['cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // As the classifier makes its own.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  });
  const lengths = texts.map((text) => classifier.encode(inputOf(text)).ids.length);
  const tokens = lengths.reduce((sum, length) => sum + length, 0);
  const fixed = fixedBudget(1024);
  const feeds = (await recordFeeds(classifier, texts, fixed)).map((feed) =>
    Object.fromEntries(session.inputNames.map((input) => [input, feed[input]!])),
  );
  await runOurs(classifier, texts, calibrated);

  const ways = {
    fixed: () => runOurs(classifier, texts, fixed),
    calibrated: () => runOurs(classifier, texts, calibrated),
    bare: async () => {
      for (const feed of feeds) await session.run(feed, ['logits']);
    },
    alone: () => runInOrder(classifier, texts, 1),
    naive: () => runInOrder(classifier, texts, naiveBatchSize),
  };
  type Way = keyof typeof ways;
  const names = Object.keys(ways) as Way[];
  const none = (): Record<Way, number[]> => ({ fixed: [], calibrated: [], bare: [], alone: [], naive: [] });
  const passedMs = none();
  const usedMs = none();
  for (let round = 0; round < rounds; round++) {
    // Another order each round: what comes first may find a cooler processor.
    for (let at = 0; at < names.length; at++) {
      const way = names[(at + round) % names.length]!;
      passedMs[way].push(
        await timed(async () => {
          usedMs[way].push(await processorMs(ways[way]));
        }),
      );
    }
  }
  /** One thread runs the model, so processor time is what it takes on a machine that does nothing else. */
  const against = (ours: Way, other: Way) => usedMs[ours].map((time, round) => usedMs[other][round]! / time);
  const note = {
    sentences: texts.length,
    tokens,
    medianTokens: median(lengths),
    longest: Math.max(...lengths),
    threads,
  };
  tell(ratioFigure(`throughput/${name}/fixed-1024/one-a-run`, against('fixed', 'alone'), 'x one example a run', note));
  tell(ratioFigure(`throughput/${name}/fixed-1024/naive-16`, against('fixed', 'naive'), 'x 16 in file order, padded'));
  tell(
    ratioFigure(`throughput/${name}/fixed-1024/bare`, against('fixed', 'bare'), 'x session.run on the same batches'),
  );
  tell(ratioFigure(`throughput/${name}/calibrated/one-a-run`, against('calibrated', 'alone'), 'x one example a run'));
  tell(
    ratioFigure(`throughput/${name}/calibrated/naive-16`, against('calibrated', 'naive'), 'x 16 in file order, padded'),
  );
  tell(ratioFigure(`throughput/${name}/calibrated/fixed-1024`, against('calibrated', 'fixed'), 'x fixed-1024'));
  const speed = (ms: number[]) => ms.map((time) => tokens / (time / 1000));
  for (const [way, label] of [
    ['fixed', 'fixed-1024'],
    ['calibrated', 'calibrated'],
  ] as const) {
    const note = way === 'calibrated' ? { budgetTokens: calibrated.tokens } : undefined;
    const unit = 'real tokens a second of processor time';
    tell(valueFigure(`throughput/${name}/${label}/processor-speed`, speed(usedMs[way]), unit, note));
    tell(valueFigure(`throughput/${name}/${label}/speed`, speed(passedMs[way]), 'real tokens/s'));
  }
  await session.release();
  await classifier.dispose();
}

/** SST-2's test sentences where the data is at hand: the first column of a table with a header. */
function sst2Texts(): string[] {
  if (!existsSync(sst2File)) return [];
  const [header, ...rows] = readFileSync(sst2File, 'utf8').trimEnd().split('\n');
  const column = header!.split('\t').indexOf('sentence');
  return [...new Set(rows.map((row) => row.split('\t')[Math.max(0, column)]!))];
}

async function main(): Promise<void> {
  await measure(
    'templates',
    sentimentRows(sentenceCount, 4, 3).map(({ text }) => text),
  );
  const texts = sst2Texts();
  if (texts.length > 0) await measure('sst2', texts);
  else process.stderr.write('throughput: SST-2 is not here, measured on templates only\n');
}

void main();
