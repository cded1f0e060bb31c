/**
 * What a suite costs: `quick` on 200 rows of real data, its variants against classifying the same texts plainly, and a second run whose answers
 * are kept. Left out, and said so, where the real data is not there.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Example } from '../src/engine/datasets/dataset';
import { DatasetDocument } from '../src/engine/datasets/document';
import { type Classifier, loadClassifier } from '../src/engine/models/classifier';
import { matchLabels } from '../src/engine/models/labels';
import { cacheOfModel, hashOfIds, openDiskCache, openMemoryCache } from '../src/engine/models/logits-cache';
import { readModelFolder } from '../src/engine/models/model-folder';
import type { ClassifierInput } from '../src/engine/models/model-input';
import { classifyAll, type LogitsCache } from '../src/engine/models/run';
import { fixedBudget } from '../src/engine/models/token-budget';
import { collectEntities } from '../src/engine/perturbation/entity/entity-pool';
import { type ExampleOutcome, runSuite } from '../src/engine/perturbation/run-suite';
import { quickSuite, type Suite } from '../src/engine/perturbation/suite';
import { perturbations } from '../src/engine/perturbation/table';
import { Tallying } from '../src/engine/perturbation/tally';
import { createRandom, shuffled } from '../src/engine/statistics/random';
import { ratioFigure, tell, timed, valueFigure } from './figures';

declare const ASSAY_ROOT: string;

const data = process.env.ASSAY_DATA ?? path.join(ASSAY_ROOT, '../shared/data');
const rowCount = 200;
const rounds = 5;
const batchTokens = 1024;

interface Case {
  name: string;
  file: string;
  model: string;
  suiteOf(task: 'sentiment' | 'relation'): Suite;
}

const quick = (task: 'sentiment' | 'relation'): Suite =>
  quickSuite(perturbations.filter(({ tasks }) => tasks.includes(task)));
const cases: Case[] = [
  {
    name: 'sst2',
    file: path.join(data, 'sst2/test.tsv'),
    model: path.join(ASSAY_ROOT, 'models/sentiment-minilm-sst2'),
    suiteOf: quick,
  },
  {
    name: 'semeval2010',
    file: path.join(data, 'semeval2010task8/TEST_FILE_FULL.TXT'),
    model: path.join(ASSAY_ROOT, 'models/relation-minilm-semeval2010'),
    suiteOf: quick,
  },
  {
    name: 'wiki16-entities',
    file: path.join(data, 'fewrel/wiki16.test.json'),
    model: path.join(data, '../models/relation-minilm-wiki16'),
    suiteOf: () => quickSuite(perturbations.filter(({ family }) => family === 'entity')),
  },
];

async function measure({ name, file, model, suiteOf }: Case): Promise<void> {
  if (!existsSync(file) || !existsSync(model)) {
    console.error(`robustness/${name}: left out, for want of ${file} or ${model}`);
    return;
  }
  const document = DatasetDocument.open({ name: path.basename(file), bytes: readFileSync(file) });
  const classifier = await loadClassifier(await readModelFolder(model), { threads: 1 });
  const match = matchLabels(document.info.labels, classifier.info.labels);
  const inModel = new Map(match.pairs.map((pair) => [pair.dataset, pair.model]));
  const order = shuffled(document.examples, createRandom(1)).slice(0, rowCount);
  const subjects = order.map((example) => ({
    item: example,
    source: example,
    gold: example.gold === null ? null : (inModel.get(example.gold) ?? null),
  }));
  const suite = suiteOf(document.info.columns.task);
  const pool = collectEntities(document.examples);
  const test = async (cache: LogitsCache) => {
    const outcomes: ExampleOutcome<Example>[] = [];
    const options = { budget: fixedBudget(batchTokens), keyOf: ({ ids }: { ids: Int32Array }) => hashOfIds(ids) };
    const tools = {
      classifier,
      pool,
      seed: 1,
      weigh: null,
      windowSize: 48,
      cache: cacheOfModel(cache, classifier.info),
      ...options,
    };
    await runSuite(subjects, suite, tools, (told) => {
      outcomes.push(...told);
    });
    return outcomes;
  };
  const outcomes = await test(openMemoryCache());
  const texts: ClassifierInput[] = [
    ...order,
    ...outcomes.flatMap(({ variants }) => variants.map(({ variant }) => variant)),
  ].map(({ text, spans, mentions, types }) => ({ text, spans, mentions, types }));
  const plainMs: number[] = [];
  const suiteMs: number[] = [];
  const cachedMs: number[] = [];
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-bench-'));
  try {
    const kept = openDiskCache(folder);
    await test(kept);
    for (let round = 0; round < rounds; round++) {
      plainMs.push(await timed(() => classifyPlainly(classifier, texts)));
      suiteMs.push(await timed(() => test(openMemoryCache())));
      cachedMs.push(await timed(() => test(kept)));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await classifier.dispose();
  }
  const failures = Object.fromEntries(
    suite.tests.map((one) => {
      const tally = new Tallying(one);
      for (const outcome of outcomes) if (outcome.test === one) tally.add(outcome);
      const { failureRate, examples } = tally.result(1);
      return [one.id, failureRate === null ? null : [Number(failureRate.value.toFixed(3)), examples]];
    }),
  );
  const note = { rows: order.length, inputs: texts.length };
  const seconds = suiteMs.map((ms) => ms / 1000);
  tell(valueFigure(`robustness/${name}/quick`, seconds, 's', { ...note, failures }));
  tell(
    ratioFigure(
      `robustness/${name}/throughput`,
      suiteMs.map((ms, round) => plainMs[round]! / ms),
      'x classifying the same texts plainly',
      note,
    ),
  );
  tell(
    ratioFigure(
      `robustness/${name}/second-run`,
      cachedMs.map((ms, round) => suiteMs[round]! / ms),
      'x quicker than the first',
      note,
    ),
  );
}

/** As `assay predict` does: windows, batches of like length, identical inputs once. */
async function classifyPlainly(classifier: Classifier, inputs: readonly ClassifierInput[]): Promise<void> {
  const done = new Array<boolean>(inputs.length).fill(false);
  let from = 0;
  await classifyAll<number>(
    classifier,
    {
      next() {
        while (done[from]) from++;
        const window: number[] = [];
        for (let index = from; index < inputs.length && window.length < 2048; index++)
          if (!done[index]) window.push(index);
        return window;
      },
      inputOf: (index) => inputs[index]!,
      done(index) {
        done[index] = true;
      },
    },
    { budget: fixedBudget(batchTokens), keyOf: ({ ids }) => hashOfIds(ids) },
  );
}

async function all(): Promise<void> {
  for (const one of cases) await measure(one);
}

void all();
