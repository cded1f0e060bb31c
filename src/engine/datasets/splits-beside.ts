import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { DatasetSplit } from '../../protocol/dataset';
import { namesSplit, splitsOf } from './splits';

/**
 * The splits of the dataset that a file on disk is one of, by the names in its folder, or in the folders beside it where those are named
 * after splits. Names are relative to the file's folder. Empty where it stands alone, or where its folder cannot be listed.
 */
export async function splitsBeside(file: string): Promise<DatasetSplit[]> {
  const folder = path.dirname(file);
  const name = path.basename(file);
  const inFolder = namesSplit(name) ? splitsOf(name, await namesIn(folder, 'files')) : [];
  if (inFolder.length > 0) return inFolder;
  const own = path.basename(folder);
  if (!namesSplit(own)) return [];
  const parent = path.dirname(folder);
  const folders = (await namesIn(parent, 'folders')).filter(namesSplit);
  const paths = await Promise.all(
    folders.map(async (each) => (await namesIn(path.join(parent, each), 'files')).map((one) => `${each}/${one}`)),
  );
  return splitsOf(`${own}/${name}`, paths.flat()).map((split) => ({
    ...split,
    name: split.isThis ? name : `../${split.name}`,
  }));
}

async function namesIn(folder: string, kind: 'files' | 'folders'): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory() === (kind === 'folders')).map(({ name }) => name);
  } catch {
    // Nothing is lost but a line of information.
    return [];
  }
}
