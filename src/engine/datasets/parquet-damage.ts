import type { FileMetaData } from 'hyparquet';
import type { ByteSource } from './byte-source';
import { NotADataset } from './dataset';

/** Parquet files that cannot be read: how they are told, and what is said of them. */

const MAGIC = 'PAR1';
const ENCRYPTED_MAGIC = 'PARE';
/** The magic at both ends, and the length of the footer. */
const LEAST_BYTES = 12;

/** Whether a file is Parquet, be it damaged, cut off or encrypted. */
export async function isParquet(source: ByteSource): Promise<boolean> {
  if (!isMagic(await source.read(0, 4))) return false;
  if (source.size >= LEAST_BYTES && isMagic(await source.read(source.size - 4, 4))) return true;
  if (source.size < LEAST_BYTES) return true;
  // Behind the magic stands the header of a page, which begins with a control character, as no text does.
  const [next] = await source.read(4, 1);
  return next! < 0x20 && next !== 0x09 && next !== 0x0a && next !== 0x0d;
}

/** @throws NotADataset where the file's ends say that it cannot be read */
export async function refuseUnreadable(source: ByteSource, name: string): Promise<void> {
  const end = await source.read(Math.max(0, source.size - 8), 8);
  const magic = magicOf(end.subarray(4));
  if (source.size < LEAST_BYTES || !isMagic(end.subarray(4))) {
    throw new NotADataset(
      `${name} is a Parquet file that is cut off: the end, which says where its columns stand, is missing. Get it again.`,
    );
  }
  if (magic === ENCRYPTED_MAGIC) throw encrypted(name);
  const footerLength = new DataView(end.buffer, end.byteOffset).getUint32(0, true);
  if (footerLength === 0 || footerLength > source.size - LEAST_BYTES) {
    const why = `its footer is said to take ${footerLength.toLocaleString('en-US')} of the file's ${source.size.toLocaleString('en-US')} bytes`;
    throw damaged(name, new Error(why));
  }
}

/**
 * A footer that says of every row group how many rows it has, and of every column where it stands.
 * @throws NotADataset
 */
export function checkedMetadata(metadata: FileMetaData, name: string): FileMetaData {
  const { schema, row_groups: groups, num_rows: rowCount } = metadata;
  const isCount = (value: unknown) => typeof value === 'bigint' && value >= 0n && value <= Number.MAX_SAFE_INTEGER;
  if (!Array.isArray(schema) || schema.length === 0 || !Array.isArray(groups) || !isCount(rowCount)) {
    throw damaged(name, new Error('its footer holds no columns and rows'));
  }
  let rows = 0n;
  for (const { num_rows: count, columns } of groups) {
    if (!isCount(count) || !Array.isArray(columns))
      throw damaged(name, new Error('its footer holds no columns and rows'));
    if (columns.some((column) => column.crypto_metadata !== undefined)) throw encrypted(name);
    rows += count;
  }
  if (rows !== rowCount) {
    throw damaged(name, new Error(`its footer says ${rowCount} rows, its row groups ${rows}`));
  }
  return metadata;
}

function encrypted(name: string): NotADataset {
  return new NotADataset(
    `${name} is an encrypted Parquet file. Write it without encryption, with the tool that has its key, and open that.`,
  );
}

/** What to say of an error that a damaged file made; one that says itself what it is stays. */
export function damaged(name: string, error: unknown): NotADataset {
  if (error instanceof NotADataset) return error;
  // What JavaScript says of the reader's own values , or that there is none, means nothing to a person.
  const isOwn = error instanceof Error && error.constructor === Error && !/undefined|null|NaN/.test(error.message);
  const reason = isOwn ? error.message.replace(/^parquet (file )?/, '') : 'it holds what no Parquet file does';
  return new NotADataset(
    `${name} is a Parquet file that cannot be read (${reason}). It is damaged: get it again, or write it anew with another tool.`,
  );
}

function isMagic(bytes: Uint8Array): boolean {
  const magic = magicOf(bytes);
  return magic === MAGIC || magic === ENCRYPTED_MAGIC;
}

function magicOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
