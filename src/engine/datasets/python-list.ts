import { type OffsetMap, withoutRanges } from '../text/offset-map';
import type { JsonText } from './json-text';

/** Lists of words as Python writes them, which pandas leaves in cells of a table: `['a', "it's"]`, NumPy's `['a' 'b']`. */

const opening = /\[\s*/y;
const between = /\s*,?\s*/y;

/**
 * The words of a cell joined by one space, which stands for one that separates them there; null if it is no such list. What is escaped
 * is undone for quotes and backslashes.
 */
export function pythonTokens({ text, map }: { text: string; map: OffsetMap }): JsonText | null {
  if (text.charCodeAt(0) !== 91 || text.charCodeAt(text.length - 1) !== 93) return null;
  const ranges: { start: number; end: number }[] = [];
  const parts: string[] = [];
  const words = { starts: [] as number[], ends: [] as number[] };
  let kept = 0;
  let length = 0;
  const keep = (from: number, to: number) => {
    if (from > kept) ranges.push({ start: kept, end: from });
    parts.push(text.slice(from, to));
    length += to - from;
    kept = to;
  };
  const skip = (pattern: RegExp, at: number): number => {
    pattern.lastIndex = at;
    return pattern.test(text) ? pattern.lastIndex : -1;
  };
  let at = skip(opening, 0);
  while (at < text.length - 1) {
    const stop = stringEnd(text, at);
    if (stop === -1) return null;
    if (words.starts.length > 0) {
      const space = text.slice(kept, at).search(/\s/);
      // Nothing in the document would stand for the space.
      if (space === -1) return null;
      keep(kept + space, kept + space + 1);
      parts[parts.length - 1] = ' ';
    }
    words.starts.push(length);
    let from = at + 1;
    for (let slash = from; slash < stop - 1; slash++) {
      if (text[slash] !== '\\') continue;
      if (/['"\\]/.test(text[slash + 1]!)) {
        keep(from, slash);
        from = slash + 1;
      }
      slash++;
    }
    keep(from, stop - 1);
    words.ends.push(length);
    at = skip(between, stop);
  }
  if (at !== text.length - 1 || words.starts.length === 0) return null;
  ranges.push({ start: kept, end: text.length });
  return { text: parts.join(''), map: withoutRanges(map, ranges), words };
}

/** Behind the closing quote of the string at `start`; -1: there is none. */
function stringEnd(text: string, start: number): number {
  const quote = text.charCodeAt(start);
  if (quote !== 34 && quote !== 39) return -1;
  for (let at = start + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 92) at++;
    else if (unit === quote) return at + 1;
  }
  return -1;
}
