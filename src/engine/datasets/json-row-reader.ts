import type { ColumnChoice, Span } from '../../protocol/dataset';
import { notGold, verdictAt } from './answers';
import type { EntityCompanions } from './column-names';
import { type EntityFault, type EntityPlace, placeEntities, placeOffsets, shortened, wholeNumber } from './entities';
import { type EntityName, misfitsOf } from './entity-names';
import { noProblems, type Problem, problemAt, type Row, unreadable } from './format';
import { type Markers, missingMarkers, withoutMarkers } from './inline-markers';
import { FoundValues, locate, type Slot, wantedPaths } from './json-found-values';
import { type LabelReading, oneHotLabel } from './json-labels';
import {
  digitsAt,
  indexedMentions,
  numberPairs,
  type PlaceParts,
  placeAt,
  placeParts,
  secondOfPair,
} from './json-places';
import { JsonError, listValues, OPEN_LIST, OPEN_OBJECT, QUOTE, skipMark, skipSpace, valueEnd } from './json-scanner';
import { type JsonText, scalarAt, stringText, stringValue, tokensText } from './json-text';

/** Reads one row that is a JSON object. */

/** Reads the record [start, end), which may begin and end with white space. */
export type ReadRow = (text: string, start: number, end: number) => Row;

/** Reads rows of columns that are known, whose entities are objects. */
export function jsonRowReader(columns: ColumnChoice): ReadRow {
  return rowReader(columns, {
    head: null,
    tail: null,
    inclusive: null,
    inclusiveObjects: false,
    markers: null,
    answer: null,
    isOneHot: false,
  });
}

/** How rows say where entities stand, and their label. */
export interface RowReading extends LabelReading {
  head: EntityCompanions | null;
  tail: EntityCompanions | null;
  /** The columns for their ends name the last word or character; null: nothing tells. */
  inclusive: boolean | null;
  /** So do the ends in the objects that say where they stand. */
  inclusiveObjects: boolean;
  /** They are marked in the text. */
  markers: Markers | null;
}

