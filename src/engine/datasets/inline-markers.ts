import type { ColumnChoice, EntitySpans, Span } from '../../protocol/dataset';
import { type OffsetMap, withoutRanges } from '../text/offset-map';
import type { SampleRow } from './sample-row';

/** Entities that are marked in the text itself: `<e1>Ada</e1> met <e2>Bo</e2>`, `[E1] Ada [/E1]`, `@ Ada @ met # Bo #`. */
export interface Markers {
  /** For people: `<e1> … </e1>, <e2> … </e2>`. */
  readonly name: string;
  readonly head: MarkerPair;
  readonly tail: MarkerPair;
}

interface MarkerPair {
  readonly open: string;
  readonly close: string;
}

const roots: readonly (readonly [string, string])[] = [
  ['e1', 'e2'],
  ['head', 'tail'],
  ['h', 't'],
  ['subj', 'obj'],
  ['subject', 'object'],
  ['s', 'o'],
  ['ent1', 'ent2'],
  ['entity1', 'entity2'],
  ['arg1', 'arg2'],
];

const kinds: readonly Markers[] = [
  ...roots.flatMap(([head, tail]) =>
    [[head, tail] as const, [head.toUpperCase(), tail.toUpperCase()] as const].flatMap(([first, second]) => [
      markers({ open: `<${first}>`, close: `</${first}>` }, { open: `<${second}>`, close: `</${second}>` }),
      markers({ open: `[${first}]`, close: `[/${first}]` }, { open: `[${second}]`, close: `[/${second}]` }),
    ]),
  ),
  markers({ open: '@', close: '@' }, { open: '#', close: '#' }),
  markers({ open: '$', close: '$' }, { open: '#', close: '#' }),
];

/** Markers of both entities. */
export function markers(head: MarkerPair, tail: MarkerPair): Markers {
  return { name: `${head.open} … ${head.close}, ${tail.open} … ${tail.close}`, head, tail };
}

/** Of the sampled texts so many have to be marked: if most are, those that are not are faults. */
const MARKED_SHARE = 0.5;
/** Of characters that texts have anyway (`@ … @`, `# … #`), which tweets may hold twice by chance. */
const SIGNED_SHARE = 0.8;

/** Of markers that none of so many texts has, spread over the sample, the others are not asked. */
const LOOKED_TEXTS = 20;

/** How the entities of a file are marked. */
export interface MarkersFound {
  readonly kind: Markers;
  /** Share of the sampled texts that are marked so. */
  readonly share: number;
}

/**
 * The markers of the sampled rows' texts; null if not most texts have exactly one pair of each. `choice`: what a person chose; who
 * says that the rows are sentiment, or names columns for the entities, means no markers.
 */
export function markersIn(rows: readonly SampleRow[], text: string, choice: ColumnChoice | null): MarkersFound | null {
  if (choice !== null && (choice.task === 'sentiment' || choice.head !== undefined)) return null;
  const texts = rows.flatMap((row) => row.get(text)?.value ?? []);
  const step = Math.ceil(texts.length / LOOKED_TEXTS);
  const looked = texts.filter((_, index) => index % step === 0);
  let found: MarkersFound | null = null;
  for (const kind of kinds) {
    if (!looked.some((each) => each.includes(kind.head.open))) continue;
    const marked = texts.filter((each) => placesOf(each, kind) !== null).length;
    const share = Math.round((marked / texts.length) * 100) / 100;
    const isUsed = kind.head.open === kind.head.close ? share >= SIGNED_SHARE : share > MARKED_SHARE;
    if (isUsed && (found === null || share > found.share)) found = { kind, share };
  }
  return found;
}

/** Why a row is left out. */
export function missingMarkers({ name }: Markers): string {
  return `The text has not exactly one ${name.replace(', ', ' and one ')}, as the others do. The row is left out.`;
}

/** Columns of rows whose entities are marked in the text. */
export function markedColumns(columns: ColumnChoice): ColumnChoice {
  const { head: _head, tail: _tail, ...rest } = columns;
  return { ...rest, task: 'relation' };
}

