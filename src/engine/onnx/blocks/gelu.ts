/** Gelu written as plain operators, in the forms that exporters write, made one node. */
import { type Graph, makeNode, type Node, operatorOf } from '../graph';
import { besideNumber, isClosed, isNear, madeBy, onlyUser, otherOperand } from './match';

interface Block {
  nodes: Set<Node>;
  last: Node;
  input: string;
  /** The node it becomes. */
  operator: 'Gelu' | 'FastGelu';
}

/** Replaces each block by com.microsoft's Gelu (erf) or FastGelu (tanh), which ONNX Runtime has fast forms of. */
export function fuseGelu(graph: Graph): number {
  const blocks = graph.nodes.flatMap((node) => {
    const operator = operatorOf(node);
    const block = operator === 'Erf' ? erfBlock(graph, node) : operator === 'Tanh' ? tanhBlock(graph, node) : null;
    return block !== null && isClosed(graph, block.nodes, block.last) ? [block] : [];
  });
  const replacements = new Map<Node, Node[]>();
  for (const { nodes, last, input, operator } of blocks) {
    const name = `${last.name}/${operator}`;
    for (const node of nodes) replacements.set(node, []);
    replacements.set(last, [
      makeNode({ opType: operator, domain: 'com.microsoft', name }, [input], [last.outputs[0]!]),
    ]);
  }
  graph.replaceAll(replacements);
  return blocks.length;
}

/** x (1 + erf(x / sqrt 2)) / 2 */
function erfBlock(graph: Graph, erf: Node): Block | null {
  const inner = graph.producer(erf.inputs[0]!);
  if (inner === undefined) return null;
  const [a, b] = inner.inputs as [string, string];
  const isDiv = operatorOf(inner) === 'Div' && isNear(graph.number(b), Math.SQRT2);
  const input = isDiv ? a : operatorOf(inner) === 'Mul' ? besideNumber(graph, inner, Math.SQRT1_2) : null;
  const rest = input === null ? null : onePlusTimesHalf(graph, erf.outputs[0]!, input);
  if (rest === null || input === null) return null;
  return { nodes: new Set([inner, erf, ...rest.nodes]), last: rest.last, input, operator: 'Gelu' };
}

/** From f: x (1 + f) / 2, multiplied in any order. */
function onePlusTimesHalf(graph: Graph, f: string, x: string): { nodes: Node[]; last: Node } | null {
  const sum = onlyUser(graph, f, 'Add');
  if (sum === null || besideNumber(graph, sum, 1) !== f) return null;
  const first = onlyUser(graph, sum.outputs[0]!, 'Mul');
  if (first === null) return null;
  const other = otherOperand(first, sum.outputs[0]!)!;
  // (x / 2) (1 + f)
  const half = madeBy(graph, other, 'Mul') ?? madeBy(graph, other, 'Div');
  if (half !== null && isHalfOf(graph, half, x)) return { nodes: [sum, half, first], last: first };
  const second = onlyUser(graph, first.outputs[0]!, 'Mul') ?? onlyUser(graph, first.outputs[0]!, 'Div');
  if (second === null) return null;
  // (x (1 + f)) / 2
  if (other === x && isHalfOf(graph, second, first.outputs[0]!)) return { nodes: [sum, first, second], last: second };
  // x ((1 + f) / 2)
  const isHalved = isHalfOf(graph, first, sum.outputs[0]!);
  const isTimesX = operatorOf(second) === 'Mul' && otherOperand(second, first.outputs[0]!) === x;
  return isHalved && isTimesX ? { nodes: [sum, first, second], last: second } : null;
}

function isHalfOf(graph: Graph, node: Node, value: string): boolean {
  if (operatorOf(node) === 'Div') return node.inputs[0] === value && graph.number(node.inputs[1]!) === 2;
  return besideNumber(graph, node, 0.5) === value;
}

