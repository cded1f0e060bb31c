/**
 * Gelu between two matrix products, written so that the forward and the reverse pass share as much as they can. It works on the widest
 * tensors of a model, and nearly all that differentiating costs beyond its matrix products is spent there.
 *
 * Gelu of x is a (1 + erf a) / sqrt 2 with a = x / sqrt 2. Both factors 1 / sqrt 2 go into the weights around it, which
 * ONNX Runtime multiplies once, when it loads the model; what is left between them is a (1 + erf a), whose slope
 * (1 + erf a) + (2 / sqrt pi) a exp(-a^2) needs the sum again and no further factor.
 */
import { type Graph, makeNode, type Node, operatorOf } from '../graph';
import { dataTypes } from '../messages';
import type { KnownFacts } from '../shapes/infer';
import { float32Scalar } from '../tensors';

/** a (1 + erf a): stands in the graph only until its gradient rule writes it out. */
export const erfGateOperator = 'assay.ErfGate';

/** Rewrites the Gelu nodes (erf form, float32) among the values given, where such products stand around them. */
export function shareGelu(graph: Graph, facts: KnownFacts, isActive: (value: string) => boolean): void {
  const isFloat32 = (value: string): boolean => facts.of(value).elemType === dataTypes.float32;
  const gelus = graph.nodes.filter(
    (node) => operatorOf(node) === 'com.microsoft.Gelu' && isActive(node.outputs[0]!) && isFloat32(node.inputs[0]!),
  );
  if (gelus.length === 0) return;
  const factor = graph.freshName('gelu/factor');
  graph.addInitializer(float32Scalar(factor, Math.SQRT1_2));
  for (const gelu of gelus) share(graph, gelu, factor);
}

function share(graph: Graph, gelu: Node, factor: string): void {
  const [x, y] = [gelu.inputs[0]!, gelu.outputs[0]!];
  const sum = graph.producer(x);
  const product = sum && operatorOf(sum) === 'Add' ? productPlusBias(graph, sum) : null;
  const [next, ...others] = graph.consumers(y);
  const isLeft = next !== undefined && operatorOf(next) === 'MatMul' && next.inputs[0] === y && next.inputs[1] !== y;
  if (product === null || sum === undefined || next === undefined || others.length > 0 || !isLeft) return;
  if (graph.isOutput(y) || !isWeight(graph, next.inputs[1]!)) return;

  const scaled = (value: string): { name: string; node: Node } => {
    const name = graph.freshName(`${value}/scaled`);
    return { name, node: makeNode({ opType: 'Mul', name }, [value, factor], [name]) };
  };
  const [weights, bias, nextWeights] = [scaled(product.weights), scaled(product.bias), scaled(next.inputs[1]!)];
  const [productName, a] = [graph.freshName(`${y}/product`), graph.freshName(`${y}/scaled`)];
  const [domain, opType] = erfGateOperator.split('.') as [string, string];
  graph.replace(gelu, [
    weights.node,
    makeNode({ opType: 'MatMul', name: productName }, [product.left, weights.name], [productName]),
    bias.node,
    makeNode({ opType: 'Add', name: a }, [productName, bias.name], [a]),
    makeNode({ opType, domain, name: gelu.name }, [a], [y]),
  ]);
  graph.replace(next, [nextWeights.node, { ...next, inputs: [y, nextWeights.name] }]);
}

/** A sum that only one node reads, of a bias and a product with weights. */
function productPlusBias(graph: Graph, sum: Node): { left: string; weights: string; bias: string } | null {
  const at = sum.inputs.findIndex((input) => isWeight(graph, input));
  const product = at < 0 ? undefined : graph.producer(sum.inputs[1 - at]!);
  const isRead = graph.consumers(sum.outputs[0]!).length > 1 || graph.isOutput(sum.outputs[0]!);
  if (product === undefined || operatorOf(product) !== 'MatMul' || isRead) return null;
  const [left, weights] = product.inputs as [string, string];
  return isWeight(graph, weights) ? { left, weights, bias: sum.inputs[at]! } : null;
}

/** The same in every run, and a number: an initializer, or one that is stored as whole numbers. */
export function isWeight(graph: Graph, value: string): boolean {
  const node = graph.producer(value);
  if (node === undefined) return graph.initializers.has(value);
  const isPlain = operatorOf(node) === 'DequantizeLinear' || node.opType === 'Cast' || node.opType === 'Identity';
  const isOurs = node.opType === 'Transpose' || node.opType === 'Mul';
  return (isPlain || isOurs) && node.inputs.every((input) => isWeight(graph, input));
}
