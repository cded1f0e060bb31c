import type { Example } from '../dataset';
import type { OtherSplit } from './file-check';
import { KeptShingles } from './kept-shingles';
import { RowFacts } from './row-facts';

/** Gathers what is kept of another split, row by row. */
export class SplitFacts {
  readonly #facts = new RowFacts();
  readonly #shingles = new KeptShingles();
  readonly #lines: number[] = [];

  /** `line`: where it starts, 0-based. Keeps nothing of the example itself. */
  add(example: Pick<Example, 'text' | 'spans' | 'aspect' | 'gold'>, line: number): void {
    this.#facts.add(example, (shingles) => this.#shingles.add(shingles));
    this.#lines.push(line);
  }

  finish(split: string, file: string): OtherSplit {
    return {
      split,
      file,
      facts: this.#facts,
      shingles: this.#shingles,
      rowCount: this.#lines.length,
      lines: Uint32Array.from(this.#lines),
    };
  }
}
