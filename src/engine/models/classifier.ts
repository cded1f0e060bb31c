/** A model that runs: an example in, logits out. */
import { env, InferenceSession, Tensor } from 'onnxruntime-node';
import type { ModelInfo, Prediction } from '../../protocol/prediction';
import { coverText, type TokenAlignment } from '../text/alignment';
import { ModelError } from './model-error';
import type { ModelFolder } from './model-folder';
import { type ClassifierInput, writeInput } from './model-input';
import { sourceRange } from './template';
import { createTokenizer } from './tokenizer';

/** Which ONNX Runtime computes, for keys of what is kept: another version may round differently. */
export const runtimeVersion = `onnxruntime-node ${env.versions.node ?? 'unknown'}`;

/** What the model reads of one example. */
export interface EncodedInput {
  /** At most `info.maxTokens`, special tokens included. */
  ids: Int32Array;
  truncated: boolean;
  /** Before truncation, special tokens included. */
  tokenCount: number;
}

/**
 * `run` takes the whole time of the batch on the calling thread (ONNX Runtime's Node binding has no other way): nothing
 * else of this process runs meanwhile, so batches must be small where something waits.
 */
export interface Classifier {
  readonly info: ModelInfo;
  /** Throws ModelError where the model reads entities and the example has none. */
  encode(input: ClassifierInput): EncodedInput;
  /** The logits of each input, in the order of `info.labels`. */
  run(batch: readonly EncodedInput[]): Promise<Float32Array[]>;
  /** One a token id of `encode(input).ids`, with its range in the example's text. */
  tokens(input: ClassifierInput): TokenAlignment[];
  /** Ends the session; nothing may be run afterwards. */
  dispose(): Promise<void>;
}

/** What each input that a classifier may declare is fed with, for a token. */
const feeders: Readonly<Record<string, (id: number | null, padTokenId: number) => number>> = {
  input_ids: (id, padTokenId) => id ?? padTokenId,
  attention_mask: (id) => (id === null ? 0 : 1),
  token_type_ids: () => 0,
};

/** Throws ModelError where ONNX Runtime refuses the file, or its inputs and outputs are not a classifier's. */
export async function loadClassifier(folder: ModelFolder, options: { threads: number }): Promise<Classifier> {
  const { info } = folder;
  const tokenizer = createTokenizer(folder);
  const session = await createSession(folder, options.threads);
  const inputs = inputsOf(session, folder.onnxFile);
  checkLogitsShape(session, folder);

  const write = (input: ClassifierInput) => writeInput(folder, input);

  return {
    info,
    encode(input) {
      const ids = tokenizer.encode(write(input).text);
      return {
        ids: Int32Array.from(tokenizer.truncate(ids)),
        truncated: ids.length > info.maxTokens,
        tokenCount: ids.length,
      };
    },
    async run(batch) {
      if (batch.length === 0) return [];
      const longest = batch.reduce((length, { ids }) => Math.max(length, ids.length), 0);
      const feeds = Object.fromEntries(
        inputs.map(({ name, type }) => [name, tensorOf(batch, longest, name, type, folder.padTokenId)]),
      );
      const { logits } = await session.run(feeds, ['logits']);
      const [rows, columns] = logits!.dims;
      if (logits!.dims.length !== 2 || rows !== batch.length || columns !== info.labels.length) {
        throw wrongLogits(folder, logits!.dims);
      }
      const values = toFloat32(logits!, folder.onnxFile);
      return batch.map((_, row) => values.slice(row * columns, (row + 1) * columns));
    },
    tokens(input) {
      const written = write(input);
      const aligned = tokenizer.align(written.text).map((token) => {
        const range = token.start === null || token.end === null ? null : sourceRange(written, token.start, token.end);
        return { ...token, start: range?.start ?? null, end: range?.end ?? null };
      });
      return tokenizer.truncate(coverText(input.text, aligned));
    },
    dispose: () => session.release(),
  };
}

