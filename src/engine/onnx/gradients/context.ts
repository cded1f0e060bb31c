/** What a gradient rule is written with: nodes, constants, and the sum down to an operand's shape. */
import { type AttributeValue, type Graph, makeNode, type Node, titleOf } from '../graph';
import { dataTypes, type TensorProto } from '../messages';
import { OnnxError } from '../model';
import type { Shape } from '../shapes/dims';
import { sameShape } from '../shapes/dims';
import type { KnownFacts } from '../shapes/infer';
import { float32Scalar, float32Tensor, int64Tensor } from '../tensors';

/** The graph has a node on the way from the embeddings to the logits that there is no rule for. */
export class NotDifferentiable extends OnnxError {
  readonly nodeName: string;
  readonly opType: string;

  /** `reason` continues the sentence "The model's node … ". */
  constructor(node: Node, reason: string) {
    super(
      `The model's node ${titleOf(node)} ${reason}. Export the model with plain ONNX operators, or use a method that needs no gradients (occlusion).`,
    );
    this.nodeName = node.name;
    this.opType = node.opType;
  }
}

/** A value's name; in a rule most often that of a gradient. */
export type Name = string;

/**
 * The gradient at each input, given those at the outputs (null: nothing that counts depends on that output). Null, or left out: no
 * gradient flows there. A gradient has the shape of what it belongs to: use `sumTo` where an operand was broadcast.
 */
export type GradientRule = (
  node: Node,
  gradients: readonly (Name | null)[],
  context: GradientContext,
) => readonly (Name | null)[];

/** Adds a node with one output; gives that output. */
export type Emit = (
  opType: string,
  inputs: readonly Name[],
  attributes?: Readonly<Record<string, AttributeValue>>,
) => Name;

export interface GradientContext {
  readonly graph: Graph;
  /** Whether the gradient at a value leads to the embeddings. Others need not be computed. */
  needs(value: Name): boolean;
  emit: Emit;
  /** A node with more outputs than one, or of another domain (`com.microsoft.Name`). */
  emitMany(
    operator: string,
    inputs: readonly Name[],
    outputs: number,
    attributes?: Readonly<Record<string, AttributeValue>>,
  ): Name[];
  /**
   * Writes a node of the forward pass anew, so that the gradient can share what it computes: `write` adds nodes in its place, the
   * last of which makes the node's output; what it returns is returned.
   */
  rewrite(node: Node, write: (before: Emit) => Name[]): Name[];
  /** A number of the type of `like`. */
  scalar(value: number, like: Name): Name;
  /** So many ones, of the type of `like`. */
  ones(count: number, like: Name): Name;
  /** A constant list of whole numbers; equal ones are made once. */
  ints(values: readonly number[]): Name;
  /** One whole number, without an axis. */
  int(value: number): Name;
  constant(tensor: TensorProto): Name;
  shapeOf(value: Name): Shape | null;
  typeOf(value: Name): number;
  /** The shape in the run. */
  runtimeShape(value: Name): Name;
  /** Throws NotDifferentiable: a rule that counts axes must know how many there are. */
  rankOf(value: Name, node: Node): number;
  /** Sums a gradient over the axes along which `operand` was broadcast. */
  sumTo(gradient: Name, operand: Name): Name;
  /** Sum over axes counted from the front or the back. */
  reduceSum(value: Name, axes: readonly number[], keepdims: boolean): Name;
  mean(value: Name, axes: readonly number[]): Name;
}

