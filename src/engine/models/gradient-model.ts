/** A model that tells, beside its logits, how they change with what it reads. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { ModelInfo } from '../../protocol/prediction';
import { type DifferentiableModel, differentiable, sessionSettings } from '../onnx/differentiate';
import { dataTypes, type ModelProto } from '../onnx/messages';
import { OnnxError, readModel } from '../onnx/model';
import type { ExternalPlace } from '../onnx/tensors';
import { type WordTable, wordTable } from '../onnx/word-table';
import { firstLine, runOrTell } from './classifier';
import { type IntegerType, tensorOf, toFloat32 } from './feeds';
import { ModelError } from './model-error';
import type { ModelFolder } from './model-folder';

/** One input: n tokens, embeddings of d numbers, c labels. */
export interface GradientRow {
  /** [n]: read where the graph looks at the tokens themselves (markers, padding). */
  ids: Int32Array;
  /** [n, d] */
  embeddings: Float32Array;
  /** [c]: the gradient is that of the logits' sum with these weights. */
  seed: Float32Array;
}

/** Views into what one run gave: what is kept for long is copied. */
export interface GradientResult {
  /** [c] */
  logits: Float32Array;
  /** [n, d]: at the word embeddings. */
  words: Float32Array;
  /** [n, d] each: words, positions and segments together, normalised, and the gradient there; of a model without that layer the word embeddings. */
  layer: { output: Float32Array; gradient: Float32Array };
}

export interface GradientModel {
  readonly info: ModelInfo;
  /** Numbers an embedding. */
  readonly width: number;
  /** What a person should know who reads the gradients. */
  readonly notes: readonly string[];
  /** [n, d]. Throws ModelError for an id that the table of words does not have. */
  embed(ids: Int32Array): Float32Array;
  /** All rows in one run, padded to the longest; the thread is kept as long. */
  run(rows: readonly GradientRow[]): Promise<GradientResult[]>;
  dispose(): Promise<void>;
}

/** Throws ModelError where the graph cannot be differentiated (the node is named) or not be loaded. */
export async function loadGradientModel(folder: ModelFolder, options: { threads: number }): Promise<GradientModel> {
  const { model, parts, table } = differentiate(folder);
  const session = await createSession(folder, parts, options.threads);
  const { inputs, outputs } = parts;
  const typeOf = integerTypes(model);
  const labels = folder.info.labels.length;
  const layer = outputs.embeddingLayer;
  const wanted = [
    outputs.logits,
    outputs.embeddingsGradient,
    ...(layer === null ? [] : [layer.output, layer.gradient]),
  ];
  return {
    info: folder.info,
    width: table.width,
    notes: parts.notes,
    embed(ids) {
      const embeddings = new Float32Array(ids.length * table.width);
      try {
        ids.forEach((id, at) => {
          table.copyRow(id, embeddings, at * table.width);
        });
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        throw new ModelError(`${folder.onnxFile}: tokenizer and model do not belong together (${error.message})`);
      }
      return embeddings;
    },
    async run(rows) {
      if (rows.length === 0) return [];
      const ids = rows.map((row) => row.ids);
      const longest = Math.max(...ids.map(({ length }) => length));
      const { embeddings, seeds } = packed(rows, longest, table.width, labels);
      const results = await runOrTell(
        session,
        {
          ...Object.fromEntries(
            inputs.others.map((name) => [name, tensorOf(ids, longest, name, typeOf(name), folder.padTokenId)]),
          ),
          [inputs.embeddings]: new Tensor('float32', embeddings, [rows.length, longest, table.width]),
          [inputs.seed]: new Tensor('float32', seeds, [rows.length, labels]),
        },
        wanted,
        folder,
      );
      const valuesOf = (name: string): Float32Array => toFloat32(results[name]!, folder.onnxFile);
      const [logits, words] = [valuesOf(outputs.logits), valuesOf(outputs.embeddingsGradient)];
      const atLayer = layer === null ? null : { output: valuesOf(layer.output), gradient: valuesOf(layer.gradient) };
      return rows.map((row, index) => {
        const from = index * longest * table.width;
        const part = (values: Float32Array): Float32Array => values.subarray(from, from + row.ids.length * table.width);
        const output = atLayer === null ? row.embeddings : part(atLayer.output);
        return {
          logits: logits.subarray(index * labels, (index + 1) * labels),
          words: part(words),
          layer: { output, gradient: part(atLayer?.gradient ?? words) },
        };
      });
    },
    dispose: () => session.release(),
  };
}

function differentiate(folder: ModelFolder): { model: ModelProto; parts: DifferentiableModel; table: WordTable } {
  try {
    const model = readModel(readFileSync(folder.onnxFile));
    return { model, parts: differentiable(model), table: wordTable(model, externalReader(folder)) };
  } catch (error) {
    if (error instanceof OnnxError) throw new ModelError(`${folder.onnxFile}: ${error.message}`);
    throw error;
  }
}

/** Weights outside the file; the folder was read, so all of them lie inside it. */
function externalReader(folder: ModelFolder): (place: ExternalPlace) => Uint8Array {
  const files = new Map<string, Buffer>();
  return ({ location, offset, length }) => {
    const file = path.resolve(path.dirname(folder.onnxFile), location);
    const bytes = files.get(file) ?? readFileSync(file);
    files.set(file, bytes);
    return bytes.subarray(offset, length === null ? undefined : offset + length);
  };
}

async function createSession(
  folder: ModelFolder,
  parts: DifferentiableModel,
  threads: number,
): Promise<InferenceSession> {
  try {
    return await InferenceSession.create(parts.bytes, {
      executionProviders: ['cpu'],
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      logSeverityLevel: 4,
      extra: {
        session: {
          ...sessionSettings,
          // As the classifier's: see there.
          intra_op: { allow_spinning: '0' },
          ...(folder.externalData.length === 0
            ? {}
            : { model_external_initializers_file_folder_path: path.dirname(folder.onnxFile) }),
        },
      },
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ModelError(
      `${folder.onnxFile}: ONNX Runtime does not load the gradients that Assay adds (${firstLine(reason)}).`,
    );
  }
}

/** How the model declares its inputs. */
function integerTypes(model: ModelProto): (name: string) => IntegerType {
  const declared = new Map((model.graph?.input ?? []).map((input) => [input.name, input.type?.tensorType?.elemType]));
  return (name) => (declared.get(name) === dataTypes.int32 ? 'int32' : 'int64');
}

function packed(
  rows: readonly GradientRow[],
  longest: number,
  width: number,
  labels: number,
): { embeddings: Float32Array; seeds: Float32Array } {
  const embeddings = new Float32Array(rows.length * longest * width);
  const seeds = new Float32Array(rows.length * labels);
  rows.forEach((row, index) => {
    embeddings.set(row.embeddings, index * longest * width);
    seeds.set(row.seed, index * labels);
  });
  return { embeddings, seeds };
}
