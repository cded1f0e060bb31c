/** The values of constant tensors, and constant tensors of our own. */
import { dataTypes, type TensorProto } from './messages';
import { isExternal } from './model';

/** Number of entries. */
export function sizeOf(tensor: TensorProto): number {
  return (tensor.dims ?? []).reduce((size, dim) => size * Number(dim), 1);
}

/**
 * The entries as numbers, in row-major order; null where they lie outside the file, or are of a type that is none. int64 beyond
 * 2^53 (exporters write the largest one for "to the end") comes out rounded.
 */
export function valuesOf(tensor: TensorProto): Float64Array | null {
  if (isExternal(tensor)) return null;
  const size = sizeOf(tensor);
  const { rawData } = tensor;
  const read = rawData === undefined ? null : rawReader(tensor.dataType, rawData);
  if (read !== null) return Float64Array.from({ length: size }, (_, index) => read(index));
  const listed = listedValues(tensor);
  return listed === undefined || listed.length !== size ? null : Float64Array.from(listed, Number);
}

function listedValues(tensor: TensorProto): readonly (number | bigint)[] | undefined {
  const empty = sizeOf(tensor) === 0 ? [] : undefined;
  switch (tensor.dataType) {
    case dataTypes.float32:
      return tensor.floatData ?? empty;
    case dataTypes.float64:
      return tensor.doubleData ?? empty;
    case dataTypes.int64:
      return tensor.int64Data ?? empty;
    case dataTypes.float16:
      return tensor.int32Data?.map(halfToNumber) ?? empty;
    case dataTypes.int32:
    case dataTypes.int16:
    case dataTypes.int8:
    case dataTypes.uint16:
    case dataTypes.uint8:
    case dataTypes.bool:
      return tensor.int32Data ?? empty;
    default:
      return undefined;
  }
}

/** Reads the entry at an index of little-endian data. Null: a type that we do not read. */
export function rawReader(dataType: number | undefined, raw: Uint8Array): ((index: number) => number) | null {
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
  switch (dataType) {
    case dataTypes.float32:
      return (index) => view.getFloat32(index * 4, true);
    case dataTypes.float64:
      return (index) => view.getFloat64(index * 8, true);
    case dataTypes.float16:
      return (index) => halfToNumber(view.getUint16(index * 2, true));
    case dataTypes.bfloat16:
      return (index) => bfloatToNumber(view.getUint16(index * 2, true));
    case dataTypes.int64:
      return (index) => Number(view.getBigInt64(index * 8, true));
    case dataTypes.int32:
      return (index) => view.getInt32(index * 4, true);
    case dataTypes.int16:
      return (index) => view.getInt16(index * 2, true);
    case dataTypes.int8:
      return (index) => view.getInt8(index);
    case dataTypes.uint16:
      return (index) => view.getUint16(index * 2, true);
    case dataTypes.uint8:
    case dataTypes.bool:
      return (index) => view.getUint8(index);
    default:
      return null;
  }
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

/** The upper half of a float32. */
function bfloatToNumber(bits: number): number {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint32(0, bits << 16);
  return view.getFloat32(0);
}

/** Where values lie that are not in the model's own file: `location` relative to it; bytes from `offset` on, to the end if no length is given. */
export interface ExternalPlace {
  location: string;
  offset: number;
  length: number | null;
}

export function externalPlaceOf(tensor: TensorProto): ExternalPlace | null {
  if (!isExternal(tensor)) return null;
  const entries = new Map((tensor.externalData ?? []).map(({ key, value }) => [key, value]));
  const length = entries.get('length');
  return {
    location: entries.get('location') ?? '',
    offset: Number(entries.get('offset') ?? 0),
    length: length === undefined ? null : Number(length),
  };
}

export function int64Tensor(name: string, values: readonly number[], isScalar = false): TensorProto {
  const raw = new Uint8Array(BigInt64Array.from(values, BigInt).buffer);
  return { name, dims: isScalar ? [] : [BigInt(values.length)], dataType: dataTypes.int64, rawData: raw };
}

/** One-dimensional. */
export function float32Tensor(name: string, values: readonly number[]): TensorProto {
  const raw = new Uint8Array(Float32Array.from(values).buffer);
  return { name, dims: [BigInt(values.length)], dataType: dataTypes.float32, rawData: raw };
}

export function float32Scalar(name: string, value: number): TensorProto {
  return { ...float32Tensor(name, [value]), dims: [] };
}
