import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { NotADataset } from '../engine/datasets/dataset';
import { DatasetDocument } from '../engine/datasets/document';
import { splitsBeside } from '../engine/datasets/splits-beside';
import { type ColumnArguments, mergeColumns } from './columns';
import { type CliIo, InputError } from './io';

/** Reads and understands a file. `columns`, where given, stand in the place of the detected ones. Throws InputError. */
export async function openDataset(file: string, columns: ColumnArguments | null, io: CliIo): Promise<DatasetDocument> {
  const absolute = path.resolve(io.workingFolder, file);
  const bytes = await readInput(absolute, file);
  const name = path.basename(file);
  const splits = await splitsBeside(absolute);
  try {
    const detected = open(() => DatasetDocument.open({ name, bytes, splits }));
    if (columns === null) {
      if (detected instanceof NotADataset) throw detected;
      return detected;
    }
    if (detected instanceof NotADataset) {
      return DatasetDocument.open({ name, bytes, splits, choice: mergeColumns(null, columns) });
    }
    detected.choose(mergeColumns(detected.info.columns, columns));
    return detected;
  } catch (error) {
    // The editor's command is an option here.
    if (error instanceof NotADataset) {
      throw new InputError(`${file}: ${error.message.replaceAll('Choose Columns', '--columns')}`);
    }
    if ((error as NodeJS.ErrnoException).code === 'ERR_STRING_TOO_LONG') {
      throw new InputError(`${file} is too long to be read as one text. Split it into several files.`);
    }
    throw error;
  }
}

/** Detection may fail where the command line names the columns: then that is no error yet. */
function open(detect: () => DatasetDocument): DatasetDocument | NotADataset {
  try {
    return detect();
  } catch (error) {
    if (error instanceof NotADataset) return error;
    throw error;
  }
}

async function readInput(file: string, shownName: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new InputError(`${shownName}: ${reasonOf(error as NodeJS.ErrnoException)}`);
  }
}

function reasonOf(error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'ENOENT':
      return 'there is no such file. Check the path.';
    case 'EISDIR':
      return 'this is a folder, not a dataset file. Name a file in it.';
    case 'EACCES':
    case 'EPERM':
      return 'it may not be read. Check its permissions.';
    case 'ERR_FS_FILE_TOO_LARGE':
      return 'it is larger than 2 GiB. Split it into several files.';
    default:
      return `it cannot be read (${error.message}).`;
  }
}
