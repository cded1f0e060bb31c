/** A small example of each operator that can be differentiated; several where it has several forms. */
import type { AttributeValue } from '../../../src/engine/onnx/graph';
import { type Array_, someNumbers } from './little-models';

export interface RuleExample {
  op: string;
  /** What is special about this one. */
  note?: string;
  /** In order; a string stands for an input that is left out. Floats are differentiated, whole numbers are not. */
  inputs: readonly (Array_ | '')[];
  /** Inputs that are constants of the model: exporters write axes and weights so. By index. */
  constants?: readonly number[];
  attributes?: Readonly<Record<string, AttributeValue>>;
  outputs?: number;
  opset?: number;
  /** ONNX Runtime computes it in single precision only. */
  isSingle?: boolean;
}

let seed = 0;
const floats = (dims: readonly number[], change: (value: number) => number = (value) => value): Array_ => ({
  type: 'float64',
  dims,
  values: someNumbers(
    dims.reduce((size, dim) => size * dim, 1),
    ++seed,
  ).map(change),
});
const ints = (values: readonly number[], dims: readonly number[] = [values.length]): Array_ => ({
  type: 'int64',
  dims,
  values,
});
const int = (value: number): Array_ => ints([value], []);
const flags = (dims: readonly number[]): Array_ => ({
  type: 'bool',
  dims,
  values: floats(dims).values.map((value) => (value > 0 ? 1 : 0)),
});
const positive = (value: number): number => Math.abs(value) + 0.5;
/** Away from 0, where a slope jumps. */
const apart = (value: number): number => value + Math.sign(value) * 0.2;

const one = (op: string, input: Array_, rest: Partial<RuleExample> = {}): RuleExample => ({
  op,
  inputs: [input],
  ...rest,
});

const elementwise: RuleExample[] = [
  ...['Add', 'Sub', 'Mul', 'Div', 'Max', 'Min', 'Sum', 'Mean'].flatMap((op): RuleExample[] => {
    const isSingle = op === 'Mean';
    return [
      { op, inputs: [floats([2, 3]), floats([2, 3], positive)], isSingle },
      { op, note: 'broadcast', inputs: [floats([2, 1, 4]), floats([3, 1], positive)], isSingle },
      { op, note: 'a number', inputs: [floats([2, 3]), floats([], positive)], isSingle },
    ];
  }),
  { op: 'Sum', note: 'three operands', inputs: [floats([2, 3]), floats([3]), floats([2, 1])] },
  { op: 'Pow', inputs: [floats([2, 3], positive), floats([3])] },
  ...[1, 2, 3, 0.5].map(
    (exponent): RuleExample => ({
      op: 'Pow',
      note: `to the power ${exponent}`,
      inputs: [floats([2, 3], positive), floats([], () => exponent)],
      constants: [1],
    }),
  ),
  { op: 'Pow', note: 'a whole number', inputs: [floats([4]), int(3)], constants: [1] },
  ...['Neg', 'Exp', 'Sigmoid', 'Tanh', 'Sin', 'Cos'].map((op) => one(op, floats([2, 3]))),
  one('Softplus', floats([2, 3]), { isSingle: true }),
  ...['Abs', 'Relu'].map((op) => one(op, floats([2, 3], apart))),
  ...['Sqrt', 'Reciprocal', 'Log'].map((op) => one(op, floats([2, 3], positive))),
  one('LeakyRelu', floats([2, 5], apart), { attributes: { alpha: { float: 0.25 } } }),
  one('Elu', floats([2, 5], apart), { isSingle: true, attributes: { alpha: { float: 1.5 } } }),
  one('Erf', floats([2, 5]), { isSingle: true }),
  one('Gelu', floats([2, 5]), { opset: 20, isSingle: true }),
  one('Gelu', floats([2, 5]), { note: 'tanh form', opset: 20, isSingle: true, attributes: { approximate: 'tanh' } }),
  one(
    'com.microsoft.Gelu',
    floats([2, 5], (value) => value * 3),
    { isSingle: true },
  ),
  one(
    'com.microsoft.FastGelu',
    floats([2, 5], (value) => value * 2),
    { isSingle: true },
  ),
  one('com.microsoft.QuickGelu', floats([2, 5]), { isSingle: true, attributes: { alpha: { float: 1.5 } } }),
  one('Swish', floats([2, 5]), { isSingle: true, opset: 24 }),
  { op: 'Clip', inputs: [floats([3, 4]), floats([], () => -0.41), floats([], () => 0.52)], constants: [1, 2] },
  { op: 'Clip', note: 'below only', inputs: [floats([3, 4]), floats([], () => -0.41)], constants: [1] },
  { op: 'Clip', note: 'above only', inputs: [floats([3, 4]), '', floats([], () => 0.41)], constants: [2] },
];

