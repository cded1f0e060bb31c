import { type ColumnChunk, type FileMetaData, readOffsetIndex } from 'hyparquet';
import type { ByteSource } from './byte-source';

/**
 * Looks whether the pages of a Parquet file stand where their headers say, one behind the other: the library that reads them trusts their
 * lengths, and with a wrong one it would never end.
 */
export class PageChecks {
  readonly #metadata: FileMetaData;
  readonly #checked = new Set<ColumnChunk>();

  constructor(metadata: FileMetaData) {
    this.#metadata = metadata;
  }

  /**
   * Checks what holds the rows [start, end) of some columns; what was checked before is not looked at again.
   * @throws Error
   */
  async check(source: ByteSource, columns: readonly string[], start: number, end: number): Promise<void> {
    let first = 0;
    for (const group of this.#metadata.row_groups) {
      const next = first + Number(group.num_rows);
      if (first < end && next > start) {
        for (const chunk of group.columns) {
          const column = chunk.meta_data?.path_in_schema[0];
          if (column === undefined) throw new Error('a column has no name');
          if (this.#checked.has(chunk) || !columns.includes(column)) continue;
          await checkChunk(source, chunk, column);
          this.#checked.add(chunk);
        }
      }
      first = next;
    }
  }
}

/** A header holds little, and sometimes the least and the greatest text of its page. */
const HEADER_BYTES = [512, 65_536, 4_194_304];
/** Of all pages of a chunk; the library makes room for what a header says. */
const MAX_PAGE_BYTES = 2 ** 30;

async function checkChunk(source: ByteSource, chunk: ColumnChunk, column: string): Promise<void> {
  const meta = chunk.meta_data!;
  const begin = Number(meta.dictionary_page_offset || meta.data_page_offset);
  const size = Number(meta.total_compressed_size);
  const wrong = new Error(`the pages of column "${column}" do not stand where they should`);
  if (!(begin >= 4 && size >= 0 && begin + size <= source.size)) throw wrong;
  const end = begin + size;
  const values = Number(meta.num_values);
  /** Bytes of each page with its header, by where it begins. */
  const pages = new Map<number, number>();
  // As the library does, a last byte is not looked at.
  for (let at = begin; at < end - 1; ) {
    const header = await headerAt(source, at, end);
    if (header === null) throw wrong;
    const next = at + header.length + header.compressed;
    if (next > end || header.uncompressed > MAX_PAGE_BYTES || header.values > values) throw wrong;
    pages.set(at, next - at);
    at = next;
  }
  const { offset_index_offset: indexAt, offset_index_length: indexLength } = chunk;
  if (!indexAt || !indexLength) return;
  const bytes = await source.read(Number(indexAt), indexLength);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const { offset, compressed_page_size: length } of readOffsetIndex({ view, offset: 0 }).page_locations) {
    if (pages.get(Number(offset)) !== length) throw wrong;
  }
}

interface PageHeader {
  /** All in bytes. */
  length: number;
  uncompressed: number;
  compressed: number;
  values: number;
}

/** Null: no header of a page stands there. */
async function headerAt(source: ByteSource, at: number, end: number): Promise<PageHeader | null> {
  for (const wanted of HEADER_BYTES) {
    const bytes = await source.read(at, Math.min(wanted, end - at));
    const header = headerOf(new CompactReader(bytes));
    if (header !== null || bytes.length === end - at) return header;
  }
  return null;
}

function headerOf(reader: CompactReader): PageHeader | null {
  let fields: Fields;
  try {
    fields = reader.struct(0);
  } catch {
    return null;
  }
  const [type, uncompressed, compressed] = [1, 2, 3].map((id) => fields.get(id));
  const kinds = new Map([
    [0, 5],
    [2, 7],
    [3, 8],
  ]);
  const kind = typeof type === 'number' ? fields.get(kinds.get(type) ?? -1) : undefined;
  const values = kind instanceof Map ? kind.get(1) : undefined;
  const isLength = (value: unknown): value is number => typeof value === 'number' && value >= 0;
  if (!isLength(uncompressed) || !isLength(compressed) || !isLength(values)) return null;
  return { length: reader.offset, uncompressed, compressed, values };
}

interface Fields extends Map<number, number | Fields | null> {}

const MAX_DEPTH = 8;

/** Thrift's compact protocol: integers and structs by the number of their field; of other values only where they end. */
class CompactReader {
  readonly #bytes: Uint8Array;
  offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  struct(depth: number): Fields {
    if (depth > MAX_DEPTH) throw new RangeError('too deep');
    const fields: Fields = new Map();
    for (let id = 0; ; ) {
      const head = this.#byte();
      if ((head & 15) === 0) return fields;
      id = head >> 4 === 0 ? this.#zigzag() : id + (head >> 4);
      fields.set(id, this.#value(head & 15, depth));
    }
  }

  #value(type: number, depth: number): number | Fields | null {
    switch (type) {
      case 1:
      case 2:
        return null;
      case 4:
      case 5:
      case 6:
        return this.#zigzag();
      case 3:
        return this.#byte();
      case 7:
        return this.#skip(8);
      case 8:
        return this.#skip(this.#varint());
      case 9:
      case 10:
        return this.#list(depth);
      case 12:
        return this.struct(depth + 1);
      default:
        throw new RangeError('no such type');
    }
  }

  #list(depth: number): null {
    const head = this.#byte();
    const size = head >> 4 === 15 ? this.#varint() : head >> 4;
    const type = head & 15;
    // A truth value in a list takes a byte.
    for (let left = size; left > 0; left--) this.#value(type <= 2 ? 3 : type, depth);
    return null;
  }

  #skip(length: number): null {
    this.offset += length;
    if (this.offset > this.#bytes.length) throw new RangeError('cut off');
    return null;
  }

  #byte(): number {
    const byte = this.#bytes[this.offset++];
    if (byte === undefined) throw new RangeError('cut off');
    return byte;
  }

  #varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  #zigzag(): number {
    const value = this.#varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}
