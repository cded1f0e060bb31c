/** Small ONNX models of our own, written with the engine's own writer, run by ONNX Runtime. */
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { type AttributeValue, makeNode, protoOf } from '../../../src/engine/onnx/graph';
import { dataTypes, type ModelProto, type TensorProto, type ValueInfoProto } from '../../../src/engine/onnx/messages';
import { writeModel } from '../../../src/engine/onnx/model';

export type ElemType = 'float32' | 'float64' | 'int64' | 'int32' | 'int8' | 'uint8' | 'bool' | 'float16';

/** Null: unknown length. The whole null: unknown rank. */
export type DeclaredDims = readonly (number | string | null)[] | null;

export interface Array_ {
  type: ElemType;
  dims: readonly number[];
  values: readonly number[];
}

export interface LittleNode {
  op: string;
  inputs: readonly string[];
  outputs: readonly string[];
  attributes?: Readonly<Record<string, AttributeValue>>;
  name?: string;
}

export interface LittleModel {
  inputs: Readonly<Record<string, { type: ElemType; dims: DeclaredDims }>>;
  initializers?: Readonly<Record<string, Array_>>;
  nodes: readonly LittleNode[];
  outputs: readonly string[];
  opset?: number;
}

export function modelOf({ inputs, initializers = {}, nodes, outputs, opset = 17 }: LittleModel): ModelProto {
  return {
    irVersion: 8n,
    opsetImport: [{ version: BigInt(opset) }, { domain: 'com.microsoft', version: 1n }],
    graph: {
      name: 'little',
      node: nodes.map(({ op, inputs: from, outputs: to, attributes = {}, name }, index) => {
        const dot = op.lastIndexOf('.');
        const operator = {
          opType: op.slice(dot + 1),
          domain: op.slice(0, Math.max(dot, 0)),
          name: name ?? `n${index}`,
        };
        return protoOf(makeNode(operator, from, to, attributes));
      }),
      initializer: Object.entries(initializers).map(([name, array]) => tensorProtoOf(name, array)),
      input: Object.entries(inputs).map(([name, { type, dims }]) => declared(name, dataTypes[type], dims)),
      output: outputs.map((name) => ({ name })),
    },
  };
}

function declared(name: string, elemType: number, dims: DeclaredDims): ValueInfoProto {
  const dim = dims?.map((one) => {
    if (typeof one === 'number') return { dimValue: BigInt(one) };
    return one === null ? {} : { dimParam: one };
  });
  return { name, type: { tensorType: { elemType, ...(dim === undefined ? {} : { shape: { dim } }) } } };
}

export function tensorProtoOf(name: string, { type, dims, values }: Array_): TensorProto {
  return { name, dims: dims.map(BigInt), dataType: dataTypes[type], rawData: bytesOf(type, values) };
}

function bytesOf(type: ElemType, values: readonly number[]): Uint8Array {
  const { buffer, byteOffset, byteLength } = typedArray(type, values);
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** The bits of the nearest number of half precision; for numbers of ordinary size. */
function halfOf(value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  const exponent = size === 0 ? -15 : Math.floor(Math.log2(size));
  // Below 2^-14 the exponent is the smallest, and the fraction has no leading one.
  if (exponent < -14) return sign | Math.round(size * 2 ** 24);
  const bits = ((exponent + 15) << 10) + Math.round((size / 2 ** exponent - 1) * 1024);
  return sign | Math.min(bits, 0x7bff);
}

function typedArray(type: ElemType, values: readonly number[]) {
  switch (type) {
    case 'float32':
      return Float32Array.from(values);
    case 'float64':
      return Float64Array.from(values);
    case 'int64':
      return BigInt64Array.from(values, BigInt);
    case 'int32':
      return Int32Array.from(values);
    case 'int8':
      return Int8Array.from(values);
    case 'uint8':
    case 'bool':
      return Uint8Array.from(values);
    case 'float16':
      return Uint16Array.from(values, halfOf);
  }
}

export function feedOf({ type, dims, values }: Array_): Tensor {
  return new Tensor(type, typedArray(type, values) as never, dims);
}

export async function sessionOf(model: ModelProto | Uint8Array, isOptimised = true): Promise<InferenceSession> {
  const bytes = model instanceof Uint8Array ? model : writeModel(model);
  return await InferenceSession.create(bytes, {
    executionProviders: ['cpu'],
    intraOpNumThreads: 1,
    logSeverityLevel: 4,
    graphOptimizationLevel: isOptimised ? 'all' : 'disabled',
    extra: { session: { disable_quant_qdq: '1' } },
  });
}

export const numbersOf = (tensor: Tensor): number[] => Array.from(tensor.data as Iterable<number | bigint>, Number);

/** Evenly spread in ±scale, the same ones for the same seed. */
export function someNumbers(count: number, seed: number, scale = 1): number[] {
  let state = seed * 7919 + 1;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return ((state >>> 8) / 0x7fffff) * 2 * scale - scale;
  });
}
