/**
 * What an operator makes of the shapes of its operands, one function an operator. A length that is not known costs time only: the
 * gradient is then summed down to it at run time. How many axes there are must be known where a gradient rule counts them.
 */
import { intAttribute, intsAttribute, type Node } from '../graph';
import { dataTypes } from '../messages';
import {
  axisFromFront,
  broadcastShapes,
  type Dim,
  type Facts,
  missingDim,
  missingName,
  type Shape,
  unknownFacts,
} from './dims';

export interface ShapeContext {
  /** Of the input at an index; unknown where it is left out. */
  of(index: number): Facts;
  fresh(): string;
}

/** The facts of each output. */
export type ShapeRule = (node: Node, context: ShapeContext) => readonly Facts[];

const likeFirst: ShapeRule = (_, { of }) => [{ elemType: of(0).elemType, shape: of(0).shape }];

const broadcast =
  (elemType?: number, from = 0): ShapeRule =>
  (node, { of, fresh }) => {
    const all = node.inputs.map((_, index) => of(index));
    const facts: Facts = {
      elemType: elemType ?? all[from]!.elemType,
      shape: broadcastShapes(
        all.map(({ shape }) => shape),
        fresh,
      ),
    };
    const content = arithmeticOf(node.opType, all);
    return [content === null ? facts : { ...facts, content }];
  };

/** Of shapes that are computed with: exporters write head sizes as a length divided by the number of heads. */
function arithmeticOf(opType: string, operands: readonly Facts[]): Dim[] | null {
  const [a, b] = operands.map(({ content }) => content);
  const [first, second] = [a?.length === 1 ? a[0] : undefined, b?.length === 1 ? b[0] : undefined];
  if (first === undefined || second === undefined || operands.length !== 2) return null;
  if (typeof first !== 'number' || typeof second !== 'number') {
    return (opType === 'Mul' || opType === 'Div') && second === 1 ? [first] : null;
  }
  if (opType === 'Add') return [first + second];
  if (opType === 'Sub') return [first - second];
  if (opType === 'Mul') return [first * second];
  return opType === 'Div' && second !== 0 ? [Math.trunc(first / second)] : null;
}

const matMul: ShapeRule = (node, { of, fresh }) => {
  const [a, b] = [of(0), of(1)];
  const elemType = node.opType === 'MatMulInteger' ? dataTypes.int32 : a.elemType;
  if (a.shape === null || b.shape === null) return [{ elemType, shape: null }];
  const flip = (shape: Shape, is: boolean): Shape =>
    is ? shape.toSpliced(-2, 2, shape.at(-1)!, shape.at(-2)!) : shape;
  const left = a.shape.length === 1 ? [1, ...a.shape] : flip(a.shape, intAttribute(node, 'transA', 0) !== 0);
  const right = b.shape.length === 1 ? [...b.shape, 1] : flip(b.shape, intAttribute(node, 'transB', 0) !== 0);
  const batch = broadcastShapes([left.slice(0, -2), right.slice(0, -2)], fresh)!;
  const rows = a.shape.length === 1 ? [] : [left.at(-2)!];
  const columns = b.shape.length === 1 ? [] : [right.at(-1)!];
  return [{ elemType, shape: [...batch, ...rows, ...columns] }];
};

const gemm: ShapeRule = (node, { of }) => {
  const [a, b] = [of(0).shape, of(1).shape];
  const rows = a?.[intAttribute(node, 'transA', 0) === 0 ? 0 : 1];
  const columns = b?.[intAttribute(node, 'transB', 0) === 0 ? 1 : 0];
  return [{ elemType: of(0).elemType, shape: rows === undefined || columns === undefined ? null : [rows, columns] }];
};

const reduce: ShapeRule = (node, { of }) => {
  const { elemType, shape } = of(0);
  const given = intsAttribute(node, 'axes', null) ?? of(1).content;
  const hasAxes = node.inputs[1] !== undefined && node.inputs[1] !== '';
  const isNothing = intAttribute(node, 'noop_with_empty_axes', 0) !== 0;
  if (shape === null || (hasAxes && given === undefined)) return [{ elemType, shape: null }];
  const all = isNothing ? [] : shape.map((_, axis) => axis);
  const axes = (given === undefined || given.length === 0 ? all : given).map((axis) =>
    axisFromFront(Number(axis), shape.length),
  );
  const keeps = intAttribute(node, 'keepdims', 1) !== 0;
  const reduced = keeps
    ? shape.map((dim, axis) => (axes.includes(axis) ? 1 : dim))
    : shape.filter((_, axis) => !axes.includes(axis));
  return [{ elemType, shape: reduced }];
};

