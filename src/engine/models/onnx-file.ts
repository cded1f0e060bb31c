/** The ONNX file of a model folder: which one, what data lies outside it, and its hash. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { ModelError } from './model-error';

/** From the most wanted: small and quick first, since results differ little. */
const wanted = ['model_quantized', 'model', 'model_int8', 'model_uint8', 'model_fp16'];

/** The file to run, an absolute path: `onnx/model*.onnx`, or the only .onnx file there; else likewise in the folder itself. */
export async function findOnnxFile(folder: string): Promise<string> {
  for (const place of [path.join(folder, 'onnx'), folder]) {
    const names = await readdir(place).catch(() => [] as string[]);
    const models = names.filter((name) => /^model.*\.onnx$/.test(name)).sort();
    const others = names.filter((name) => name.endsWith('.onnx'));
    const only = others.length === 1 ? others[0] : undefined;
    const best = wanted.map((stem) => `${stem}.onnx`).find((name) => models.includes(name)) ?? models[0] ?? only;
    if (best !== undefined) return path.join(place, best);
  }
  throw new ModelError(
    `${folder} has no ONNX model: expected onnx/model_quantized.onnx, onnx/model.onnx or model.onnx. Export the model to ONNX first (for example with Optimum).`,
  );
}

/** How the weights are stored, as the file's name tells it. */
export function dtypeOf(file: string): string {
  const suffix = /^model_?(.*)\.onnx$/.exec(path.basename(file))?.[1] ?? '';
  if (suffix === '') return 'fp32';
  return suffix === 'quantized' || suffix === 'uint8' ? 'int8' : suffix;
}

/**
 * Files with weights outside the ONNX file, absolute paths, sorted. Each must exist inside the model's folder, links
 * followed; else ModelError.
 */
export async function findExternalData(onnxFile: string, folder: string): Promise<string[]> {
  const bytes = await readFile(onnxFile);
  let locations: Set<string>;
  try {
    locations = externalLocations(bytes);
  } catch {
    throw new ModelError(`${onnxFile} is not an ONNX file, or is damaged: copy or export it again.`);
  }
  const root = await realpath(folder);
  const files: string[] = [];
  for (const location of [...locations].sort()) {
    const file = path.resolve(path.dirname(onnxFile), location);
    const real = await realpath(file).catch(() => null);
    if (real === null) {
      throw new ModelError(
        `${onnxFile} keeps weights in "${location}", which is missing beside it: copy that file too.`,
      );
    }
    if (!real.startsWith(root + path.sep)) {
      throw new ModelError(
        `${onnxFile} names weights outside its folder ("${location}"): refused, since a model may only read its own folder.`,
      );
    }
    files.push(file);
  }
  return files;
}

/** sha256, hex, of the files' bytes one after the other. */
export async function hashFiles(files: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of files) {
    for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) hash.update(chunk);
  }
  return hash.digest('hex');
}

/**
 * Where messages of onnx.proto3 hold others that lead to a TensorProto, by field number: the model's graph (7) and
 * functions (25); a graph's nodes (1), initializers (5) and sparse ones (15); a node's attributes (5); an attribute's
 * tensor (5), graph (6), tensors (10) and graphs (11), sparse tensor (22) and sparse tensors (23).
 */
const children = {
  model: { 7: 'graph', 25: 'function' },
  graph: { 1: 'node', 5: 'tensor', 15: 'sparse' },
  function: { 7: 'node', 11: 'attribute' },
  node: { 5: 'attribute' },
  attribute: { 5: 'tensor', 6: 'graph', 10: 'tensor', 11: 'graph', 22: 'sparse', 23: 'sparse' },
  sparse: { 1: 'tensor', 2: 'tensor' },
  tensor: { 13: 'entry' },
} as const satisfies Record<string, Record<number, string>>;

const maxDepth = 100;

/** The values of the key `location` in all `external_data` of a serialised ModelProto. */
function externalLocations(bytes: Uint8Array): Set<string> {
  const found = new Set<string>();
  const walk = (message: keyof typeof children, part: Uint8Array, depth: number): void => {
    if (depth > maxDepth) throw new Error('nested too deeply');
    const kinds: Record<number, string> = children[message];
    for (const [field, content] of lengthDelimitedFields(part)) {
      const kind = kinds[field];
      if (kind === 'entry') {
        const entry = new Map(Array.from(lengthDelimitedFields(content), ([key, value]) => [key, decodeUtf8(value)]));
        if (entry.get(1) === 'location') found.add(entry.get(2) ?? '');
      } else if (kind !== undefined) {
        walk(kind as keyof typeof children, content, depth + 1);
      }
    }
  };
  walk('model', bytes, 0);
  return found;
}

const decodeUtf8 = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** The fields of a protobuf message that have bytes (wire type 2); others are skipped. Throws where it is malformed. */
function* lengthDelimitedFields(bytes: Uint8Array): Generator<[field: number, content: Uint8Array]> {
  let position = 0;
  const readVarint = (): number => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = bytes[position++];
      if (byte === undefined || shift > 2 ** 63) throw new Error('truncated');
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  };
  while (position < bytes.length) {
    const tag = readVarint();
    const wireType = tag % 8;
    let length = 0;
    if (wireType === 0) readVarint();
    else if (wireType === 1) length = 8;
    else if (wireType === 2) length = readVarint();
    else if (wireType === 5) length = 4;
    else throw new Error('unknown wire type');
    if (position + length > bytes.length) throw new Error('truncated');
    if (wireType === 2) yield [Math.floor(tag / 8), bytes.subarray(position, position + length)];
    position += length;
  }
}
