/** Softmax and the normalisation of layers. */
import { floatAttribute, intAttribute } from '../graph';
import { dataTypes } from '../messages';
import { axisFromFront } from '../shapes/dims';
import type { GradientRule, Name } from './context';

/** y_i = exp x_i / sum: dx = y (dy - sum(dy y)). */
const softmax: GradientRule = (node, [gradient], { emit, reduceSum }) => {
  const y = node.outputs[0]!;
  const axis = intAttribute(node, 'axis', -1);
  const mean = reduceSum(emit('Mul', [gradient!, y]), [axis], true);
  return [emit('Mul', [y, emit('Sub', [gradient!, mean])])];
};

/** y = x - log sum exp x: dx = dy - exp(y) sum(dy). */
const logSoftmax: GradientRule = (node, [gradient], { emit, reduceSum }) => {
  const sum = reduceSum(gradient!, [intAttribute(node, 'axis', -1)], true);
  return [emit('Sub', [gradient!, emit('Mul', [emit('Exp', [node.outputs[0]!]), sum])])];
};

/**
 * y = n scale + bias with n = (x - mean) / deviation over the last axes: with g = dy scale,
 * dx = (g - mean g - n mean(g n)) / deviation.
 */
const layerNormalization: GradientRule = (node, [gradient], context) => {
  const { emit, needs, rankOf, mean, sumTo, shapeOf, runtimeShape, scalar, typeOf } = context;
  const [x, scale, bias] = node.inputs as [Name, Name, Name?];
  const rank = rankOf(x, node);
  const axis = axisFromFront(intAttribute(node, 'axis', -1), rank);
  const axes = Array.from({ length: rank - axis }, (_, index) => index - (rank - axis));
  // Normalised once more, without the scale: one step, where taking it out of the output would divide by it.
  const epsilon = floatAttribute(node, 'epsilon', 1e-5);
  const known = shapeOf(scale);
  const ones =
    known?.length === 1 && typeof known[0] === 'number'
      ? context.ones(known[0], x)
      : emit('Expand', [scalar(1, x), runtimeShape(scale)]);
  const plain = context.emitMany('LayerNormalization', [x, ones], 3, {
    axis: axis - rank,
    epsilon: { float: epsilon },
  });
  const [normal, , single] = plain as [Name, Name, Name];
  // Mean and rate are in single precision whatever the input is in.
  const type = typeOf(x) || dataTypes.float32;
  const rate = type === dataTypes.float32 ? single : emit('Cast', [single], { to: type });
  const ofInput = (): Name => {
    const g = emit('Mul', [gradient!, scale]);
    const along = emit('Mul', [normal, mean(emit('Mul', [g, normal]), axes)]);
    return emit('Mul', [emit('Sub', [emit('Sub', [g, mean(g, axes)]), along]), rate]);
  };
  return [
    needs(x) ? ofInput() : null,
    needs(scale) ? sumTo(emit('Mul', [gradient!, normal]), scale) : null,
    bias && needs(bias) ? sumTo(gradient!, bias) : null,
  ];
};

/** y = x scale / root of the mean square: with g = dy scale and n = x / root, dx = (g - n mean(g n)) / root. */
const rootMeanSquare: GradientRule = (node, [gradient], context) => {
  const { emit, needs, rankOf, mean, sumTo, scalar } = context;
  const [x, scale] = node.inputs as [Name, Name];
  const rank = rankOf(x, node);
  const axis = axisFromFront(intAttribute(node, 'axis', -1), rank);
  const axes = Array.from({ length: rank - axis }, (_, index) => index - (rank - axis));
  const square = emit('Add', [mean(emit('Mul', [x, x]), axes), scalar(floatAttribute(node, 'epsilon', 1e-5), x)]);
  const rate = emit('Reciprocal', [emit('Sqrt', [square])]);
  const normal = emit('Mul', [x, rate]);
  const ofInput = (): Name => {
    const g = emit('Mul', [gradient!, scale]);
    return emit('Mul', [emit('Sub', [g, emit('Mul', [normal, mean(emit('Mul', [g, normal]), axes)])]), rate]);
  };
  return [needs(x) ? ofInput() : null, needs(scale) ? sumTo(emit('Mul', [gradient!, normal]), scale) : null];
};

export const normalisationRules: Readonly<Record<string, GradientRule>> = {
  Softmax: softmax,
  LogSoftmax: logSoftmax,
  LayerNormalization: layerNormalization,
  SimplifiedLayerNormalization: rootMeanSquare,
  RMSNormalization: rootMeanSquare,
};
