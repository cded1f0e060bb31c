/**
 * The messages of an ONNX file, those fields of them that we read or write. Names and numbers are those of the format
 * (https://github.com/onnx/onnx/blob/main/docs/IR.md and onnx/onnx.proto); every other field is kept as it stands.
 * Fields are optional in the format, and so here.
 */
import type { Field, Message, Scalar, Schema } from './wire';

export interface ModelProto extends Message {
  irVersion?: bigint;
  graph?: GraphProto;
  opsetImport?: OperatorSetId[];
  functions?: FunctionProto[];
}

export interface OperatorSetId extends Message {
  /** Empty: the operators of ONNX itself. */
  domain?: string;
  version?: bigint;
}

/** Operators that the model defines itself. Kept, not looked into. */
export interface FunctionProto extends Message {
  name?: string;
  domain?: string;
}

export interface GraphProto extends Message {
  node?: NodeProto[];
  name?: string;
  initializer?: TensorProto[];
  input?: ValueInfoProto[];
  output?: ValueInfoProto[];
  valueInfo?: ValueInfoProto[];
}

export interface NodeProto extends Message {
  /** Names of values; empty where an optional one is left out. */
  input?: string[];
  output?: string[];
  name?: string;
  opType?: string;
  domain?: string;
  attribute?: AttributeProto[];
}

export interface AttributeProto extends Message {
  name?: string;
  type?: number;
  f?: number;
  i?: bigint;
  s?: Uint8Array;
  t?: TensorProto;
  g?: GraphProto;
  floats?: number[];
  ints?: bigint[];
  strings?: Uint8Array[];
}

/** AttributeProto.AttributeType. */
export const attributeTypes = { float: 1, int: 2, string: 3, tensor: 4, graph: 5, floats: 6, ints: 7, strings: 8 };

export interface TensorProto extends Message {
  name?: string;
  dims?: bigint[];
  dataType?: number;
  floatData?: number[];
  int32Data?: number[];
  int64Data?: bigint[];
  doubleData?: number[];
  /** Little-endian. */
  rawData?: Uint8Array;
  externalData?: StringEntry[];
  /** 1: outside the file. */
  dataLocation?: number;
}

export interface StringEntry extends Message {
  key?: string;
  value?: string;
}

/** TensorProto.DataType. */
export const dataTypes = {
  float32: 1,
  uint8: 2,
  int8: 3,
  uint16: 4,
  int16: 5,
  int32: 6,
  int64: 7,
  string: 8,
  bool: 9,
  float16: 10,
  float64: 11,
  uint32: 12,
  uint64: 13,
  bfloat16: 16,
} as const;

export interface ValueInfoProto extends Message {
  name?: string;
  type?: TypeProto;
}

export interface TypeProto extends Message {
  tensorType?: TensorTypeProto;
}

export interface TensorTypeProto extends Message {
  elemType?: number;
  /** Absent: of unknown rank. */
  shape?: TensorShapeProto;
}

export interface TensorShapeProto extends Message {
  dim?: DimensionProto[];
}

/** Neither: unknown. */
export interface DimensionProto extends Message {
  dimValue?: bigint;
  dimParam?: string;
}

const one = (name: string, type: Scalar | Schema): Field => ({
  name,
  type: typeof type === 'string' ? type : { message: type },
});
const many = (name: string, type: Scalar | Schema): Field => ({ ...one(name, type), repeated: 'unpacked' });
const packed = (name: string, type: Scalar): Field => ({ ...one(name, type), repeated: 'packed' });

export const modelSchema: Schema = () => ({
  1: one('irVersion', 'int64'),
  7: one('graph', graphSchema),
  8: many('opsetImport', operatorSetSchema),
  25: many('functions', functionSchema),
});

const operatorSetSchema: Schema = () => ({ 1: one('domain', 'string'), 2: one('version', 'int64') });

const functionSchema: Schema = () => ({ 1: one('name', 'string'), 10: one('domain', 'string') });

const graphSchema: Schema = () => ({
  1: many('node', nodeSchema),
  2: one('name', 'string'),
  5: many('initializer', tensorSchema),
  11: many('input', valueInfoSchema),
  12: many('output', valueInfoSchema),
  13: many('valueInfo', valueInfoSchema),
});

const nodeSchema: Schema = () => ({
  1: many('input', 'string'),
  2: many('output', 'string'),
  3: one('name', 'string'),
  4: one('opType', 'string'),
  5: many('attribute', attributeSchema),
  7: one('domain', 'string'),
});

const attributeSchema: Schema = () => ({
  1: one('name', 'string'),
  2: one('f', 'float'),
  3: one('i', 'int64'),
  4: one('s', 'bytes'),
  5: one('t', tensorSchema),
  6: one('g', graphSchema),
  7: many('floats', 'float'),
  8: many('ints', 'int64'),
  9: many('strings', 'bytes'),
  20: one('type', 'int32'),
});

const tensorSchema: Schema = () => ({
  1: many('dims', 'int64'),
  2: one('dataType', 'int32'),
  4: packed('floatData', 'float'),
  5: packed('int32Data', 'int32'),
  7: packed('int64Data', 'int64'),
  8: one('name', 'string'),
  9: one('rawData', 'bytes'),
  10: packed('doubleData', 'double'),
  13: many('externalData', stringEntrySchema),
  14: one('dataLocation', 'int32'),
});

const stringEntrySchema: Schema = () => ({ 1: one('key', 'string'), 2: one('value', 'string') });

const valueInfoSchema: Schema = () => ({ 1: one('name', 'string'), 2: one('type', typeSchema) });

const typeSchema: Schema = () => ({ 1: one('tensorType', tensorTypeSchema) });

const tensorTypeSchema: Schema = () => ({ 1: one('elemType', 'int32'), 2: one('shape', shapeSchema) });

const shapeSchema: Schema = () => ({ 1: many('dim', dimensionSchema) });

const dimensionSchema: Schema = () => ({ 1: one('dimValue', 'int64'), 2: one('dimParam', 'string') });
