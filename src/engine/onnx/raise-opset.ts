/**
 * A graph of an older operator set, written in a newer one: so there is one rule an operator, not one a version. Only what has
 * changed between version 7 (where broadcasting took today's form) and 17, of operators that classifiers are made of;
 * the changes are those that https://github.com/onnx/onnx/blob/main/docs/Changelog.md lists.
 */

import { type Graph, intAttribute, intsAttribute, makeNode, type Node, operatorOf, stringAttribute } from './graph';
import type { TensorProto } from './messages';
import { OnnxError } from './model';
import { float32Scalar, float32Tensor, int64Tensor } from './tensors';

/** What graphs are raised to, at least; LayerNormalization is new in it. */
export const targetOpset = 17;
const oldestOpset = 7;

/** Returns the version that the graph is now in. Throws OnnxError where it is too old. */
export function raiseOpset(graph: Graph, opset: number): number {
  if (opset < oldestOpset) {
    throw new OnnxError(
      `The model is written in version ${opset} of ONNX's operators; Assay differentiates version ${oldestOpset} and later: export it again.`,
    );
  }
  constantsToInitializers(graph);
  if (opset >= targetOpset) return opset;
  const replacements = new Map<Node, readonly Node[]>();
  for (const node of graph.nodes) {
    const raised = raise(graph, node, opset);
    if (raised !== null) replacements.set(node, raised);
  }
  graph.replaceAll(replacements);
  return targetOpset;
}

function constantsToInitializers(graph: Graph): void {
  const replacements = new Map<Node, readonly Node[]>();
  for (const node of graph.nodes) {
    if (operatorOf(node) !== 'Constant') continue;
    const name = node.outputs[0]!;
    const tensor = constantTensor(node, name);
    // A graph's output must be made by a node.
    if (tensor === null || graph.isOutput(name)) continue;
    replacements.set(node, []);
    graph.addInitializer(tensor);
  }
  graph.replaceAll(replacements);
}

function constantTensor(node: Node, name: string): TensorProto | null {
  const of = (attribute: string) => node.attributes.get(attribute);
  const tensor = of('value')?.t;
  if (tensor !== undefined) return { ...tensor, name };
  if (of('value_int')?.i !== undefined) return int64Tensor(name, [Number(of('value_int')!.i)], true);
  if (of('value_ints') !== undefined) return int64Tensor(name, (of('value_ints')!.ints ?? []).map(Number));
  if (of('value_float')?.f !== undefined) return float32Scalar(name, of('value_float')!.f!);
  if (of('value_floats') !== undefined) return float32Tensor(name, of('value_floats')!.floats ?? []);
  return null;
}

/** Null: the node means the same in the newer version. */
function raise(graph: Graph, node: Node, opset: number): Node[] | null {
  const constant = (values: readonly number[]): string => {
    const tensor = int64Tensor(graph.freshName(`${node.outputs[0]}/axes`), values);
    graph.addInitializer(tensor);
    return tensor.name!;
  };
  switch (operatorOf(node)) {
    // Their numbers became inputs.
    case 'Squeeze':
    case 'Unsqueeze':
    case 'ReduceSum':
      return opset < 13 ? [attributesToInputs(node, { axes: constant })] : null;
    case 'Split':
      return opset < 13 ? [attributesToInputs(node, { split: constant })] : null;
    case 'Slice':
      return opset < 10 ? [sliceWithInputs(node, constant)] : null;
    case 'Clip':
      return opset < 11 ? [clipWithInputs(graph, node)] : null;
    case 'Pad':
      return opset < 11 ? [padWithInputs(graph, node, constant)] : null;
    case 'Dropout':
      return opset < 12 ? [without(node, ['ratio', 'is_test'])] : null;
    case 'Softmax':
    case 'LogSoftmax':
      return opset < 13 ? flattenedSoftmax(graph, node, constant) : null;
    default:
      return null;
  }
}

function without(node: Node, names: readonly string[]): Node {
  return { ...node, attributes: new Map([...node.attributes].filter(([name]) => !names.includes(name))) };
}

/** Each named attribute, a list of whole numbers, as the next input. */
function attributesToInputs(node: Node, named: Record<string, (values: readonly number[]) => string>): Node {
  const inputs = [...node.inputs];
  for (const [name, constant] of Object.entries(named)) {
    const values = intsAttribute(node, name, null);
    if (values !== null) inputs.push(constant(values));
  }
  return { ...without(node, Object.keys(named)), inputs };
}

function sliceWithInputs(node: Node, constant: (values: readonly number[]) => string): Node {
  const starts = intsAttribute(node, 'starts', []);
  const axes = intsAttribute(
    node,
    'axes',
    starts.map((_, axis) => axis),
  );
  // Past 2^53 the exact number does not matter: the end of the axis.
  const ends = intsAttribute(node, 'ends', []).map((end) => Math.min(end, Number.MAX_SAFE_INTEGER));
  return {
    ...without(node, ['starts', 'ends', 'axes']),
    inputs: [node.inputs[0]!, constant(starts), constant(ends), constant(axes)],
  };
}

function clipWithInputs(graph: Graph, node: Node): Node {
  const bound = (name: string): string => {
    const value = node.attributes.get(name)?.f;
    if (value === undefined) return '';
    const tensor = float32Scalar(graph.freshName(`${node.outputs[0]}/${name}`), value);
    graph.addInitializer(tensor);
    return tensor.name!;
  };
  return { ...without(node, ['min', 'max']), inputs: [node.inputs[0]!, bound('min'), bound('max')] };
}

function padWithInputs(graph: Graph, node: Node, constant: (values: readonly number[]) => string): Node {
  const inputs = [node.inputs[0]!, constant(intsAttribute(node, 'pads', []))];
  if (stringAttribute(node, 'mode', 'constant') === 'constant') {
    const value = float32Scalar(graph.freshName(`${node.outputs[0]}/value`), node.attributes.get('value')?.f ?? 0);
    graph.addInitializer(value);
    inputs.push(value.name!);
  }
  return { ...without(node, ['pads', 'value']), inputs };
}

/** Before version 13 all axes from `axis` (1 where it is not given) on were normalised together. */
function flattenedSoftmax(graph: Graph, node: Node, constant: (values: readonly number[]) => string): Node[] {
  const axis = intAttribute(node, 'axis', 1);
  if (axis === -1) return [{ ...node }];
  const [input, output] = [node.inputs[0]!, node.outputs[0]!];
  const name = (part: string): string => graph.freshName(`${output}/${part}`);
  const [flat, soft, shape] = [name('flat'), name('soft'), name('shape')];
  // The first `axis` axes stay, the others become one.
  const kept = name('kept');
  const target = name('target');
  return [
    makeNode({ opType: 'Shape', name: shape }, [input], [shape]),
    makeNode({ opType: 'Slice', name: kept }, [shape, constant([0]), constant([axis])], [kept]),
    makeNode({ opType: 'Concat', name: target }, [kept, constant([-1])], [target], { axis: 0 }),
    makeNode({ opType: 'Reshape', name: flat }, [input, target], [flat]),
    makeNode({ opType: node.opType, name: node.name }, [flat], [soft], { axis: -1 }),
    makeNode({ opType: 'Reshape', name: `${node.name}/back` }, [soft, shape], [output]),
  ];
}
