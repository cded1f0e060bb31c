/** Activation functions. */

import { erfGateOperator } from '../blocks/shared-gelu';
import { floatAttribute, type Node, stringAttribute } from '../graph';
import { unary } from './arithmetic';
import type { GradientContext, GradientRule, Name } from './context';

/** `gradient` where the condition holds, else `gradient` times another slope. */
function whereElse(context: GradientContext, condition: Name, gradient: Name, slope: Name): Name {
  return context.emit('Where', [condition, gradient, context.emit('Mul', [gradient, slope])]);
}

const isPositive = (context: GradientContext, x: Name): Name => context.emit('Greater', [x, context.scalar(0, x)]);

/** s (1 - s) */
function sigmoidSlope({ emit, scalar }: GradientContext, s: Name): Name {
  return emit('Mul', [s, emit('Sub', [scalar(1, s), s])]);
}

/**
 * x P(x) with the normal distribution's P. Its slope is P(x) + x p(x), with p the density; with a = x / sqrt 2 that is
 * (1 + erf a + (2 / sqrt pi) a / exp(a^2)) / 2. Where exp overflows, the quotient is 0 as it should be.
 */
const erfGelu: GradientRule = (node, [gradient], context) => {
  const { emit, scalar } = context;
  const x = node.inputs[0]!;
  const a = emit('Mul', [x, scalar(Math.SQRT1_2, x)]);
  const doubled = gateSlope(a, emit('Add', [emit('Erf', [a]), scalar(1, x)]), context);
  return [emit('Mul', [emit('Mul', [gradient!, doubled]), scalar(0.5, x)])];
};

/** Of a (1 + erf a), from a and f = 1 + erf a: f + (2 / sqrt pi) a exp(-a^2). */
function gateSlope(a: Name, f: Name, { emit, scalar }: GradientContext): Name {
  const quotient = emit('Div', [a, emit('Exp', [emit('Mul', [a, a])])]);
  return emit('Add', [f, emit('Mul', [quotient, scalar(2 / Math.sqrt(Math.PI), a)])]);
}

/** a (1 + erf a), as blocks/shared-gelu.ts writes Gelu: forward and backward share the sum. */
const erfGate: GradientRule = (node, [gradient], context) => {
  const a = node.inputs[0]!;
  const [f] = context.rewrite(node, (before) => {
    const sum = before('Add', [before('Erf', [a]), context.scalar(1, a)]);
    before('Mul', [a, sum]);
    return [sum];
  });
  return [context.emit('Mul', [gradient!, gateSlope(a, f!, context)])];
};

const tanhInner = Math.sqrt(2 / Math.PI);
const tanhCubic = 0.044715;

/**
 * Gelu's approximation x (1 + tanh u) / 2 with u = sqrt(2/pi) (x + 0.044715 x^3) (Hendrycks and Gimpel 2016): its slope is
 * (1 + t) / 2 + x (1 - t^2) u' / 2.
 */
export function tanhGeluSlope({ emit, scalar }: GradientContext, x: Name): Name {
  const square = emit('Mul', [x, x]);
  const inner = (cubic: number): Name =>
    emit('Add', [emit('Mul', [square, scalar(cubic * tanhInner, x)]), scalar(tanhInner, x)]);
  const t = emit('Tanh', [emit('Mul', [x, inner(tanhCubic)])]);
  const rest = emit('Mul', [emit('Sub', [scalar(1, x), emit('Mul', [t, t])]), inner(3 * tanhCubic)]);
  const sum = emit('Add', [emit('Add', [t, emit('Mul', [x, rest])]), scalar(1, x)]);
  return emit('Mul', [sum, scalar(0.5, x)]);
}

const gelu: GradientRule = (node, gradients, context) =>
  (stringAttribute(node, 'approximate', 'none') === 'tanh' ? tanhGelu : erfGelu)(node, gradients, context);

const tanhGelu: GradientRule = (node, [gradient], context) => [
  context.emit('Mul', [gradient!, tanhGeluSlope(context, node.inputs[0]!)]),
];

/** x s with s = sigmoid(alpha x): its slope is s + alpha x s (1 - s). */
function quickGelu(node: Node, gradient: Name, context: GradientContext, alpha: number): Name {
  const { emit, scalar } = context;
  const x = node.inputs[0]!;
  const scaled = emit('Mul', [x, scalar(alpha, x)]);
  const s = emit('Sigmoid', [scaled]);
  return emit('Mul', [gradient, emit('Add', [s, emit('Mul', [scaled, sigmoidSlope(context, s)])])]);
}

/** The bounds are inputs, and may be left out. */
const clip: GradientRule = (node, [gradient], { emit, scalar }) => {
  const [x, low, high] = node.inputs as [Name, Name?, Name?];
  const zero = scalar(0, gradient!);
  const above = low ? emit('Where', [emit('Less', [x, low]), zero, gradient!]) : gradient!;
  return [high ? emit('Where', [emit('Greater', [x, high]), zero, above]) : above];
};

const leakyRelu: GradientRule = (node, [gradient], context) => {
  const x = node.inputs[0]!;
  return [
    whereElse(context, isPositive(context, x), gradient!, context.scalar(floatAttribute(node, 'alpha', 0.01), x)),
  ];
};

/** alpha (exp x - 1) below 0, where the slope is y + alpha. */
const elu: GradientRule = (node, [gradient], context) => {
  const [x, y] = [node.inputs[0]!, node.outputs[0]!];
  const slope = context.emit('Add', [y, context.scalar(floatAttribute(node, 'alpha', 1), x)]);
  return [whereElse(context, isPositive(context, x), gradient!, slope)];
};

export const activationRules: Readonly<Record<string, GradientRule>> = {
  Relu: unary((x, _y, gradient, context) =>
    context.emit('Where', [isPositive(context, x), gradient, context.scalar(0, gradient)]),
  ),
  LeakyRelu: leakyRelu,
  Elu: elu,
  Clip: clip,
  Sigmoid: unary((_x, y, gradient, context) => context.emit('Mul', [gradient, sigmoidSlope(context, y)])),
  Tanh: unary((_x, y, gradient, { emit, scalar }) =>
    emit('Mul', [gradient, emit('Sub', [scalar(1, y), emit('Mul', [y, y])])]),
  ),
  Softplus: unary((x, _y, gradient, { emit }) => emit('Mul', [gradient, emit('Sigmoid', [x])])),
  Gelu: gelu,
  'com.microsoft.Gelu': gelu,
  'com.microsoft.FastGelu': tanhGelu,
  [erfGateOperator]: erfGate,
  'com.microsoft.QuickGelu': (node, [gradient], context) => [
    quickGelu(node, gradient!, context, floatAttribute(node, 'alpha', 1.702)),
  ],
  Swish: (node, [gradient], context) => [quickGelu(node, gradient!, context, floatAttribute(node, 'alpha', 1))],
};
