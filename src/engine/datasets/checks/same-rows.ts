import type { Example } from '../dataset';
import type { CheckedFile } from './file-check';

/** Rows between two yields, of work that takes a fraction of a microsecond a row. */
export const SLICE_ROWS = 8192;

/** For each row the number of the first row with the same text and entities; its own, if it is the first. */
export function* firstSameRows({ slots, facts }: Pick<CheckedFile, 'slots' | 'facts'>): Generator<void, Int32Array> {
  const first = new Int32Array(slots.length);
  const places = new RowTable(slots.length);
  for (let row = 0; row < slots.length; row++) {
    const slot = slots[row]!;
    const place = places.find(facts.identityHash(slot), (other) => facts.isSame(slot, slots[other]!));
    const known = places.rowAt(place);
    if (known === -1) places.set(place, row);
    first[row] = known === -1 ? row : known;
    if (row % SLICE_ROWS === SLICE_ROWS - 1) yield;
  }
  return first;
}

/** Rows by a hash: open addressing, half full at most. */
export class RowTable {
  readonly #rows: Int32Array;
  readonly #mask: number;

  constructor(rowCount: number) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(2, rowCount * 2)));
    this.#rows = new Int32Array(size).fill(-1);
    this.#mask = size - 1;
  }

  /** The place of the row that is the same, or the free one where it would stand. */
  find(hash: number, isSame: (row: number) => boolean): number {
    let place = hash & this.#mask;
    for (;;) {
      const row = this.#rows[place]!;
      if (row === -1 || isSame(row)) return place;
      place = (place + 1) & this.#mask;
    }
  }

  /** -1: it is free. */
  rowAt(place: number): number {
    return this.#rows[place]!;
  }

  set(place: number, row: number): void {
    this.#rows[place] = row;
  }
}

/** Whether two examples judge one text of the file, and not two that are alike. A record may hold many texts (a JSON object of columns). */
export function isOneText(example: Example, other: Example): boolean {
  return example.record === other.record && example.textField.start === other.textField.start;
}

/** Whether a row's record holds other examples: removing it would remove those. */
export function sharesRecord(examples: readonly Example[], row: number): boolean {
  const { record } = examples[row]!;
  return examples[row - 1]?.record === record || examples[row + 1]?.record === record;
}

/** What is the same of rows that are: for messages. */
export function textWithEntities(example: Example): string {
  if (example.spans !== null) return 'text with the same entities';
  return example.aspect === null ? 'text' : 'text with the same aspect';
}
