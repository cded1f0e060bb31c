/** The rows that a classifier looks its word embeddings up in. */
import { findWordLookup } from './embedding';
import { type Graph, intAttribute, type Node, operatorOf } from './graph';
import type { ModelProto, TensorProto } from './messages';
import { OnnxError } from './model';
import { prepareGraph } from './prepare';
import { inferFacts } from './shapes/infer';
import { type ExternalPlace, externalPlaceOf, rawReader, valuesOf } from './tensors';

export interface WordTable {
  rows: number;
  /** Numbers a row. */
  width: number;
  /** Writes a token's embedding into `target` from `at` on, as the model computes it. Throws RangeError for an id that has no row. */
  copyRow(id: number, target: Float32Array, at: number): void;
}

/** `readExternal` gives the bytes of weights outside the file. Throws OnnxError where there is no such table. */
export function wordTable(model: ModelProto, readExternal?: (place: ExternalPlace) => Uint8Array): WordTable {
  const { graph } = prepareGraph(model);
  const lookup = findWordLookup(graph, inferFacts(graph));
  const tensor = graph.initializers.get(lookup.table)!;
  const [rows, width] = (tensor.dims ?? []).map(Number) as [number, number];
  const read = entriesOf(tensor, readExternal);
  const dequantizing = [...lookup.decoding, ...(lookup.dequantized === null ? [] : [lookup.dequantized])].filter(
    (node) => operatorOf(node) === 'DequantizeLinear',
  );
  if (dequantizing.length > 1)
    throw new OnnxError(`The table of word embeddings "${lookup.table}" is quantised twice.`);
  const decode = dequantizing[0] === undefined ? null : decoder(graph, dequantizing[0], rows, width);
  return {
    rows,
    width,
    copyRow(id, target, at) {
      if (!(id >= 0 && id < rows)) throw new RangeError(`There is no token ${id}: the table has ${rows} rows.`);
      for (let column = 0; column < width; column++) {
        const stored = read(id * width + column);
        target[at + column] = decode === null ? stored : decode(stored, id, column);
      }
    },
  };
}

function entriesOf(
  tensor: TensorProto,
  readExternal: ((place: ExternalPlace) => Uint8Array) | undefined,
): (index: number) => number {
  const place = externalPlaceOf(tensor);
  const raw = place === null ? tensor.rawData : readExternal?.(place);
  const reader = raw === undefined ? null : rawReader(tensor.dataType, raw);
  if (reader !== null) return reader;
  const values = place === null ? valuesOf(tensor) : null;
  if (values !== null) return (index) => values[index]!;
  throw new OnnxError(
    `The table of word embeddings "${tensor.name}" cannot be read: its values are stored in a way that Assay does not know.`,
  );
}

/** Scale and zero point: one for all, one a row, or one a column. */
function decoder(
  graph: Graph,
  node: Node,
  rows: number,
  width: number,
): (stored: number, row: number, column: number) => number {
  const [scales, zeros] = node.inputs.slice(1).map((name) => {
    const tensor = graph.constant(name);
    return tensor === undefined ? null : valuesOf(tensor);
  });
  if (scales == null || scales.length === 0) {
    throw new OnnxError(`The scale of the word embeddings, "${node.inputs[1]}", is not a constant in this model.`);
  }
  // Behind the lookup the last axis is still the column; an axis of rows can only be that of the table.
  const isByRow = scales.length === rows && (rows !== width || intAttribute(node, 'axis', 1) === 0);
  const at = (row: number, column: number): number => (scales.length === 1 ? 0 : isByRow ? row : column);
  return (stored, row, column) => {
    const index = at(row, column);
    return Math.fround((stored - (zeros?.[index] ?? 0)) * scales[index]!);
  };
}
