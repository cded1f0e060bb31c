/** Operators that move entries and leave them as they are. */
import { intAttribute, intsAttribute } from '../graph';
import { dataTypes } from '../messages';
import { type GradientRule, type Name, NotDifferentiable } from './context';

/** The same entries in another shape. */
const reshaped: GradientRule = (node, [gradient], { emit, runtimeShape }) => [
  emit('Reshape', [gradient!, runtimeShape(node.inputs[0]!)], { allowzero: 1 }),
];

const identity: GradientRule = (_, [gradient]) => [gradient!];

/** In inference nothing is dropped. */
const dropout: GradientRule = (node, [gradient], { graph }) => {
  const isTraining = node.inputs[2];
  if (isTraining && graph.number(isTraining) !== 0) throw new NotDifferentiable(node, 'may drop values at random');
  return [gradient!];
};

const floats: readonly number[] = [dataTypes.float32, dataTypes.float64, dataTypes.float16, dataTypes.bfloat16];

const cast: GradientRule = (node, [gradient], { emit, typeOf }) => {
  const from = typeOf(node.inputs[0]!);
  if (from === 0) throw new NotDifferentiable(node, 'converts a value of which Assay cannot tell the type');
  // A whole number that stands for a rounded one (gradients/quantisation.ts): its gradient is a float.
  const to = floats.includes(from) ? from : dataTypes.float32;
  return [typeOf(gradient!) === to ? gradient! : emit('Cast', [gradient!], { to })];
};

const transpose: GradientRule = (node, [gradient], { emit }) => {
  const perm = intsAttribute(node, 'perm', null);
  if (perm === null) return [emit('Transpose', [gradient!])];
  const back = perm.map((_, axis) => perm.indexOf(axis));
  return [emit('Transpose', [gradient!], { perm: back })];
};

const expand: GradientRule = (node, [gradient], { sumTo }) => [sumTo(gradient!, node.inputs[0]!)];

const where: GradientRule = (node, [gradient], { needs, sumTo, emit, scalar }) => {
  const [condition, a, b] = node.inputs as [Name, Name, Name];
  const zero = scalar(0, gradient!);
  return [
    null,
    needs(a) ? sumTo(emit('Where', [condition, gradient!, zero]), a) : null,
    needs(b) ? sumTo(emit('Where', [condition, zero, gradient!]), b) : null,
  ];
};

/** Each operand's part: cut along the axis where the operand stood. */
const concat: GradientRule = (node, [gradient], { emit, emitMany, needs, runtimeShape, shapeOf, ints }) => {
  const axis = intAttribute(node, 'axis', 0);
  const lengths = node.inputs.map((input) => shapeOf(input)?.at(axis));
  const sizes = lengths.every((length) => typeof length === 'number')
    ? ints(lengths)
    : emit(
        'Concat',
        node.inputs.map((input) => emit('Gather', [runtimeShape(input), ints([axis])])),
        { axis: 0 },
      );
  const parts = emitMany('Split', [gradient!, sizes], node.inputs.length, { axis });
  return node.inputs.map((input, index) => (needs(input) ? parts[index]! : null));
};

const split: GradientRule = (node, gradients, { emit, runtimeShape, scalar }) => {
  const like = gradients.find((gradient) => gradient !== null)!;
  const parts = node.outputs.map(
    (output, index) => gradients[index] ?? emit('Expand', [scalar(0, like), runtimeShape(output)]),
  );
  return [emit('Concat', parts, { axis: intAttribute(node, 'axis', 0) })];
};

/**
 * The slice, with zeros around it. Starts, ends and axes may be computed; steps must be constant, and only steps of one can be undone by
 * padding: others are put back entry by entry.
 */
const slice: GradientRule = (node, [gradient], context) => {
  const { graph, emit, runtimeShape, ints } = context;
  const [x, starts, , axes, steps] = node.inputs as [Name, Name, Name, Name?, Name?];
  const stepValues = steps ? graph.numbers(steps) : [1];
  if (stepValues === undefined || stepValues.some((step) => step !== 1))
    return [steppedSlice(node, gradient!, context)];
  const whole = runtimeShape(x);
  const zeros = emit('Expand', [context.int(0), emit('Shape', [whole])]);
  const wide = (value: Name): Name => emit('Cast', [value], { to: dataTypes.int64 });
  const count = emit('Shape', [starts]);
  const along = axes ? wide(axes) : emit('Range', [context.int(0), emit('Squeeze', [count]), context.int(1)]);
  const given = emit('ScatterElements', [zeros, along, wide(starts)], { axis: 0 });
  const fromFront = emit('Where', [emit('Less', [given, context.int(0)]), emit('Add', [given, whole]), given]);
  const before = emit('Min', [emit('Max', [fromFront, ints([0])]), whole]);
  const after = emit('Sub', [emit('Sub', [whole, before]), runtimeShape(gradient!)]);
  return [emit('Pad', [gradient!, emit('Concat', [before, after], { axis: 0 })])];
};

/** The same slice of the entries' own numbers tells where each came from. */
function steppedSlice(
  node: Parameters<GradientRule>[0],
  gradient: Name,
  { emit, runtimeShape, int, ints, scalar }: Parameters<GradientRule>[2],
): Name {
  const x = node.inputs[0]!;
  const shape = runtimeShape(x);
  const numbers = emit('Reshape', [emit('Range', [int(0), emit('Size', [x]), int(1)]), shape], { allowzero: 1 });
  const places = emit('Reshape', [emit('Slice', [numbers, ...node.inputs.slice(1)]), ints([-1])]);
  const zeros = emit('Expand', [scalar(0, gradient), emit('Reshape', [emit('Size', [x]), ints([1])])]);
  const flat = emit('ScatterElements', [zeros, places, emit('Reshape', [gradient, ints([-1])])], { axis: 0 });
  return emit('Reshape', [flat, shape], { allowzero: 1 });
}

