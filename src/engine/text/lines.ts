import type { Position } from '../../protocol/dataset';

const LF = 10;
const CR = 13;

/** Where the line that holds `offset` ends: before its \n, \r\n or \r, or at the text's end. */
export function lineEnd(text: string, offset: number): number {
  let at = offset;
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === LF || unit === CR) break;
  }
  return at;
}

/** The start of the next line, given where a line ends (`lineEnd`). The text's length if there is none. */
export function afterLineBreak(text: string, end: number): number {
  if (text.charCodeAt(end) === CR && text.charCodeAt(end + 1) === LF) return end + 2;
  return Math.min(end + 1, text.length);
}

/** Adds the starts of the lines that begin in (from, to] to `starts`. */
function findLineStarts(text: string, from: number, to: number, starts: number[]): void {
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at);
    if (unit === LF || (unit === CR && text.charCodeAt(at + 1) !== LF)) starts.push(at + 1);
  }
}

/** The lines of a text, as VS Code counts them: they end at \n, \r\n or \r, and a text that ends so has an empty last line. */
export class LineIndex {
  readonly #text: string;
  readonly #starts: Uint32Array;

  private constructor(text: string, starts: Uint32Array) {
    this.#text = text;
    this.#starts = starts;
  }

  static of(text: string): LineIndex {
    const starts = [0];
    findLineStarts(text, 0, text.length, starts);
    return new LineIndex(text, Uint32Array.from(starts));
  }

  /**
   * The index of `text`, which is this index's text with [start, oldEnd) replaced by what now stands at [start, newEnd).
   * Only the lines of that range are looked for.
   */
  edited(text: string, start: number, oldEnd: number, newEnd: number): LineIndex {
    const old = this.#starts;
    // One line earlier than needed: a \r before the change may have lost or got its \n.
    const firstLine = this.lineAt(Math.max(0, start - 1));
    const found: number[] = [];
    findLineStarts(text, old[firstLine]!, newEnd, found);
    const keptAfter = this.lineAt(oldEnd) + 1;
    const starts = new Uint32Array(firstLine + 1 + found.length + old.length - keptAfter);
    starts.set(old.subarray(0, firstLine + 1));
    starts.set(found, firstLine + 1);
    const shift = newEnd - oldEnd;
    let to = firstLine + 1 + found.length;
    for (let line = keptAfter; line < old.length; line++) starts[to++] = old[line]! + shift;
    return new LineIndex(text, starts);
  }

  get lineCount(): number {
    return this.#starts.length;
  }

  /** The offset of a line's first character; clamped to the lines there are. */
  lineStart(line: number): number {
    return this.#starts[Math.max(0, Math.min(line, this.#starts.length - 1))]!;
  }

  /** The position of an offset, clamped to the text. */
  position(offset: number): Position {
    const at = Math.max(0, Math.min(offset, this.#text.length));
    const line = this.lineAt(at);
    return { line, char: at - this.#starts[line]! };
  }

  /** The offset of a position: a line past the end is the text's end, a character past a line's end that line's end. */
  offset(position: Position): number {
    if (position.line < 0) return 0;
    if (position.line >= this.#starts.length) return this.#text.length;
    const start = this.#starts[position.line]!;
    return Math.min(start + Math.max(0, position.char), this.#contentEnd(position.line));
  }

  /** Where a line's content ends, before its line break. */
  #contentEnd(line: number): number {
    if (line + 1 >= this.#starts.length) return this.#text.length;
    const next = this.#starts[line + 1]!;
    return this.#text.charCodeAt(next - 1) === LF && this.#text.charCodeAt(next - 2) === CR ? next - 2 : next - 1;
  }

  /** The line of an offset, clamped to the lines there are. */
  lineAt(offset: number): number {
    const starts = this.#starts;
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
