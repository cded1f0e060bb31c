/**
 * Operators of ONNX Runtime's own (domain com.microsoft) that its optimiser, and exporters that use it, write into files, taken apart
 * into those that there are gradient rules for. Their meaning:
 * https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md.
 */

import { NotDifferentiable } from './gradients/context';
import {
  type AttributeValue,
  floatAttribute,
  type Graph,
  intAttribute,
  makeNode,
  type Node,
  operatorOf,
  stringAttribute,
} from './graph';
import { dataTypes } from './messages';
import type { KnownFacts } from './shapes/infer';
import { float32Scalar, int64Tensor } from './tensors';

/** Adds a node in the place of the fused one; `to` names its output. */
type Put = (
  operator: string,
  inputs: readonly string[],
  attributes?: Readonly<Record<string, AttributeValue>>,
  to?: string,
) => string;

interface Place {
  node: Node;
  facts: KnownFacts;
  put: Put;
  ints(values: readonly number[]): string;
  int(value: number): string;
  number(value: number): string;
  /** Null where it is left out. */
  input(index: number): string | null;
  /** Null where nobody asks for it. */
  output(index: number): string | null;
}

const expansions: Readonly<Record<string, (place: Place) => void>> = {
  'com.microsoft.BiasGelu': biasGelu,
  'com.microsoft.FusedGemm': fusedGemm,
  'com.microsoft.FastGelu': fastGelu,
  'com.microsoft.SkipLayerNormalization': skipLayerNormalization,
  'com.microsoft.SkipSimplifiedLayerNormalization': skipLayerNormalization,
  'com.microsoft.EmbedLayerNormalization': embedLayerNormalization,
  'com.microsoft.Attention': attention,
  'com.microsoft.MultiHeadAttention': multiHeadAttention,
};

/** Throws NotDifferentiable where such an operator is used in a way that we do not take apart. */
export function expandFused(graph: Graph, facts: KnownFacts): void {
  const replacements = new Map<Node, readonly Node[]>();
  for (const node of graph.nodes) {
    const expand = expansions[operatorOf(node)];
    if (expand === undefined) {
      facts.add(node);
      continue;
    }
    const nodes: Node[] = [];
    const put: Put = (operator, inputs, attributes, to) => {
      const dot = operator.lastIndexOf('.');
      const opType = operator.slice(dot + 1);
      const name = to ?? graph.freshName(`${node.outputs[0]}/${opType}`);
      const domain = operator.slice(0, Math.max(dot, 0));
      const made = makeNode({ opType, domain, name }, inputs, [name], attributes);
      nodes.push(made);
      facts.add(made);
      return name;
    };
    const { elemType } = facts.of(node.inputs[0]!);
    const initializer = (make: (name: string) => Parameters<Graph['addInitializer']>[0]): string => {
      const name = graph.freshName(`${node.outputs[0]}/constant`);
      graph.addInitializer(make(name));
      return name;
    };
    expand({
      node,
      facts,
      put,
      ints: (values) => initializer((name) => int64Tensor(name, values)),
      int: (value) => initializer((name) => int64Tensor(name, [value], true)),
      number(value) {
        const number = initializer((name) => float32Scalar(name, value));
        const isHalf = elemType === dataTypes.float16 || elemType === dataTypes.bfloat16;
        return isHalf ? put('Cast', [number], { to: elemType }) : number;
      },
      input: (index) => node.inputs[index] || null,
      output: (index) => node.outputs[index] || null,
    });
    replacements.set(node, nodes);
  }
  graph.replaceAll(replacements);
}

function biasGelu({ node, put }: Place): void {
  put('com.microsoft.Gelu', [put('Add', [node.inputs[0]!, node.inputs[1]!])], {}, node.outputs[0]);
}

/** A Gemm and the activation behind it. */
function fusedGemm({ node, put }: Place): void {
  const activation = stringAttribute(node, 'activation', '');
  const known: ReadonlySet<string> = new Set(['Relu', 'Tanh', 'Sigmoid', 'LeakyRelu', 'Softplus']);
  if (!known.has(activation)) throw new NotDifferentiable(node, `applies "${activation}", for which Assay has no rule`);
  const attributes = {
    transA: intAttribute(node, 'transA', 0),
    transB: intAttribute(node, 'transB', 0),
    alpha: { float: floatAttribute(node, 'alpha', 1) },
    beta: { float: floatAttribute(node, 'beta', 1) },
  };
  const alpha = { alpha: { float: floatAttribute(node, 'activation_alpha', 0.01) } };
  put(activation, [put('Gemm', node.inputs, attributes)], activation === 'LeakyRelu' ? alpha : {}, node.outputs[0]);
}

