import type { TextChange } from '../../protocol/dataset';
import type { LineIndex } from '../text/lines';

/** A change in offsets of the text before it. */
export interface OffsetChange {
  start: number;
  /** Exclusive. */
  end: number;
  text: string;
}

/** The changes of one edit in offsets, in order. They do not overlap. */
export function offsetChanges(changes: readonly TextChange[], lines: LineIndex): OffsetChange[] {
  return changes
    .map(({ range, text }) => ({
      start: lines.offset({ line: range.startLine, char: range.startChar }),
      end: lines.offset({ line: range.endLine, char: range.endChar }),
      text,
    }))
    .sort((a, b) => a.start - b.start || a.end - b.end);
}

export function applyChanges(text: string, changes: readonly OffsetChange[]): string {
  let result = '';
  let at = 0;
  for (const change of changes) {
    result += text.slice(at, change.start) + change.text;
    at = change.end;
  }
  return result + text.slice(at);
}

/** How much longer the text becomes. */
export function growth(changes: readonly OffsetChange[]): number {
  return changes.reduce((sum, change) => sum + change.text.length - (change.end - change.start), 0);
}

/** Walks the changes from left to right, telling where old offsets have come to stand. */
export class ChangeCursor {
  readonly #changes: readonly OffsetChange[];
  #index = 0;
  #shift = 0;

  constructor(changes: readonly OffsetChange[]) {
    this.#changes = changes;
  }

  /**
   * Where the character at an old offset stands now; null if it was replaced. Old offsets must be asked for in order. What is inserted at
   * an offset stands before it.
   */
  newOffset(old: number): number | null {
    let change = this.#changes[this.#index];
    while (change !== undefined && change.end <= old) {
      this.#shift += change.text.length - (change.end - change.start);
      change = this.#changes[++this.#index];
    }
    return change !== undefined && change.start < old ? null : old + this.#shift;
  }

  /** Whether all changes stand before the offset last asked for. */
  get isAtEnd(): boolean {
    return this.#index === this.#changes.length;
  }

  /** Whether the text up to and including `old` is as it was, from the offset last asked for on. */
  isUntouchedUpTo(old: number): boolean {
    const change = this.#changes[this.#index];
    return change === undefined || change.start > old;
  }
}