const reshape: ShapeRule = (node, { of, fresh }) => {
  const { elemType, shape, content } = of(0);
  const target = of(1).content;
  if (target === undefined) {
    const rank = of(1).shape?.[0];
    return [{ elemType, shape: typeof rank === 'number' ? Array.from({ length: rank }, fresh) : null }];
  }
  const copiesZero = intAttribute(node, 'allowzero', 0) === 0;
  const dims = target.map((dim, axis) => (dim === 0 && copiesZero ? (shape?.[axis] ?? fresh()) : dim));
  const others = dims.filter((dim) => dim !== -1);
  const missing = (): Dim =>
    shape === null ? fresh() : (missingDim(shape, others) ?? missingName(shape, others) ?? fresh());
  const result = dims.map((dim) => (dim === -1 ? missing() : dim));
  return [{ elemType, shape: result, ...(content === undefined ? {} : { content }) }];
};

const transpose: ShapeRule = (node, { of }) => {
  const { elemType, shape } = of(0);
  if (shape === null) return [{ elemType, shape }];
  const perm = intsAttribute(node, 'perm', null) ?? shape.map((_, axis) => shape.length - 1 - axis);
  return [{ elemType, shape: perm.map((axis) => shape[axis]!) }];
};

const gather: ShapeRule = (node, { of }) => {
  const [data, indices] = [of(0), of(1)];
  if (data.shape === null || indices.shape === null) return [{ elemType: data.elemType, shape: null }];
  const axis = axisFromFront(intAttribute(node, 'axis', 0), data.shape.length);
  const shape = [...data.shape.slice(0, axis), ...indices.shape, ...data.shape.slice(axis + 1)];
  const known = indices.content?.every((at) => typeof at === 'number') === true ? data.content : undefined;
  const content = known && indices.content!.map((at) => known.at(Number(at)));
  const isWhole = content?.every((dim) => dim !== undefined) === true;
  return [{ elemType: data.elemType, shape, ...(isWhole ? { content: content as Dim[] } : {}) }];
};

const shapeOf: ShapeRule = (node, { of }) => {
  const { shape } = of(0);
  if (shape === null) return [{ elemType: dataTypes.int64, shape: null }];
  const content = shape.slice(intAttribute(node, 'start', 0), intAttribute(node, 'end', shape.length));
  return [{ elemType: dataTypes.int64, shape: [content.length], content }];
};

const slice: ShapeRule = (_, { of, fresh }) => {
  const { elemType, shape, content } = of(0);
  const [starts, ends] = [of(1).content, of(2).content];
  const axes = of(3).content ?? (of(3) === unknownFacts ? starts?.map((_, axis) => axis) : undefined);
  const steps = of(4).content ?? (of(4) === unknownFacts ? starts?.map(() => 1) : undefined);
  if (shape === null || starts === undefined || axes === undefined) {
    return [{ elemType, shape: shape === null ? null : shape.map(fresh) }];
  }
  const result: Dim[] = [...shape];
  axes.forEach((given, index) => {
    const axis = axisFromFront(Number(given), shape.length);
    result[axis] = slicedDim(shape[axis]!, starts[index], ends?.[index], steps?.[index]) ?? fresh();
  });
  const isList = content !== undefined && shape.length === 1 && typeof result[0] === 'number' && steps?.[0] === 1;
  const from =
    isList && typeof starts[0] === 'number' ? content.slice(starts[0]).slice(0, Number(result[0])) : undefined;
  return [{ elemType, shape: result, ...(from === undefined ? {} : { content: from }) }];
};

function slicedDim(dim: Dim, start?: Dim, end?: Dim, step?: Dim): Dim | null {
  if (typeof start !== 'number' || step !== 1) return null;
  const isToEnd = typeof end === 'number' && end >= 2 ** 31 - 1;
  if (start === 0 && (isToEnd || end === dim)) return dim;
  if (typeof dim !== 'number' || typeof end !== 'number') return null;
  const inside = (at: number): number => Math.min(Math.max(at < 0 ? at + dim : at, 0), dim);
  return Math.max(inside(end) - inside(start), 0);
}