function fastGelu({ node, put, input }: Place): void {
  const bias = input(1);
  const x = bias === null ? node.inputs[0]! : put('Add', [node.inputs[0]!, bias]);
  put('com.microsoft.FastGelu', [x], {}, node.outputs[0]);
}

function skipLayerNormalization({ node, put, input, output }: Place): void {
  const isSimple = node.opType.includes('Simplified');
  if (output(1) !== null || output(2) !== null) {
    throw new NotDifferentiable(node, 'gives its mean or deviation, for which Assay has no rule');
  }
  const [beta, bias] = isSimple ? [null, input(3)] : [input(3), input(4)];
  const biased = bias === null ? node.inputs[0]! : put('Add', [node.inputs[0]!, bias]);
  const sum = put('Add', [biased, node.inputs[1]!], {}, output(3) ?? undefined);
  const inputs = [sum, node.inputs[2]!, ...(beta === null ? [] : [beta])];
  const attributes = { axis: -1, epsilon: { float: floatAttribute(node, 'epsilon', 1e-12) } };
  put(isSimple ? 'SimplifiedLayerNormalization' : 'LayerNormalization', inputs, attributes, node.outputs[0]);
}

function embedLayerNormalization({ node, put, ints, int, input, output }: Place): void {
  const [ids, segments, words, positions, segmentTable, gamma, beta] = node.inputs as string[];
  const [mask, positionIds] = [input(7), input(8)];
  const shape = put('Shape', [ids!]);
  const length = put('Gather', [shape, int(1)]);
  const range = positionIds ?? put('Unsqueeze', [put('Range', [int(0), length, int(1)]), ints([0])]);
  const word = put('Gather', [words!, ids!], { axis: 0 });
  const placed = put('Add', [word, put('Gather', [positions!, range], { axis: 0 })]);
  const isSegmented = input(4) !== null && input(1) !== null;
  const sum = isSegmented ? put('Add', [placed, put('Gather', [segmentTable!, segments!], { axis: 0 })]) : placed;
  if (output(2) !== null) put('Identity', [sum], {}, output(2)!);
  const attributes = { axis: -1, epsilon: { float: floatAttribute(node, 'epsilon', 1e-12) } };
  put('LayerNormalization', [sum, gamma!, beta!], attributes, node.outputs[0]);
  if (output(1) === null) return;
  // How many tokens of each row are real.
  const counted =
    mask === null
      ? put('Expand', [int(0), put('Gather', [shape, ints([0])])])
      : put('ReduceSum', [mask, ints([1])], { keepdims: 0 });
  put('Cast', [counted], { to: dataTypes.int32 }, output(1)!);
}

/** [b, s, heads * size] as [b, heads, s, size] */
function asHeads({ put, ints }: Place, value: string, heads: number): string {
  return put('Transpose', [put('Reshape', [value, ints([0, 0, heads, -1])])], { perm: [0, 2, 1, 3] });
}

/** What is added to the scores: 0 at tokens that count, the node's filter value at others. Null: nothing is masked. */
function maskTerm(place: Place, mask: string | null, keys: string): string | null {
  const { node, facts, put, ints, int, number } = place;
  if (mask === null) return null;
  const rank = facts.of(mask).shape?.length;
  const filter = number(floatAttribute(node, 'mask_filter_value', -10000));
  const term = (counts: string): string => put('Where', [counts, number(0), filter]);
  const asNumbers = put('Cast', [mask], { to: dataTypes.int64 });
  const isPositive = (): string => put('Greater', [asNumbers, int(0)]);
  if (rank === 1 && facts.of(mask).shape?.[0] === facts.of(node.inputs[0]!).shape?.[0]) {
    const length = put('Gather', [put('Shape', [keys]), int(1)]);
    const places = put('Range', [int(0), length, int(1)]);
    const inside = put('Less', [places, put('Unsqueeze', [asNumbers, ints([1])])]);
    return put('Unsqueeze', [term(inside), ints([1, 2])]);
  }
  if (rank === 2) return put('Unsqueeze', [term(isPositive()), ints([1, 2])]);
  if (rank === 3) return put('Unsqueeze', [term(isPositive()), ints([1])]);
  throw new NotDifferentiable(node, 'has an attention mask of a kind for which Assay has no rule');
}

