/**
 * A classifier's graph with its reverse mode appended: one model that, run once, gives the logits and the gradient of any weighted sum of
 * them at the word embeddings and behind the normalisation of the embeddings.
 */
import { fuseGelu } from './blocks/gelu';
import { fuseLayerNorm } from './blocks/layer-norm';
import { shareGelu } from './blocks/shared-gelu';
import { findEmbeddingNorm, findWordLookup, otherLookups } from './embedding';
import { createContext, type GradientContext, type Name, NotDifferentiable } from './gradients/context';
import { roundingOperators } from './gradients/quantisation';
import { gradientRules, inertOperators } from './gradients/table';
import { type Graph, makeNode, type Node, operatorOf, protoOf, readsOf } from './graph';
import { dataTypes, type ModelProto, type ValueInfoProto } from './messages';
import { domainOf, OnnxError, writeModel } from './model';
import { prepareGraph } from './prepare';
import type { Dim } from './shapes/dims';
import { inferFacts, type KnownFacts } from './shapes/infer';

export interface DifferentiableOptions {
  /** Also give the attention probabilities. */
  wantsAttention?: boolean;
}

/** For ONNX Runtime. Axes: b examples, s tokens of the longest, d numbers an embedding, c labels. */
export interface DifferentiableModel {
  bytes: Uint8Array<ArrayBuffer>;
  inputs: {
    /** float32 [b, s, d]: rows of the table (word-table.ts), or what is put in their place. */
    embeddings: string;
    /** float32 [b, c]: of which sum of logits the gradient is. A row that is 1 at a label: of that label's logit. */
    seed: string;
    /** The others that the graph still reads, as the classifier takes them: masks, segments, `input_ids` where they are read elsewhere. */
    others: readonly string[];
  };
  outputs: {
    /** [b, c] */
    logits: string;
    /** [b, s, d]: at the word embeddings. */
    embeddingsGradient: string;
    /** [b, s, d]: the embeddings with positions and segments, normalised, and the gradient there. Null: no such layer. */
    embeddingLayer: { output: string; gradient: string } | null;
    /** [b, heads, s, s], a layer each, rows summing to 1 over the last axis; empty where not asked for. */
    attention: readonly string[];
  };
  /** What a person should know who reads the gradients. */
  notes: readonly string[];
}

/**
 * What ONNX Runtime's session must be told (`extra.session`) so that it turns weights that are stored as whole numbers into floats when
 * it loads the model, instead of in every run, and computes with them exactly: by itself it may round the activations beside them.
 */
export const sessionSettings: Readonly<Record<string, string>> = { disable_quant_qdq: '1' };

/**
 * Throws OnnxError (NotDifferentiable where a node is to blame): the model then needs a method without gradients. The model is not
 * changed; its weights are copied once, into `bytes`. Weights outside the file stay there: ONNX Runtime must be told the folder
 * (session option session.model_external_initializers_file_folder_path).
 */