const tanhInner = Math.sqrt(2 / Math.PI);
const tanhCubic = 0.044715;

/** x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) / 2 */
function tanhBlock(graph: Graph, tanh: Node): Block | null {
  const scaled = madeBy(graph, tanh.inputs[0], 'Mul');
  if (scaled === null) return null;
  const found = sumWithCube(graph, scaled) ?? productWithSquare(graph, scaled);
  const rest = found === null ? null : onePlusTimesHalf(graph, tanh.outputs[0]!, found.input);
  if (rest === null || found === null) return null;
  const nodes = new Set([scaled, tanh, ...found.nodes, ...rest.nodes]);
  return { nodes, last: rest.last, input: found.input, operator: 'FastGelu' };
}

/** sqrt(2/pi) (x + 0.044715 x^3) */
function sumWithCube(graph: Graph, scaled: Node): { nodes: Node[]; input: string } | null {
  const sum = madeBy(graph, besideNumber(graph, scaled, tanhInner) ?? undefined, 'Add');
  if (sum === null) return null;
  for (const [input, cubic] of [sum.inputs, sum.inputs.toReversed()] as [string, string][]) {
    const term = madeBy(graph, cubic, 'Mul');
    if (term === null) continue;
    const power = besideNumber(graph, term, tanhCubic);
    const cube = power === null ? null : cubeOf(graph, power, input);
    if (cube !== null) return { nodes: [sum, term, ...cube], input };
    // (0.044715 x) (x x)
    for (const [linear, square] of [term.inputs, term.inputs.toReversed()] as [string, string][]) {
      const low = madeBy(graph, linear, 'Mul');
      const high = madeBy(graph, square, 'Mul');
      if (low === null || high === null || besideNumber(graph, low, tanhCubic) !== input) continue;
      if (high.inputs.every((operand) => operand === input)) return { nodes: [sum, term, low, high], input };
    }
  }
  return null;
}

/** (sqrt(2/pi) x) (1 + 0.044715 x^2) */
function productWithSquare(graph: Graph, product: Node): { nodes: Node[]; input: string } | null {
  for (const [left, right] of [product.inputs, product.inputs.toReversed()] as [string, string][]) {
    const linear = madeBy(graph, left, 'Mul');
    const sum = madeBy(graph, right, 'Add');
    const input = besideNumber(graph, linear, tanhInner);
    const term = madeBy(graph, besideNumber(graph, sum, 1) ?? undefined, 'Mul');
    if (linear === null || sum === null || input === null || term === null) continue;
    const square = besideNumber(graph, term, tanhCubic);
    const power = square === null ? null : squareOf(graph, square, input);
    if (power !== null) return { nodes: [linear, sum, term, ...power], input };
    // (0.044715 x) x
    const low = term.inputs.map((operand) => madeBy(graph, operand, 'Mul')).find((node) => node !== null);
    if (low && besideNumber(graph, low, tanhCubic) === input && otherOperand(term, low.outputs[0]!) === input) {
      return { nodes: [linear, sum, term, low], input };
    }
  }
  return null;
}

function squareOf(graph: Graph, value: string, x: string): Node[] | null {
  const node = graph.producer(value);
  if (node === undefined) return null;
  const [a, b] = node.inputs as [string, string];
  const isPow = operatorOf(node) === 'Pow' && a === x && graph.number(b) === 2;
  return isPow || (operatorOf(node) === 'Mul' && a === x && b === x) ? [node] : null;
}

function cubeOf(graph: Graph, value: string, x: string): Node[] | null {
  const node = graph.producer(value);
  if (node === undefined) return null;
  if (operatorOf(node) === 'Pow') return node.inputs[0] === x && graph.number(node.inputs[1]!) === 3 ? [node] : null;
  const other = operatorOf(node) === 'Mul' ? otherOperand(node, x) : null;
  const square = other === null ? null : squareOf(graph, other, x);
  return square === null ? null : [node, ...square];
}
