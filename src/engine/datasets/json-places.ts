import type { Span } from '../../protocol/dataset';
import { type EntityPlace, wholeNumber } from './entities';
import { listValues, OPEN_LIST, QUOTE, visitMembers } from './json-scanner';
import { stringValue } from './json-text';

/** The parts of an object that says where an entity stands. */
export interface PlaceParts {
  pos: Span | null;
  start: Span | null;
  end: Span | null;
  name: Span | null;
  /** Its words, under another key than `name`. */
  text: Span | null;
  type: Span | null;
  /** All its mentions, where it has several: a list of pairs as `pos`. */
  mentions: Span | null;
  /** The numbers of each mention's words, `[[2, 3], [7]]`, as Hugging Face exports FewRel. */
  indices: Span | null;
}

/** What the parts are called; the first name is the part's own and counts before others. */
const partNames: Readonly<Record<keyof PlaceParts, readonly string[]>> = {
  pos: ['pos'],
  start: ['start', 'start_idx', 'start_offset'],
  end: ['end', 'end_idx', 'end_offset'],
  name: ['name'],
  text: ['text', 'word'],
  type: ['type'],
  mentions: ['mentions'],
  indices: ['indices'],
};
const partOf = new Map(
  Object.entries(partNames).flatMap(([part, names]) =>
    names.map((name, rank) => [name, { part: part as keyof PlaceParts, rank }] as const),
  ),
);

export function placeParts(text: string, start: number, end: number): PlaceParts {
  const parts: PlaceParts = {
    pos: null,
    start: null,
    end: null,
    name: null,
    text: null,
    type: null,
    mentions: null,
    indices: null,
  };
  visitMembers(text, start, end, (keyStart, keyEnd, valueStart, valueStop) => {
    const known = partOf.get(text.slice(keyStart, keyEnd));
    if (known === undefined || (known.rank > 0 && parts[known.part] !== null)) return;
    parts[known.part] = { start: valueStart, end: valueStop };
  });
  return parts;
}

/** Whether an object says where an entity stands. */
export function saysPlace(text: string, start: number, end: number): boolean {
  const parts = placeParts(text, start, end);
  return (
    parts.pos !== null ||
    (parts.start !== null && parts.end !== null) ||
    (parts.indices !== null && indexedMentions(text, parts.indices) !== null)
  );
}

/**
 * The mentions that are written as lists of the numbers of their words, ends exclusive; null if this is none, or one of them is not. A mention
 * whose numbers leave words out goes from the first to the last.
 */
export function indexedMentions(text: string, { start, end }: Span): { start: number; end: number }[] | null {
  if (text.charCodeAt(start) !== OPEN_LIST) return null;
  const lists = listValues(text, start, end);
  const mentions: { start: number; end: number }[] = [];
  for (let at = 0; at < lists.length; at += 2) {
    if (text.charCodeAt(lists[at]!) !== OPEN_LIST) return null;
    const values = listValues(text, lists[at]!, lists[at + 1]!);
    let first = Number.POSITIVE_INFINITY;
    let last = Number.NEGATIVE_INFINITY;
    for (let value = 0; value < values.length; value += 2) {
      const number = wholeNumber(text.slice(values[value], values[value + 1]));
      if (number === null) return null;
      first = Math.min(first, number);
      last = Math.max(last, number);
    }
    if (values.length === 0) return null;
    mentions.push({ start: first, end: last + 1 });
  }
  return mentions.length === 0 ? null : mentions;
}

/** The digits of a number that is written as such or in quotes; null if it is something else. */
export function digitsAt(text: string, { start, end }: Span): Span | null {
  const raw = text.slice(start, end);
  if (/^\d+$/.test(raw)) return { start, end };
  return /^"\d+"$/.test(raw) ? { start: start + 1, end: end - 1 } : null;
}

/** Where the second of two numbers in a list stands. */
export function secondOfPair(text: string, { start, end }: Span): Span | null {
  if (numberPair(text, start, end) === null) return null;
  const values = listValues(text, start, end);
  return { start: values[2]!, end: values[3]! };
}

/** A list of two whole numbers; null if it is anything else. */
export function numberPair(text: string, start: number, end: number): [number, number] | null {
  if (text.charCodeAt(start) !== OPEN_LIST) return null;
  const values = listValues(text, start, end);
  if (values.length !== 4) return null;
  const from = wholeNumber(text.slice(values[0], values[1]));
  const to = wholeNumber(text.slice(values[2], values[3]));
  return from === null || to === null ? null : [from, to];
}

/** A list of pairs of whole numbers; null if it is anything else, or empty. */
export function numberPairs(text: string, start: number, end: number): { start: number; end: number }[] | null {
  if (text.charCodeAt(start) !== OPEN_LIST) return null;
  const values = listValues(text, start, end);
  const pairs: { start: number; end: number }[] = [];
  for (let index = 0; index < values.length; index += 2) {
    const pair = numberPair(text, values[index]!, values[index + 1]!);
    if (pair === null) return null;
    pairs.push({ start: pair[0], end: pair[1] });
  }
  return pairs.length === 0 ? null : pairs;
}

/**
 * Where an entity stands, as JSON says it: `{pos: [2, 4]}`, `{start, end}`, `{indices: [[2, 3]]}`, `{name}`, `[2, 4]`, `2` with an end
 * elsewhere (`last`, raw), or its words. `inclusive`: an end beside its start is the last word or character, not the one behind. Null
 * if it says nothing of the kind.
 */
export function placeAt(
  text: string,
  start: number,
  end: number,
  parts: PlaceParts | null,
  last: string | null,
  inclusive: boolean,
): EntityPlace | null {
  if (parts !== null) {
    const pair = parts.pos === null ? null : numberPair(text, parts.pos.start, parts.pos.end);
    if (pair !== null) return { start: pair[0], end: pair[1] };
    if (parts.start !== null && parts.end !== null) {
      const from = wholeNumber(text.slice(parts.start.start, parts.start.end));
      const to = wholeNumber(text.slice(parts.end.start, parts.end.end));
      if (from !== null && to !== null) return upTo(from, to, inclusive);
    }
    const indexed = parts.indices === null ? null : indexedMentions(text, parts.indices);
    if (indexed !== null) return indexed[0]!;
    const { name } = parts;
    return parts.pos === null && name !== null && text.charCodeAt(name.start) === QUOTE
      ? { surface: stringValue(text, name.start, name.end) }
      : null;
  }
  const pair = numberPair(text, start, end);
  if (pair !== null) return { start: pair[0], end: pair[1] };
  if (last !== null) {
    const from = wholeNumber(text.slice(start, end));
    const to = wholeNumber(last);
    if (from === null || to === null) return null;
    return upTo(from, to, inclusive);
  }
  return text.charCodeAt(start) === QUOTE ? { surface: stringValue(text, start, end) } : null;
}

function upTo(start: number, end: number, inclusive: boolean): EntityPlace {
  return inclusive ? { start, end: end + 1, inclusive } : { start, end };
}
