/** A model that runs: an example in, logits out. */
import { env, InferenceSession, type Tensor } from 'onnxruntime-node';
import type { ModelInfo, Prediction } from '../../protocol/prediction';
import { coverText, type TokenAlignment } from '../text/alignment';
import { type IntegerType, knownInputs, tensorOf, toFloat32 } from './feeds';
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
  /** What fills short rows of a batch. */
  readonly padTokenId: number;
  /** What stands for a word that is hidden from the model; null where its tokenizer has none. */
  readonly maskTokenId: number | null;
  /** The same as a text holds it: `[MASK]`. */
  readonly maskToken: string | null;
  /** Throws ModelError where the model reads entities and the example has none. */
  encode(input: ClassifierInput): EncodedInput;
  /** The logits of each input, in the order of `info.labels`. */
  run(batch: readonly Pick<EncodedInput, 'ids'>[]): Promise<Float32Array[]>;
  /** One a token id of `encode(input).ids`, with its range in the example's text. */
  tokens(input: ClassifierInput): TokenAlignment[];
  /** Ends the session; nothing may be run afterwards. */
  dispose(): Promise<void>;
}

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
    padTokenId: folder.padTokenId,
    maskTokenId: folder.maskTokenId,
    maskToken: folder.maskToken,
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
      const ids = batch.map((input) => input.ids);
      const longest = Math.max(...ids.map(({ length }) => length));
      const feeds = Object.fromEntries(
        inputs.map(({ name, type }) => [name, tensorOf(ids, longest, name, type, folder.padTokenId)]),
      );
      const { logits } = await runOrTell(session, feeds, ['logits'], folder);
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
      // What goes wrong is told by what is thrown: not on this process's stderr too.
      logSeverityLevel: 4,
      // Threads that wait for work sleep instead of spinning: a third less processor time, and no collapse when the
      // machine is busy with something else.
      extra: { session: { intra_op: { allow_spinning: '0' } } },
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ModelError(
      `${folder.onnxFile} cannot be loaded by ONNX Runtime: it is damaged, incomplete, or uses operators that are not ONNX's. Export the model again. (${firstLine(reason)})`,
    );
  }
}

/** As `session.run`. Throws ModelError where ONNX Runtime cannot run the graph on these inputs. */
export async function runOrTell(
  session: InferenceSession,
  feeds: Readonly<Record<string, Tensor>>,
  outputs: readonly string[],
  { onnxFile, info }: Pick<ModelFolder, 'onnxFile' | 'info'>,
): Promise<InferenceSession.ReturnType> {
  try {
    return await session.run(feeds, outputs);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const tokens = feeds.input_ids?.dims[1];
    const isTable = /Gather|out of (?:data )?bounds|idx=/i.test(reason);
    const advice = isTable
      ? ` A number beyond the end of a table: the tokenizer gives ids that the model has no embedding for, or the input (${tokens} tokens) is longer than the model reads. Take the tokenizer that was exported with the model; say its limit as model_max_length in tokenizer_config.json (${info.maxTokens} is assumed).`
      : '';
    throw new ModelError(
      `${onnxFile}: ONNX Runtime cannot run the model on this input.${advice} (${firstLine(reason)})`,
    );
  }
}

/** What ONNX Runtime says, without the names of its own functions. */
export function firstLine(reason: string): string {
  return (reason.split('\n')[0] ?? '')
    .replace(/(?:static |virtual )?[\w:]+(?:<[^>]*>)?::\w+\([^)]*\)(?: const)?(?: \[with [^\]]*\])?\s*/g, '')
    .trim();
}

function inputsOf(session: InferenceSession, file: string): { name: string; type: IntegerType }[] {
  const inputs = session.inputMetadata.map((input) => {
    const type = input.isTensor ? input.type : 'no tensor';
    if (!knownInputs.includes(input.name) || (type !== 'int64' && type !== 'int32')) {
      throw new ModelError(
        `${file} asks for the input "${input.name}" (${type}); Assay feeds ${knownInputs.join(', ')} (int64 or int32). Export the model for text classification.`,
      );
    }
    const fixed = input.isTensor ? input.shape.filter((dim) => typeof dim === 'number' && dim >= 0) : [];
    if (fixed.length > 0) {
      throw new ModelError(
        `${file} takes inputs of one size only (${input.name}: ${(input.isTensor ? input.shape : []).join(' x ')}). Export it with dynamic axes for batch and length (dynamic_axes or dynamic_shapes of torch.onnx.export).`,
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

function wrongLogits(folder: ModelFolder, dims: readonly (number | string)[]): ModelError {
  const { labels } = folder.info;
  return new ModelError(
    `${folder.onnxFile} gives logits of shape ${dims.join(' x ')}, but config.json names ${labels.length} labels (id2label): the two do not belong together.`,
  );
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
