/** Where each position of an example's text stands in the document: through escapes, doubled quotes, markers and token lists. */

/**
 * Maps each position of an example's text to the document's characters. Offsets are UTF-16 code units, document offsets
 * relative to the record's start.
 *
 * The text is a row of *runs*, four numbers each: where the run starts in the text, where in the document, how many text
 * units one unit has, and how many document characters that unit takes. A run `1, 1` is copied character by character; `1, 6`
 * is a row of `\u00e9` escapes; `2, 12` of escaped surrogate pairs. A unit is never cut. Document characters between two runs
 * (markers) belong to no text. `runs` is null where the text stands in the document as it is.
 */
export interface OffsetMap {
  readonly textLength: number;
  /** Where the text's first position stands. */
  readonly documentStart: number;
  readonly runs: Uint16Array | Uint32Array | null;
}

/** The map of a text that stands in the document character by character. */
export function plainMap(textLength: number, documentStart: number): OffsetMap {
  return { textLength, documentStart, runs: null };
}

/** The last run that starts at or before `value`; `field` 0 looks in the text, 1 in the document. Runs are in order in both. */
function runAt(runs: Uint16Array | Uint32Array, value: number, field: 0 | 1): number {
  let low = 0;
  let high = runs.length / 4 - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (runs[middle * 4 + field]! <= value) low = middle;
    else high = middle - 1;
  }
  return low * 4;
}

/**
 * The document range of the text range [start, end): both clamped to the text, a unit that is cut is taken whole. An empty
 * range stays empty, before the characters that follow it.
 */
export function toDocument(map: OffsetMap, start: number, end: number): { start: number; end: number } {
  const from = Math.max(0, Math.min(start, map.textLength));
  const to = Math.max(from, Math.min(end, map.textLength));
  const { runs } = map;
  if (runs === null) return { start: map.documentStart + from, end: map.documentStart + to };
  if (from === to && from > 0 && from === map.textLength) {
    const at = unitEnd(runs, from);
    return { start: at, end: at };
  }
  const run = runAt(runs, from, 0);
  const first = runs[run + 1]! + Math.floor((from - runs[run]!) / runs[run + 2]!) * runs[run + 3]!;
  return { start: first, end: from === to ? first : unitEnd(runs, to) };
}

/** Where the unit that ends at (or is cut by) text position `end` > 0 ends in the document. */
function unitEnd(runs: Uint16Array | Uint32Array, end: number): number {
  const run = runAt(runs, end - 1, 0);
  return runs[run + 1]! + (Math.floor((end - 1 - runs[run]!) / runs[run + 2]!) + 1) * runs[run + 3]!;
}

/** The text position at a document offset: of the unit it stands in, else the nearest one. For hovers. */
export function toText(map: OffsetMap, offset: number): number {
  const { runs, textLength } = map;
  if (runs === null) return Math.max(0, Math.min(offset - map.documentStart, textLength));
  const run = runAt(runs, offset, 1);
  const start = runs[run]!;
  const stop = run + 4 < runs.length ? runs[run + 4]! : textLength;
  const units = Math.floor((offset - runs[run + 1]!) / runs[run + 3]!);
  return Math.max(start, Math.min(start + units * runs[run + 2]!, stop));
}

/** Builds a map from left to right. */
export class OffsetMapBuilder {
  readonly #documentStart: number;
  readonly #runs: number[] = [];
  #length = 0;
  /** Where the last run ends in the document. */
  #documentEnd = -1;

  /** `documentStart`: where the text begins; it is what an empty text maps to. */
  constructor(documentStart: number) {
    this.#documentStart = documentStart;
  }

  /** Text positions mapped so far. */
  get length(): number {
    return this.#length;
  }

  /** `length` text units that stand at `documentStart` as they are. */
  copy(length: number, documentStart: number): void {
    if (length > 0) this.#add(length, documentStart, 1, 1, length);
  }

  /** `textLength` text units, never cut, written as `documentLength` characters at `documentStart`. Both are above 0. */
  unit(textLength: number, documentStart: number, documentLength: number): void {
    this.#add(textLength, documentStart, textLength, documentLength, documentLength);
  }

  #add(length: number, start: number, unitText: number, unitDocument: number, documentLength: number): void {
    const runs = this.#runs;
    const last = runs.length;
    const goesOn =
      last > 0 && start === this.#documentEnd && runs[last - 2] === unitText && runs[last - 1] === unitDocument;
    if (!goesOn) runs.push(this.#length, start, unitText, unitDocument);
    this.#length += length;
    this.#documentEnd = start + documentLength;
  }

  finish(): OffsetMap {
    const runs = this.#runs;
    if (runs.length === 0) return plainMap(0, this.#documentStart);
    if (runs.length === 4 && runs[2] === 1 && runs[3] === 1) return plainMap(this.#length, runs[1]!);
    const small = this.#length <= 0xffff && this.#documentEnd <= 0xffff;
    return {
      textLength: this.#length,
      documentStart: runs[1]!,
      runs: small ? Uint16Array.from(runs) : Uint32Array.from(runs),
    };
  }
}