const concat: ShapeRule = (node, { of, fresh }) => {
  const all = node.inputs.map((_, index) => of(index));
  const first = all.find(({ shape }) => shape !== null);
  if (first?.shape == null) return [{ elemType: all[0]!.elemType, shape: null }];
  const axis = axisFromFront(intAttribute(node, 'axis', 0), first.shape.length);
  const along = all.map(({ shape }) => shape?.[axis]);
  const total = along.every((dim) => typeof dim === 'number') ? along.reduce((sum, dim) => sum + dim, 0) : fresh();
  const content = all.every((facts) => facts.content !== undefined)
    ? all.flatMap((facts) => facts.content!)
    : undefined;
  return [
    { elemType: first.elemType, shape: first.shape.with(axis, total), ...(content === undefined ? {} : { content }) },
  ];
};

const split: ShapeRule = (node, { of, fresh }) => {
  const { elemType, shape } = of(0);
  if (shape === null) return node.outputs.map(() => ({ elemType, shape }));
  const axis = axisFromFront(intAttribute(node, 'axis', 0), shape.length);
  const [whole, sizes] = [shape[axis]!, of(1).content];
  const isEven = sizes === undefined && typeof whole === 'number' && whole % node.outputs.length === 0;
  return node.outputs.map((_, index) => {
    const size = isEven ? whole / node.outputs.length : sizes?.[index];
    return { elemType, shape: shape.with(axis, size ?? fresh()) };
  });
};

const unsqueeze: ShapeRule = (_, { of }) => {
  const { elemType, shape, content } = of(0);
  const axes = of(1).content;
  if (shape === null || axes === undefined) return [{ elemType, shape: null }];
  const rank = shape.length + axes.length;
  const added = new Set(axes.map((axis) => axisFromFront(Number(axis), rank)));
  const rest = [...shape];
  const result = Array.from({ length: rank }, (_, axis) => (added.has(axis) ? 1 : rest.shift()!));
  return [{ elemType, shape: result, ...(content === undefined ? {} : { content }) }];
};

const squeeze: ShapeRule = (_, { of }) => {
  const { elemType, shape, content } = of(0);
  const axes = of(1).content?.map((axis) => axisFromFront(Number(axis), shape?.length ?? 0));
  if (shape === null || axes === undefined) return [{ elemType, shape: null }];
  const result = shape.filter((_, axis) => !axes.includes(axis));
  return [{ elemType, shape: result, ...(content === undefined ? {} : { content }) }];
};

const expand: ShapeRule = (_, { of, fresh }) => {
  const rank = of(1).shape?.[0];
  const target = of(1).content ?? (typeof rank === 'number' ? Array.from({ length: rank }, fresh) : undefined);
  return [
    { elemType: of(0).elemType, shape: target === undefined ? null : broadcastShapes([of(0).shape, target], fresh) },
  ];
};

const flatten: ShapeRule = (node, { of, fresh }) => {
  const { elemType, shape } = of(0);
  const product = (dims: readonly Dim[]): Dim => {
    if (dims.every((dim) => typeof dim === 'number')) return dims.reduce((size, dim) => size * dim, 1);
    const [first] = dims;
    return dims.length === 1 && first !== undefined ? first : fresh();
  };
  if (shape === null) return [{ elemType, shape: [fresh(), fresh()] }];
  const given = intAttribute(node, 'axis', 1);
  const axis = given < 0 ? given + shape.length : given;
  return [{ elemType, shape: [product(shape.slice(0, axis)), product(shape.slice(axis))] }];
};

const argMax: ShapeRule = (node, { of }) => {
  const { shape } = of(0);
  if (shape === null) return [{ elemType: dataTypes.int64, shape: null }];
  const axis = axisFromFront(intAttribute(node, 'axis', 0), shape.length);
  const keeps = intAttribute(node, 'keepdims', 1) !== 0;
  return [{ elemType: dataTypes.int64, shape: keeps ? shape.with(axis, 1) : shape.toSpliced(axis, 1) }];
};

const pad: ShapeRule = (_, { of, fresh }) => {
  const { elemType, shape } = of(0);
  const [pads, rank] = [of(1).content, shape?.length ?? 0];
  // The sixth input names the axes; without it there are two numbers for each.
  if (shape === null || pads === undefined || pads.length !== 2 * rank)
    return [{ elemType, shape: shape?.map(fresh) ?? null }];
  const padded = shape.map((dim, axis) => {
    const [before, after] = [pads[axis], pads[axis + rank]];
    if (before === 0 && after === 0) return dim;
    return typeof dim === 'number' && typeof before === 'number' && typeof after === 'number'
      ? dim + before + after
      : fresh();
  });
  return [{ elemType, shape: padded }];
};