interface AttentionParts {
  query: string;
  key: string;
  value: string;
  mask: string | null;
  /** Added to the scores. */
  bias: string | null;
}

/** [b, s, heads * size] each: softmax(q k^T scale + mask) v, a head at a time. */
function attend(place: Place, { query, key, value, mask, bias }: AttentionParts): void {
  const { node, facts, put, ints, number } = place;
  const heads = intAttribute(node, 'num_heads', 0);
  const width = facts.of(query).shape?.at(-1);
  if (heads === 0 || typeof width !== 'number') {
    throw new NotDifferentiable(node, 'does not tell how wide its heads are');
  }
  if (intAttribute(node, 'unidirectional', 0) !== 0) {
    throw new NotDifferentiable(node, 'looks only backwards, for which Assay has no rule');
  }
  const given = floatAttribute(node, 'scale', 0);
  const scale = given === 0 ? 1 / Math.sqrt(width / heads) : given;
  const [q, k, v] = [query, key, value].map((part) => asHeads(place, part, heads)) as [string, string, string];
  const products = put('MatMul', [q, put('Transpose', [k], { perm: [0, 1, 3, 2] })]);
  const scores = put('Mul', [products, number(scale)]);
  const term = maskTerm(place, mask, key);
  const masked = term === null ? scores : put('Add', [scores, term]);
  const weights = put('Softmax', [bias === null ? masked : put('Add', [masked, bias])], { axis: -1 });
  const context = put('Transpose', [put('MatMul', [weights, v])], { perm: [0, 2, 1, 3] });
  put('Reshape', [context, ints([0, 0, -1])], {}, node.outputs[0]);
}

function refuseFrom(place: Place, from: number): void {
  for (let index = from; index < place.node.inputs.length; index++) {
    if (place.input(index) !== null) {
      throw new NotDifferentiable(place.node, 'keeps keys and values of earlier tokens, for which Assay has no rule');
    }
  }
  if (place.node.outputs.slice(1).some((name) => name !== '')) {
    throw new NotDifferentiable(place.node, 'gives keys and values, for which Assay has no rule');
  }
}

/** One product makes queries, keys and values. */
function attention(place: Place): void {
  const { node, facts, put, ints, input } = place;
  if (input(4) !== null) throw new NotDifferentiable(node, 'keeps earlier tokens, for which Assay has no rule');
  refuseFrom(place, 6);
  const [x, weights] = node.inputs as [string, string];
  const offset = input(2);
  const product = put('MatMul', [x, weights]);
  const all = offset === null ? product : put('Add', [product, offset]);
  const whole = facts.of(weights).shape?.[1];
  const sizes = node.attributes.get('qkv_hidden_sizes')?.ints?.map(Number);
  if (typeof whole !== 'number') throw new NotDifferentiable(node, 'does not tell how wide its heads are');
  const [q, k, v] = sizes ?? [whole / 3, whole / 3, whole / 3];
  const cut = (from: number, size: number): string => put('Slice', [all, ints([from]), ints([from + size]), ints([2])]);
  const [query, key, value] = [cut(0, q!), cut(q!, k!), cut(q! + k!, v!)];
  attend(place, { query, key, value, mask: input(3), bias: input(5) });
}

function multiHeadAttention(place: Place): void {
  const { node, facts, put, ints, input } = place;
  refuseFrom(place, 6);
  const [query, key, value, offsets] = [0, 1, 2, 3].map((index) => input(index));
  if (query == null || key == null || value == null || facts.of(key).shape?.length !== 3) {
    throw new NotDifferentiable(node, 'takes packed queries, keys and values, for which Assay has no rule');
  }
  const widths = [query, key, value].map((part) => facts.of(part).shape?.at(-1));
  let from = 0;
  const parts = [query, key, value].map((part, index) => {
    const width = widths[index];
    if (offsets == null) return part;
    if (typeof width !== 'number') throw new NotDifferentiable(node, 'does not tell how wide its heads are');
    const sliced = put('Slice', [offsets, ints([from]), ints([from + width]), ints([0])]);
    from += width;
    return put('Add', [part, sliced]);
  }) as [string, string, string];
  attend(place, { query: parts[0], key: parts[1], value: parts[2], mask: input(4), bias: input(5) });
}
