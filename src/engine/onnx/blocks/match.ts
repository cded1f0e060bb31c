/** Small questions that recognising a block of nodes asks. */
import { type Graph, type Node, operatorOf } from '../graph';

/** The node that makes a value, if it is this operator. */
export function madeBy(graph: Graph, value: string | undefined, operator: string): Node | null {
  const node = value === undefined ? undefined : graph.producer(value);
  return node !== undefined && operatorOf(node) === operator ? node : null;
}

/** The other operand of a node of two, where one of them is this value. */
export function otherOperand(node: Node, value: string): string | null {
  const [a, b] = node.inputs;
  if (a === value) return b!;
  return b === value ? a! : null;
}

/** For Add or Mul of a value and a number: the value. Undefined `number`: any. */
export function besideNumber(graph: Graph, node: Node | null, number: number): string | null {
  if (node === null) return null;
  const [a, b] = node.inputs as [string, string];
  if (isNear(graph.number(b), number)) return a;
  return isNear(graph.number(a), number) ? b : null;
}

/** Half precision rounds the constants. */
export function isNear(found: number | undefined, wanted: number): boolean {
  return found !== undefined && Math.abs(found - wanted) <= 1e-3 * Math.abs(wanted);
}

/** The only node that reads a value, if there is one and it is this operator. */
export function onlyUser(graph: Graph, value: string, operator: string): Node | null {
  const users = graph.consumers(value);
  return users.length === 1 && operatorOf(users[0]!) === operator && !graph.isOutput(value) ? users[0]! : null;
}

/** True if nothing but these nodes reads what they make, the last one's output aside. */
export function isClosed(graph: Graph, nodes: ReadonlySet<Node>, last: Node): boolean {
  return [...nodes].every(
    (node) =>
      node === last ||
      node.outputs.every((value) => !graph.isOutput(value) && graph.consumers(value).every((user) => nodes.has(user))),
  );
}