const products: RuleExample[] = [
  { op: 'MatMul', inputs: [floats([2, 3]), floats([3, 4])] },
  { op: 'MatMul', note: 'weights', inputs: [floats([2, 2, 3]), floats([3, 4])], constants: [1] },
  { op: 'MatMul', note: 'batches', inputs: [floats([2, 1, 2, 3]), floats([4, 3, 2])] },
  { op: 'MatMul', note: 'a row', inputs: [floats([3]), floats([2, 3, 4])] },
  { op: 'MatMul', note: 'a column', inputs: [floats([2, 4, 3]), floats([3])] },
  { op: 'MatMul', note: 'row by column', inputs: [floats([3]), floats([3])] },
  ...[0, 1, 2, 3].flatMap((flip): RuleExample[] => {
    const [transA, transB] = [flip & 1, flip >> 1];
    const [a, b] = [transA ? [3, 2] : [2, 3], transB ? [4, 3] : [3, 4]];
    const note = `transposed ${transA}${transB}`;
    return [
      { op: 'Gemm', note, inputs: [floats(a), floats(b), floats([4])], attributes: { transA, transB } },
      {
        op: 'com.microsoft.FusedMatMul',
        note,
        inputs: [floats([2, ...a]), floats(b)],
        attributes: { transA, transB, alpha: { float: 0.5 } },
        isSingle: true,
      },
    ];
  }),
  {
    op: 'Gemm',
    note: 'scaled',
    inputs: [floats([2, 3]), floats([3, 4]), floats([2, 1])],
    attributes: { alpha: { float: 0.5 }, beta: { float: 2 } },
    isSingle: true,
  },
  { op: 'Gemm', note: 'without a third operand', inputs: [floats([2, 3]), floats([3, 4])] },
];

const normalisations: RuleExample[] = [
  one('Softmax', floats([2, 3, 4])),
  one('Softmax', floats([2, 3, 4]), { note: 'another axis', attributes: { axis: 1 } }),
  one('LogSoftmax', floats([2, 3, 4]), { attributes: { axis: -1 } }),
  { op: 'LayerNormalization', inputs: [floats([2, 3, 5]), floats([5], positive), floats([5])], isSingle: true },
  { op: 'LayerNormalization', note: 'no bias', inputs: [floats([2, 3, 5]), floats([5])], isSingle: true },
  {
    op: 'LayerNormalization',
    note: 'over two axes',
    inputs: [floats([2, 3, 5]), floats([3, 5]), floats([3, 5])],
    attributes: { axis: 1, epsilon: { float: 0.1 } },
    isSingle: true,
  },
  { op: 'SimplifiedLayerNormalization', inputs: [floats([2, 3, 5]), floats([5], positive)], isSingle: true },
  { op: 'RMSNormalization', inputs: [floats([2, 3, 5]), floats([5], positive)], opset: 23, isSingle: true },
];

const reductions: RuleExample[] = [
  ...['ReduceMean', 'ReduceMax', 'ReduceMin', 'ReduceL2', 'ReduceSumSquare'].flatMap((op): RuleExample[] => [
    one(op, floats([2, 3, 4]), { attributes: { axes: [1], keepdims: 0 } }),
    one(op, floats([2, 3, 4]), { note: 'axes kept', attributes: { axes: [-1, 0], keepdims: 1 } }),
    one(op, floats([2, 3]), { note: 'to one number', attributes: { keepdims: 0 } }),
    {
      op,
      note: 'axes as an input',
      inputs: [floats([2, 3, 4]), ints([1])],
      constants: [1],
      opset: 18,
      attributes: { keepdims: 0 },
    },
  ]),
  { op: 'ReduceSum', inputs: [floats([2, 3, 4]), ints([1])], constants: [1], attributes: { keepdims: 0 } },
  { op: 'ReduceSum', note: 'axes kept', inputs: [floats([2, 3, 4]), ints([-1, 0])], constants: [1] },
  {
    op: 'ReduceSum',
    note: 'axes that are computed',
    inputs: [floats([2, 3, 4]), ints([1])],
    attributes: { keepdims: 0 },
  },
  one('ReduceSum', floats([2, 3]), { note: 'to one number', attributes: { keepdims: 0 } }),
  one('ReduceSum', floats([2, 3]), { note: 'over no axes', attributes: { noop_with_empty_axes: 1 } }),
  { op: 'CumSum', inputs: [floats([2, 4]), int(1)], constants: [1] },
  {
    op: 'CumSum',
    note: 'backwards',
    inputs: [floats([2, 4]), int(0)],
    constants: [1],
    attributes: { reverse: 1, exclusive: 1 },
  },
];