export function differentiable(model: ModelProto, options: DifferentiableOptions = {}): DifferentiableModel {
  const { graph, opset } = prepareGraph(model);
  fuseGelu(graph);
  fuseLayerNorm(graph, inferFacts(graph));

  const embeddings = cutAtEmbeddings(graph);
  const known = new Map([[embeddings.input, { elemType: dataTypes.float32, shape: embeddings.shape }]]);
  const before = inferFacts(graph, known);
  const isActive = activeValues(graph, before, embeddings.value);
  shareGelu(graph, before, (value) => isActive.has(value));
  const facts = inferFacts(graph, known);
  const active = activeValues(graph, facts, embeddings.value);

  const logits = logitsOf(graph);
  const norm = findEmbeddingNorm(graph, embeddings.value);
  if (!active.has(logits)) {
    throw stoppedAt(graph, active, logits);
  }
  refuseUnknown(graph, active, logits);
  const context = createContext(graph, facts, opset, active);
  const seed = graph.freshName('seed');
  const labels = facts.of(logits).shape;
  facts.set(seed, { elemType: dataTypes.float32, shape: labels });

  const gradients = new Map<Name, Name>();
  const type = facts.of(logits).elemType;
  gradients.set(logits, isFloat32(type) ? seed : context.emit('Cast', [seed], { to: type }));
  reverse(graph, facts, context, active, gradients);

  const wordGradient = gradients.get(embeddings.value);
  if (wordGradient === undefined) {
    throw new OnnxError('No gradient flows from the logits to the word embeddings in this graph.');
  }
  const give = (name: string, value: Name, elemType: number): string => {
    const output = graph.freshName(name);
    const isSame = isFloat32(elemType);
    graph.append(
      isSame
        ? makeNode({ opType: 'Identity', name: output }, [value], [output])
        : makeNode({ opType: 'Cast', name: output }, [value], [output], { to: dataTypes.float32 }),
    );
    return output;
  };
  const asEmbeddings = (name: string, value: Name): string => {
    const shaped = embeddings.isReshaped
      ? context.emit('Reshape', [value, context.runtimeShape(embeddings.input)], { allowzero: 1 })
      : value;
    return give(name, shaped, facts.of(value).elemType);
  };
  const embeddingsGradient = asEmbeddings('embeddings_gradient', wordGradient);
  const layer = norm?.outputs[0];
  const layerGradient = layer === undefined ? undefined : gradients.get(layer);
  const embeddingLayer =
    layer === undefined || layerGradient === undefined
      ? null
      : {
          output: give('embedding_layer', layer, facts.of(layer).elemType),
          gradient: give('embedding_layer_gradient', layerGradient, facts.of(layerGradient).elemType),
        };
  const attention = options.wantsAttention
    ? attentionOf(graph, active).map((value, index) => give(`attention_${index}`, value, facts.of(value).elemType))
    : [];

  const outputs = [
    logits,
    embeddingsGradient,
    ...(embeddingLayer === null ? [] : [embeddingLayer.output, embeddingLayer.gradient]),
    ...attention,
  ];
  graph.prune(outputs);
  graph.sort();
  const others = othersRead(graph);
  const inputs = { embeddings: embeddings.input, seed, others: others.map(({ name }) => name ?? '') };
  const newInputs = [valueInfo(embeddings.input, embeddings.shape), valueInfo(seed, labels ?? [null, null])];
  return {
    bytes: write(model, graph, opset, [...others, ...newInputs], outputs),
    inputs,
    outputs: { logits, embeddingsGradient, embeddingLayer, attention },
    notes: notesOn(graph, norm),
  };
}

const isFloat32 = (elemType: number): boolean => elemType === dataTypes.float32 || elemType === 0;

interface CutEmbeddings {
  /** The graph's new input. */
  input: string;
  /** The value in the graph that it becomes. */
  value: string;
  shape: readonly Dim[];
  isReshaped: boolean;
}

