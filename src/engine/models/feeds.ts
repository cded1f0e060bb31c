/** What goes into a classifier's session and comes out of it, as tensors. */
import { Tensor } from 'onnxruntime-node';
import { ModelError } from './model-error';

export type IntegerType = 'int64' | 'int32';

/** What each input that a classifier may declare is fed with, for a token. */
const feeders: Readonly<Record<string, (id: number | null, padTokenId: number) => number>> = {
  input_ids: (id, padTokenId) => id ?? padTokenId,
  attention_mask: (id) => (id === null ? 0 : 1),
  token_type_ids: () => 0,
};

/** The names of inputs that Assay can feed. */
export const knownInputs: readonly string[] = Object.keys(feeders);

/** [rows, longest] of the named input: each row is the ids of one example, shorter ones padded at their end. */
export function tensorOf(
  batch: readonly Int32Array[],
  longest: number,
  name: string,
  type: IntegerType,
  padTokenId: number,
): Tensor {
  const feed = feeders[name]!;
  const values = new Int32Array(batch.length * longest);
  batch.forEach((ids, row) => {
    for (let column = 0; column < longest; column++) {
      values[row * longest + column] = feed(ids[column] ?? null, padTokenId);
    }
  });
  const dims = [batch.length, longest];
  return type === 'int32' ? new Tensor(type, values, dims) : new Tensor(type, BigInt64Array.from(values, BigInt), dims);
}

/** A tensor of floating-point numbers, whatever their width. Throws ModelError for any other. */
export function toFloat32(tensor: Tensor, file: string): Float32Array {
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