const cast: ShapeRule = (node, { of }) => {
  const { shape, content } = of(0);
  const elemType = intAttribute(node, 'to', 0);
  const isWhole = elemType === dataTypes.int64 || elemType === dataTypes.int32;
  return [{ elemType, shape, ...(content === undefined || !isWhole ? {} : { content }) }];
};

const identity: ShapeRule = (_, { of }) => [of(0)];

const constantOfShape: ShapeRule = (node, { of, fresh }) => {
  const elemType = node.attributes.get('value')?.t?.dataType ?? dataTypes.float32;
  const { content, shape } = of(0);
  const rank = shape?.[0];
  return [{ elemType, shape: content ?? (typeof rank === 'number' ? Array.from({ length: rank }, fresh) : null) }];
};

const range: ShapeRule = (_, { of, fresh }) => {
  const [start, limit, delta] = [of(0).content?.[0], of(1).content?.[0], of(2).content?.[0]];
  const isPlain = start === 0 && delta === 1 && limit !== undefined;
  return [{ elemType: of(0).elemType, shape: [isPlain ? limit : fresh()] }];
};

const layerNormalization: ShapeRule = (node, { of }) => {
  const { elemType, shape } = of(0);
  const axis = axisFromFront(intAttribute(node, 'axis', -1), shape?.length ?? 0);
  const one: Facts = { elemType: dataTypes.float32, shape: shape?.map((dim, at) => (at < axis ? dim : 1)) ?? null };
  return [{ elemType, shape }, one, one];
};

const dequantize: ShapeRule = (_, { of }) => [{ elemType: of(1).elemType, shape: of(0).shape }];

const dynamicQuantize: ShapeRule = (_, { of }) => [
  { elemType: dataTypes.uint8, shape: of(0).shape },
  { elemType: dataTypes.float32, shape: [] },
  { elemType: dataTypes.uint8, shape: [] },
];

const gatherElements: ShapeRule = (_, { of }) => [{ elemType: of(0).elemType, shape: of(1).shape }];

const named = (names: string, rule: ShapeRule): Record<string, ShapeRule> =>
  Object.fromEntries(names.split(' ').map((name) => [name, rule]));

export const shapeRules: ReadonlyMap<string, ShapeRule> = new Map(
  Object.entries<ShapeRule>({
    ...named(
      'Abs Ceil Clip CumSum Elu Erf Exp Floor Gelu HardSigmoid HardSwish LeakyRelu Log LogSoftmax Mish Neg Not',
      likeFirst,
    ),
    ...named(
      'Reciprocal Relu Round ScatterElements ScatterND Selu Sigmoid Sign Softmax Softplus Softsign Sqrt Swish',
      likeFirst,
    ),
    ...named('Tanh ThresholdedRelu Trilu Celu Sin Cos', likeFirst),
    ...named(
      'com.microsoft.Gelu com.microsoft.QuickGelu com.microsoft.FastGelu com.microsoft.BiasGelu assay.ErfGate',
      likeFirst,
    ),
    ...named('Add Sub Mul Div Pow Max Min Mean Sum Mod And Or Xor BitwiseAnd', broadcast()),
    ...named('Equal Greater GreaterOrEqual Less LessOrEqual', broadcast(dataTypes.bool)),
    ...named('ReduceSum ReduceMean ReduceMax ReduceMin ReduceProd ReduceL2 ReduceL1 ReduceSumSquare', reduce),
    ...named('ReduceLogSumExp', reduce),
    ...named('MatMul com.microsoft.FusedMatMul MatMulInteger', matMul),
    ...named('LayerNormalization SimplifiedLayerNormalization', layerNormalization),
    Where: broadcast(undefined, 1),
    Gemm: gemm,
    Reshape: reshape,
    Transpose: transpose,
    Gather: gather,
    GatherElements: gatherElements,
    Shape: shapeOf,
    Slice: slice,
    Concat: concat,
    Split: split,
    Unsqueeze: unsqueeze,
    Squeeze: squeeze,
    Expand: expand,
    Flatten: flatten,
    ArgMax: argMax,
    ArgMin: argMax,
    Pad: pad,
    Cast: cast,
    Identity: identity,
    Dropout: (node, context) => [...identity(node, context), { ...context.of(0), elemType: dataTypes.bool }],
    ConstantOfShape: constantOfShape,
    Range: range,
    DequantizeLinear: dequantize,
    DynamicQuantizeLinear: dynamicQuantize,
    Size: () => [{ elemType: dataTypes.int64, shape: [] }],
    IsNaN: (_, { of }) => [{ elemType: dataTypes.bool, shape: of(0).shape }],
  }),
);
