/** Where a classifier looks up its word embeddings, and where it normalises them. */

import { NotDifferentiable } from './gradients/context';
import { type Graph, intAttribute, type Node, operatorOf } from './graph';
import { OnnxError } from './model';
import type { KnownFacts } from './shapes/infer';

export interface WordLookup {
  /** The Gather that takes rows of the table. */
  gather: Node;
  /** The initializer behind the table. */
  table: string;
  /** The nodes between the initializer and the Gather (DequantizeLinear, Cast), the first one first. */
  decoding: readonly Node[];
  /** Nodes between the Gather and floating-point embeddings: the last one's output is the embeddings. */
  dequantized: Node | null;
}

/** Operators through which token ids pass unchanged. */
const idOperators: ReadonlySet<string> = new Set(['Cast', 'Identity', 'Reshape', 'Unsqueeze', 'Squeeze', 'Flatten']);
const tableOperators: ReadonlySet<string> = new Set(['Cast', 'Identity', 'DequantizeLinear']);

/**
 * The lookup of `input_ids` in a table; of several the table with the most rows. Throws OnnxError where there is none: the
 * model then takes embeddings, or computes them in a way that we do not know.
 */
export function findWordLookup(graph: Graph, facts: KnownFacts, ids = 'input_ids'): WordLookup {
  const carriers = [ids];
  const found: (WordLookup & { rows: number })[] = [];
  for (const carrier of carriers) {
    for (const node of graph.consumers(carrier)) {
      if (idOperators.has(node.opType) && node.inputs[0] === carrier) carriers.push(node.outputs[0]!);
      if (operatorOf(node) !== 'Gather' || node.inputs[1] !== carrier || intAttribute(node, 'axis', 0) !== 0) continue;
      const table = tableBehind(graph, node.inputs[0]!);
      const shape = table === null ? null : facts.of(table.table).shape;
      if (table === null || shape?.length !== 2) continue;
      found.push({ gather: node, ...table, dequantized: dequantizedAfter(graph, node), rows: Number(shape[0]) });
    }
  }
  const best = found.sort((a, b) => b.rows - a.rows)[0];
  if (best === undefined) {
    throw new OnnxError(
      `No table is looked up with "${ids}" in this model's graph, so gradients cannot be taken at its word embeddings. Use a method that needs no gradients (occlusion).`,
    );
  }
  return best;
}

/**
 * The other places where rows of the same table are looked up, after the first one was cut: the node that gives them. Throws NotDifferentiable
 * for one that looks up other ids, as a decoder does that reads the input moved by one: what is put in the place of the embeddings of
 * `input_ids` says nothing of them.
 */
export function otherLookups(graph: Graph, first: WordLookup): { last: Node }[] {
  const isTable = (value: string): boolean => tableBehind(graph, value)?.table === first.table;
  return graph.nodes
    .filter((node) => node !== first.gather && operatorOf(node) === 'Gather' && isTable(node.inputs[0]!))
    .map((gather) => {
      if (intAttribute(gather, 'axis', 0) !== 0 || idsBehind(graph, gather) !== idsBehind(graph, first.gather)) {
        throw new NotDifferentiable(gather, "looks up other ids than the input's in the table of word embeddings");
      }
      return { last: dequantizedAfter(graph, gather) ?? gather };
    });
}

/** What is looked up, and in which shape: casts aside. */
function idsBehind(graph: Graph, gather: Node): string {
  let at = gather.inputs[1]!;
  for (
    let node = graph.producer(at);
    node?.opType === 'Cast' || node?.opType === 'Identity';
    node = graph.producer(at)
  ) {
    at = node.inputs[0]!;
  }
  return at;
}

function tableBehind(graph: Graph, value: string): Pick<WordLookup, 'table' | 'decoding'> | null {
  const decoding: Node[] = [];
  let at = value;
  for (let node = graph.producer(at); node !== undefined; node = graph.producer(at)) {
    if (!tableOperators.has(node.opType)) return null;
    decoding.unshift(node);
    at = node.inputs[0]!;
  }
  return graph.initializers.has(at) ? { table: at, decoding } : null;
}

/** Rows of whole numbers are turned into embeddings after they were looked up. */
function dequantizedAfter(graph: Graph, gather: Node): Node | null {
  const users = graph.consumers(gather.outputs[0]!);
  const [first] = users;
  return users.length === 1 && first !== undefined && operatorOf(first) === 'DequantizeLinear' ? first : null;
}

const passedBy: ReadonlySet<string> = new Set(['Add', 'Sum', 'Cast', 'Identity', 'Dropout', 'Reshape', 'Mul', 'Where']);

const norms: ReadonlySet<string> = new Set(['LayerNormalization', 'SimplifiedLayerNormalization', 'RMSNormalization']);

/** The first LayerNormalization that reads the embeddings: with positions and segments added, or alone. Null: there is none. */
export function findEmbeddingNorm(graph: Graph, embeddings: string): Node | null {
  const values = [embeddings];
  for (const value of values) {
    for (const node of graph.consumers(value)) {
      if (norms.has(node.opType) && node.inputs[0] === value) return node;
      const isFirst = passedBy.has(node.opType) && !values.includes(node.outputs[0]!);
      if (isFirst && values.length < 12) values.push(node.outputs[0]!);
    }
  }
  return null;
}
