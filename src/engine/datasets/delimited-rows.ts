import type { Span } from '../../protocol/dataset';
import { type OffsetMap, withoutRanges } from '../text/offset-map';
import { goldNameScore, textNameScore } from './column-names';
import { type Dialect, type Field, fieldText, fieldValue } from './delimited-scanner';
import { type EntityPlace, placeEntities, shortened, wholeNumber } from './entities';
import { type EntityName, misfitsOf } from './entity-names';
import { noProblems, type Problem, problemAt, type Row } from './format';
import { type Markers, missingMarkers, withoutMarkers } from './inline-markers';
import { digitsAt } from './json-places';
import type { JsonText } from './json-text';
import { pythonTokens } from './python-list';

/** Where the parts of an example stand in a record; -1: nowhere. */
export interface Places {
  text: number;
  gold: number;
  id: number;
  head: number;
  tail: number;
  headEnd: number;
  tailEnd: number;
  headType: number;
  tailType: number;
  headName: number;
  tailName: number;
}

/** Files that were joined have one for each. It is known by its own words, since a record is read by itself. */
export function isHeaderAgain(text: string, fields: readonly Field[], dialect: Dialect, places: Places): boolean {
  const title = fields[places.text];
  const gold = fields[places.gold];
  if (title === undefined || gold === undefined || title.end - title.start > 30) return false;
  return textNameScore(fieldValue(text, title, dialect)) > 0.5 && goldNameScore(fieldValue(text, gold, dialect)) > 0.4;
}

/** Reads one record of a table; offsets are relative to its start. */
export function readRecord(
  text: string,
  start: number,
  end: number,
  fields: Field[],
  dialect: Dialect,
  width: number,
  places: Places,
  inclusive: boolean,
  markers: Markers | null,
  isTokens: boolean,
): Row {
  while (fields.length > width && fields.at(-1)!.start === fields.at(-1)!.end) fields.pop();
  const at = (field: Field) => ({ start: field.start - start, end: field.end - start });
  const problems: Problem[] = [];
  const stray = fields.find((field) => field.stray);
  if (stray !== undefined) {
    const message =
      'A quote opens here and is not closed where a field ends: it is read as a character, and reading goes on at the next line.';
    problems.push(problemAt('assay/unreadable-row', message, stray.start - start, stray.end - start, 'warning'));
  }
  if (fields.length !== width) {
    const many = fields.length > width;
    const has = `The row has ${fields.length} field${fields.length === 1 ? '' : 's'}, not ${width}`;
    // What only says a place again may be missing.
    const { headName: _head, tailName: _tail, ...needed } = places;
    const missing = Object.values(needed).some((place) => place >= fields.length);
    if (many || missing) {
      const why = many ? `${has}: is a "${dialect.delimiter}" in a text that is not quoted?` : `${has}.`;
      return {
        examples: [],
        problems: [...problems, problemAt('assay/unreadable-row', `${why} It is left out.`, 0, end - start)],
      };
    }
    problems.push(
      problemAt('assay/unreadable-row', `${has}; those that are there are read.`, 0, end - start, 'warning'),
    );
  }
  const textField = fields[places.text]!;
  const written = withoutEnd(fieldText(text, textField, start, dialect));
  const tokens = isTokens ? pythonTokens(written) : null;
  if (isTokens && tokens === null) {
    const { start: from, end: to } = at(textField);
    const message = `The text is no list of words (['a', 'fine', 'film']), as the others are. The row is left out.`;
    return { examples: [], problems: [...problems, problemAt('assay/unreadable-row', message, from, to)] };
  }
  const content = tokens ?? { ...written, words: null };
  const label = places.gold === -1 ? '' : fieldValue(text, fields[places.gold]!, dialect).trim();
  const id = places.id === -1 ? '' : fieldValue(text, fields[places.id]!, dialect).trim();
  const unmarked = markers === null ? null : withoutMarkers(content, markers);
  if (markers !== null && unmarked === null) {
    const { start: from, end: to } = at(textField);
    return {
      examples: [],
      problems: [...problems, problemAt('assay/markers', missingMarkers(markers), from, to)],
    };
  }
  const entities = places.head === -1 ? null : entitiesOf(text, start, content, fields, dialect, places, inclusive);
  if (entities !== null && 'role' in entities) {
    const range = at(fields[places[entities.role]]!);
    return {
      examples: [],
      problems: [
        ...problems,
        problemAt(entities.code, `${entities.message} The row is left out.`, range.start, range.end),
      ],
    };
  }
  const example = {
    id: id === '' ? null : id,
    text: unmarked?.text ?? content.text,
    spans: unmarked?.spans ?? entities?.spans ?? null,
    mentions: null,
    types: unmarked?.types ?? entities?.types ?? null,
    misfits: entities?.misfits ?? null,
    gold: label === '' ? null : label,
    map: unmarked?.map ?? content.map,
    textField: at(textField),
    goldField: places.gold === -1 ? null : at(fields[places.gold]!),
  };
  return { examples: [example], problems: problems.length === 0 ? noProblems : problems };
}