/** Puts an input in the place of the lookup. */
function cutAtEmbeddings(graph: Graph): CutEmbeddings {
  const facts = inferFacts(graph);
  const lookup = findWordLookup(graph, facts);
  const last = lookup.dequantized ?? lookup.gather;
  const value = last.outputs[0]!;
  const { elemType, shape } = facts.of(value);
  const ids = facts.of('input_ids').shape;
  const width = facts.of(lookup.table).shape![1]!;
  const input = graph.freshName('embeddings');
  const isReshaped = shape?.length !== 3;
  const name = graph.freshName('embeddings_as_looked_up');
  const nodes: Node[] = [];
  let at = input;
  if (isReshaped) {
    const [indices, target] = [graph.freshName(`${name}/indices`), graph.freshName(`${name}/shape`)];
    const wide = graph.freshName(`${name}/width`);
    graph.addInitializer({ name: wide, dims: [1n], dataType: dataTypes.int64, int64Data: [BigInt(width)] });
    const reshaped = graph.freshName(`${name}/reshaped`);
    nodes.push(
      makeNode({ opType: 'Shape', name: indices }, [lookup.gather.inputs[1]!], [indices]),
      makeNode({ opType: 'Concat', name: target }, [indices, wide], [target], { axis: 0 }),
      makeNode({ opType: 'Reshape', name: reshaped }, [input, target], [reshaped]),
    );
    at = reshaped;
  }
  const isSame = isFloat32(elemType);
  nodes.push(makeNode({ opType: isSame ? 'Identity' : 'Cast', name }, [at], [value], isSame ? {} : { to: elemType }));
  graph.replace(last, nodes);
  // The same rows once more are the same embeddings: their gradients are added.
  for (const { last: again } of otherLookups(graph, lookup)) {
    graph.replace(again, [makeNode({ opType: 'Identity', name: graph.freshName(again.name) }, [value], again.outputs)]);
  }
  graph.sort();
  const [batch, length] = ids ?? ['batch', 'length'];
  return { input, value, shape: [batch ?? 'batch', length ?? 'length', width], isReshaped };
}

function logitsOf(graph: Graph): string {
  const names = (graph.proto.output ?? []).map(({ name }) => name ?? '');
  const logits = names.includes('logits') ? 'logits' : names[0];
  if (logits === undefined) throw new OnnxError('This ONNX file has no outputs: export the model again.');
  return logits;
}

/** Values that change with the embeddings, smoothly. */
function activeValues(graph: Graph, facts: KnownFacts, start: string): Set<string> {
  const active = new Set([start]);
  for (const node of graph.nodes) {
    const operator = operatorOf(node);
    if (inertOperators.has(operator) || !node.inputs.some((input) => active.has(input))) continue;
    if (operator === 'Cast' && !isFloating(facts.of(node.outputs[0]!).elemType)) continue;
    const outputs = roundingOperators.has(operator) ? node.outputs.slice(0, 1) : node.outputs;
    for (const output of outputs) if (output !== '') active.add(output);
  }
  return active;
}

const floats: readonly number[] = [dataTypes.float32, dataTypes.float64, dataTypes.float16, dataTypes.bfloat16, 0];
const isFloating = (elemType: number): boolean => floats.includes(elemType);

/** Before anything is written: what stands behind a node without a rule may fail for want of its shape, which would name the wrong one. */
function refuseUnknown(graph: Graph, active: ReadonlySet<Name>, logits: Name): void {
  const reached = new Set([logits]);
  for (const node of [...graph.nodes].reverse()) {
    if (!node.outputs.some((name) => reached.has(name) && active.has(name))) continue;
    if (!gradientRules.has(operatorOf(node)) && node.inputs.some((input) => active.has(input))) {
      throw new NotDifferentiable(node, 'cannot be differentiated: Assay has no rule for it');
    }
    for (const input of node.inputs) reached.add(input);
  }
}

/** Why the logits do not change with the embeddings: the last node before them that reads what does, and passes nothing on. */
function stoppedAt(graph: Graph, active: ReadonlySet<Name>, logits: Name): OnnxError {
  const reached = new Set([logits]);
  for (const node of [...graph.nodes].reverse()) {
    if (!node.outputs.some((name) => reached.has(name))) continue;
    const reads = [...readsOf(node)];
    if (reads.some((name) => active.has(name))) {
      return new NotDifferentiable(
        node,
        'lets no gradient through, and no other way leads from the word embeddings to the logits',
      );
    }
    for (const name of reads) reached.add(name);
  }
  return new OnnxError('The logits do not depend on the word embeddings in this graph: there is no gradient to take.');
}

