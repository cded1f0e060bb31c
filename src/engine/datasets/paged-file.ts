import { lineEnd } from '../text/lines';
import type { ByteSource } from './byte-source';
import { indexPages, type PagedFile, type PagingOptions } from './page-index';
import { isParquet } from './parquet-damage';
import { openStream, type StreamOptions } from './stream';

/** Files that no editor can show as they are, in pages. */

/** VS Code hands no larger document to an extension. */
const MAX_DOCUMENT_BYTES = 50 * 1024 * 1024;
/** Longer lines are not drawn to their end, far from it. */
const MAX_LINE_UNITS = 100_000;

/**
 * Opens any file in pages.
 * @throws NotADataset; the signal's reason
 */
export async function openPaged(source: ByteSource, options: PagingOptions): Promise<PagedFile> {
  const parquet = await parquetReader(source);
  return parquet === null ? indexPages(source, options) : parquet.openParquet(source, options);
}

/** Why a file is to be shown in pages; null if an editor can show it. */
export async function whyPaged(
  source: ByteSource,
  options: StreamOptions,
): Promise<'size' | 'parquet' | 'longLines' | null> {
  if ((await parquetReader(source)) !== null) return 'parquet';
  if (source.size > MAX_DOCUMENT_BYTES) return 'size';
  if (source.size <= MAX_LINE_UNITS) return null;
  const stream = await openStream(source, options);
  let first: number | null = null;
  for await (const { records, text, positionOf } of stream.read()) {
    for (const { cut } of records) {
      const { line } = positionOf(cut.start);
      // Rows that share a line that is long can be seen only as lines of their own.
      if (first !== null) return line === first ? 'longLines' : null;
      if (lineEnd(text, cut.start) - cut.start <= MAX_LINE_UNITS) return null;
      first = line;
    }
  }
  return null;
}

/** What reads Parquet, if a file is that: it is loaded only for files that need it. */
export async function parquetReader(source: ByteSource): Promise<typeof import('./parquet') | null> {
  return (await isParquet(source)) ? import('./parquet') : null;
}
