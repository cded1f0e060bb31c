/**
 * Shapes as far as they are known before anything runs. An axis is a number, or a name: two axes of one name have one length in
 * every run. An axis of which nothing is known gets a name of its own.
 */
export type Dim = number | string;
export type Shape = readonly Dim[];

/** What is known of a value. */
export interface Facts {
  /** TensorProto.DataType; 0: unknown. */
  elemType: number;
  /** Null: not even the rank. */
  shape: Shape | null;
  /** The entries of a small whole-number tensor (a shape, axes), each as an axis is known. Absent: not known. */
  content?: readonly Dim[];
}

export const unknownFacts: Facts = { elemType: 0, shape: null };

export function sameShape(a: Shape | null, b: Shape | null): boolean {
  return a !== null && b !== null && a.length === b.length && a.every((dim, axis) => dim === b[axis]);
}

/** The shape that operands broadcast to; `fresh` makes names. Where two names meet, either may be 1. */
export function broadcastShapes(shapes: readonly (Shape | null)[], fresh: () => string): Shape | null {
  let result: Shape = [];
  for (const shape of shapes) {
    if (shape === null) return null;
    const [long, short] = shape.length >= result.length ? [shape, result] : [result, shape];
    const offset = long.length - short.length;
    result = long.map((dim, axis) => (axis < offset ? dim : broadcastDims(dim, short[axis - offset]!, fresh)));
  }
  return result;
}

function broadcastDims(a: Dim, b: Dim, fresh: () => string): Dim {
  if (a === b || b === 1) return a;
  if (a === 1) return b;
  // A number above 1 beside a name: the name's axis has that length, or 1.
  if (typeof a === 'number') return a;
  return typeof b === 'number' ? b : fresh();
}

/** The axis counted from the front. */
export function axisFromFront(axis: number, rank: number): number {
  return axis < 0 ? axis + rank : axis;
}

/**
 * The axis that -1 stands for in a Reshape: all entries divided by those of the other axes. Names cancel; null where they do not
 * all.
 */
export function missingDim(from: Shape, others: readonly Dim[]): number | null {
  const names = from.filter((dim) => typeof dim === 'string');
  for (const dim of others) {
    if (typeof dim === 'number') continue;
    const at = names.indexOf(dim);
    if (at < 0) return null;
    names.splice(at, 1);
  }
  const product = (dims: readonly Dim[]): number =>
    dims.reduce((size: number, dim) => (typeof dim === 'number' ? size * dim : size), 1);
  const size = product(from) / product(others);
  return names.length === 0 && Number.isInteger(size) ? size : null;
}

/** As missingDim, where one name is left and the numbers agree: that name. */
export function missingName(from: Shape, others: readonly Dim[]): string | null {
  const left = from.filter((dim) => typeof dim === 'string');
  for (const dim of others) {
    if (typeof dim === 'number') continue;
    const at = left.indexOf(dim);
    if (at < 0) return null;
    left.splice(at, 1);
  }
  if (left.length !== 1) return null;
  return missingDim(from, [...others, left[0]!]) === 1 ? left[0]! : null;
}
