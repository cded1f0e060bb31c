/** A graph that can be looked through and changed: who makes a value, who uses it, what is constant. */
import { type AttributeProto, attributeTypes, type GraphProto, type NodeProto, type TensorProto } from './messages';
import { domainOf, OnnxError } from './model';
import { valuesOf } from './tensors';

export interface Node {
  readonly opType: string;
  /** Empty: ONNX's own operators. */
  readonly domain: string;
  readonly name: string;
  /** Empty where an optional one is left out. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: ReadonlyMap<string, AttributeProto>;
  /** As it was read, for what we do not look into. */
  readonly proto?: NodeProto;
}

/** Attributes as we write them: whole numbers are ints. A float that is whole must be said so. */
export type AttributeValue = number | { float: number } | string | readonly number[] | TensorProto;

export function nodeOf(proto: NodeProto): Node {
  return {
    opType: proto.opType ?? '',
    domain: domainOf(proto.domain),
    name: proto.name ?? '',
    inputs: proto.input ?? [],
    outputs: proto.output ?? [],
    attributes: new Map((proto.attribute ?? []).map((attribute) => [attribute.name ?? '', attribute])),
    proto,
  };
}

export function makeNode(
  op: { opType: string; domain?: string; name: string },
  inputs: readonly string[],
  outputs: readonly string[],
  attributes: Readonly<Record<string, AttributeValue>> = {},
): Node {
  const all = Object.entries(attributes).map(([name, value]) => [name, attributeOf(name, value)] as const);
  return { domain: '', ...op, inputs, outputs, attributes: new Map(all) };
}

function attributeOf(name: string, value: AttributeValue): AttributeProto {
  if (typeof value === 'string') return { name, s: new TextEncoder().encode(value), type: attributeTypes.string };
  if (typeof value === 'number') return { name, i: BigInt(value), type: attributeTypes.int };
  if (Array.isArray(value)) return { name, ints: value.map(BigInt), type: attributeTypes.ints };
  if ('float' in value) return { name, f: value.float, type: attributeTypes.float };
  return { name, t: value as TensorProto, type: attributeTypes.tensor };
}

export function protoOf(node: Node): NodeProto {
  return {
    ...node.proto,
    input: [...node.inputs],
    output: [...node.outputs],
    name: node.name,
    opType: node.opType,
    ...(node.domain === '' ? {} : { domain: node.domain }),
    attribute: [...node.attributes.values()],
  };
}

export function intAttribute<T>(node: Node, name: string, otherwise: T): number | T {
  const value = node.attributes.get(name)?.i;
  return value === undefined ? otherwise : Number(value);
}

export function intsAttribute<T>(node: Node, name: string, otherwise: T): number[] | T {
  const attribute = node.attributes.get(name);
  return attribute === undefined ? otherwise : (attribute.ints ?? []).map(Number);
}

export function floatAttribute(node: Node, name: string, otherwise: number): number {
  return node.attributes.get(name)?.f ?? otherwise;
}

export function stringAttribute(node: Node, name: string, otherwise: string): string {
  const value = node.attributes.get(name)?.s;
  return value === undefined ? otherwise : new TextDecoder().decode(value);
}

/** How a node is called in a message. */
export function titleOf(node: Node): string {
  const type = node.domain === '' ? node.opType : `${node.domain}.${node.opType}`;
  return `"${node.name === '' ? node.outputs[0] : node.name}" (${type})`;
}

/** With its domain where it is not ONNX's own: the key of tables of operators. */
export function operatorOf(node: Node): string {
  return node.domain === '' ? node.opType : `${node.domain}.${node.opType}`;
}

export class Graph {
  /** Each stands behind those whose values it uses. */
  private list: Node[];
  readonly initializers: Map<string, TensorProto>;
  private readonly made = new Map<string, Node>();
  private readonly used = new Map<string, Set<Node>>();
  private readonly names = new Set<string>();

  /** Files may list their nodes in any order. Throws OnnxError where they form a circle. */
  constructor(readonly proto: GraphProto) {
    this.list = sorted((proto.node ?? []).map(nodeOf));
    this.initializers = new Map((proto.initializer ?? []).map((tensor) => [tensor.name ?? '', tensor]));
    for (const { name } of proto.input ?? []) this.names.add(name ?? '');
    for (const name of this.initializers.keys()) this.names.add(name);
    for (const node of this.list) this.index(node);
  }

  get nodes(): readonly Node[] {
    return this.list;
  }

  private index(node: Node): void {
    for (const name of node.outputs) {
      this.made.set(name, node);
      this.names.add(name);
    }
    for (const name of readsOf(node)) {
      const users = this.used.get(name) ?? new Set();
      this.used.set(name, users.add(node));
    }
  }

  private forget(node: Node): void {
    for (const name of node.outputs) if (this.made.get(name) === node) this.made.delete(name);
    for (const name of readsOf(node)) this.used.get(name)?.delete(node);
  }

  /** Undefined: an input, an initializer, or no value of this graph. */
  producer(value: string): Node | undefined {
    return this.made.get(value);
  }

