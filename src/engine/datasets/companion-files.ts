import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Companion, companionNames, MAX_COMPANION_BYTES } from './companions';
import { decodeFile } from './decoding';

/** The files beside a file on disk that say more of it. What cannot be listed or read, or is too large, is left out. */
export async function readCompanions(file: string): Promise<Companion[]> {
  const folder = path.dirname(file);
  let listing: string[];
  try {
    listing = await readdir(folder);
  } catch {
    // Labels stay ids then, and a text without its annotations is told to be no dataset.
    return [];
  }
  const companions: Companion[] = [];
  for (const name of companionNames(path.basename(file), listing)) {
    const companion = await readCompanion(path.join(folder, name));
    if (companion !== null) companions.push(companion);
  }
  return companions;
}

/** One file; null if it cannot be read, is too large, or is no text. */
export async function readCompanion(file: string): Promise<Companion | null> {
  try {
    const { size } = await stat(file);
    if (size > MAX_COMPANION_BYTES) return null;
    const name = path.basename(file);
    return { name, text: decodeFile(await readFile(file), name).text };
  } catch {
    return null;
  }
}
