import type { Span } from '../../protocol/dataset';
import { afterLineBreak, lineEnd } from '../text/lines';
import type { Cut, Place } from './format';

/** Records that are lines, or groups of lines that a head line opens. */

/** White space within a line, a byte-order mark among it. */
export function isSpace(unit: number): boolean {
  return unit === 32 || unit === 9 || unit === 11 || unit === 12 || unit === 0xa0 || unit === 0xfeff;
}

export function isBlank(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!isSpace(text.charCodeAt(at))) return false;
  return true;
}

/** [start, end) without the white space at both ends. */
export function trimmed(text: string, start: number, end: number): Span {
  let from = start;
  let to = end;
  while (from < to && isSpace(text.charCodeAt(from))) from++;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to--;
  return { start: from, end: to };
}

/** A record is a line that is not blank. */
export function cutLine(text: string, place: Place): Cut | null {
  return cutHeaded(text, place, () => true);
}

/** A record goes on until a blank line, or a line that `isHead`. */
export function cutHeaded(
  text: string,
  place: Place,
  isHead: (text: string, start: number, end: number) => boolean,
): Cut | null {
  let start = place.offset;
  let end = lineEnd(text, start);
  while (isBlank(text, start, end)) {
    if (end >= text.length) return null;
    start = afterLineBreak(text, end);
    end = lineEnd(text, start);
  }
  let next = afterLineBreak(text, end);
  let looked = next;
  while (next < text.length) {
    const stop = lineEnd(text, next);
    looked = afterLineBreak(text, stop);
    if (isBlank(text, next, stop) || isHead(text, next, stop)) break;
    end = stop;
    next = looked;
  }
  return { start, end, next: { offset: next, state: '' }, looked, problem: null };
}
