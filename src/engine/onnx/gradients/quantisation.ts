/**
 * Numbers stored as whole ones. Weights: exact. Activations that are rounded in the run change by steps, so their true
 * gradient is zero nearly everywhere; the rules give that of the same model without rounding ("straight through", Bengio,
 * Leonard and Courville 2013), with scales held constant. The gradient at a rounded value is a float, and belongs to the whole number.
 */
import { intAttribute, operatorOf } from '../graph';
import { dataTypes } from '../messages';
import { type GradientContext, type GradientRule, type Name, NotDifferentiable } from './context';
import { product } from './linear';

/** Operators after which the result differs from that of the model without rounding. */
export const roundingOperators: ReadonlySet<string> = new Set([
  'DynamicQuantizeLinear',
  'QuantizeLinear',
  'com.microsoft.QuantizeLinear',
  'com.microsoft.DynamicQuantizeMatMul',
]);

const toFloat = ({ emit }: GradientContext, value: Name): Name => emit('Cast', [value], { to: dataTypes.float32 });

/** A scale of one axis, shaped to broadcast along it. */
function alongAxis(node: Parameters<GradientRule>[0], scale: Name, context: GradientContext): Name {
  const { shapeOf, emit, ints, rankOf } = context;
  const [size] = shapeOf(scale) ?? [];
  if (shapeOf(scale)?.length === 0 || size === 1) return scale;
  if (intAttribute(node, 'block_size', 0) !== 0) {
    throw new NotDifferentiable(node, 'is quantised in blocks, for which Assay has no rule');
  }
  const rank = rankOf(node.inputs[0]!, node);
  const axis = intAttribute(node, 'axis', 1);
  const fromFront = axis < 0 ? axis + rank : axis;
  return emit('Reshape', [scale, ints([-1, ...Array(rank - 1 - fromFront).fill(1)])]);
}

/** x = (q - zero) scale */
const dequantize: GradientRule = (node, [gradient], context) => [
  context.emit('Mul', [gradient!, alongAxis(node, node.inputs[1]!, context)]),
];

/** q = round(x / scale) + zero, held inside the type's range: nothing flows where it was cut off. */
const quantize: GradientRule = (node, [gradient], context) => {
  const { emit, scalar, typeOf } = context;
  const [x, scale] = node.inputs as [Name, Name];
  const isUnsigned = typeOf(node.outputs[0]!) !== dataTypes.int8;
  const q = toFloat(context, node.outputs[0]!);
  const [low, high] = isUnsigned ? [0, 255] : [-128, 127];
  const isCut = emit('Or', [emit('LessOrEqual', [q, scalar(low, x)]), emit('GreaterOrEqual', [q, scalar(high, x)])]);
  const slope = emit('Div', [gradient!, alongAxis(node, scale, context)]);
  return [emit('Where', [isCut, scalar(0, x), slope])];
};

/** As QuantizeLinear, with a scale that fits all entries. */
const dynamicQuantize: GradientRule = (node, [gradient], { emit }) => [
  gradient === null ? null : emit('Div', [gradient!, node.outputs[1]!]),
];

/** Weights less their zero point, as floats: ONNX Runtime computes this once. */
function weightsOf(context: GradientContext, weights: Name, zero: Name | undefined): Name {
  const wide = toFloat(context, weights);
  return zero ? context.emit('Sub', [wide, toFloat(context, zero)]) : wide;
}

/** y = (a - zero of a) (b - zero of b) */
const matMulInteger: GradientRule = (node, [gradient], context) => {
  const [a, b, , zeroOfB] = node.inputs as [Name, Name, Name?, Name?];
  if (context.needs(b)) {
    throw new NotDifferentiable(node, 'multiplies two rounded values, for which Assay has no rule');
  }
  return [context.sumTo(product(context, gradient!, weightsOf(context, b, zeroOfB), { transB: true }), a)];
};

/** a b with b = (q - zero) scale, by columns; a in whole numbers with a scale of its own, or rounded inside. */
const matMulToFloat: GradientRule = (node, [gradient], context) => {
  const isInside = operatorOf(node) === 'com.microsoft.DynamicQuantizeMatMul';
  const [a, b, scale, zero, ofA] = isInside
    ? ([node.inputs[0], node.inputs[1], node.inputs[2], node.inputs[3], undefined] as const)
    : ([node.inputs[0], node.inputs[1], node.inputs[3], node.inputs[5], node.inputs[2]] as const);
  if (context.needs(b!)) {
    throw new NotDifferentiable(node, 'multiplies two rounded values, for which Assay has no rule');
  }
  const weights = context.emit('Mul', [weightsOf(context, b!, zero), scale!]);
  const through = context.sumTo(product(context, gradient!, weights, { transB: true }), a!);
  return [ofA ? context.emit('Mul', [through, ofA]) : through];
};

export const quantisationRules: Readonly<Record<string, GradientRule>> = {
  DequantizeLinear: dequantize,
  QuantizeLinear: quantize,
  DynamicQuantizeLinear: dynamicQuantize,
  MatMulInteger: matMulInteger,
  'com.microsoft.DequantizeLinear': dequantize,
  'com.microsoft.QuantizeLinear': quantize,
  'com.microsoft.DynamicQuantizeMatMul': matMulToFloat,
  'com.microsoft.MatMulIntegerToFloat': matMulToFloat,
};
