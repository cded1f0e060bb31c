/** A differentiated classifier, run, and compared with finite differences of its own logits. */
import assert from 'node:assert/strict';
import { type InferenceSession, Tensor } from 'onnxruntime-node';
import {
  type DifferentiableModel,
  type DifferentiableOptions,
  differentiable,
} from '../../../src/engine/onnx/differentiate';
import type { ModelProto } from '../../../src/engine/onnx/messages';
import { wordTable } from '../../../src/engine/onnx/word-table';
import { sessionOf } from './little-models';

export interface Differentiated {
  parts: DifferentiableModel;
  width: number;
  labels: number;
  /** Word embeddings of rows of ids, as the model looks them up. */
  embed(rows: readonly (readonly number[])[]): Float32Array;
  /** `seed`: [rows, labels]. */
  run(rows: Rows, embeddings: Float32Array, seed: Float32Array): Promise<Results>;
}

/** Rows of one length; masked tokens are id 0. */
export type Rows = readonly (readonly number[])[];

export interface Results {
  logits: Float32Array;
  gradient: Float32Array;
  layer: Float32Array | null;
  layerGradient: Float32Array | null;
  attention: Tensor[];
}

/** The inputs of a classifier that it reads, for rows of ids. */
export function feedsFor(session: InferenceSession, rows: Rows): Record<string, Tensor> {
  const dims = [rows.length, rows[0]!.length];
  const fill: Record<string, (id: number) => number> = {
    input_ids: (id) => id,
    attention_mask: (id) => (id === 0 ? 0 : 1),
    token_type_ids: () => 0,
  };
  return Object.fromEntries(
    session.inputMetadata.flatMap(({ name, ...metadata }) => {
      const value = fill[name];
      if (value === undefined) return [];
      const values = rows.flat().map(value);
      const isInt32 = metadata.isTensor && metadata.type === 'int32';
      const tensor = isInt32
        ? new Tensor('int32', Int32Array.from(values), dims)
        : new Tensor('int64', BigInt64Array.from(values, BigInt), dims);
      return [[name, tensor]];
    }),
  );
}

export async function differentiated(
  model: ModelProto,
  labels: number,
  options: DifferentiableOptions = {},
): Promise<Differentiated> {
  const parts = differentiable(model, options);
  const session = await sessionOf(parts.bytes);
  const table = wordTable(model);
  const { inputs, outputs } = parts;
  assert.deepEqual([...session.inputNames].sort(), [...inputs.others, inputs.embeddings, inputs.seed].sort());
  return {
    parts,
    width: table.width,
    labels,
    embed(rows) {
      const embeddings = new Float32Array(rows.flat().length * table.width);
      for (const [at, id] of rows.flat().entries()) table.copyRow(id, embeddings, at * table.width);
      return embeddings;
    },
    async run(rows, embeddings, seed) {
      const results = await session.run({
        ...feedsFor(session, rows),
        [inputs.embeddings]: new Tensor('float32', embeddings, [rows.length, rows[0]!.length, table.width]),
        [inputs.seed]: new Tensor('float32', seed, [rows.length, labels]),
      });
      const floats = (name: string | undefined): Float32Array | null =>
        name === undefined ? null : (results[name]!.data as Float32Array);
      assert.deepEqual(results[outputs.embeddingsGradient]!.dims, [rows.length, rows[0]!.length, table.width]);
      return {
        logits: floats(outputs.logits)!,
        gradient: floats(outputs.embeddingsGradient)!,
        layer: floats(outputs.embeddingLayer?.output),
        layerGradient: floats(outputs.embeddingLayer?.gradient),
        attention: outputs.attention.map((name) => results[name]!),
      };
    },
  };
}

/** 1 at a label of each row. */
export function seedOf(rows: number, labels: number, label: number): Float32Array {
  return Float32Array.from({ length: rows * labels }, (_, index) => (index % labels === label ? 1 : 0));
}

/** Of the fourth-order formula: what is added, in steps, and with what weight the logit there counts (over 12 steps). */
const shifts = [
  [1, 8],
  [-1, -8],
  [2, -1],
  [-2, 1],
] as const;
/** Differences with several steps are averaged: their rounding errors are independent. */
const spread = [0.8, 0.9, 1, 1.1, 1.2];

/**
 * Fails where the gradient of a label's logit differs from central differences by more than 1 in 100, among entries above
 * 1/1000 of the largest; `count` of them are tried, spread evenly. Logits in single precision are off by some 1e-6, which over a step is
 * an error of its own and is allowed for; so the step is as large as the curvature lets it be.
 */
export async function compareWithDifferences(
  model: Differentiated,
  rows: Rows,
  { label, step, count }: { label: number; step: number; count: number },
): Promise<void> {
  const embeddings = model.embed(rows);
  const { gradient, logits } = await model.run(rows, embeddings, seedOf(rows.length, model.labels, label));
  const largest = gradient.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  assert.ok(largest > 0, 'the gradient is zero everywhere');
  const perRow = gradient.length / rows.length;
  const candidates = [...gradient.keys()].filter((at) => Math.abs(gradient[at]!) > 1e-3 * largest);
  const every = Math.max(1, Math.floor(candidates.length / count));
  for (const at of candidates.filter((_, index) => index % every === 0)) {
    const row = Math.floor(at / perRow);
    const own = embeddings.subarray(row * perRow, (row + 1) * perRow);
    // All shifted copies of the row in one batch.
    const changes = spread.flatMap((factor) =>
      shifts.map(([steps, weight]) => ({ by: steps * factor * step, weight: weight / (12 * factor * step) })),
    );
    const batch = new Float32Array(changes.length * perRow);
    for (const [index, { by }] of changes.entries()) {
      batch.set(own, index * perRow);
      batch[index * perRow + (at % perRow)]! += by;
    }
    const copies = changes.map(() => rows[row]!);
    const shifted = await model.run(copies, batch, seedOf(copies.length, model.labels, label));
    const difference =
      changes.reduce((sum, { weight }, index) => sum + weight * shifted.logits[index * model.labels + label]!, 0) /
      spread.length;
    const rounding = (4e-7 * Math.max(1, Math.abs(logits[row * model.labels + label]!))) / step;
    const error = Math.abs(difference - gradient[at]!);
    assert.ok(
      error <= 1e-2 * Math.abs(gradient[at]!) || error <= rounding,
      `entry ${at}: the gradient is ${gradient[at]}, differences give ${difference} (largest ${largest})`,
    );
  }
}
