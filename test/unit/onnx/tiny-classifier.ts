/** BERT-like classifiers of two layers with random weights, written in the ways that exporters write them. */
import type { AttributeValue } from '../../../src/engine/onnx/graph';
import { type Array_, type LittleModel, type LittleNode, someNumbers } from './little-models';

export interface TinyStyle {
  /** Layer normalisation: written out (with a Pow, or a product and a reciprocal), as a node, or fused with the sum before it. */
  norm: 'pow' | 'product' | 'node' | 'skip';
  gelu: 'erf' | 'erf, half of x' | 'erf, half of the sum' | 'tanh' | 'tanh, square' | 'node' | 'bias' | 'fast' | 'relu';
  attention: 'plain' | 'fused' | 'multi-head';
  /** What the classifier reads: the first token through tanh, the mean of real tokens, the largest, or tokens chosen by id. */
  pooling: 'first' | 'mean' | 'max' | 'chosen';
  /** Weights: floats, whole numbers behind DequantizeLinear, or products of rounded activations. */
  weights: 'float' | 'int8' | 'rounded';
  /** The lookup: plain, of ids flattened before, or fused with positions and normalisation. */
  lookup: 'plain' | 'flat' | 'fused';
  opset: number;
}

export const plainStyle: TinyStyle = {
  norm: 'pow',
  gelu: 'erf',
  attention: 'plain',
  pooling: 'first',
  weights: 'float',
  lookup: 'plain',
  opset: 13,
};

export const tiny = { vocabulary: 24, width: 8, heads: 2, inner: 16, labels: 3, layers: 2, longest: 12 };

export function tinyClassifier(change: Partial<TinyStyle> = {}): LittleModel {
  const style = { ...plainStyle, ...change };
  const writer = createWriter(style);
  const { put, weight } = writer;
  let hidden = embeddings(writer);
  const mask = maskTerm(writer);
  for (let layer = 0; layer < tiny.layers; layer++) {
    const attended = linear(writer, attention(writer, hidden, mask), tiny.width, tiny.width);
    hidden = normalised(writer, hidden, attended);
    const inner = activation(writer, hidden);
    hidden = normalised(writer, hidden, linear(writer, inner, tiny.inner, tiny.width));
  }
  const pooled = pool(writer, hidden);
  const width = style.pooling === 'chosen' ? 2 * tiny.width : tiny.width;
  put('Gemm', [pooled, weight([tiny.labels, width]), weight([tiny.labels])], { transB: 1 }, 'logits');
  return {
    inputs: {
      input_ids: { type: style.lookup === 'fused' ? 'int32' : 'int64', dims: ['batch', 'sequence'] },
      attention_mask: { type: style.lookup === 'fused' ? 'int32' : 'int64', dims: ['batch', 'sequence'] },
    },
    initializers: writer.initializers,
    nodes: writer.nodes,
    outputs: ['logits'],
    opset: style.opset,
  };
}

interface Writer {
  style: TinyStyle;
  nodes: LittleNode[];
  initializers: Record<string, Array_>;
  put(op: string, inputs: readonly string[], attributes?: Record<string, AttributeValue>, output?: string): string;
  constant(array: Array_): string;
  number(value: number): string;
  ints(values: readonly number[]): string;
  int(value: number): string;
  weight(dims: readonly number[], change?: (value: number) => number): string;
  /** Operators whose axes became an input in version 13. */
  withAxes(op: string, value: string, axes: readonly number[], attributes?: Record<string, AttributeValue>): string;
}

function createWriter(style: TinyStyle): Writer {
  const nodes: LittleNode[] = [];
  const initializers: Record<string, Array_> = {};
  let count = 0;
  const constant = (array: Array_): string => {
    const name = `c${++count}`;
    initializers[name] = array;
    return name;
  };
  const put: Writer['put'] = (op, inputs, attributes = {}, output = `v${++count}`) => {
    nodes.push({ op, inputs, outputs: [output], attributes });
    return output;
  };
  const ints = (values: readonly number[]): string => constant({ type: 'int64', dims: [values.length], values });
  return {
    style,
    nodes,
    initializers,
    put,
    constant,
    ints,
    number: (value) => constant({ type: 'float32', dims: [], values: [value] }),
    int: (value) => constant({ type: 'int64', dims: [], values: [value] }),
    weight(dims, change = (value) => value) {
      const size = dims.reduce((product, dim) => product * dim, 1);
      return constant({ type: 'float32', dims, values: someNumbers(size, ++count, 0.9).map(change).map(Math.fround) });
    },
    withAxes: (op, value, axes, attributes = {}) =>
      style.opset < 13 ? put(op, [value], { axes, ...attributes }) : put(op, [value, ints(axes)], attributes),
  };
}

const gain = (value: number): number => 1 + value / 3;