/** What NYT10 (Riedel et al. 2010) writes behind each sentence. */
const SENTENCE_END = '###END###';

function withoutEnd(content: { text: string; map: OffsetMap }): { text: string; map: OffsetMap } {
  const written = content.text.trimEnd();
  if (!written.endsWith(SENTENCE_END)) return content;
  const text = written.slice(0, -SENTENCE_END.length).trimEnd();
  return { text, map: withoutRanges(content.map, [{ start: text.length, end: content.text.length }]) };
}

function entitiesOf(
  text: string,
  origin: number,
  { text: content, words }: JsonText,
  fields: readonly Field[],
  dialect: Dialect,
  places: Places,
  inclusive: boolean,
) {
  const value = (place: number) => (place === -1 ? null : fieldValue(text, fields[place]!, dialect));
  const head = entityPlace(value(places.head)!, value(places.headEnd), inclusive);
  const tail = entityPlace(value(places.tail)!, value(places.tailEnd), inclusive);
  for (const [role, found] of [
    ['head', head],
    ['tail', tail],
  ] as const) {
    if (found === null) {
      const shown = (place: number) => shortened(value(place) ?? '') || 'nothing';
      const written = `${shown(places[role])} and ${shown(places[`${role}End`])}`;
      return {
        role,
        code: 'assay/unreadable-row' as const,
        message: `${role} starts and ends at ${written}: both must be whole numbers.`,
      };
    }
  }
  const spans = placeEntities(content, words, head!, tail!);
  if ('role' in spans) return spans;
  const headType = value(places.headType);
  const tailType = value(places.tailType);
  const said = (role: 'head' | 'tail'): EntityName | null => {
    const name = places[`${role}End`] === -1 ? null : value(places[`${role}Name`]);
    if (name === null || name.trim() === '') return null;
    const field = fields[places[`${role}End`]]!;
    return { name, end: () => within(digitsAt(text, field), origin) };
  };
  const misfits = misfitsOf(content, spans, null, { head: said('head'), tail: said('tail'), words });
  return { spans, misfits, types: headType === null && tailType === null ? null : { head: headType, tail: tailType } };
}

/** An entity by its offsets in code points, where there is a column for its end (`inclusive`: for its last character); else by its words. */
function entityPlace(cell: string, last: string | null, inclusive: boolean): EntityPlace | null {
  if (last === null) return { surface: cell };
  const start = wholeNumber(cell);
  const end = wholeNumber(last);
  if (start === null || end === null) return null;
  return inclusive ? { start, end: end + 1, inclusive } : { start, end };
}

function within(span: Span | null, origin: number): Span | null {
  return span === null ? null : { start: span.start - origin, end: span.end - origin };
}