async function createSession(folder: ModelFolder, threads: number): Promise<InferenceSession> {
  try {
    return await InferenceSession.create(folder.onnxFile, {
      executionProviders: ['cpu'],
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      // Errors only: warnings go to this process's stderr.
      logSeverityLevel: 3,
      // Threads that wait for work sleep instead of spinning: a third less processor time, and no collapse when the
      // machine is busy with something else.
      extra: { session: { intra_op: { allow_spinning: '0' } } },
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ModelError(`${folder.onnxFile} cannot be loaded by ONNX Runtime (${reason}).`);
  }
}

type IntegerType = 'int64' | 'int32';

function inputsOf(session: InferenceSession, file: string): { name: string; type: IntegerType }[] {
  const inputs = session.inputMetadata.map((input) => {
    const type = input.isTensor ? input.type : 'no tensor';
    if (!Object.hasOwn(feeders, input.name) || (type !== 'int64' && type !== 'int32')) {
      const known = Object.keys(feeders).join(', ');
      throw new ModelError(
        `${file} asks for the input "${input.name}" (${type}); Assay feeds ${known} (int64 or int32). Export the model for text classification.`,
      );
    }
    return { name: input.name, type };
  });
  if (!inputs.some(({ name }) => name === 'input_ids')) throw new ModelError(`${file} has no input "input_ids".`);
  if (!session.outputNames.includes('logits')) {
    throw new ModelError(
      `${file} has no output "logits" but ${session.outputNames.join(', ')}. Export the model for text classification.`,
    );
  }
  return inputs;
}

/** The shape may leave the number of columns open: then the first run tells. */
function checkLogitsShape(session: InferenceSession, folder: ModelFolder): void {
  const logits = session.outputMetadata.find(({ name }) => name === 'logits');
  const columns = logits?.isTensor ? logits.shape[1] : undefined;
  if (logits?.isTensor && typeof columns === 'number' && columns !== folder.info.labels.length) {
    throw wrongLogits(folder, logits.shape);
  }
}

function tensorOf(
  batch: readonly EncodedInput[],
  longest: number,
  name: string,
  type: IntegerType,
  padTokenId: number,
): Tensor {
  const feed = feeders[name]!;
  const values = new Int32Array(batch.length * longest);
  batch.forEach(({ ids }, row) => {
    for (let column = 0; column < longest; column++) {
      values[row * longest + column] = feed(ids[column] ?? null, padTokenId);
    }
  });
  const dims = [batch.length, longest];
  return type === 'int32' ? new Tensor(type, values, dims) : new Tensor(type, BigInt64Array.from(values, BigInt), dims);
}

function wrongLogits(folder: ModelFolder, dims: readonly (number | string)[]): ModelError {
  const { labels } = folder.info;
  return new ModelError(
    `${folder.onnxFile} gives logits of shape ${dims.join(' x ')}, but config.json names ${labels.length} labels (id2label): the two do not belong together.`,
  );
}

function toFloat32(tensor: Tensor, file: string): Float32Array {
  const { data } = tensor;
  if (tensor.type === 'float32' && data instanceof Float32Array) return data;
  if (tensor.type === 'float64' && data instanceof Float64Array) return Float32Array.from(data);
  // Bits where the runtime has no Float16Array.
  if (tensor.type === 'float16' && data instanceof Uint16Array) return Float32Array.from(data, halfToNumber);
  if (tensor.type === 'float16') return Float32Array.from(data as Iterable<number>);
  throw new ModelError(`${file} gives logits of the type ${tensor.type}; Assay reads floating-point numbers.`);
}

/** IEEE 754 binary16: sign, 5 bits exponent (bias 15), 10 bits fraction. */
function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = (bits & 1023) / 1024;
  if (exponent === 0) return sign * 2 ** -14 * fraction;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * 2 ** (exponent - 15) * (1 + fraction);
}

/** Softmax, with the largest logit taken off first so that no power overflows; of equal labels the first is predicted. */
export function predictionOf(logits: Float32Array, labels: readonly string[], truncated: boolean): Prediction {
  let best = 0;
  for (let index = 1; index < logits.length; index++) if (logits[index]! > logits[best]!) best = index;
  const powers = Array.from(logits, (logit) => Math.exp(logit - logits[best]!));
  const sum = powers.reduce((total, power) => total + power, 0);
  return {
    label: labels[best]!,
    probabilities: Float32Array.from(powers, (power) => power / sum),
    logits,
    truncated,
  };
}