  /** Nodes that read a value, from within their own subgraphs too. */
  consumers(value: string): readonly Node[] {
    return [...(this.used.get(value) ?? [])];
  }

  isOutput(value: string): boolean {
    return this.proto.output?.some(({ name }) => name === value) ?? false;
  }

  /** The tensor behind a value that is the same in every run, seen through Identity; undefined where it is computed. */
  constant(value: string): TensorProto | undefined {
    const node = this.made.get(value);
    if (node === undefined) return this.initializers.get(value);
    if (node.domain !== '') return undefined;
    if (node.opType === 'Identity') return this.constant(node.inputs[0]!);
    if (node.opType !== 'Constant') return undefined;
    return node.attributes.get('value')?.t;
  }

  /** The number that a value is in every run, where it is one (of any rank); else undefined. */
  number(value: string): number | undefined {
    const values = this.numbers(value);
    return values?.length === 1 ? values[0] : undefined;
  }

  /** The numbers of a small constant: axes, shapes, indices; undefined where it is none. */
  numbers(value: string): number[] | undefined {
    const tensor = this.constant(value);
    if (tensor === undefined || (tensor.dims ?? []).reduce((size, dim) => size * dim, 1n) > 64n) return undefined;
    const values = valuesOf(tensor);
    return values === null ? undefined : [...values];
  }

  /** A name that no value has yet. */
  freshName(wish: string): string {
    let name = wish;
    for (let count = 1; this.names.has(name); count++) name = `${wish}_${count}`;
    this.names.add(name);
    return name;
  }

  addInitializer(tensor: TensorProto): void {
    this.names.add(tensor.name ?? '');
    this.initializers.set(tensor.name ?? '', tensor);
  }

  /** Behind all others. */
  append(node: Node): void {
    this.list.push(node);
    this.index(node);
  }

  /** New nodes in the place of one; together they make all its values that are used elsewhere. */
  replace(old: Node, by: readonly Node[]): void {
    this.replaceAll(new Map([[old, by]]));
  }

  replaceAll(replacements: ReadonlyMap<Node, readonly Node[]>): void {
    if (replacements.size === 0) return;
    for (const old of replacements.keys()) this.forget(old);
    for (const nodes of replacements.values()) for (const node of nodes) this.index(node);
    this.list = this.list.flatMap((node) => replacements.get(node) ?? [node]);
  }

  /** Puts the nodes into order again, after some were put in the places of others. */
  sort(): void {
    this.list = sorted(this.list);
  }

  /** Drops the nodes, initializers and declared values that do not lead to any of these values. */
  prune(wanted: readonly string[]): void {
    const reached = new Set(wanted);
    const kept: Node[] = [];
    for (const node of this.list.toReversed()) {
      if (!node.outputs.some((name) => reached.has(name))) {
        this.forget(node);
        continue;
      }
      kept.push(node);
      for (const name of readsOf(node)) reached.add(name);
    }
    this.list = kept.reverse();
    for (const name of this.initializers.keys()) if (!reached.has(name)) this.initializers.delete(name);
  }
}

/** Each node behind those whose values it uses; otherwise in the order in which they came. Throws OnnxError where there is a circle. */
function sorted(nodes: readonly Node[]): Node[] {
  const makers = new Map(nodes.flatMap((node) => node.outputs.map((name) => [name, node] as const)));
  const result: Node[] = [];
  const state = new Map<Node, 'begun' | 'done'>();
  for (const first of nodes) {
    // A stack of its own: graphs are deeper than the call stack.
    const stack = [first];
    for (let node = stack.at(-1); node !== undefined; node = stack.at(-1)) {
      if (state.get(node) === 'done') {
        stack.pop();
        continue;
      }
      const open = [...readsOf(node)]
        .flatMap((name) => makers.get(name) ?? [])
        .filter((maker) => state.get(maker) !== 'done');
      if (open.length === 0) {
        state.set(node, 'done');
        result.push(node);
        stack.pop();
        continue;
      }
      if (state.get(node) === 'begun' || open.includes(node)) {
        throw new OnnxError(
          `The nodes of this graph form a circle at ${titleOf(node)}: the file is damaged. Export the model again.`,
        );
      }
      state.set(node, 'begun');
      stack.push(...open.reverse());
    }
  }
  return result;
}

/** The values that a node reads: its inputs, and what its subgraphs take from outside. */
export function readsOf(node: Node): Set<string> {
  const reads = new Set(node.inputs.filter((name) => name !== ''));
  for (const { g } of node.attributes.values()) if (g !== undefined) for (const name of freeNames(g)) reads.add(name);
  return reads;
}

function freeNames(graph: GraphProto): Set<string> {
  const own = new Set([...(graph.input ?? []), ...(graph.initializer ?? [])].map(({ name }) => name ?? ''));
  const free = new Set<string>();
  const read = (name: string): void => {
    if (name !== '' && !own.has(name)) free.add(name);
  };
  for (const node of (graph.node ?? []).map(nodeOf)) {
    for (const name of readsOf(node)) read(name);
    for (const name of node.outputs) own.add(name);
  }
  for (const { name } of graph.output ?? []) read(name ?? '');
  return free;
}
