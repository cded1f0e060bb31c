import { jaccard } from './text-scan';

/** Of a text with more shingles only the least are kept: a sample of them, since they are hashes. */
const MOST_SHINGLES = 256;

/**
 * The shingles of the rows of a file whose texts are not kept, so that a row of another file can be compared with them: exactly, unless
 * both texts are long. Then it is estimated from the least shingles of either (bottom-k sketches, Cohen and Kaplan, PODC 2007).
 */
export class KeptShingles {
  #values = new Uint32Array(1024);
  #ends = new Uint32Array(64);
  #count = 0;

  /** Of the next row: ascending. */
  add(shingles: Uint32Array): void {
    const start = this.#endOf(this.#count - 1);
    const kept = Math.min(shingles.length, MOST_SHINGLES);
    if (start + kept > this.#values.length) this.#values = enlarged(this.#values, start + kept);
    if (this.#count === this.#ends.length) this.#ends = enlarged(this.#ends, this.#count + 1);
    this.#values.set(shingles.subarray(0, kept), start);
    this.#ends[this.#count++] = start + kept;
  }

  #endOf(row: number): number {
    return row === -1 ? 0 : this.#ends[row]!;
  }

  /** Jaccard similarity of a row's shingles and others, which are all there are of a text, ascending. */
  similarity(row: number, others: Uint32Array): number {
    const kept = this.#values.subarray(this.#endOf(row - 1), this.#endOf(row));
    if (kept.length < MOST_SHINGLES) return jaccard(kept, others);
    const limit = kept[MOST_SHINGLES - 1]!;
    let end = 0;
    while (end < others.length && others[end]! <= limit) end++;
    return jaccard(kept, others.subarray(0, end));
  }
}

function enlarged(values: Uint32Array<ArrayBuffer>, atLeast: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(atLeast, Math.ceil(values.length * 1.25)));
  larger.set(values);
  return larger;
}