interface Places {
  head: { open: number; close: number };
  tail: { open: number; close: number };
}

/** Where the four markers stand; null if one is missing, stands there twice, or closes before it opens. */
function placesOf(text: string, kind: Markers): Places | null {
  const head = pairAt(text, kind.head);
  const tail = head === null ? null : pairAt(text, kind.tail);
  if (head === null || tail === null) return null;
  // Marks that open and close alike can only stand beside each other.
  const isApart = head.close < tail.open || tail.close < head.open;
  return isApart || kind.head.open !== kind.head.close ? { head, tail } : null;
}

function pairAt(text: string, { open, close }: MarkerPair): { open: number; close: number } | null {
  const from = text.indexOf(open);
  const to = from === -1 ? -1 : text.indexOf(close, from + open.length);
  if (to === -1 || text.indexOf(close, to + close.length) !== -1) return null;
  const isOnlyOpen = open === close || text.indexOf(open, from + open.length) === -1;
  return isOnlyOpen && text.indexOf(close) >= from ? { open: from, close: to } : null;
}

/** A text without its markers, its map, its entities and their types, where the markers say them. */
export interface UnmarkedText {
  text: string;
  map: OffsetMap;
  spans: EntitySpans;
  types: { head: string | null; tail: string | null } | null;
}

/** A type behind an opening sign (Zhou and Chen 2022): `@ * person * Ada @`, `# ^ city ^ Rome #`. */
const typed = /^\s*([*^])\s*([^*^]+?)\s*\1\s*(?=\S)/;

/** Takes the markers out of a text, and the spaces that only set them off; null if it has not one pair of each. */
export function withoutMarkers(content: { text: string; map: OffsetMap }, kind: Markers): UnmarkedText | null {
  const places = placesOf(content.text, kind);
  if (places === null) return null;
  const ranges: (Span & { role: 'head' | 'tail'; opens: boolean })[] = [];
  const types: { head: string | null; tail: string | null } = { head: null, tail: null };
  for (const role of ['head', 'tail'] as const) {
    const { open, close } = kind[role];
    const at = places[role];
    const inner = at.open + open.length;
    const type = open === close ? typed.exec(content.text.slice(inner, at.close)) : null;
    if (type !== null) types[role] = type[2]!;
    ranges.push({ start: at.open, end: inner + (type?.[0].length ?? 0), role, opens: true });
    ranges.push({ start: at.close, end: at.close + close.length, role, opens: false });
  }
  ranges.sort((a, b) => a.start - b.start);
  const spans = { head: { start: 0, end: 0 }, tail: { start: 0, end: 0 } };
  const parts: string[] = [];
  let kept = 0;
  let length = 0;
  for (const range of ranges) {
    setOff(content.text, range);
    range.start = Math.max(range.start, kept);
    range.end = Math.max(range.end, range.start);
    parts.push(content.text.slice(kept, range.start));
    length += range.start - kept;
    kept = range.end;
    spans[range.role][range.opens ? 'start' : 'end'] = length;
  }
  parts.push(content.text.slice(kept));
  const text = parts.join('');
  return {
    text,
    map: withoutRanges(content.map, ranges),
    spans: { head: trimmed(text, spans.head), tail: trimmed(text, spans.tail) },
    types: types.head === null && types.tail === null ? null : types,
  };
}

/** An entity without the blanks that had to stay in the text, as two words would be joined. */
function trimmed(text: string, { start, end }: Span): Span {
  let from = start;
  let to = end;
  while (from < to && text[from] === ' ') from++;
  while (to > from && text[to - 1] === ' ') to--;
  return from === to ? { start, end } : { start: from, end: to };
}

const wordUnit = /[\p{L}\p{N}]/u;

/** Widens the range of a marker by the space between it and the entity, where no two words are joined by that. */
function setOff(text: string, range: Span & { opens: boolean }): void {
  const outside = range.opens ? text[range.start - 1] : text[range.end];
  if (outside !== undefined && wordUnit.test(outside)) return;
  if (range.opens && text[range.end] === ' ') range.end++;
  else if (!range.opens && text[range.start - 1] === ' ') range.start--;
}