/** Walks from the logits back to the embeddings; gradients that meet at a value are added. */
function reverse(
  graph: Graph,
  facts: KnownFacts,
  context: GradientContext,
  active: ReadonlySet<Name>,
  gradients: Map<Name, Name>,
): void {
  for (const node of [...graph.nodes].reverse()) {
    const given = node.outputs.map((output) => gradients.get(output) ?? null);
    const isOnTheWay = node.inputs.some((input) => active.has(input)) && node.outputs.some((name) => active.has(name));
    if (!isOnTheWay || given.every((gradient) => gradient === null)) continue;
    const found = gradientRules.get(operatorOf(node))!(node, given, context);
    node.inputs.forEach((input, index) => {
      const gradient = found[index] ?? null;
      if (gradient === null || !active.has(input)) return;
      const before = gradients.get(input);
      const sum = before === undefined ? gradient : context.emit('Add', [before, gradient]);
      // A gradient has the shape of what it belongs to, also where the nodes that made it do not tell.
      facts.set(sum, { elemType: facts.of(gradient).elemType, shape: facts.of(input).shape });
      gradients.set(input, sum);
    });
  }
}

/** Softmaxes that weigh something: their output, itself or behind a mask or Dropout, is a product's left operand. */
function attentionOf(graph: Graph, active: ReadonlySet<Name>): Name[] {
  const between: ReadonlySet<string> = new Set(['Dropout', 'Where', 'Cast', 'Identity', 'Reshape', 'Mul']);
  const weighs = (value: Name, depth: number): boolean =>
    graph.consumers(value).some((node) => {
      if (node.opType === 'MatMul' || node.opType === 'FusedMatMul') return node.inputs[0] === value;
      return depth > 0 && between.has(node.opType) && weighs(node.outputs[0]!, depth - 1);
    });
  return graph.nodes
    .filter((node) => operatorOf(node) === 'Softmax' && active.has(node.outputs[0]!))
    .map((node) => node.outputs[0]!)
    .filter((value) => weighs(value, 3));
}

function othersRead(graph: Graph): ValueInfoProto[] {
  const isRead = (name: string): boolean => graph.consumers(name).length > 0 && !graph.initializers.has(name);
  return (graph.proto.input ?? []).filter(({ name }) => isRead(name ?? ''));
}

function valueInfo(name: string, shape: readonly (Dim | null)[]): ValueInfoProto {
  const dim = shape.map((one) => {
    if (typeof one === 'number') return { dimValue: BigInt(one) };
    return one === null || one.startsWith('?') ? {} : { dimParam: one };
  });
  return { name, type: { tensorType: { elemType: dataTypes.float32, shape: { dim } } } };
}

function write(
  model: ModelProto,
  graph: Graph,
  opset: number,
  input: ValueInfoProto[],
  outputNames: readonly string[],
): Uint8Array<ArrayBuffer> {
  const declared = new Map((graph.proto.output ?? []).map((output) => [output.name ?? '', output]));
  const output = outputNames.map(
    (name): ValueInfoProto => declared.get(name) ?? { name, type: { tensorType: { elemType: dataTypes.float32 } } },
  );
  const others = (model.opsetImport ?? []).filter(
    ({ domain }) => domainOf(domain) !== '' && domain !== 'com.microsoft',
  );
  const { valueInfo: _, ...proto } = graph.proto;
  return writeModel({
    ...model,
    irVersion: (model.irVersion ?? 0n) < 8n ? 8n : model.irVersion!,
    opsetImport: [{ version: BigInt(opset) }, { domain: 'com.microsoft', version: 1n }, ...others],
    graph: {
      ...proto,
      node: graph.nodes.map(protoOf),
      initializer: [...graph.initializers.values()],
      input,
      output,
    },
  });
}

function notesOn(graph: Graph, norm: Node | null): string[] {
  const notes: string[] = [];
  if (norm === null) {
    notes.push(
      'No normalisation of the embeddings was recognised in this model: gradients are taken at the word embeddings themselves.',
    );
  }
  if (graph.nodes.some((node) => roundingOperators.has(operatorOf(node)))) {
    notes.push(
      'The model rounds its activations to whole numbers: the gradients are those of the same model without rounding.',
    );
  }
  return notes;
}
