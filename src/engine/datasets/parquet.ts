import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetRead, parquetSchema } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import type { ColumnChoice } from '../../protocol/dataset';
import type { ByteSource } from './byte-source';
import { entityCompanions } from './column-names';
import { SAMPLE_ROWS } from './columns';
import { NotADataset } from './dataset';
import type { DatasetSource } from './dataset-source';
import { DatasetDocument } from './document';
import type { Reading, Row } from './format';
import { type JsonRows, jsonRows } from './json-rows';
import { sampleJsonRow } from './json-sample';
import { cutLine } from './jsonl';
import { PAGE_EXAMPLES, type Page, type PagedFile, PageLines, type PagingOptions, PassCounts } from './page-index';
import { checkedMetadata, damaged, refuseUnreadable } from './parquet-damage';
import { PageChecks } from './parquet-pages';

/** Apache Parquet: its rows are read as JSON rows are, columns, nested fields and lists of tokens alike. */

/** Columns with more bytes a row than this (pictures, embeddings) are left out. */
const MAX_BYTES_A_ROW = 20_000;
/** Rows read at once: of small row groups many, of large ones a part. */
const LEAST_ROWS = 5_000;
const MOST_ROWS = 20_000;

/**
 * Opens a Parquet file in pages of rows.
 * @throws NotADataset; the signal's reason
 */
export async function openParquet(source: ByteSource, options: PagingOptions): Promise<PagedFile> {
  const { name, choice = null, signal, onProgress, pageExamples = PAGE_EXAMPLES } = options;
  const table = await openTable(source, name);
  const { rows, columns } = await sampled(table, source, name, choice);
  const counts = new PassCounts();
  for (const [start, end] of rowRanges(table.metadata)) {
    signal?.throwIfAborted();
    for (const line of await table.read(source, columns, start, end)) {
      const { examples, problems } = rows.read(line, 0, line.length);
      counts.add(examples, problems);
    }
    onProgress?.(Math.round((source.size * end) / table.rowCount), source.size);
  }
  const { candidates, confidence, detail } = rows;
  return {
    info: {
      format: 'parquet',
      formatDetail: `Parquet, ${detail}`,
      encoding: 'UTF-8',
      badBytes: 0,
      columns: rows.columns,
      confidence,
      candidates,
      exampleCount: counts.exampleCount,
      unreadableCount: counts.unreadableCount,
      findingCount: counts.findingCount,
      labels: counts.labels(),
      pageCount: Math.max(1, Math.ceil(table.rowCount / pageExamples)),
    },
    async readPage(from, index): Promise<Page> {
      const first = index * pageExamples;
      const lines = new PageLines(first);
      const read = await table.read(from, columns, first, Math.min(first + pageExamples, table.rowCount));
      for (const [offset, line] of read.entries()) {
        const { examples, problems } = rows.read(line, 0, line.length);
        const number = first + offset + 1;
        for (const problem of problems) lines.addProblem(problem, `Row ${number.toLocaleString('en-US')}`);
        for (const example of examples) lines.addExample({ ...example, id: example.id ?? String(number) });
      }
      return lines.finish();
    },
  };
}

/**
 * The rows of a Parquet file one after the other, without keeping them.
 * @throws NotADataset
 */
export async function* parquetRows(
  source: ByteSource,
  { name, choice = null }: { name: string; choice?: ColumnChoice | null },
): AsyncGenerator<Row, void, undefined> {
  const table = await openTable(source, name);
  const { rows, columns } = await sampled(table, source, name, choice);
  for (const [start, end] of rowRanges(table.metadata)) {
    for (const line of await table.read(source, columns, start, end)) yield rows.read(line, 0, line.length);
  }
}

/**
 * All of a Parquet file as one document: its rows as JSON, a row a line, of the columns that examples are made of.
 * @throws NotADataset
 */
export async function openParquetDocument(
  source: ByteSource,
  { name, choice = null, splits }: Pick<DatasetSource, 'name' | 'splits'> & { choice?: ColumnChoice | null },
): Promise<DatasetDocument> {
  const table = await openTable(source, name);
  const { rows, columns } = await sampled(table, source, name, choice);
  const lines: string[] = [];
  for (const [start, end] of rowRanges(table.metadata)) {
    for (const line of await table.read(source, columns, start, end)) lines.push(line);
  }
  const { candidates, confidence, detail, key, read } = rows;
  const reading: Reading = {
    format: 'parquet',
    confidence,
    detail: `Parquet, ${detail}`,
    columns: rows.columns,
    candidates,
    key,
    begin: () => ({ offset: 0, state: '' }),
    cut: cutLine,
    read,
  };
  return DatasetDocument.open({ name, text: lines.join('\n'), reading, ...(splits === undefined ? {} : { splits }) });
}

/** A file whose columns are known but not what they hold. */
interface Table {
  metadata: FileMetaData;
  rowCount: number;
  /** Those that may be read. */
  columns: string[];
  /**
   * The rows [start, end), each as a JSON object of the asked columns.
   * @throws NotADataset where the file is damaged
   */
  read(source: ByteSource, columns: readonly string[], start: number, end: number): Promise<string[]>;
}

