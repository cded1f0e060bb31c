/** Where each position of an example's text stands in the document: through escapes, doubled quotes, markers and token lists. */

/**
 * Maps each position of an example's text to the document's characters. Offsets are UTF-16 code units, document offsets
 * relative to the record's start.
 *
 * The text is a row of *runs* of equal units. A unit is some text units that are written as some document characters and is
 * never cut: 1 as 1 is a text copied character by character, 1 as 6 a row of `\u00e9` escapes, 2 as 12 of escaped surrogate pairs.
 * Document characters between two runs (markers) belong to no text.
 *
 * There is a map for every example of a file, so it is small: `runs` is null where the text stands in the document as it is;
 * else it is a byte string (a character a byte), for each run four numbers: document characters skipped before it, how many units, text units of
 * one, document characters of one; seven bits a byte, lowest first, the eighth bit set where the number goes on.
 */
export interface OffsetMap {
  readonly textLength: number;
  /** Where the text begins: what an empty text maps to. */
  readonly documentStart: number;
  readonly runs: string | null;
}

/** The map of a text that stands in the document character by character. */
export function plainMap(textLength: number, documentStart: number): OffsetMap {
  return { textLength, documentStart, runs: null };
}

/** Reads the runs of a map one after the other. */
class RunReader {
  readonly #runs: string;
  #at = 0;
  /** The run that was read last. */
  textStart = 0;
  textEnd = 0;
  documentStart: number;
  documentEnd: number;
  #unitText = 1;
  #unitDocument = 1;

  constructor(map: OffsetMap, runs: string) {
    this.#runs = runs;
    this.documentStart = map.documentStart;
    this.documentEnd = map.documentStart;
  }

