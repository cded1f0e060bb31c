/** Rows sorted by a key of 32 bits, so that rows with the same key stand together, in their order. */

const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;
/** Rows between two yields. */
const SLICE_ROWS = 32_768;

/** Sorts again and again in the same memory: 16 bytes a row. Least significant digit first, which moves rows in long runs. */
export class Buckets {
  #keys: Uint32Array;
  #rows: Int32Array;
  #otherKeys: Uint32Array;
  #otherRows: Int32Array;
  readonly #starts = new Uint32Array(DIGITS);

  constructor(most: number) {
    this.#keys = new Uint32Array(most);
    this.#rows = new Int32Array(most);
    this.#otherKeys = new Uint32Array(most);
    this.#otherRows = new Int32Array(most);
  }

  /** The rows by their keys (`keyAt`: of the row at a place), ascending; as many as there are members. Valid until the next ones. */
  *fill(
    members: Int32Array,
    keyAt: (place: number) => number,
  ): Generator<void, { keys: Uint32Array; rows: Int32Array }> {
    const { length } = members;
    for (let at = 0; at < length; at++) {
      this.#keys[at] = keyAt(at);
      this.#rows[at] = members[at]!;
      if (at % SLICE_ROWS === SLICE_ROWS - 1) yield;
    }
    for (let shift = 0; shift < 32; shift += DIGIT_BITS) {
      this.#countDigits(length, shift);
      yield;
      for (let from = 0; from < length; from += SLICE_ROWS) {
        this.#move(from, Math.min(from + SLICE_ROWS, length), shift);
        yield;
      }
      [this.#keys, this.#otherKeys] = [this.#otherKeys, this.#keys];
      [this.#rows, this.#otherRows] = [this.#otherRows, this.#rows];
    }
    return { keys: this.#keys, rows: this.#rows };
  }

  /** Where the rows of each digit begin. */
  #countDigits(length: number, shift: number): void {
    const starts = this.#starts.fill(0);
    const keys = this.#keys;
    for (let at = 0; at < length; at++) starts[(keys[at]! >>> shift) & (DIGITS - 1)]!++;
    let sum = 0;
    for (let digit = 0; digit < DIGITS; digit++) {
      const count = starts[digit]!;
      starts[digit] = sum;
      sum += count;
    }
  }

  #move(from: number, end: number, shift: number): void {
    const starts = this.#starts;
    const [keys, rows, toKeys, toRows] = [this.#keys, this.#rows, this.#otherKeys, this.#otherRows];
    for (let at = from; at < end; at++) {
      const key = keys[at]!;
      const to = starts[(key >>> shift) & (DIGITS - 1)]!++;
      toKeys[to] = key;
      toRows[to] = rows[at]!;
    }
  }
}