export function createContext(
  graph: Graph,
  facts: KnownFacts,
  opset: number,
  needed: ReadonlySet<Name>,
): GradientContext {
  const made = new Map<string, Name>();
  const once = (key: string, make: () => Name): Name => {
    const name = made.get(key) ?? make();
    made.set(key, name);
    return name;
  };

  const typed = (key: string, like: Name, make: () => TensorProto): Name => {
    const type = context.typeOf(like);
    return once(`${key} ${type}`, () => {
      const name = context.constant(make());
      return type === 0 || type === dataTypes.float32 ? name : context.emit('Cast', [name], { to: type });
    });
  };

  const context: GradientContext = {
    graph,
    needs: (value) => needed.has(value),
    emit: (opType, inputs, attributes) => context.emitMany(opType, inputs, 1, attributes)[0]!,
    emitMany(operator, inputs, count, attributes) {
      const dot = operator.lastIndexOf('.');
      const opType = operator.slice(dot + 1);
      const name = graph.freshName(`gradient/${opType}`);
      const outputs = Array.from({ length: count }, (_, index) =>
        index === 0 ? name : graph.freshName(`${name}/${index}`),
      );
      const node = makeNode({ opType, domain: operator.slice(0, Math.max(dot, 0)), name }, inputs, outputs, attributes);
      graph.append(node);
      facts.add(node);
      return outputs;
    },
    rewrite(node, write) {
      const nodes: Node[] = [];
      const shared = write((opType, inputs, attributes) => {
        const name = graph.freshName(`${node.outputs[0]}/${opType}`);
        const made = makeNode({ opType, name }, inputs, [name], attributes);
        nodes.push(made);
        facts.add(made);
        return name;
      });
      nodes.push({ ...nodes.pop()!, outputs: node.outputs });
      graph.replace(node, nodes);
      return shared;
    },
    constant(tensor) {
      const name = graph.freshName(tensor.name ?? 'gradient/constant');
      graph.addInitializer({ ...tensor, name });
      return name;
    },
    scalar: (value, like) => typed(`scalar ${value}`, like, () => float32Scalar('gradient/number', value)),
    ones: (count, like) => typed(`ones ${count}`, like, () => float32Tensor('gradient/ones', Array(count).fill(1))),
    ints: (values) => once(`ints ${values}`, () => context.constant(int64Tensor('gradient/ints', values))),
    int: (value) => once(`int ${value}`, () => context.constant(int64Tensor('gradient/int', [value], true))),
    shapeOf: (value) => facts.of(value).shape,
    typeOf: (value) => facts.of(value).elemType,
    runtimeShape: (value) => once(`shape ${value}`, () => context.emit('Shape', [value])),
    rankOf(value, node) {
      const shape = facts.of(value).shape;
      if (shape === null) {
        const cause = firstUnknown(graph, facts, value);
        throw new NotDifferentiable(
          cause ?? node,
          'gives or takes a value of which Assay cannot tell how many axes it has',
        );
      }
      return shape.length;
    },
    sumTo(gradient, operand) {
      const [from, to] = [facts.of(gradient).shape, facts.of(operand).shape];
      if (sameShape(from, to)) return gradient;
      const known = from === null || to === null ? null : broadcastAxes(from, to);
      const summed = known === null ? sumAtRunTime(context, gradient, operand) : sumOver(context, gradient, known);
      facts.set(summed, { elemType: facts.of(gradient).elemType, shape: to });
      return summed;
    },
    reduceSum: (value, axes, keepdims) =>
      context.emit('ReduceSum', [value, context.ints(axes)], { keepdims: keepdims ? 1 : 0 }),
    mean: (value, axes) =>
      opset < 18
        ? context.emit('ReduceMean', [value], { axes, keepdims: 1 })
        : context.emit('ReduceMean', [value, context.ints(axes)], { keepdims: 1 }),
  };
  return context;
}

/** The first node on the way to a value whose number of axes is not known though those of what it reads are. */
function firstUnknown(graph: Graph, facts: KnownFacts, value: Name): Node | undefined {
  const seen = new Set<Name>();
  let at = value;
  for (;;) {
    const node = graph.producer(at);
    const next = node?.inputs.find((input) => input !== '' && facts.of(input).shape === null && !seen.has(input));
    if (next === undefined) return node;
    seen.add(next);
    at = next;
  }
}

interface BroadcastAxes {
  /** Axes that the operand does not have. */
  added: number;
  /** Of the gradient, from the front: where the operand's length is 1. */
  stretched: number[];
}

/** Null where only the run can tell. */
function broadcastAxes(from: Shape, to: Shape): BroadcastAxes | null {
  const added = from.length - to.length;
  if (added < 0) return null;
  const stretched: number[] = [];
  for (const [index, dim] of to.entries()) {
    if (dim === from[added + index]) continue;
    if (dim !== 1) return null;
    stretched.push(added + index);
  }
  return { added, stretched };
}

function sumOver(context: GradientContext, gradient: Name, { added, stretched }: BroadcastAxes): Name {
  const kept = stretched.length === 0 ? gradient : context.reduceSum(gradient, stretched, true);
  const leading = Array.from({ length: added }, (_, axis) => axis);
  return added === 0 ? kept : context.reduceSum(kept, leading, false);
}

/** The operand's shape, with ones put before it, differs from the gradient's along just those axes that were broadcast. */
function sumAtRunTime(context: GradientContext, gradient: Name, operand: Name): Name {
  const { emit, runtimeShape, int, ints } = context;
  const [from, to] = [runtimeShape(gradient), runtimeShape(operand)];
  const added = emit('Sub', [emit('Shape', [from]), emit('Shape', [to])]);
  const ones = emit('Expand', [int(1), added]);
  const differs = emit('Not', [emit('Equal', [emit('Concat', [ones, to], { axis: 0 }), from])]);
  const axes = emit('Reshape', [emit('NonZero', [differs]), ints([-1])]);
  const summed = emit('ReduceSum', [gradient, axes], { keepdims: 1, noop_with_empty_axes: 1 });
  return emit('Reshape', [summed, to], { allowzero: 1 });
}
