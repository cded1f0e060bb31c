import type { ReviewedEntry } from '../../../protocol/findings';
import { JsonError, listValues, OPEN_LIST, OPEN_OBJECT, skipMark, valueEnd, visitMembers } from '../json-scanner';
import { stringValue } from '../json-text';

/** `.assay/reviewed.json` cannot be read. Its message says what is wrong and what to do. */
export class ReviewedFileError extends Error {
  override readonly name = 'ReviewedFileError';
  /** 1-based. */
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

/** What `.assay/reviewed.json` holds: the entries, and whatever else a person has put beside them. */
export interface ReviewedFile {
  readonly entries: readonly ReviewedEntry[];
  readonly others: Readonly<Record<string, unknown>>;
}

export const noReviews: ReviewedFile = { entries: [], others: {} };

const VERSION = 1;
const parts = ['code', 'key', 'file', 'text', 'date'] as const;

/** @throws ReviewedFileError */
export function parseReviewed(text: string): ReviewedFile {
  const fault = (offset: number, what: string) => new ReviewedFileError(what, lineOf(text, offset));
  try {
    const start = skipMark(text, 0, text.length);
    if (text.charCodeAt(start) !== OPEN_OBJECT) throw new JsonError('an object ({ … }) should stand here', start);
    const end = valueEnd(text, start, text.length);
    const behind = skipMark(text, end, text.length);
    if (behind < text.length) throw new JsonError('nothing should follow the object', behind);

    const others: Record<string, unknown> = Object.create(null);
    let entries: ReviewedEntry[] | null = null;
    let version: unknown;
    visitMembers(text, start, end, (keyStart, keyEnd, valueStart, valueStop) => {
      const key = stringValue(text, keyStart - 1, keyEnd + 1);
      if (key === 'reviewed') {
        if (text.charCodeAt(valueStart) !== OPEN_LIST) throw fault(valueStart, '“reviewed” is not a list');
        entries = entriesOf(text, valueStart, valueStop, fault);
        return;
      }
      const value = parsed(text, valueStart, valueStop);
      if (key !== 'version') others[key] = value;
      else {
        version = value;
        if (version !== VERSION) {
          throw fault(valueStart, `its version is ${JSON.stringify(version)}; this Assay reads version ${VERSION}`);
        }
      }
    });
    if (version === undefined) throw fault(start, '“version” is missing');
    if (entries === null) throw fault(start, '“reviewed” is missing');
    return { entries, others };
  } catch (error) {
    if (error instanceof JsonError) throw fault(error.offset, error.message);
    throw error;
  }
}

function entriesOf(
  text: string,
  start: number,
  end: number,
  fault: (offset: number, what: string) => ReviewedFileError,
): ReviewedEntry[] {
  const places = listValues(text, start, end);
  const entries: ReviewedEntry[] = [];
  for (let index = 0; index < places.length; index += 2) {
    const at = places[index]!;
    const value = parsed(text, at, places[index + 1]!);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw fault(at, 'an entry is not an object with code, key, file, text and date');
    }
    for (const part of parts) {
      if (!(part in value)) throw fault(at, `“${part}” is missing from an entry`);
      if (typeof (value as Record<string, unknown>)[part] !== 'string') {
        throw fault(at, `“${part}” of an entry is not text in quotes`);
      }
    }
    entries.push(value as ReviewedEntry);
  }
  return entries;
}

function parsed(text: string, start: number, end: number): unknown {
  try {
    return JSON.parse(text.slice(start, end));
  } catch {
    throw new JsonError('a value holds NaN or Infinity, which are no JSON', start);
  }
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split(/\r\n|\r|\n/).length;
}

/** Sorted by file, code and key, one member a line: two people's changes meet in as few lines as can be. */
export function formatReviewed({ entries, others }: ReviewedFile): string {
  const byName = new Map(entries.map((entry) => [nameOf(entry), entry]));
  const sorted = [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
  return `${JSON.stringify({ ...others, version: VERSION, reviewed: sorted }, null, 2)}\n`;
}

/** Names an entry: the same finding of the same file is reviewed once. */
export function nameOf({ file, code, key }: Pick<ReviewedEntry, 'file' | 'code' | 'key'>): string {
  return JSON.stringify([file, code, key]);
}
