/** Products of matrices. */
import { isWeight } from '../blocks/shared-gelu';
import { floatAttribute, intAttribute, type Node } from '../graph';
import { type GradientContext, type GradientRule, type Name, NotDifferentiable } from './context';

/** A product over the last two axes, either operand transposed, without knowing how many axes there are. */
export function product(
  { graph, emit, emitMany, shapeOf }: GradientContext,
  a: Name,
  b: Name,
  { transA = false, transB = false, alpha = 1 } = {},
): Name {
  if (alpha === 1 && !transA) {
    if (!transB) return emit('MatMul', [a, b]);
    // Written plainly, weights are transposed once, when ONNX Runtime loads the model.
    const rank = isWeight(graph, b) ? shapeOf(b)?.length : undefined;
    if (rank !== undefined && rank >= 2) {
      const perm = Array.from({ length: rank }, (_, axis) => axis);
      return emit('MatMul', [a, emit('Transpose', [b], { perm: perm.toSpliced(-2, 2, rank - 1, rank - 2) })]);
    }
  }
  const attributes = { transA: transA ? 1 : 0, transB: transB ? 1 : 0, alpha: { float: alpha } };
  return emitMany('com.microsoft.FusedMatMul', [a, b], 1, attributes)[0]!;
}

/** y = a b: da = dy b^T, db = a^T dy; summed over the leading axes along which an operand was broadcast. */
const matMul: GradientRule = (node, [gradient], context) => {
  const { emit, needs, sumTo, shapeOf, ints, runtimeShape } = context;
  const [a, b] = node.inputs as [Name, Name];
  const [isRow, isColumn] = [shapeOf(a)?.length === 1, shapeOf(b)?.length === 1];
  if (!isRow && !isColumn) {
    return [
      needs(a) ? sumTo(product(context, gradient!, b, { transB: true }), a) : null,
      needs(b) ? sumTo(product(context, a, gradient!, { transA: true }), b) : null,
    ];
  }
  // An operand of one axis is a matrix of one row, or column, which the result does not have.
  const row = isRow ? emit('Unsqueeze', [a, ints([0])]) : a;
  const column = isColumn ? emit('Unsqueeze', [b, ints([1])]) : b;
  const wide = isColumn ? emit('Unsqueeze', [gradient!, ints([-1])]) : gradient!;
  const full = isRow ? emit('Unsqueeze', [wide, ints([-2])]) : wide;
  const back = (value: Name, matrix: Name, operand: Name): Name =>
    emit('Reshape', [sumTo(value, matrix), runtimeShape(operand)]);
  return [
    needs(a) ? back(product(context, full, column, { transB: true }), row, a) : null,
    needs(b) ? back(product(context, row, full, { transA: true }), column, b) : null,
  ];
};

/** y = alpha A B, where A or B may be transposed: what is needed of the two gradients. */
function transposedProduct(node: Node, gradient: Name, context: GradientContext): [() => Name, () => Name] {
  const [a, b] = node.inputs as [Name, Name];
  const [transA, transB] = [intAttribute(node, 'transA', 0) !== 0, intAttribute(node, 'transB', 0) !== 0];
  const alpha = floatAttribute(node, 'alpha', 1);
  return [
    () =>
      transA
        ? product(context, b, gradient, { transA: transB, transB: true, alpha })
        : product(context, gradient, b, { transB: !transB, alpha }),
    () =>
      transB
        ? product(context, gradient, a, { transA: true, transB: transA, alpha })
        : product(context, a, gradient, { transA: !transA, alpha }),
  ];
}

const fusedMatMul: GradientRule = (node, [gradient], context) => {
  if (intAttribute(node, 'transBatchA', 0) !== 0 || intAttribute(node, 'transBatchB', 0) !== 0) {
    throw new NotDifferentiable(node, 'exchanges batch axes, for which Assay has no rule');
  }
  const [a, b] = node.inputs as [Name, Name];
  const [ofA, ofB] = transposedProduct(node, gradient!, context);
  return [context.needs(a) ? context.sumTo(ofA(), a) : null, context.needs(b) ? context.sumTo(ofB(), b) : null];
};

/** y = alpha A B + beta C */
const gemm: GradientRule = (node, [gradient], context) => {
  const { needs, emit, scalar, sumTo } = context;
  const [a, b, c] = node.inputs as [Name, Name, Name?];
  const beta = floatAttribute(node, 'beta', 1);
  const [ofA, ofB] = transposedProduct(node, gradient!, context);
  const ofC = (operand: Name): Name =>
    sumTo(beta === 1 ? gradient! : emit('Mul', [gradient!, scalar(beta, gradient!)]), operand);
  return [needs(a) ? ofA() : null, needs(b) ? ofB() : null, c && needs(c) ? ofC(c) : null];
};

export const linearRules: Readonly<Record<string, GradientRule>> = {
  MatMul: matMul,
  Gemm: gemm,
  'com.microsoft.FusedMatMul': fusedMatMul,
};
