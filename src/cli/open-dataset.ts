import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { byteSource } from '../engine/datasets/byte-source';
import { readCompanions } from '../engine/datasets/companion-files';
import type { Companion } from '../engine/datasets/companions';
import { type Example, NotADataset } from '../engine/datasets/dataset';
import { DatasetDocument } from '../engine/datasets/document';
import { parseLabelNames } from '../engine/datasets/label-names';
import { parquetReader } from '../engine/datasets/paged-file';
import { splitsBeside } from '../engine/datasets/splits-beside';
import type { ColumnChoice } from '../protocol/dataset';
import { type ColumnArguments, mergeColumns } from './columns';
import { type CliIo, InputError } from './io';

/** What a command line says of how a file is to be read. */
export interface ReadingArguments {
  /** They stand in the place of the detected ones. */
  columns: ColumnArguments | null;
  /** A file that says what labels are called. */
  labels: string | null;
}

/** What a verb's help says of the option. */
export const labelsHelp = `  --labels MAP.json  what labels that are ids are called, {"P177": "crosses"} or {"P177": ["crosses", "what it means"]};
                     without it a file beside FILE such as pid2name.json or rel_info.json is taken`;

/** Reads and understands a file, with the files beside it that say more of it. Throws InputError. */
export async function openDataset(
  file: string,
  { columns, labels }: ReadingArguments,
  io: CliIo,
): Promise<DatasetDocument> {
  const absolute = path.resolve(io.workingFolder, file);
  const bytes = await readInput(absolute, file);
  const name = path.basename(file);
  const splits = await splitsBeside(absolute);
  const named = labels === null ? [] : [await readLabelNames(labels, io)];
  const companions = [...named, ...(await readCompanions(absolute))];
  const source = byteSource(bytes);
  const parquet = await parquetReader(source);
  const openWith = async (choice: ColumnChoice | null) =>
    parquet !== null
      ? parquet.openParquetDocument(source, { name, splits, choice })
      : DatasetDocument.open({ name, bytes, splits, companions, ...(choice === null ? {} : { choice }) });
  try {
    const detected = await openWith(null).catch((error: unknown) => {
      // Detection may fail where the command line names the columns: then that is no error yet.
      if (error instanceof NotADataset && columns !== null) return null;
      throw error;
    });
    if (columns === null && detected !== null) return detected;
    return await openWith(mergeColumns(detected?.info.columns ?? null, columns ?? {}));
  } catch (error) {
    // The editor's command is an option here.
    if (error instanceof NotADataset) {
      throw new InputError(`${file}: ${error.message.replaceAll('Choose Columns', '--columns')}`);
    }
    const isTooLong = error instanceof RangeError && /string length/i.test(error.message);
    if (isTooLong || (error as NodeJS.ErrnoException).code === 'ERR_STRING_TOO_LONG') {
      throw new InputError(`${file} is too long to be read as one text. Split it into several files.`);
    }
    throw error;
  }
}

/** Those whose record stands on a line, counted from 1. */
export function onLine(dataset: DatasetDocument, line: number): Example[] {
  return dataset.examples.filter((example) => {
    const { startLine, endLine } = dataset.recordRange(example);
    return startLine < line && line <= endLine + 1;
  });
}

async function readLabelNames(file: string, io: CliIo): Promise<Companion> {
  const bytes = await readInput(path.resolve(io.workingFolder, file), file);
  const text = new TextDecoder().decode(bytes);
  if (parseLabelNames(text) === null) {
    throw new InputError(
      `${file} does not name labels: --labels takes a JSON object of names by id, such as {"P177": "crosses"}.`,
    );
  }
  return { name: path.basename(file), text, chosen: true };
}

/** A file's bytes. Throws InputError, which names it as the person did. */
export async function readInput(file: string, shownName: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === 'EISDIR' ? await reasonOfFolder(file) : reasonOf(error as NodeJS.ErrnoException);
    throw new InputError(`${shownName}: ${reason}`);
  }
}

const textFile = /\.txt$/i;
/** Folders that are looked into, and named. */
const MAX_FOLDERS = 20;
const SHOWN_FOLDERS = 4;

/** A folder whose folders are labels, with a file a text in them, is a dataset, but none that is read. */
async function reasonOfFolder(folder: string): Promise<string> {
  const plain = 'this is a folder, not a dataset file. Name a file in it.';
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).slice(0, MAX_FOLDERS);
    const labels: string[] = [];
    for (const { name } of folders) {
      const files = await readdir(path.join(folder, name));
      if (files.filter((each) => textFile.test(each)).length > 1) labels.push(name);
    }
    if (labels.length < 2) return plain;
    const names = `${labels.slice(0, SHOWN_FOLDERS).join(', ')}${labels.length > SHOWN_FOLDERS ? ', …' : ''}`;
    return `this is a folder with a .txt file a text, whose labels are its folders (${names}). Assay reads files of rows: write the texts into one, a line each such as {"text": "…", "label": ${JSON.stringify(labels[0])}}.`;
  } catch {
    return plain;
  }
}

function reasonOf(error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'ENOENT':
      return 'there is no such file. Check the path.';
    case 'EACCES':
    case 'EPERM':
      return 'it may not be read. Check its permissions.';
    case 'ERR_FS_FILE_TOO_LARGE':
      return 'it is larger than 2 GiB. Split it into several files.';
    default:
      return `it cannot be read (${error.message}).`;
  }
}
