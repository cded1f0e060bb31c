/** Layer normalisation written as plain operators, made one LayerNormalization node. */
import { type Graph, intsAttribute, makeNode, type Node, operatorOf } from '../graph';
import { dataTypes } from '../messages';
import type { KnownFacts } from '../shapes/infer';
import { float32Tensor } from '../tensors';
import { isClosed, madeBy, onlyUser, otherOperand } from './match';

interface Block {
  nodes: Set<Node>;
  last: Node;
  input: string;
  scale: string | null;
  bias: string | null;
  epsilon: number;
}

/** (x - mean) / sqrt(variance + epsilon), times a scale, plus a bias, over the last axis. */
export function fuseLayerNorm(graph: Graph, facts: KnownFacts): number {
  const replacements = new Map<Node, Node[]>();
  let count = 0;
  for (const node of graph.nodes) {
    const block = operatorOf(node) === 'Sqrt' ? blockAround(graph, facts, node) : null;
    if (block === null || !isClosed(graph, block.nodes, block.last)) continue;
    const width = facts.of(block.input).shape?.at(-1);
    // A scale of ones is written as float32.
    const isFloat32 = facts.of(block.input).elemType === dataTypes.float32;
    if (block.scale === null && (typeof width !== 'number' || !isFloat32)) continue;
    const scale = block.scale ?? ones(graph, Number(width));
    for (const inner of block.nodes) replacements.set(inner, []);
    const inputs = [block.input, scale, ...(block.bias === null ? [] : [block.bias])];
    const name = `${block.last.name}/LayerNormalization`;
    const attributes = { axis: -1, epsilon: { float: block.epsilon } };
    const fused = makeNode({ opType: 'LayerNormalization', name }, inputs, [block.last.outputs[0]!], attributes);
    replacements.set(block.last, [fused]);
    count++;
  }
  graph.replaceAll(replacements);
  return count;
}

function ones(graph: Graph, width: number): string {
  const name = graph.freshName('ones');
  graph.addInitializer(float32Tensor(name, Array(width).fill(1)));
  return name;
}

/** Looks from the root of the variance both ways. */
function blockAround(graph: Graph, facts: KnownFacts, root: Node): Block | null {
  const sum = madeBy(graph, root.inputs[0], 'Add');
  const operands = sum?.inputs ?? [];
  const epsilonAt = operands.findIndex((operand) => graph.number(operand) !== undefined);
  if (sum === null || epsilonAt < 0) return null;
  const variance = madeBy(graph, operands[1 - epsilonAt], 'ReduceMean');
  const square = variance === null ? undefined : graph.producer(variance.inputs[0]!);
  if (variance === null || square === undefined || !isSquare(graph, square)) return null;
  const centred = centredBy(graph, square.inputs[0]!);
  if (centred === null) return null;
  const { input, mean } = centred;
  const rank = facts.of(input).shape?.length;
  if (!isOverLast(graph, mean, rank) || !isOverLast(graph, variance, rank)) return null;
  const { elemType } = facts.of(input);
  if (elemType !== dataTypes.float32 && elemType !== dataTypes.float16) return null;

  const quotient = quotientBy(graph, root);
  const numerator = quotient === null ? null : centredBy(graph, quotient.numerator);
  if (quotient === null || numerator === null || numerator.input !== input) return null;
  const nodes = new Set([...[sum, variance, square, ...centred.nodes, root, ...numerator.nodes], ...quotient.nodes]);
  const epsilon = graph.number(operands[epsilonAt]!)!;
  let last = quotient.nodes.at(-1)!;
  const scaled = affine(graph, facts, last.outputs[0]!, 'Mul', input);
  if (scaled !== null) {
    nodes.add(scaled.node);
    last = scaled.node;
  }
  const shifted = affine(graph, facts, last.outputs[0]!, 'Add', input);
  if (shifted !== null) {
    nodes.add(shifted.node);
    last = shifted.node;
  }
  return { nodes, last, input, scale: scaled?.by ?? null, bias: shifted?.by ?? null, epsilon };
}

/** x less its mean: the value, and how it came about. */
function centredBy(graph: Graph, value: string): { input: string; mean: Node; nodes: Node[] } | null {
  const sub = madeBy(graph, value, 'Sub');
  const mean = madeBy(graph, sub?.inputs[1], 'ReduceMean');
  if (sub === null || mean === null || mean.inputs[0] !== sub.inputs[0]) return null;
  return { input: sub.inputs[0]!, mean, nodes: [sub, mean] };
}

function isSquare(graph: Graph, node: Node): boolean {
  const [a, b] = node.inputs as [string, string];
  return (operatorOf(node) === 'Pow' && graph.number(b) === 2) || (operatorOf(node) === 'Mul' && a === b);
}

function isOverLast(graph: Graph, node: Node, rank: number | undefined): boolean {
  const axes = intsAttribute(node, 'axes', null) ?? (node.inputs[1] ? graph.numbers(node.inputs[1]) : undefined);
  const [axis] = axes ?? [];
  const keeps = node.attributes.get('keepdims')?.i ?? 1n;
  return axes?.length === 1 && keeps === 1n && (axis === -1 || (rank !== undefined && axis === rank - 1));
}

/** numerator / root, or numerator times 1 / root. */
function quotientBy(graph: Graph, root: Node): { numerator: string; nodes: Node[] } | null {
  const div = onlyUser(graph, root.outputs[0]!, 'Div');
  if (div !== null) {
    if (div.inputs[1] !== root.outputs[0]) return null;
    const isInverse = graph.number(div.inputs[0]!) === 1;
    return isInverse ? timesInverse(graph, div) : { numerator: div.inputs[0]!, nodes: [div] };
  }
  const inverse = onlyUser(graph, root.outputs[0]!, 'Reciprocal');
  return inverse === null ? null : timesInverse(graph, inverse);
}

function timesInverse(graph: Graph, inverse: Node): { numerator: string; nodes: Node[] } | null {
  const mul = onlyUser(graph, inverse.outputs[0]!, 'Mul');
  const numerator = mul === null ? null : otherOperand(mul, inverse.outputs[0]!);
  return mul === null || numerator === null ? null : { numerator, nodes: [inverse, mul] };
}

/** The only user of a value, if it multiplies or adds one constant number for each of the last axis. */
function affine(
  graph: Graph,
  facts: KnownFacts,
  value: string,
  operator: 'Mul' | 'Add',
  input: string,
): { node: Node; by: string } | null {
  const node = onlyUser(graph, value, operator);
  const by = node === null ? null : otherOperand(node, value);
  if (node === null || by === null) return null;
  const [shape, width] = [facts.of(by).shape, facts.of(input).shape?.at(-1)];
  const isConstant = graph.initializers.has(by) || madeBy(graph, by, 'DequantizeLinear') !== null;
  return isConstant && shape?.length === 1 && shape[0] === width && width !== 1 ? { node, by } : null;
}