  /** False: there are no more, and the last run stays. */
  next(): boolean {
    if (this.#at >= this.#runs.length) return false;
    this.documentStart = this.documentEnd + this.#number();
    const units = this.#number();
    this.#unitText = this.#number();
    this.#unitDocument = this.#number();
    this.textStart = this.textEnd;
    this.textEnd = this.textStart + units * this.#unitText;
    this.documentEnd = this.documentStart + units * this.#unitDocument;
    return true;
  }

  #number(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#runs.charCodeAt(this.#at++);
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  /** Where the unit of a text position of this run starts in the document. */
  unitStart(position: number): number {
    return this.documentStart + Math.floor((position - this.textStart) / this.#unitText) * this.#unitDocument;
  }

  /** Where the unit that ends at, or is cut by, a text position of this run ends in the document. */
  unitEnd(position: number): number {
    return this.documentStart + Math.ceil((position - this.textStart) / this.#unitText) * this.#unitDocument;
  }

  /** Adds the units of this run's text range [from, to) to a map. */
  copyTo(builder: OffsetMapBuilder, from: number, to: number): void {
    if (this.#unitText === 1 && this.#unitDocument === 1) {
      builder.copy(to - from, this.unitStart(from));
      return;
    }
    for (let at = from; at < to; at += this.#unitText) {
      builder.unit(this.#unitText, this.unitStart(at), this.#unitDocument);
    }
  }

  /** The text position of the unit that a document offset of this run stands in. */
  textAt(offset: number): number {
    return this.textStart + Math.floor((offset - this.documentStart) / this.#unitDocument) * this.#unitText;
  }
}

/**
 * The document range of the text range [start, end): both clamped to the text, a unit that is cut is taken whole. An empty
 * range stays empty, before the characters that follow it.
 */
export function toDocument(map: OffsetMap, start: number, end: number): { start: number; end: number } {
  const from = Math.max(0, Math.min(start, map.textLength));
  const to = Math.max(from, Math.min(end, map.textLength));
  if (map.runs === null) return { start: map.documentStart + from, end: map.documentStart + to };
  const reader = new RunReader(map, map.runs);
  while (reader.next() && reader.textEnd <= from);
  const first = reader.unitStart(from);
  if (from === to) return { start: first, end: first };
  while (reader.textEnd < to && reader.next());
  return { start: first, end: reader.unitEnd(to) };
}

/** The text position at a document offset: of the unit it stands in, else the nearest one. For hovers. */
export function toText(map: OffsetMap, offset: number): number {
  if (map.runs === null) return Math.max(0, Math.min(offset - map.documentStart, map.textLength));
  const reader = new RunReader(map, map.runs);
  while (reader.next()) {
    if (offset < reader.documentStart) return reader.textStart;
    if (offset < reader.documentEnd) return reader.textAt(offset);
  }
  return map.textLength;
}

/**
 * The map of the text that is left when text ranges, in order and apart, are taken out. They may cut no unit.
 */
export function withoutRanges(map: OffsetMap, ranges: readonly { start: number; end: number }[]): OffsetMap {
  const first = ranges[0]?.start === 0 ? ranges[0].end : 0;
  const builder = new OffsetMapBuilder(toDocument(map, first, first).start);
  const reader = map.runs === null ? null : new RunReader(map, map.runs);
  let at = 0;
  for (const { start, end } of [...ranges, { start: map.textLength, end: map.textLength }]) {
    if (reader === null) {
      builder.copy(start - at, map.documentStart + at);
    } else {
      while (at < start) {
        while (reader.textEnd <= at && reader.next());
        const to = Math.min(start, reader.textEnd);
        reader.copyTo(builder, at, to);
        at = to;
      }
    }
    at = end;
  }
  return builder.finish();
}

/** Builds a map from left to right. */
export class OffsetMapBuilder {
  readonly #documentStart: number;
  readonly #bytes: number[] = [];
  #length = 0;
  /** Where the finished runs end in the document. */
  #written: number;
  /** The run that may still grow. */
  #runStart: number;
  #units = 0;
  #unitText = 1;
  #unitDocument = 1;
  #isPlain = true;

  /** `documentStart`: where the text begins. */
  constructor(documentStart: number) {
    this.#documentStart = documentStart;
    this.#written = documentStart;
    this.#runStart = documentStart;
  }

  /** Text positions mapped so far. */
  get length(): number {
    return this.#length;
  }

  /** `length` text units that stand at `documentStart` as they are. */
  copy(length: number, documentStart: number): void {
    if (length > 0) this.#add(length, documentStart, 1, 1);
  }

  /** `textLength` text units, never cut, written as `documentLength` characters at `documentStart`. Both are above 0. */
  unit(textLength: number, documentStart: number, documentLength: number): void {
    this.#add(1, documentStart, textLength, documentLength);
  }

  #add(units: number, start: number, unitText: number, unitDocument: number): void {
    const end = this.#runStart + this.#units * this.#unitDocument;
    if (this.#units > 0 && start === end && unitText === this.#unitText && unitDocument === this.#unitDocument) {
      this.#units += units;
    } else {
      this.#finishRun();
      this.#runStart = start;
      this.#units = units;
      this.#unitText = unitText;
      this.#unitDocument = unitDocument;
    }
    this.#length += units * unitText;
  }

  #finishRun(): void {
    if (this.#units === 0) return;
    const isCopy = this.#unitText === 1 && this.#unitDocument === 1;
    if (!isCopy || this.#runStart !== this.#written) this.#isPlain = false;
    this.#push(this.#runStart - this.#written);
    this.#push(this.#units);
    this.#push(this.#unitText);
    this.#push(this.#unitDocument);
    this.#written = this.#runStart + this.#units * this.#unitDocument;
  }

  #push(value: number): void {
    let left = value;
    for (; left >= 128; left = Math.floor(left / 128)) this.#bytes.push((left % 128) + 128);
    this.#bytes.push(left);
  }

  finish(): OffsetMap {
    this.#finishRun();
    this.#units = 0;
    if (this.#isPlain) return plainMap(this.#length, this.#documentStart);
    let runs = '';
    // In pieces: the number of a call's arguments is limited.
    for (let at = 0; at < this.#bytes.length; at += 4096) {
      const piece = this.#bytes.length <= 4096 ? this.#bytes : this.#bytes.slice(at, at + 4096);
      runs += String.fromCharCode.apply(null, piece);
    }
    return { textLength: this.#length, documentStart: this.#documentStart, runs };
  }
}
