import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseReviewed, ReviewedFileError } from '../engine/datasets/checks/reviewed-file';
import { InputError } from './io';

/** Whether a person has judged a finding, by its code and key. */
export type IsReviewed = (code: string, key: string | undefined) => boolean;

/**
 * What was judged of a dataset: in `.assay/reviewed.json` of its folder or of the nearest one above that has it, where the editor keeps it.
 * Throws InputError where that cannot be read.
 */
export async function reviewedOf(file: string): Promise<IsReviewed> {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const name = path.join(folder, '.assay', 'reviewed.json');
    const text = await readFile(name, 'utf8').catch(() => null);
    if (text !== null) return judged(text, name, path.relative(folder, file).split(path.sep).join('/'));
    if (path.dirname(folder) === folder) return () => false;
  }
}

function judged(text: string, name: string, file: string): IsReviewed {
  try {
    const { entries } = parseReviewed(text);
    const known = new Set(entries.filter((entry) => entry.file === file).map(({ code, key }) => `${code} ${key}`));
    return (code, key) => key !== undefined && known.has(`${code} ${key}`);
  } catch (error) {
    if (!(error instanceof ReviewedFileError)) throw error;
    throw new InputError(`${name}, line ${error.line}: ${error.message}. Mend it, or move it away.`);
  }
}
