import type { EntitySpans, Span } from '../../protocol/dataset';
import type { Problem } from './format';
import type { WordPlaces } from './json-text';

/** What a row says of where an entity stands. */
export type EntityPlace =
  /**
   * Counted in words of a token list, else in code points of the text. `end` exclusive; `inclusive`: the file names the last one, and so
   * do messages.
   */
  { readonly start: number; readonly end: number; readonly inclusive?: boolean } | { readonly surface: string };

/** Why an entity could not be placed; `role` says which of the two (or that it is an aspect). */
export interface EntityFault<Role extends string = 'head' | 'tail'> {
  role: Role;
  code: Problem['code'];
  message: string;
}

/** A whole number, written `3`, `3.0` or in quotes; null if it is none. */
export function wholeNumber(raw: string): number | null {
  const match = /^"?\s*(-?\d{1,9})(?:\.0+)?\s*"?$/.exec(raw);
  return match === null ? null : Number(match[1]);
}

/** Turns what a row says of its entities into spans of its text. */
export function placeEntities(
  text: string,
  words: WordPlaces | null,
  head: EntityPlace,
  tail: EntityPlace,
): EntitySpans | EntityFault {
  if ('surface' in head && 'surface' in tail) return placeSurfaces(text, head.surface, tail.surface);
  // One of the two is fixed: the other may not overlap it.
  const fixedHead = 'surface' in head ? null : placeOffsets(text, words, 'head', head);
  if (fixedHead !== null && 'role' in fixedHead) return fixedHead;
  const fixedTail = 'surface' in tail ? null : placeOffsets(text, words, 'tail', tail);
  if (fixedTail !== null && 'role' in fixedTail) return fixedTail;
  if (fixedHead !== null && fixedTail !== null) return { head: fixedHead, tail: fixedTail };
  const fixed = fixedHead ?? fixedTail!;
  const role = fixedHead === null ? 'head' : 'tail';
  const surface = 'surface' in head ? head.surface : 'surface' in tail ? tail.surface : '';
  const free = occurrences(text, surface).find((span) => !overlaps(span, fixed));
  if (free === undefined) return notFound(role, surface, text);
  return role === 'head' ? { head: free, tail: fixed } : { head: fixed, tail: free };
}

/** A place given by its offsets, as a span of the text. */
export function placeOffsets<Role extends string>(
  text: string,
  words: WordPlaces | null,
  role: Role,
  place: { start: number; end: number; inclusive?: boolean },
): Span | EntityFault<Role> {
  const { start, end } = place;
  const count = words === null ? codePointCount(text) : words.starts.length;
  const unit = words === null ? 'character' : 'word';
  const fault = (message: string): EntityFault<Role> => ({ role, code: 'assay/span-out-of-bounds', message });
  const inclusive = place.inclusive === true;
  const last = inclusive ? end - 1 : end;
  const has = inclusive
    ? `the text ends at ${unit} ${count - 1}`
    : `the text has ${count} ${unit}${count === 1 ? '' : 's'}`;
  if (start < 0) return fault(`${role} starts at ${unit} ${start}, before the text.`);
  if (end < start) return fault(`${role} starts at ${unit} ${start} and ends before it, at ${unit} ${last}.`);
  if (end > count) return fault(`${role} ends at ${unit} ${last}, ${has}.`);
  if (words === null) return { start: codePointOffset(text, start), end: codePointOffset(text, end) };
  if (start === end) {
    // A masked entity: nothing is left of it but its place.
    const at = words.starts[start] ?? text.length;
    return { start: at, end: at };
  }
  return { start: words.starts[start]!, end: words.ends[end - 1]! };
}

const surrogatePair = /[\ud800-\udbff][\udc00-\udfff]/g;

function codePointCount(text: string): number {
  return text.length - (text.match(surrogatePair)?.length ?? 0);
}

/** The UTF-16 offset of the code point number `count`. */
function codePointOffset(text: string, count: number): number {
  let offset = 0;
  for (let left = count; left > 0 && offset < text.length; left--) {
    offset += text.codePointAt(offset)! > 0xffff ? 2 : 1;
  }
  return offset;
}

/** The first occurrences of two surfaces that do not overlap. */
function placeSurfaces(text: string, headSurface: string, tailSurface: string): EntitySpans | EntityFault {
  const heads = occurrences(text, headSurface);
  if (heads.length === 0) return notFound('head', headSurface, text);
  const tails = occurrences(text, tailSurface);
  if (tails.length === 0) return notFound('tail', tailSurface, text);
  for (const head of heads) {
    const tail = tails.find((span) => !overlaps(span, head));
    if (tail !== undefined) return { head, tail };
  }
  return {
    role: 'tail',
    code: 'assay/entity-not-found',
    message: `tail "${shortened(tailSurface)}" stands in the text only ${tailSurface.length > headSurface.length ? 'around' : 'within'} head "${shortened(headSurface)}".`,
  };
}

function notFound(role: 'head' | 'tail', surface: string, text: string): EntityFault {
  const why =
    surface.trim() === '' ? `${role} is empty.` : `${role} "${shortened(surface)}" does not stand in the text`;
  const where = surface.trim() === '' ? '' : text === '' ? ', which is empty.' : '.';
  return { role, code: 'assay/entity-not-found', message: why + where };
}

const MAX_OCCURRENCES = 100;

/** Where a surface stands as whole words; failing that anywhere; failing that in other case. In order. */
export function occurrences(text: string, surface: string): Span[] {
  const wanted = surface.trim();
  if (wanted === '') return [];
  const exact = find(text, wanted);
  if (exact.length === 0) {
    const lowered = text.toLowerCase();
    // Lower-casing that changes the length (İ) would shift the offsets.
    return lowered.length === text.length ? preferWords(text, find(lowered, wanted.toLowerCase())) : [];
  }
  return preferWords(text, exact);
}

function find(text: string, wanted: string): Span[] {
  const found: Span[] = [];
  for (let at = text.indexOf(wanted); at !== -1 && found.length < MAX_OCCURRENCES; at = text.indexOf(wanted, at + 1)) {
    found.push({ start: at, end: at + wanted.length });
  }
  return found;
}

const wordUnit = /[\p{L}\p{N}]/u;

function preferWords(text: string, spans: Span[]): Span[] {
  const whole = spans.filter(
    ({ start, end }) =>
      !(isWord(text, start - 1) && isWord(text, start)) && !(isWord(text, end - 1) && isWord(text, end)),
  );
  return whole.length > 0 ? whole : spans;
}

function isWord(text: string, at: number): boolean {
  return at >= 0 && at < text.length && wordUnit.test(text[at]!);
}

function overlaps(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}

/** A value in one line for a message or a list, never cut inside a surrogate pair. */
export function shortened(value: string, maxUnits = 40): string {
  const line = value
    .slice(0, maxUnits * 4)
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= maxUnits && value.length <= maxUnits * 4) return line;
  const cut = line.slice(0, maxUnits - 1);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
