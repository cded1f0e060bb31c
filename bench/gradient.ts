/**
 * What a gradient costs: logits and the gradient at the word embeddings from one run, against the quickest forward pass of the same model that
 * ONNX Runtime offers, 32 sentences of 32 tokens, in turns in one process.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { explainAll } from '../src/engine/attribution/explain';
import { methodOf } from '../src/engine/attribution/methods';
import { loadClassifier } from '../src/engine/models/classifier';
import { loadGradientModel } from '../src/engine/models/gradient-model';
import { readModelFolder } from '../src/engine/models/model-folder';
import { fixedBudget } from '../src/engine/models/token-budget';
import { differentiable, sessionSettings } from '../src/engine/onnx/differentiate';
import { readModel } from '../src/engine/onnx/model';
import { median, processorMs, ratioFigure, tell, timed, valueFigure } from './figures';

declare const ASSAY_ROOT: string;

const rounds = 15;
const [sentences, tokens] = [32, 32];
/** The worker's own number on two cores, and all of them. */
const threadCounts = [1, 2];

/** As worker and command line make their sessions. */
const optionsFor = (threads: number, session: Record<string, unknown>): InferenceSession.SessionOptions => ({
  executionProviders: ['cpu'],
  intraOpNumThreads: threads,
  interOpNumThreads: 1,
  logSeverityLevel: 3,
  graphOptimizationLevel: 'all',
  extra: { session: { intra_op: { allow_spinning: '0' }, ...session } },
});

/** [CLS], words, [SEP]; the relation model's markers among them. */
function idsOf(): BigInt64Array {
  return BigInt64Array.from({ length: sentences * tokens }, (_, at) => {
    const column = at % tokens;
    if (column === 0) return 101n;
    if (column === tokens - 1) return 102n;
    return column >= 4 && column < 8 ? BigInt(column - 3) : BigInt(1996 + ((at * 37) % 9000));
  });
}

async function measure(name: string, threads: number): Promise<void> {
  const file = path.join(ASSAY_ROOT, 'models', name, 'onnx/model_quantized.onnx');
  const model = readModel(readFileSync(file));
  const { bytes, inputs, outputs } = differentiable(model);
  const joint = await InferenceSession.create(bytes, optionsFor(threads, sessionSettings));
  // Weights in whole numbers are used as such, or turned into floats at the start: whichever is quicker is what we compare with.
  const plain = [
    await InferenceSession.create(file, optionsFor(threads, {})),
    await InferenceSession.create(file, optionsFor(threads, sessionSettings)),
  ];
  const dims = [sentences, tokens];
  const all: Record<string, Tensor> = {
    input_ids: new Tensor('int64', idsOf(), dims),
    attention_mask: new Tensor('int64', new BigInt64Array(sentences * tokens).fill(1n), dims),
  };
  const shapeOf = (wanted: string): (number | string)[] => {
    const found = joint.inputMetadata.find((input) => input.name === wanted);
    return found?.isTensor ? [...found.shape] : [];
  };
  const [width, labels] = [Number(shapeOf(inputs.embeddings)[2]), Number(shapeOf(inputs.seed)[1])];
  const embeddings = Float32Array.from({ length: sentences * tokens * width }, (_, at) => Math.sin(at) * 0.05);
  const seed = Float32Array.from({ length: sentences * labels }, (_, at) => (at % labels === 0 ? 1 : 0));
  const feeds = {
    ...Object.fromEntries(inputs.others.map((other) => [other, all[other]!])),
    [inputs.embeddings]: new Tensor('float32', embeddings, [...dims, width]),
    [inputs.seed]: new Tensor('float32', seed, [sentences, labels]),
  };
  const wanted = [outputs.logits, outputs.embeddingsGradient];
  const runs = [...plain.map((session) => () => session.run(all)), () => joint.run(feeds, wanted)];
  for (const run of runs) await run();

  const times: number[][] = runs.map(() => []);
  const work: number[][] = runs.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, run] of runs.entries()) {
      work[index]!.push(await processorMs(async () => times[index]!.push(await timed(run))));
    }
  }
  for (const session of [joint, ...plain]) await session.release();
  const ratiosTo = (figures: number[][]): number[] => {
    const quickest = median(figures[0]!) <= median(figures[1]!) ? figures[0]! : figures[1]!;
    return figures[2]!.map((value, round) => value / quickest[round]!);
  };
  const title = `gradient/${name}${threads === 1 ? '' : `, ${threads} threads`}`;
  tell(ratioFigure(title, ratiosTo(times), 'x the quickest forward pass'));
  tell(ratioFigure(`${title}/processor`, ratiosTo(work), 'x the quickest forward pass, processor time'));
  tell(valueFigure(`${title}/forward, as loaded`, times[0]!, 'ms'));
  tell(valueFigure(`${title}/forward, float weights`, times[1]!, 'ms'));
  tell(valueFigure(`${title}/forward and backward`, times[2]!, 'ms'));
}

/** 32 points of Integrated Gradients on one sentence of 32 tokens, all in one batch, against one forward pass of 32 such rows. */
async function measurePath(name: string): Promise<void> {
  const folder = await readModelFolder(path.join(ASSAY_ROOT, 'models', name));
  const classifier = await loadClassifier(folder, { threads: 1 });
  const gradients = await loadGradientModel(folder, { threads: 1 });
  const ids = Int32Array.from(idsOf().subarray(0, tokens), Number);
  const batch = Array.from({ length: sentences }, () => ({ ids }));
  const subject = { text: '', tokens: Array.from(ids, (id) => ({ token: '', id, start: null, end: null })), ids };
  const budgets = { gradients: fixedBudget(1e6), logits: fixedBudget(1e6) };
  const forward = () => classifier.run(batch);
  const path32 = () =>
    explainAll(
      [subject],
      () => ({ subject, target: { label: 0, against: null } }),
      { run: methodOf.ig, options: { steps: 32, baseline: 'zero' } },
      { classifier, gradients, budgets },
      () => {},
    );
  for (const run of [forward, path32]) await run();
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    times[0].push(await timed(forward));
    times[1].push(await timed(path32));
  }
  const ratios = times[1].map((value, round) => value / times[0][round]!);
  tell(ratioFigure(`gradient/${name}/ig, 32 steps`, ratios, 'x one forward pass of 32 rows'));
  await classifier.dispose();
  await gradients.dispose();
}

async function main(): Promise<void> {
  for (const name of ['sentiment-minilm-sst2', 'relation-minilm-semeval2010']) await measurePath(name);
  for (const threads of threadCounts) {
    for (const name of ['sentiment-minilm-sst2', 'relation-minilm-semeval2010']) await measure(name, threads);
  }
}

void main();
