/** A named subset of a dataset, by what stands in its examples. Suites and reports say it in the same way. */
import vm from 'node:vm';
import type { Source } from './source';

/** One condition. `field` names what is not the text: `gold`, `head`, `tail`, `headType` or `tailType`. */
export type Slice =
  | { readonly kind: 'word'; readonly word: string }
  | { readonly kind: 'pattern'; readonly pattern: RegExp }
  | { readonly kind: 'field'; readonly field: SliceField; readonly value: string };

export const sliceFields = ['gold', 'head', 'tail', 'headType', 'tailType'] as const;
export type SliceField = (typeof sliceFields)[number];

/** Longest time that one regular expression may take for one text. */
const patternMs = 100;

/** A regular expression took too long. The message names it. */
export class PatternTooSlow extends Error {
  override readonly name = 'PatternTooSlow';
}

/** Throws PatternTooSlow. */
export function isInSlice(slice: Slice, source: Source): boolean {
  switch (slice.kind) {
    case 'word':
      return hasWord(source.text, slice.word);
    case 'pattern':
      return matchesOf(slice.pattern, source.text, 1).length > 0;
    case 'field':
      return fieldOf(slice.field, source) === slice.value;
  }
}

function fieldOf(field: SliceField, { text, spans, types, gold }: Source): string | null {
  switch (field) {
    case 'gold':
      return gold;
    case 'headType':
      return types?.head ?? null;
    case 'tailType':
      return types?.tail ?? null;
    default:
      return spans === null ? null : text.slice(spans[field].start, spans[field].end);
  }
}

/** Whole words, whatever their case: next to the word stands neither a letter nor a digit. */
function hasWord(text: string, word: string): boolean {
  const [all, wanted] = [text.toLowerCase(), word.toLowerCase()];
  if (wanted === '') return false;
  for (let at = all.indexOf(wanted); at >= 0; at = all.indexOf(wanted, at + 1)) {
    const [before, after] = [all.slice(0, at), all.slice(at + wanted.length)];
    if (!/[\p{L}\p{N}]$/u.test(before.slice(-2)) && !/^[\p{L}\p{N}]/u.test(after.slice(0, 2))) return true;
  }
  return false;
}

export interface PatternMatch {
  readonly start: number;
  readonly end: number;
  /** What `replacement` becomes there, `$1` and its like filled in; null where none was given. */
  readonly replacement: string | null;
}

const sandbox = vm.createContext(Object.create(null));
const search = new vm.Script(`(() => {
  const found = [];
  const all = new RegExp(source, flags);
  for (const match of text.matchAll(all)) {
    if (found.length === most) break;
    const end = match.index + match[0].length;
    const single = new RegExp(source, flags.replace('g', 'y'));
    single.lastIndex = match.index;
    const replaced = replacement === null ? null : text.replace(single, replacement);
    found.push([match.index, end, replaced === null ? null : replaced.slice(match.index, replaced.length - (text.length - end))]);
  }
  return JSON.stringify(found);
})()`);

/**
 * Where a regular expression that a person wrote matches, in order, at most `most` times. A search that takes longer than a tenth of a second
 * is ended (V8 looks for that while it backtracks): throws PatternTooSlow.
 */
export function matchesOf(
  pattern: RegExp,
  text: string,
  most: number,
  replacement: string | null = null,
): PatternMatch[] {
  const flags = pattern.flags.replace(/[gy]/g, '');
  Object.assign(sandbox, { source: pattern.source, flags: `${flags}g`, text, most, replacement });
  try {
    const found: [number, number, string | null][] = JSON.parse(search.runInContext(sandbox, { timeout: patternMs }));
    return found.map(([start, end, written]) => ({ start, end, replacement: written }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new PatternTooSlow(
      `The regular expression ${pattern} takes more than ${patternMs} ms for a text of ${text.length} characters. Write it so that it can be matched in one way only.`,
    );
  }
}