export function rowReader(columns: ColumnChoice, reading: RowReading): ReadRow {
  const { head, tail, inclusive, inclusiveObjects, markers, answer, isOneHot } = reading;
  const wanted = wantedPaths(columns, head, tail, answer);
  const labelOf = isOneHot ? oneHotLabel : labelAt;
  const found = new FoundValues();
  const isRelation = columns.task === 'relation' && columns.head !== undefined && columns.tail !== undefined;
  return (text, origin, recordEnd) => {
    let before: Row | null = null;
    for (let start = skipMark(text, origin, recordEnd); ; ) {
      let next: number;
      let row: Row;
      try {
        const end = objectEnd(text, origin, start, recordEnd);
        if (typeof end !== 'number') return end;
        next = skipSpace(text, end, recordEnd);
        if (next < recordEnd && text.charCodeAt(next) !== OPEN_OBJECT) {
          throw new JsonError('something follows the object on its row', next);
        }
        row = readFound(text, origin, start, end, found);
      } catch (error) {
        if (!(error instanceof JsonError)) throw error;
        next = recordEnd;
        row = notJson(text, error, origin, recordEnd);
      }
      before = before === null ? row : joinedRow(before, row, start - origin);
      if (next >= recordEnd) return before;
      start = next;
    }
  };

  /** Finds the wanted values in the object at `start`; the offset behind it. */
  function objectEnd(text: string, origin: number, start: number, recordEnd: number): number | Row {
    found.clear();
    if (text.charCodeAt(start) === OPEN_OBJECT) return locate(text, start, recordEnd, wanted, found);
    valueEnd(text, start, recordEnd);
    return unreadable('The row is no JSON object { … }. It is left out.', start - origin, recordEnd - origin);
  }

  function readFound(text: string, origin: number, start: number, end: number, found: FoundValues): Row {
    if (!found.has('text', text)) {
      return unreadable(`The row has no "${columns.text}". It is left out.`, start - origin, end - origin);
    }
    const textField = { start: found.start('text') - origin, end: found.end('text') - origin };
    const content = textAt(text, found.start('text'), found.end('text'), origin);
    if (content === null) {
      return unreadable(
        `"${columns.text}" is neither text nor a list of words. The row is left out.`,
        textField.start,
        textField.end,
      );
    }
    let problems: readonly Problem[] = noProblems;
    const label = found.has('gold', text) ? labelOf(text, found.start('gold'), found.end('gold')) : null;
    const verdict = found.has('answer', text)
      ? verdictAt(text, { start: found.start('answer'), end: found.end('answer') })
      : null;
    const isRefused = verdict !== null && verdict !== 'accept';
    const gold = label === null || label.trim() === '' || isRefused ? null : label;
    const goldField =
      found.start('gold') === -1 ? null : { start: found.start('gold') - origin, end: found.end('gold') - origin };
    if (goldField !== null && label === null && found.has('gold', text)) {
      problems = [
        problemAt(
          'assay/unreadable-row',
          `"${columns.gold}" is not one label. The row is read without it.`,
          goldField.start,
          goldField.end,
          'warning',
        ),
      ];
    }
    if (isRefused && label !== null) {
      const field = { start: found.start('answer') - origin, end: found.end('answer') - origin };
      problems = [...problems, notGold(verdict, field)];
    }
    const unmarked = markers === null ? null : withoutMarkers(content, markers);
    if (markers !== null && unmarked === null) {
      const { start: from, end: to } = textField;
      return { examples: [], problems: [problemAt('assay/markers', missingMarkers(markers), from, to)] };
    }
    const entities = isRelation ? entitiesAt(text, origin, content, found) : null;
    if (entities !== null && 'code' in entities) return { examples: [], problems: [...problems, entities] };
    const example = {
      id: found.has('id', text) ? scalarAt(text, found.start('id'), found.end('id')) : null,
      text: unmarked?.text ?? content.text,
      spans: unmarked?.spans ?? entities?.spans ?? null,
      mentions: entities?.mentions ?? null,
      types: unmarked?.types ?? entities?.types ?? null,
      misfits: entities?.misfits ?? null,
      gold,
      map: unmarked?.map ?? content.map,
      textField,
      goldField,
    };
    return { examples: [example], problems };
  }

  function entitiesAt(text: string, origin: number, content: JsonText, found: FoundValues) {
    const places: EntityPlace[] = [];
    const types: (string | null)[] = [];
    const mentions: (Span[] | null)[] = [];
    const said: (EntityName | null)[] = [];
    for (const [role, companions] of [
      ['head', head],
      ['tail', tail],
    ] as const) {
      const [slot, endSlot, typeSlot] =
        role === 'head' ? (['head', 'headEnd', 'headType'] as const) : (['tail', 'tailEnd', 'tailType'] as const);
      const nameSlot = role === 'head' ? 'headName' : 'tailName';
      if (!found.has(slot, text)) {
        return problemAt(
          'assay/unreadable-row',
          `The row has no "${columns[role]}". It is left out: a relation needs both entities.`,
          0,
          found.end('text') - origin,
        );
      }
      const start = found.start(slot);
      const end = found.end(slot);
      const parts = text.charCodeAt(start) === OPEN_OBJECT ? placeParts(text, start, end) : null;
      const last =
        companions?.end != null && found.has(endSlot, text)
          ? text.slice(found.start(endSlot), found.end(endSlot))
          : null;
      // Such numbers count words.
      if (parts !== null && content.words === null) parts.indices = null;
      const isLast =
        parts === null ? (inclusive ?? (companions?.inclusive === true && content.words !== null)) : inclusiveObjects;
      const place = placeAt(text, start, end, parts, last, isLast);
      if (place === null) {
        if (companions?.end != null && last === null && wholeNumber(text.slice(start, end)) !== null) {
          return problemAt(
            'assay/unreadable-row',
            `The row has no "${companions.end}", where the ${role} ends. It is left out.`,
            start - origin,
            end - origin,
          );
        }
        const written = shortened(text.slice(start, end));
        return problemAt(
          'assay/unreadable-row',
          `"${columns[role]}" does not say where the ${role} stands (two whole numbers, or its words): ${written}. The row is left out.`,
          start - origin,
          end - origin,
        );
      }
      places.push(place);
      const fieldOf = (name: Slot) =>
        found.has(name, text) ? { start: found.start(name), end: found.end(name) } : null;
      const name = parts === null ? fieldOf(nameSlot) : (parts.name ?? parts.text);
      const endField = (): Span | null => {
        if (parts?.indices != null) return firstOf(text, parts.indices);
        if (parts !== null) return parts.pos === null ? parts.end : secondOfPair(text, parts.pos);
        return last === null ? secondOfPair(text, { start, end }) : fieldOf(endSlot);
      };
      said.push('surface' in place ? null : saidName(text, origin, name, endField));
      const listed = mentionsOf(text, content, parts, role);
      if (listed !== null && 'role' in listed) {
        return problemAt(listed.code, `${listed.message} The row is left out.`, start - origin, end - origin);
      }
      mentions.push(listed);
      const own = found.has(typeSlot, text)
        ? { start: found.start(typeSlot), end: found.end(typeSlot) }
        : // What Hugging Face calls the type of FewRel's entities is their id.
          parts?.indices != null
          ? null
          : (parts?.type ?? null);
      types.push(own === null || text.charCodeAt(own.start) !== QUOTE ? null : stringValue(text, own.start, own.end));
    }
    const spans = placeEntities(content.text, content.words, places[0]!, places[1]!);
    if ('role' in spans) {
      return problemAt(
        spans.code,
        `${spans.message} The row is left out.`,
        found.start(spans.role) - origin,
        found.end(spans.role) - origin,
      );
    }
    const all =
      mentions[0] == null && mentions[1] == null
        ? null
        : { head: mentions[0] ?? [spans.head], tail: mentions[1] ?? [spans.tail] };
    return {
      spans,
      mentions: all,
      misfits: misfitsOf(content.text, spans, all, {
        head: said[0] ?? null,
        tail: said[1] ?? null,
        words: content.words,
      }),
      types: types[0] === null && types[1] === null ? null : { head: types[0]!, tail: types[1]! },
    };
  }
}

