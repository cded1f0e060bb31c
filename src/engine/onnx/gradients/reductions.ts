/** Sums, means and extremes over axes. */
import { intAttribute, intsAttribute, type Node } from '../graph';
import { type GradientContext, type GradientRule, type Name, NotDifferentiable } from './context';

/** A value of the reduced shape, with the axes that were dropped put back as 1, so that it broadcasts against the input. */
function withAxes(node: Node, value: Name, { emit, ints }: GradientContext): Name {
  if (intAttribute(node, 'keepdims', 1) !== 0) return value;
  const listed = intsAttribute(node, 'axes', null);
  const axes = listed !== null ? ints(listed) : node.inputs[1];
  // Over all axes: one number, which broadcasts as it is.
  return axes ? emit('Unsqueeze', [value, axes]) : value;
}

const spread = (value: Name, node: Node, { emit, runtimeShape }: GradientContext): Name =>
  emit('Expand', [value, runtimeShape(node.inputs[0]!)]);

const reduceSum: GradientRule = (node, [gradient], context) => [
  spread(withAxes(node, gradient!, context), node, context),
];

/** Entries of the input for each of the output: both counted in the run. */
const reduceMean: GradientRule = (node, [gradient], context) => {
  const { emit, typeOf } = context;
  const [entries, results] = [node.inputs[0]!, node.outputs[0]!].map((value) => emit('Size', [value]));
  const count = emit('Cast', [emit('Div', [entries!, results!])], { to: typeOf(gradient!) || 1 });
  return [spread(withAxes(node, emit('Div', [gradient!, count]), context), node, context)];
};

/** To the extreme entry; where several are equal, in equal parts. */
const reduceExtreme: GradientRule = (node, [gradient], context) => {
  const { emit, typeOf } = context;
  const x = node.inputs[0]!;
  const isChosen = emit('Equal', [x, withAxes(node, node.outputs[0]!, context)]);
  const chosen = emit('Cast', [isChosen], { to: typeOf(x) || 1 });
  const rest = node.inputs[1] ? [node.inputs[1]] : [];
  const axes = intsAttribute(node, 'axes', null);
  const count = emit('ReduceSum', [chosen, ...(axes === null ? rest : [context.ints(axes)])], { keepdims: 1 });
  return [emit('Mul', [chosen, emit('Div', [withAxes(node, gradient!, context), count])])];
};

/** The sum of squares. */
const reduceSumSquare: GradientRule = (node, [gradient], context) => {
  const { emit, scalar } = context;
  const x = node.inputs[0]!;
  return [emit('Mul', [emit('Mul', [x, scalar(2, x)]), withAxes(node, gradient!, context)])];
};

/** The root of the sum of squares; 0 where that is 0. */
const reduceL2: GradientRule = (node, [gradient], context) => {
  const { emit, scalar } = context;
  const [x, y] = [node.inputs[0]!, node.outputs[0]!];
  const isZero = emit('Equal', [y, scalar(0, y)]);
  const share = emit('Where', [isZero, scalar(0, y), emit('Div', [gradient!, y])]);
  return [emit('Mul', [x, withAxes(node, share, context)])];
};

const cumSum: GradientRule = (node, [gradient], { emit, needs }) => {
  if (needs(node.inputs[1]!)) throw new NotDifferentiable(node, 'computes its axis from the embeddings');
  const reverse = intAttribute(node, 'reverse', 0) === 0 ? 1 : 0;
  const attributes = { exclusive: intAttribute(node, 'exclusive', 0), reverse };
  return [emit('CumSum', [gradient!, node.inputs[1]!], attributes)];
};

export const reductionRules: Readonly<Record<string, GradientRule>> = {
  ReduceSum: reduceSum,
  ReduceMean: reduceMean,
  ReduceMax: reduceExtreme,
  ReduceMin: reduceExtreme,
  ReduceSumSquare: reduceSumSquare,
  ReduceL2: reduceL2,
  CumSum: cumSum,
};