async function openTable(source: ByteSource, name: string): Promise<Table> {
  await refuseUnreadable(source, name);
  try {
    const metadata = checkedMetadata(await parquetMetadataAsync(bufferOf(source)), name);
    const pages = new PageChecks(metadata);
    const rowCount = Number(metadata.num_rows);
    const classes = classNames(metadata);
    const sizes = columnSizes(metadata);
    const columns = parquetSchema(metadata)
      .children.map(({ element }) => element.name)
      .filter((column) => (sizes.get(column) ?? 0) <= MAX_BYTES_A_ROW * Math.max(1, rowCount));
    return {
      metadata,
      rowCount,
      columns,
      read: async (from, asked, rowStart, rowEnd) => {
        if (rowStart >= rowEnd || asked.length === 0) return [];
        let values: unknown[][] = [];
        try {
          await pages.check(from, asked, rowStart, rowEnd);
          await parquetRead({
            file: bufferOf(from),
            metadata,
            columns: [...asked],
            rowStart,
            rowEnd,
            compressors,
            useOffsetIndex: true,
            onComplete: (read) => {
              values = read;
            },
          });
        } catch (error) {
          throw damaged(name, error);
        }
        return values.map((row) => jsonRow(asked, row, classes));
      },
    };
  } catch (error) {
    throw damaged(name, error);
  }
}

/** What the columns hold, and those of them that examples are made of. */
async function sampled(
  table: Table,
  source: ByteSource,
  name: string,
  choice: ColumnChoice | null,
): Promise<{ rows: JsonRows; columns: string[] }> {
  const lines = await table.read(source, table.columns, 0, Math.min(SAMPLE_ROWS, table.rowCount));
  if (lines.length === 0) {
    throw new NotADataset(`${name} is a Parquet file without rows: there is nothing to classify. Open another file.`);
  }
  const sample = lines.map((line) => sampleJsonRow(line, 0, line.length).row);
  const rows = jsonRows(sample, choice, 'a Parquet table');
  if ('refusal' in rows) throw new NotADataset(rows.refusal, rows.candidates);
  const { text, gold, id, head, tail } = rows.columns;
  const names = [...new Set(sample.flatMap((row) => [...row.keys()]))];
  const companions = [head, tail].flatMap((entity) => {
    const { end, type } = entity === undefined ? { end: null, type: null } : entityCompanions(entity, names);
    return [end, type];
  });
  const used = [text, gold, id, head, tail, ...companions].filter((path) => path !== undefined && path !== null);
  const columns = table.columns.filter((column) =>
    used.some((path) => path === column || path.startsWith(`${column}.`)),
  );
  return { rows, columns };
}

/** Ranges of rows that are read at once, all rows in order: whole row groups as far as they are not too large. */
function rowRanges({ row_groups: groups }: FileMetaData): [number, number][] {
  const ranges: [number, number][] = [];
  let start = 0;
  let end = 0;
  for (const group of groups) {
    const groupEnd = end + Number(group.num_rows);
    if (groupEnd - start > MOST_ROWS && end > start) {
      ranges.push([start, end]);
      start = end;
    }
    end = groupEnd;
    for (; end - start > MOST_ROWS; start += MOST_ROWS) ranges.push([start, start + MOST_ROWS]);
    if (end - start >= LEAST_ROWS) {
      ranges.push([start, end]);
      start = end;
    }
  }
  if (end > start) ranges.push([start, end]);
  return ranges;
}

/** Compressed bytes of each column. */
function columnSizes({ row_groups: groups }: FileMetaData): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const { columns } of groups) {
    for (const { meta_data: meta } of columns) {
      const column = meta?.path_in_schema[0];
      if (column !== undefined) sizes.set(column, (sizes.get(column) ?? 0) + Number(meta?.total_compressed_size ?? 0));
    }
  }
  return sizes;
}

/** Hugging Face's datasets write labels as numbers, and what these are called beside the schema. */
function classNames({ key_value_metadata: pairs }: FileMetaData): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const written = pairs?.find(({ key }) => key === 'huggingface')?.value;
  if (written === undefined) return found;
  let features: unknown;
  try {
    features = (JSON.parse(written) as { info?: { features?: unknown } } | null)?.info?.features;
  } catch {
    // Only a hint, and a broken one.
    return found;
  }
  if (typeof features !== 'object' || features === null) return found;
  for (const [column, feature] of Object.entries(features)) {
    const { _type, names } = (feature ?? {}) as { _type?: unknown; names?: unknown };
    const isNames = Array.isArray(names) && names.every((each): each is string => typeof each === 'string');
    if (_type === 'ClassLabel' && isNames) found.set(column, names);
  }
  return found;
}

function jsonRow(columns: readonly string[], values: readonly unknown[], classes: Map<string, string[]>): string {
  const members = columns.map((column, index) => {
    const value = values[index];
    const names = classes.get(column);
    const number = typeof value === 'bigint' ? Number(value) : value;
    // A class of -1 means that there is no label.
    const named =
      names === undefined || typeof number !== 'number' ? value : number < 0 ? null : (names[number] ?? value);
    return `${JSON.stringify(column)}:${JSON.stringify(named, plainValue) ?? 'null'}`;
  });
  return `{${members.join(',')}}`;
}

/** For JSON.stringify: numbers of 64 bits, lists of numbers; bytes say nothing. */
function plainValue(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
  if (value instanceof Uint8Array) return null;
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return Array.from(value as Float64Array);
  return value;
}

/** As hyparquet reads files. */
function bufferOf(source: ByteSource): AsyncBuffer {
  return {
    byteLength: source.size,
    async slice(start, end = source.size) {
      const { buffer, byteOffset, byteLength } = await source.read(start, end - start);
      const isWhole = buffer instanceof ArrayBuffer && byteLength === buffer.byteLength;
      return isWhole ? buffer : (buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer);
    },
  };
}
