/** Against PyTorch: test/fixtures/golden-tiny2. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type InferenceSession, Tensor } from 'onnxruntime-node';
import { type DifferentiableModel, differentiable } from '../../../src/engine/onnx/differentiate';
import { readModel } from '../../../src/engine/onnx/model';
import { wordTable } from '../../../src/engine/onnx/word-table';
import { seedOf } from './differences';
import { sessionOf } from './little-models';

declare const ASSAY_ROOT: string;

interface Sequence {
  inputIds: number[];
  tokenTypeIds: number[];
  logits: number[];
  explainedClass: number;
  gradWordEmbedding: number[][];
  gradEmbeddingOutput: number[][];
  gs: number[];
  gi: number[];
  lat: number[];
}

interface Golden {
  sequences: Sequence[];
  padded: {
    inputIds: number[][];
    attentionMask: number[][];
    logits: number[][];
    explainedClasses: number[];
    gs: number[][];
    gi: number[][];
  };
}

const folder = path.join(ASSAY_ROOT, 'test/fixtures/golden-tiny2');
const golden = JSON.parse(readFileSync(path.join(folder, 'golden.json'), 'utf8')) as Golden;
const labels = 3;

function near(found: ArrayLike<number>, wanted: readonly number[], tolerance: number, what: string): void {
  assert.equal(found.length, wanted.length, what);
  const largest = Math.max(...wanted.map(Math.abs));
  for (const [at, value] of wanted.entries()) {
    const error = Math.abs(found[at]! - value) / largest;
    assert.ok(error <= tolerance, `${what}[${at}] is ${found[at]}, not ${value} (${error} of the largest)`);
  }
}

const squaredNorms = (values: Float32Array, width: number): number[] =>
  Array.from({ length: values.length / width }, (_, token) =>
    values.subarray(token * width, (token + 1) * width).reduce((sum, value) => sum + value * value, 0),
  );

describe('onnx: golden values of PyTorch', () => {
  let parts: DifferentiableModel;
  let session: InferenceSession;
  let embed: (ids: readonly number[]) => Float32Array;
  const width = 32;

  before(async () => {
    const model = readModel(readFileSync(path.join(folder, 'onnx/model.onnx')));
    parts = differentiable(model, { wantsAttention: true });
    session = await sessionOf(parts.bytes);
    const table = wordTable(model);
    assert.equal(table.width, width);
    embed = (ids) => {
      const embeddings = new Float32Array(ids.length * width);
      for (const [at, id] of ids.entries()) table.copyRow(id, embeddings, at * width);
      return embeddings;
    };
  });

  async function run(ids: number[][], mask: number[][], types: number[][], seed: Float32Array) {
    const dims = [ids.length, ids[0]!.length];
    const whole = (values: number[][]): Tensor => new Tensor('int64', BigInt64Array.from(values.flat(), BigInt), dims);
    const all: Record<string, Tensor> = {
      input_ids: whole(ids),
      attention_mask: whole(mask),
      token_type_ids: whole(types),
    };
    const results = await session.run({
      ...Object.fromEntries(parts.inputs.others.map((name) => [name, all[name]!])),
      [parts.inputs.embeddings]: new Tensor('float32', embed(ids.flat()), [...dims, width]),
      [parts.inputs.seed]: new Tensor('float32', seed, [ids.length, labels]),
    });
    const floats = (name: string): Float32Array => results[name]!.data as Float32Array;
    return { results, floats };
  }

  for (const [index, sequence] of golden.sequences.entries()) {
    it(`sequence ${index}: logits within 1e-5, gradients within 1e-4 of the largest`, async () => {
      const { inputIds, tokenTypeIds, explainedClass } = sequence;
      const mask = inputIds.map(() => 1);
      const { floats } = await run([inputIds], [mask], [tokenTypeIds], seedOf(1, labels, explainedClass));
      for (const [at, value] of sequence.logits.entries()) {
        assert.ok(Math.abs(floats(parts.outputs.logits)[at]! - value) < 1e-5, `logit ${at}`);
      }
      near(floats(parts.outputs.embeddingsGradient), sequence.gradWordEmbedding.flat(), 1e-4, 'word gradient');
      const { output, gradient } = parts.outputs.embeddingLayer!;
      near(floats(gradient), sequence.gradEmbeddingOutput.flat(), 1e-4, 'layer gradient');
      near(squaredNorms(floats(gradient), width), sequence.gs, 1e-4, 'gs');
      const product = floats(gradient).map((value, at) => value * floats(output)[at]!);
      near(squaredNorms(product, width), sequence.gi, 1e-4, 'gi');
    });

    it(`sequence ${index}: attention, chained through the layers from the first token, within 1e-6`, async () => {
      const { inputIds, tokenTypeIds } = sequence;
      const mask = inputIds.map(() => 1);
      const { results } = await run([inputIds], [mask], [tokenTypeIds], seedOf(1, labels, 0));
      const length = inputIds.length;
      const maps = parts.outputs.attention.map((name) => results[name]!);
      const [, heads] = maps[0]!.dims as [number, number];
      const total = new Array<number>(length).fill(0);
      for (let head = 0; head < heads; head++) {
        let weights = inputIds.map((_, at) => Number(at === 0));
        for (const map of maps.toReversed()) {
          const values = (map.data as Float32Array).subarray(head * length * length, (head + 1) * length * length);
          weights = weights.map((_, to) =>
            weights.reduce((sum, weight, at) => sum + weight * values[at * length + to]!, 0),
          );
        }
        for (const [at, weight] of weights.entries()) total[at]! += weight;
      }
      near(total, sequence.lat, 1e-6, 'lat');
    });
  }

  it('a padded batch, a class a row', async () => {
    const { inputIds, attentionMask, logits, explainedClasses, gs, gi } = golden.padded;
    const seed = Float32Array.from({ length: inputIds.length * labels }, (_, at) =>
      at % labels === explainedClasses[Math.floor(at / labels)] ? 1 : 0,
    );
    const types = inputIds.map((row) => row.map(() => 0));
    const { floats } = await run(inputIds, attentionMask, types, seed);
    for (const [at, value] of logits.flat().entries()) {
      assert.ok(Math.abs(floats(parts.outputs.logits)[at]! - value) < 1e-5, `logit ${at}`);
    }
    const { output, gradient } = parts.outputs.embeddingLayer!;
    near(squaredNorms(floats(gradient), width), gs.flat(), 1e-4, 'gs');
    const product = floats(gradient).map((value, at) => value * floats(output)[at]!);
    near(squaredNorms(product, width), gi.flat(), 1e-4, 'gi');
  });
});
