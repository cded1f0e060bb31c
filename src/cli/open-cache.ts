import os from 'node:os';
import path from 'node:path';
import { openDiskCache, openMemoryCache } from '../engine/models/logits-cache';
import type { LogitsCache } from '../engine/models/run';
import type { CliIo } from './io';

/** What a verb's help says of the options. */
export const cacheHelp = `  --cache FOLDER     where answers of the model are kept, so that no input is asked twice (default: assay in the user's cache folder)
  --no-cache         keep nothing on disk`;

/** The answers of models that were kept, on disk unless that cannot be: then a note says why. */
export function openCache({ folder, isOff }: { folder: string | undefined; isOff: boolean }, io: CliIo): LogitsCache {
  if (isOff) return openMemoryCache();
  const chosen = folder === undefined ? standardFolder() : path.resolve(io.workingFolder, folder);
  try {
    return openDiskCache(chosen);
  } catch (error) {
    io.note(`cache: ${chosen} cannot be used, so nothing is kept: ${error instanceof Error ? error.message : error}`);
    return openMemoryCache();
  }
}

/** Where this system keeps what can be made again. */
function standardFolder(): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (process.platform === 'darwin') return path.join(os.homedir(), 'Library/Caches/assay');
  if (process.platform === 'win32')
    return path.join(LOCALAPPDATA ?? path.join(os.homedir(), 'AppData/Local'), 'assay/cache');
  return path.join(XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'assay');
}