/**
 * Entries of an axis, chosen by index: each gradient is added to the entry it came from. One constant index (the first token, say) is
 * undone by comparing, which is far quicker.
 */
const gather: GradientRule = (node, [gradient], context) => {
  const { emit, runtimeShape, int, ints, scalar, shapeOf, typeOf, rankOf } = context;
  const [x, indices] = node.inputs as [Name, Name];
  const axis = intAttribute(node, 'axis', 0);
  const shape = runtimeShape(x);
  const length = emit('Gather', [shape, int(axis)]);
  if (shapeOf(indices)?.length === 0) {
    const rank = rankOf(x, node);
    const fromFront = axis < 0 ? axis + rank : axis;
    const index = emit('Cast', [indices], { to: dataTypes.int64 });
    const place = emit('Where', [emit('Less', [index, int(0)]), emit('Add', [index, length]), index]);
    const isHere = emit('Equal', [emit('Range', [int(0), length, int(1)]), place]);
    const column = emit('Reshape', [isHere, ints([-1, ...Array(rank - 1 - fromFront).fill(1)])]);
    return [emit('Where', [column, emit('Unsqueeze', [gradient!, ints([fromFront])]), scalar(0, gradient!)])];
  }
  // The axis first, on both sides; then whole rows are added.
  const rank = rankOf(x, node);
  const fromFront = axis < 0 ? axis + rank : axis;
  const indexRank = rankOf(indices, node);
  const axesOf = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, at) => from + at);
  const gradientPerm = [
    ...axesOf(fromFront, fromFront + indexRank),
    ...axesOf(0, fromFront),
    ...axesOf(fromFront + indexRank, rank - 1 + indexRank),
  ];
  const inputPerm = [fromFront, ...axesOf(0, fromFront), ...axesOf(fromFront + 1, rank)];
  const isMoved = fromFront > 0;
  const updates = isMoved ? emit('Transpose', [gradient!], { perm: gradientPerm }) : gradient!;
  const target = isMoved ? emit('Gather', [shape, ints(inputPerm)]) : shape;
  const zeros = emit('Expand', [scalar(0, gradient!), target]);
  const wide = typeOf(indices) === dataTypes.int64 ? indices : emit('Cast', [indices], { to: dataTypes.int64 });
  const rows = emit('Unsqueeze', [wide, ints([-1])]);
  const added = emit('ScatterND', [zeros, rows, updates], { reduction: 'add' });
  if (!isMoved) return [added];
  return [emit('Transpose', [added], { perm: inputPerm.map((_, at) => inputPerm.indexOf(at)) })];
};

const gatherElements: GradientRule = (node, [gradient], { emit, runtimeShape, scalar }) => {
  const zeros = emit('Expand', [scalar(0, gradient!), runtimeShape(node.inputs[0]!)]);
  return [
    emit('ScatterElements', [zeros, node.inputs[1]!, gradient!], {
      axis: intAttribute(node, 'axis', 0),
      reduction: 'add',
    }),
  ];
};

const gatherNd: GradientRule = (node, [gradient], { emit, runtimeShape, scalar }) => {
  if (intAttribute(node, 'batch_dims', 0) !== 0) {
    throw new NotDifferentiable(node, 'gathers within batches (batch_dims), for which Assay has no rule');
  }
  const zeros = emit('Expand', [scalar(0, gradient!), runtimeShape(node.inputs[0]!)]);
  return [emit('ScatterND', [zeros, node.inputs[1]!, gradient!], { reduction: 'add' })];
};

/** Padding with a constant: the inner part. */
const pad: GradientRule = (node, [gradient], { emit, runtimeShape, int, ints }) => {
  const mode = new TextDecoder().decode(node.attributes.get('mode')?.s ?? new Uint8Array());
  if ((mode !== '' && mode !== 'constant') || node.inputs[3]) {
    throw new NotDifferentiable(node, 'pads in a way for which Assay has no rule');
  }
  const shape = runtimeShape(node.inputs[0]!);
  const rank = emit('Shape', [shape]);
  const before = emit('Slice', [node.inputs[1]!, ints([0]), rank]);
  const axes = emit('Range', [int(0), emit('Squeeze', [rank]), int(1)]);
  return [emit('Slice', [gradient!, before, emit('Add', [before, shape]), axes])];
};

/** The upper or lower triangle of matrices: outside it nothing flows. */
const trilu: GradientRule = (node, [gradient], { emit }) => [
  emit('Trilu', [gradient!, ...node.inputs.slice(1)], { upper: intAttribute(node, 'upper', 1) }),
];

export const movementRules: Readonly<Record<string, GradientRule>> = {
  Identity: identity,
  Dropout: dropout,
  Cast: cast,
  Reshape: reshaped,
  Flatten: reshaped,
  Squeeze: reshaped,
  Unsqueeze: reshaped,
  Transpose: transpose,
  Expand: expand,
  Where: where,
  Concat: concat,
  Split: split,
  Slice: slice,
  Gather: gather,
  GatherElements: gatherElements,
  GatherND: gatherNd,
  Pad: pad,
  Trilu: trilu,
};
