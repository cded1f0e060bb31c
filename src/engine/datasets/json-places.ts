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
}

export function placeParts(text: string, start: number, end: number): PlaceParts {
  const parts: PlaceParts = { pos: null, start: null, end: null, name: null, text: null, type: null, mentions: null };
  visitMembers(text, start, end, (keyStart, keyEnd, valueStart, valueStop) => {
    const key = text.slice(keyStart, keyEnd);
    if (Object.hasOwn(parts, key)) parts[key as keyof PlaceParts] = { start: valueStart, end: valueStop };
  });
  return parts;
}

/** Whether an object says where an entity stands. */
export function saysPlace(text: string, start: number, end: number): boolean {
  const parts = placeParts(text, start, end);
  return parts.pos !== null || (parts.start !== null && parts.end !== null);
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
 * Where an entity stands, as JSON says it: `{pos: [2, 4]}`, `{start, end}`, `{name}`, `[2, 4]`, `2` with an end elsewhere (`last`, raw;
 * `inclusive`: it is the last word, not the one behind), or its words. Null if it says nothing of the kind.
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
      if (from !== null && to !== null) return { start: from, end: to };
    }
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
    return inclusive ? { start: from, end: to + 1, inclusive } : { start: from, end: to };
  }
  return text.charCodeAt(start) === QUOTE ? { surface: stringValue(text, start, end) } : null;
}