function embeddings(writer: Writer): string {
  const { style, put, weight, constant, int, ints, withAxes, nodes } = writer;
  const dims = [tiny.vocabulary, tiny.width];
  const positions = weight([tiny.longest, tiny.width]);
  if (style.lookup === 'fused') {
    const [words, scale, bias] = [weight(dims), weight([tiny.width], gain), weight([tiny.width])];
    const inputs = ['input_ids', '', words, positions, '', scale, bias, 'attention_mask'];
    nodes.push({ op: 'com.microsoft.EmbedLayerNormalization', inputs, outputs: ['embedded', 'lengths'] });
    return 'embedded';
  }
  let table = style.weights === 'float' ? weight(dims) : '';
  if (style.weights !== 'float') {
    const stored = constant({ type: 'int8', dims, values: someNumbers(dims[0]! * dims[1]!, 77, 120).map(Math.round) });
    const scales = constant({
      type: 'float32',
      dims: [dims[0]!],
      values: someNumbers(dims[0]!, 5, 0.002).map((v) => Math.fround(v + 0.01)),
    });
    const zeros = constant({ type: 'int8', dims: [dims[0]!], values: Array(dims[0]!).fill(3) });
    table = put('DequantizeLinear', [stored, scales, zeros], { axis: 0 });
  }
  const shape = put('Shape', ['input_ids']);
  const range = put('Range', [int(0), put('Gather', [shape, int(1)], { axis: 0 }), int(1)]);
  let words = '';
  if (style.lookup === 'flat') {
    const rows = put('Gather', [table, put('Reshape', ['input_ids', ints([-1])])]);
    words = put('Reshape', [rows, put('Concat', [shape, ints([tiny.width])], { axis: 0 })]);
  } else {
    words = put('Gather', [table, 'input_ids']);
  }
  return normalised(writer, words, put('Gather', [positions, withAxes('Unsqueeze', range, [0])]));
}

/** Normalises the sum. */
function normalised(writer: Writer, a: string, b: string): string {
  const { style, put, weight, number } = writer;
  const [scale, bias] = [weight([tiny.width], gain), weight([tiny.width])];
  if (style.norm === 'skip') {
    return put('com.microsoft.SkipLayerNormalization', [a, b, scale, bias], { epsilon: { float: 1e-5 } });
  }
  const x = put('Add', [a, b]);
  if (style.norm === 'node') return put('LayerNormalization', [x, scale, bias], { axis: -1, epsilon: { float: 1e-5 } });
  const mean = (value: string): string => put('ReduceMean', [value], { axes: [-1], keepdims: 1 });
  const centred = put('Sub', [x, mean(x)]);
  const isPow = style.norm === 'pow';
  const square = isPow ? put('Pow', [centred, number(2)]) : put('Mul', [centred, centred]);
  const root = put('Sqrt', [put('Add', [mean(square), number(1e-5)])]);
  const normal = isPow ? put('Div', [centred, root]) : put('Mul', [centred, put('Reciprocal', [root])]);
  return isPow ? put('Add', [put('Mul', [normal, scale]), bias]) : put('Add', [bias, put('Mul', [scale, normal])]);
}

/** x w, with what the style makes of weights; no bias. */
function product(writer: Writer, x: string, from: number, to: number): string {
  const { style, put, weight, constant, nodes } = writer;
  if (style.weights === 'float') return put('MatMul', [x, weight([from, to])]);
  const values = someNumbers(from * to, from + 31 * to + nodes.length, 120).map(Math.round);
  const stored = constant({ type: 'int8', dims: [from, to], values });
  if (style.weights === 'int8') {
    const scales = constant({
      type: 'float32',
      dims: [to],
      values: someNumbers(to, 9, 0.002).map((v) => Math.fround(v + 0.008)),
    });
    const zeros = constant({ type: 'int8', dims: [to], values: Array(to).fill(0) });
    return put('MatMul', [x, put('DequantizeLinear', [stored, scales, zeros], { axis: 1 })]);
  }
  const [rounded, scale, zero] = [`${x}/q${nodes.length}`, `${x}/s${nodes.length}`, `${x}/z${nodes.length}`];
  nodes.push({ op: 'DynamicQuantizeLinear', inputs: [x], outputs: [rounded, scale, zero] });
  const whole = put('MatMulInteger', [rounded, stored, zero, constant({ type: 'int8', dims: [], values: [0] })]);
  const factor = put('Mul', [scale, constant({ type: 'float32', dims: [1], values: [Math.fround(0.008)] })]);
  return put('Mul', [put('Cast', [whole], { to: 1 }), factor]);
}

function linear(writer: Writer, x: string, from: number, to: number): string {
  return writer.put('Add', [writer.weight([to]), product(writer, x, from, to)]);
}

/** Null where the fused operator takes the mask itself. */
function maskTerm({ style, put, number, withAxes }: Writer): string | null {
  if (style.attention !== 'plain') return null;
  const wide = withAxes('Unsqueeze', 'attention_mask', [1, 2]);
  return put('Mul', [put('Sub', [number(1), put('Cast', [wide], { to: 1 })]), number(-10000)]);
}

