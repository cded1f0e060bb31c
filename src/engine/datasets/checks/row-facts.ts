import type { Example } from '../dataset';

/**
 * What the checks of a whole file keep of a row, in typed arrays: a slot a row. A slot that is given up is used again, so an edit
 * costs only the rows it changes.
 */
export class RowFacts {
  readonly #free: number[] = [];
  #count = 0;

  /** Returns the slot. */
  add(_example: Example): number {
    return this.#free.pop() ?? this.#count++;
  }

  remove(slot: number): void {
    this.#free.push(slot);
  }
}
