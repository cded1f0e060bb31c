import type { ByteSource } from './byte-source';
import { decodePart, type Encoding, wholeCharacters } from './decoding';

/** A place in a file's text, such that reading can begin there without what stands before. */
export interface TextPlace {
  /** Where bytes begin that can be decoded by themselves. */
  readonly byte: number;
  /** From there, in UTF-16 code units of the decoded text. */
  readonly units: number;
}

/** So much is read at once: the reader answers others between two such pieces. */
export const CHUNK_BYTES = 1024 * 1024;

/** A stretch of a file's text. It moves over the file: forgets at its start, reads on at its end. */
export class TextWindow {
  readonly #source: ByteSource;
  readonly #encoding: Encoding;
  readonly #chunkBytes: number;
  /** Where each piece of `text` comes from; the first may begin before it. */
  #pieces: { byte: number; at: number }[] = [];
  #nextByte: number;
  #text = '';
  #badBytes = 0;

  private constructor(source: ByteSource, encoding: Encoding, byte: number, chunkBytes: number) {
    this.#source = source;
    this.#encoding = encoding;
    this.#nextByte = byte;
    this.#chunkBytes = chunkBytes;
  }

  /** A window that begins at a place; it is empty at first, or holds a piece. */
  static async open(
    source: ByteSource,
    encoding: Encoding,
    from: TextPlace,
    chunkBytes = CHUNK_BYTES,
  ): Promise<TextWindow> {
    const window = new TextWindow(source, encoding, from.byte, chunkBytes);
    while (window.#text.length < from.units && !window.isAtEnd) await window.grow();
    window.forget(from.units);
    return window;
  }

  get text(): string {
    return this.#text;
  }

  /** The file ends where the text does. */
  get isAtEnd(): boolean {
    return this.#nextByte >= this.#source.size;
  }

  /** Bytes of the file up to the end of the window. */
  get bytesRead(): number {
    return Math.min(this.#nextByte, this.#source.size);
  }

  /** Bad bytes of all that was read so far. */
  get badBytes(): number {
    return this.#badBytes;
  }

  /** Reads on: a piece, or as much as the window holds already, so that a long record is not looked through too often. */
  async grow(): Promise<void> {
    const asked = Math.max(this.#chunkBytes, this.#text.length);
    let bytes = await this.#source.read(this.#nextByte, asked);
    // The file has become shorter since its size was asked for.
    const isLast = bytes.length === 0 || this.#nextByte + bytes.length >= this.#source.size;
    if (!isLast) bytes = bytes.subarray(0, wholeCharacters(this.#encoding, bytes));
    const { text, badBytes } = decodePart(this.#encoding, bytes);
    this.#pieces.push({ byte: this.#nextByte, at: this.#text.length });
    this.#text += text;
    this.#badBytes += badBytes;
    this.#nextByte = isLast ? Number.POSITIVE_INFINITY : this.#nextByte + bytes.length;
  }

  /** Forgets the text before an offset, which becomes offset 0. */
  forget(offset: number): void {
    const kept = this.#pieces.findLastIndex(({ at }) => at <= offset);
    if (kept > 0) this.#pieces.splice(0, kept);
    for (const piece of this.#pieces) piece.at -= offset;
    this.#text = this.#text.slice(offset);
  }

  /** The place of an offset of the text. */
  placeAt(offset: number): TextPlace {
    const piece = this.#pieces.findLast(({ at }) => at <= offset);
    return piece === undefined ? { byte: this.#nextByte, units: 0 } : { byte: piece.byte, units: offset - piece.at };
  }
}