function attention(writer: Writer, hidden: string, mask: string | null): string {
  const { style, put, weight, ints, number } = writer;
  const { width, heads } = tiny;
  const lengths = style.lookup === 'fused' ? 'lengths' : put('Cast', ['attention_mask'], { to: 6 });
  if (style.attention === 'fused') {
    const inputs = [hidden, weight([width, 3 * width]), weight([3 * width]), lengths];
    return put('com.microsoft.Attention', inputs, { num_heads: heads });
  }
  if (style.attention === 'multi-head') {
    const parts = [0, 1, 2].map(() => product(writer, hidden, width, width));
    return put('com.microsoft.MultiHeadAttention', [...parts, weight([3 * width]), lengths], { num_heads: heads });
  }
  const split = (perm: number[]): string =>
    put('Transpose', [put('Reshape', [linear(writer, hidden, width, width), ints([0, 0, heads, -1])])], { perm });
  const [query, key, value] = [split([0, 2, 1, 3]), split([0, 2, 3, 1]), split([0, 2, 1, 3])];
  const scores = put('Div', [put('MatMul', [query, key]), number(Math.sqrt(width / heads))]);
  const weights = put('Softmax', [put('Add', [scores, mask!])], { axis: style.opset < 13 ? 3 : -1 });
  const back = put('Transpose', [put('MatMul', [weights, value])], { perm: [0, 2, 1, 3] });
  return put('Reshape', [back, ints([0, 0, width])]);
}

function activation(writer: Writer, hidden: string): string {
  const { style, put, weight, number } = writer;
  const { width, inner } = tiny;
  if (style.gelu === 'bias')
    return put('com.microsoft.BiasGelu', [product(writer, hidden, width, inner), weight([inner])]);
  if (style.gelu === 'fast')
    return put('com.microsoft.FastGelu', [product(writer, hidden, width, inner), weight([inner])]);
  const x = linear(writer, hidden, width, inner);
  const half = number(0.5);
  switch (style.gelu) {
    case 'node':
      return put('com.microsoft.Gelu', [x]);
    case 'erf':
    case 'erf, half of x':
    case 'erf, half of the sum': {
      const isDiv = style.gelu === 'erf';
      const scaled = isDiv ? put('Div', [x, number(Math.SQRT2)]) : put('Mul', [number(Math.SQRT1_2), x]);
      const sum = put('Add', [put('Erf', [scaled]), number(1)]);
      if (isDiv) return put('Mul', [put('Mul', [x, sum]), half]);
      return style.gelu === 'erf, half of x'
        ? put('Mul', [put('Mul', [x, half]), sum])
        : put('Mul', [x, put('Mul', [sum, half])]);
    }
    case 'tanh': {
      const cube = put('Mul', [put('Pow', [x, number(3)]), number(0.044715)]);
      const inside = put('Mul', [put('Add', [x, cube]), number(Math.sqrt(2 / Math.PI))]);
      return put('Mul', [put('Mul', [half, x]), put('Add', [put('Tanh', [inside]), number(1)])]);
    }
    case 'tanh, square': {
      const square = put('Mul', [put('Mul', [x, number(0.044715)]), x]);
      const inside = put('Mul', [put('Mul', [x, number(Math.sqrt(2 / Math.PI))]), put('Add', [number(1), square])]);
      return put('Mul', [put('Mul', [x, half]), put('Add', [number(1), put('Tanh', [inside])])]);
    }
    case 'relu':
      return put('Relu', [x]);
  }
}

function pool(writer: Writer, hidden: string): string {
  const { style, put, weight, int, number, withAxes } = writer;
  const { width } = tiny;
  const asNumbers = (flags: string): string => withAxes('Unsqueeze', put('Cast', [flags], { to: 1 }), [-1]);
  const sum = (value: string): string => withAxes('ReduceSum', value, [1], { keepdims: 0 });
  switch (style.pooling) {
    case 'first': {
      const first = put('Gather', [hidden, int(0)], { axis: 1 });
      return put('Tanh', [put('Gemm', [first, weight([width, width]), weight([width])], {})]);
    }
    case 'mean': {
      const mask = asNumbers('attention_mask');
      return put('Div', [sum(put('Mul', [hidden, mask])), sum(mask)]);
    }
    case 'max': {
      const mask = asNumbers('attention_mask');
      const hiding = put('Mul', [put('Sub', [number(1), mask]), number(-10000)]);
      return put('ReduceMax', [put('Add', [hidden, hiding])], { axes: [1], keepdims: 0 });
    }
    case 'chosen': {
      const at = (id: number): string => sum(put('Mul', [hidden, asNumbers(put('Equal', ['input_ids', int(id)]))]));
      return put('Concat', [at(1), at(2)], { axis: -1 });
    }
  }
}