const movements: RuleExample[] = [
  one('Identity', floats([2, 3])),
  one('Dropout', floats([2, 3])),
  one('Cast', floats([2, 3]), { attributes: { to: 1 }, isSingle: true }),
  { op: 'Reshape', inputs: [floats([2, 6]), ints([3, -1])], constants: [1] },
  one('Flatten', floats([2, 3, 2])),
  { op: 'Squeeze', inputs: [floats([2, 1, 3]), ints([1])], constants: [1] },
  { op: 'Unsqueeze', inputs: [floats([2, 3]), ints([0, -1])], constants: [1] },
  one('Transpose', floats([2, 3, 4]), { attributes: { perm: [1, 2, 0] } }),
  one('Transpose', floats([2, 3, 4]), { note: 'turned round' }),
  { op: 'Expand', inputs: [floats([2, 1, 3]), ints([2, 2, 4, 3])] },
  { op: 'Where', inputs: [flags([2, 3]), floats([2, 3]), floats([3])] },
  { op: 'Where', note: 'broadcast', inputs: [flags([2, 1]), floats([]), floats([1, 3])] },
  { op: 'Concat', inputs: [floats([2, 3]), floats([2, 1]), floats([2, 2])], attributes: { axis: 1 } },
  { op: 'Concat', note: 'counted from the back', inputs: [floats([2, 3]), floats([1, 3])], attributes: { axis: -2 } },
  { op: 'Split', inputs: [floats([2, 5]), ints([2, 3])], constants: [1], outputs: 2, attributes: { axis: 1 } },
  one('Split', floats([4, 3]), { note: 'evenly', outputs: 2 }),
  { op: 'Slice', inputs: [floats([4, 5]), ints([1, -3]), ints([3, 2 ** 31]), ints([0, 1])], constants: [1, 2, 3] },
  { op: 'Slice', note: 'the first axes', inputs: [floats([4, 5]), ints([1]), ints([-1])] },
  { op: 'Slice', note: 'nothing', inputs: [floats([4, 5]), ints([3]), ints([3]), ints([-1])] },
  {
    op: 'Slice',
    note: 'with steps',
    inputs: [floats([4, 5]), ints([3, 0]), ints([-9, 5]), ints([0, 1]), ints([-1, 2])],
    constants: [1, 2, 3, 4],
  },
  { op: 'Gather', note: 'one index', inputs: [floats([2, 3, 4]), int(0)], constants: [1], attributes: { axis: 1 } },
  { op: 'Gather', note: 'one index from the back', inputs: [floats([2, 3, 4]), int(-1)], attributes: { axis: -2 } },
  { op: 'Gather', note: 'rows, some twice', inputs: [floats([4, 3]), ints([2, 0, 2, 2, -1, 1], [2, 3])] },
  {
    op: 'Gather',
    note: 'another axis',
    inputs: [floats([2, 4, 3]), ints([3, 0, 3, -2], [2, 2])],
    attributes: { axis: 1 },
  },
  { op: 'Gather', note: 'the last axis', inputs: [floats([2, 2, 4]), ints([3, 3])], attributes: { axis: -1 } },
  { op: 'GatherElements', inputs: [floats([3, 4]), ints([0, 0, 3, 1, 2, 2], [3, 2])], attributes: { axis: 1 } },
  { op: 'GatherND', inputs: [floats([3, 4, 2]), ints([0, 1, 2, 3, 0, 1], [3, 2])] },
  { op: 'Pad', inputs: [floats([2, 3]), ints([1, 0, 0, 2])], constants: [1] },
  one('Trilu', floats([3, 3]), { attributes: { upper: 0 } }),
];

export const ruleExamples: readonly RuleExample[] = [
  ...elementwise,
  ...products,
  ...normalisations,
  ...reductions,
  ...movements,
];