/** What a row says an entity's words are. `endField`: where the number stands that says its end. */
function saidName(text: string, origin: number, name: Span | null, endField: () => Span | null): EntityName | null {
  if (name === null || text.charCodeAt(name.start) !== QUOTE) return null;
  return {
    name: stringValue(text, name.start, name.end),
    end: () => {
      const field = endField();
      const digits = field === null || text.charCodeAt(field.start) === OPEN_LIST ? field : digitsAt(text, field);
      return digits === null ? null : { start: digits.start - origin, end: digits.end - origin };
    },
  };
}

/** The first value of a list; null if it is none, or empty. */
function firstOf(text: string, { start, end }: Span): Span | null {
  const [from, to] = text.charCodeAt(start) === OPEN_LIST ? listValues(text, start, end) : [];
  return from === undefined ? null : { start: from, end: to! };
}

/** The mentions that an entity's object lists, as spans; null where it lists none. */
function mentionsOf(
  text: string,
  content: JsonText,
  parts: PlaceParts | null,
  role: 'head' | 'tail',
): Span[] | EntityFault | null {
  const indexed = parts?.indices == null ? null : indexedMentions(text, parts.indices);
  const field = parts?.mentions ?? null;
  const listed = field === null ? null : numberPairs(text, field.start, field.end);
  const pairs = indexed !== null && indexed.length > 1 ? indexed : listed;
  if (pairs === null) return null;
  const spans: Span[] = [];
  for (const pair of pairs) {
    const span = placeOffsets(content.text, content.words, role, pair);
    if ('role' in span) return span;
    spans.push(span);
  }
  return spans;
}

export function textAt(text: string, start: number, end: number, origin: number): JsonText | null {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return stringText(text, start, end, origin);
  if (first === OPEN_LIST) return tokensText(text, start, end, origin);
  return null;
}

/** A label, or the one label of a list. Null: it is something else. */
export function labelAt(text: string, start: number, end: number): string | null {
  if (text.charCodeAt(start) !== OPEN_LIST) return scalarAt(text, start, end);
  const values = listValues(text, start, end);
  return values.length === 2 ? scalarAt(text, values[0]!, values[1]!) : null;
}

export function notJson(text: string, error: JsonError, origin: number, end: number): Row {
  const at = Math.max(origin, Math.min(error.offset, end - 1));
  const found = foundAt(text, error.offset, end);
  return unreadable(`Not valid JSON: ${error.message}${found}. The row is left out.`, at - origin, at + 1 - origin);
}

/** For the end of a message: what stands where something else should. */
export function foundAt(text: string, at: number, end: number): string {
  if (at >= end) return '; the row ends';
  const character = String.fromCodePoint(text.codePointAt(at)!);
  if (/[\p{L}\p{N}\p{P}\p{S}]/u.test(character)) return `; found ${JSON.stringify(character)}`;
  return `; found U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Two objects on one row: both are read, and it is told where the second one, which starts at `start`, begins. */
function joinedRow(first: Row, second: Row, start: number): Row {
  const message = 'A line break should stand between this row and the one before it.';
  const problem = problemAt('assay/unreadable-row', message, start, start + 1, 'warning');
  return {
    examples: [...first.examples, ...second.examples],
    problems: [...first.problems, problem, ...second.problems],
  };
}
