import type { ColumnChoice, EntitySpans, Span } from '../../protocol/dataset';
import { type OffsetMap, withoutRanges } from '../text/offset-map';
import type { SampleRow } from './columns';

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

function markers(head: MarkerPair, tail: MarkerPair): Markers {
  return { name: `${head.open} … ${head.close}, ${tail.open} … ${tail.close}`, head, tail };
}

/** Rows that may be unmarked, so that the few where a marker is missing are faults and not the rule. */
const UNMARKED_SHARE = 0.05;
/** Of so many rows one may be unmarked, where markers are no characters that texts have anyway. */
const FEW_ROWS = 4;

/**
 * The markers of the sampled rows' texts; null if not nearly all texts have exactly one pair of each. `choice`: what a person chose; who
 * says that the rows are sentiment, or names columns for the entities, means no markers.
 */
export function markersIn(rows: readonly SampleRow[], text: string, choice: ColumnChoice | null): Markers | null {
  if (choice !== null && (choice.task === 'sentiment' || choice.head !== undefined)) return null;
  const texts = rows.flatMap((row) => row.get(text)?.value ?? []);
  if (texts.length === 0) return null;
  const found = kinds.find((kind) => texts[0]!.includes(kind.head.open) || texts.at(-1)!.includes(kind.head.open));
  if (found === undefined) return null;
  const isUsed = (kind: Markers) => {
    const unmarked = texts.filter((each) => placesOf(each, kind) === null).length;
    const isOwnSign = kind.head.open !== kind.head.close;
    const allowed = Math.max(texts.length * UNMARKED_SHARE, isOwnSign && texts.length >= FEW_ROWS ? 1 : 0);
    return unmarked <= allowed;
  };
  return kinds.find(isUsed) ?? null;
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

/** A text without its markers, its map and its entities. */
export interface UnmarkedText {
  text: string;
  map: OffsetMap;
  spans: EntitySpans;
}

/** Takes the markers out of a text, and the spaces that only set them off; null if it has not one pair of each. */
export function withoutMarkers(content: { text: string; map: OffsetMap }, kind: Markers): UnmarkedText | null {
  const places = placesOf(content.text, kind);
  if (places === null) return null;
  const ranges: (Span & { role: 'head' | 'tail'; opens: boolean })[] = [];
  for (const role of ['head', 'tail'] as const) {
    const { open, close } = kind[role];
    const at = places[role];
    ranges.push({ start: at.open, end: at.open + open.length, role, opens: true });
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
  return { text: parts.join(''), map: withoutRanges(content.map, ranges), spans };
}

const wordUnit = /[\p{L}\p{N}]/u;

/** Widens the range of a marker by the space between it and the entity, where no two words are joined by that. */
function setOff(text: string, range: Span & { opens: boolean }): void {
  const outside = range.opens ? text[range.start - 1] : text[range.end];
  if (outside !== undefined && wordUnit.test(outside)) return;
  if (range.opens && text[range.end] === ' ') range.end++;
  else if (!range.opens && text[range.start - 1] === ' ') range.start--;
}
