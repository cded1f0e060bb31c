import type { ColumnChoice, Position } from '../../protocol/dataset';
import type { ByteSource } from './byte-source';
import type { Companion } from './companions';
import { ENCODING_PROBE_BYTES, type Encoding, findEncoding } from './decoding';
import { detecting } from './detection';
import { type Cut, noProblems, type Place, problemAt, type Reading, type Row } from './format';
import { CHUNK_BYTES, type TextPlace, TextWindow } from './text-window';

/** Reads a file of any size record by record, through a window that moves over it. */

export interface StreamOptions {
  /** For messages, and for formats whose label the file's name tells. */
  name: string;
  /** The columns a person chose; without it they are detected. */
  choice?: ColumnChoice | null;
  companions?: readonly Companion[];
  /** Bytes that are read at once; 8 or more. */
  chunkBytes?: number;
}

/** A place in a file from which its records can be read, without what stands before. */
export interface RecordPlace extends TextPlace {
  /** Of the format's cuts. */
  readonly state: string;
  readonly position: Position;
}

export interface StreamedRecord {
  /** Where it was cut from, in the batch's text. */
  readonly from: Place;
  readonly cut: Cut;
  readonly row: Row;
}

/** Records that were read from one stand of the window. Valid until the next batch is asked for. */
export interface Batch {
  readonly records: readonly StreamedRecord[];
  /** The window's text. Strings of the rows may be slices of it: who keeps one keeps all of it, unless copied (`detached`). */
  readonly text: string;
  /** Of the file, up to the end of the window. */
  readonly bytesRead: number;
  readonly badBytes: number;
  /** The place that a record was cut from. Cheap when asked for in order, as positions. */
  placeOf(record: StreamedRecord): RecordPlace;
  /** The position of an offset of the text, as an editor that shows the whole file would count. */
  positionOf(offset: number): Position;
}

export interface ReadOptions {
  from?: RecordPlace;
  /** Checked between two pieces: rejects with its reason. */
  signal?: AbortSignal;
  onProgress?(bytesRead: number, size: number): void;
}

/** A file whose encoding, format and columns are known. */
export interface DatasetStream {
  readonly encoding: Encoding;
  readonly reading: Reading;
  /** Where its first record is looked for. */
  readonly begin: RecordPlace;
  /** All records from a place on, in batches. `again`: the same file, where it was closed meanwhile. */
  read(options?: ReadOptions, again?: ByteSource): AsyncGenerator<Batch, void, undefined>;
}

/** A record longer than this ends the reading: a JavaScript string holds little more. */
const MAX_RECORD_UNITS = 250_000_000;

/** Nothing has been asked for yet. */
const noHead = { text: '', isWhole: false };

/**
 * Finds out how a file is read.
 * @throws NotADataset
 */
export async function openStream(source: ByteSource, options: StreamOptions): Promise<DatasetStream> {
  const { name, choice = null, companions = [], chunkBytes = CHUNK_BYTES } = options;
  const encoding = findEncoding(await source.read(0, ENCODING_PROBE_BYTES), name);
  const start: RecordPlace = { byte: encoding.markLength, units: 0, state: '', position: { line: 0, char: 0 } };
  const head = await TextWindow.open(source, encoding, start, chunkBytes);
  const detection = detecting({ name, companions }, choice);
  let step = detection.next(noHead);
  while (step.done !== true) {
    const wanted = Math.min(step.value, MAX_RECORD_UNITS);
    while (head.text.length < wanted && !head.isAtEnd) await head.grow();
    step = detection.next({ text: head.text, isWhole: head.isAtEnd });
  }
  const { reading } = step.value;
  const place = reading.begin(head.text);
  const position = new PositionCounter(start.position).at(head.text, place.offset);
  const begin: RecordPlace = { ...head.placeAt(place.offset), state: place.state, position };
  return {
    encoding,
    reading,
    begin,
    read: (asked = {}, again = source) => readBatches(again, encoding, reading, asked.from ?? begin, asked, chunkBytes),
  };
}

async function* readBatches(
  source: ByteSource,
  encoding: Encoding,
  reading: Reading,
  from: RecordPlace,
  { signal, onProgress }: ReadOptions,
  chunkBytes: number,
): AsyncGenerator<Batch, void, undefined> {
  const window = await TextWindow.open(source, encoding, from, chunkBytes);
  const counter = new PositionCounter(from.position);
  let place: Place = { offset: 0, state: from.state };
  for (;;) {
    signal?.throwIfAborted();
    const { text } = window;
    const records: StreamedRecord[] = [];
    let isFinished = false;
    for (;;) {
      const cut = reading.cut(text, place);
      // The text behind the window may decide otherwise.
      if (!window.isAtEnd && (cut === null || cut.looked >= text.length)) break;
      if (cut === null) {
        isFinished = true;
        break;
      }
      const row = cut.start === cut.end ? emptyRow : reading.read(text, cut.start, cut.end, place.state);
      records.push({ from: place, cut, row });
      place = cut.next;
    }
    if (text.length - place.offset > MAX_RECORD_UNITS && !isFinished) {
      records.push(endless(place));
      isFinished = true;
    }
    onProgress?.(window.bytesRead, source.size);
    if (records.length > 0) {
      yield {
        records,
        text,
        bytesRead: window.bytesRead,
        badBytes: window.badBytes,
        placeOf: ({ from: { offset, state } }) => ({
          ...window.placeAt(offset),
          state,
          position: counter.at(text, offset),
        }),
        positionOf: (offset) => counter.at(text, offset),
      };
    }
    if (isFinished) return;
    counter.forget(text, place.offset);
    window.forget(place.offset);
    place = { offset: 0, state: place.state };
    await window.grow();
  }
}

const emptyRow: Row = { examples: [], problems: noProblems };

function endless(from: Place): StreamedRecord {
  const message = `The row that begins here does not end within ${MAX_RECORD_UNITS / 1_000_000} million characters: reading ends here.`;
  const problem = problemAt('assay/unreadable-row', message, 0, 1);
  const cut = { start: from.offset, end: from.offset, next: from, looked: from.offset, problem };
  return { from, cut, row: emptyRow };
}

/** Counts lines as an editor does, from one offset to the next. */
class PositionCounter {
  /** Of the text's start. */
  #start: Position;
  #line = 0;
  #char = 0;
  #offset = 0;

  constructor(start: Position) {
    this.#start = start;
    this.#rewind();
  }

  #rewind(): void {
    this.#line = this.#start.line;
    this.#char = this.#start.char;
    this.#offset = 0;
  }

  at(text: string, offset: number): Position {
    if (offset < this.#offset) this.#rewind();
    for (let at = this.#offset; at < offset; at++) {
      const unit = text.charCodeAt(at);
      if (unit === 10 || (unit === 13 && text.charCodeAt(at + 1) !== 10)) {
        this.#line++;
        this.#char = 0;
      } else {
        this.#char++;
      }
    }
    this.#offset = offset;
    return { line: this.#line, char: this.#char };
  }

  /** The text before an offset goes: the offset becomes 0. */
  forget(text: string, offset: number): void {
    this.#start = this.at(text, offset);
    this.#rewind();
  }
}

/** A copy that keeps nothing else in memory: a string cut from a text keeps all of that text. */
export function detached(text: string): string {
  return ` ${text}`.slice(1);
}
