/** Sums, products and functions of one number. */
import type { GradientContext, GradientRule, Name } from './context';

/** A function of one number: from the node's input, its output and the gradient there. */
export const unary =
  (rule: (x: Name, y: Name, gradient: Name, context: GradientContext) => Name): GradientRule =>
  (node, [gradient], context) => [rule(node.inputs[0]!, node.outputs[0]!, gradient!, context)];

const add: GradientRule = (node, [gradient], { needs, sumTo }) =>
  node.inputs.map((input) => (needs(input) ? sumTo(gradient!, input) : null));

const sub: GradientRule = (node, [gradient], { needs, sumTo, emit }) => {
  const [a, b] = node.inputs as [Name, Name];
  return [needs(a) ? sumTo(gradient!, a) : null, needs(b) ? emit('Neg', [sumTo(gradient!, b)]) : null];
};

const mul: GradientRule = (node, [gradient], { needs, sumTo, emit }) => {
  const [a, b] = node.inputs as [Name, Name];
  return [
    needs(a) ? sumTo(emit('Mul', [gradient!, b]), a) : null,
    needs(b) ? sumTo(emit('Mul', [gradient!, a]), b) : null,
  ];
};

/** y = a / b: dy/da = 1 / b, dy/db = -y / b. */
const div: GradientRule = (node, [gradient], { needs, sumTo, emit }) => {
  const [a, b] = node.inputs as [Name, Name];
  const scaled = emit('Div', [gradient!, b]);
  return [
    needs(a) ? sumTo(scaled, a) : null,
    needs(b) ? sumTo(emit('Neg', [emit('Mul', [scaled, node.outputs[0]!])]), b) : null,
  ];
};

/** y = a^b: dy/da = b a^(b-1), dy/db = y ln a. The two operands' types may differ; y has that of a. */
const pow: GradientRule = (node, [gradient], { graph, needs, sumTo, emit, scalar, typeOf }) => {
  const [a, b] = node.inputs as [Name, Name];
  const ofBase = (): Name => {
    const exponent = graph.number(b);
    if (exponent === 1) return gradient!;
    if (exponent === 2) return emit('Mul', [gradient!, emit('Mul', [a, scalar(2, a)])]);
    const own = typeOf(b) === typeOf(a) ? b : emit('Cast', [b], { to: typeOf(a) });
    const power = emit('Pow', [a, emit('Sub', [own, scalar(1, a)])]);
    return emit('Mul', [gradient!, emit('Mul', [own, power])]);
  };
  return [
    needs(a) ? sumTo(ofBase(), a) : null,
    needs(b) ? sumTo(emit('Mul', [gradient!, emit('Mul', [node.outputs[0]!, emit('Log', [a])])]), b) : null,
  ];
};

/** Max and Min: to the operand that was chosen; where several are equal, in equal parts. */
const extreme: GradientRule = (node, [gradient], { needs, sumTo, emit, typeOf, runtimeShape }) => {
  const output = node.outputs[0]!;
  const chosen = node.inputs.map((input) =>
    emit('Cast', [emit('Equal', [input, output])], { to: typeOf(output) || 1 }),
  );
  const count = chosen.reduce((sum, one) => emit('Add', [sum, one]));
  const share = emit('Div', [gradient!, count]);
  return node.inputs.map((input, index) => {
    if (!needs(input)) return null;
    return sumTo(emit('Expand', [emit('Mul', [share, chosen[index]!]), runtimeShape(output)]), input);
  });
};

/** Mean of its operands. */
const mean: GradientRule = (node, [gradient], { needs, sumTo, emit, scalar }) => {
  const share = emit('Mul', [gradient!, scalar(1 / node.inputs.length, gradient!)]);
  return node.inputs.map((input) => (needs(input) ? sumTo(share, input) : null));
};

export const arithmeticRules: Readonly<Record<string, GradientRule>> = {
  Add: add,
  Sum: add,
  Sub: sub,
  Mul: mul,
  Div: div,
  Pow: pow,
  Max: extreme,
  Min: extreme,
  Mean: mean,
  Neg: unary((_x, _y, gradient, { emit }) => emit('Neg', [gradient])),
  Abs: unary((x, _y, gradient, { emit }) => emit('Mul', [gradient, emit('Sign', [x])])),
  Sqrt: unary((_x, y, gradient, { emit, scalar }) => emit('Div', [emit('Mul', [gradient, scalar(0.5, y)]), y])),
  Reciprocal: unary((_x, y, gradient, { emit }) => emit('Neg', [emit('Mul', [gradient, emit('Mul', [y, y])])])),
  Exp: unary((_x, y, gradient, { emit }) => emit('Mul', [gradient, y])),
  Log: unary((x, _y, gradient, { emit }) => emit('Div', [gradient, x])),
  Sin: unary((x, _y, gradient, { emit }) => emit('Mul', [gradient, emit('Cos', [x])])),
  Cos: unary((x, _y, gradient, { emit }) => emit('Neg', [emit('Mul', [gradient, emit('Sin', [x])])])),
  /** 2 / sqrt(pi) exp(-x^2) */
  Erf: unary((x, _y, gradient, { emit, scalar }) => {
    const power = emit('Exp', [emit('Neg', [emit('Mul', [x, x])])]);
    return emit('Mul', [gradient, emit('Mul', [power, scalar(2 / Math.sqrt(Math.PI), x)])]);
  }),
};
