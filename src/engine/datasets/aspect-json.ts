import type { ColumnChoice, Span } from '../../protocol/dataset';
import { isIdName, normalised, textNameScore, tokenListNames } from './column-names';
import { placeOffsets, shortened, wholeNumber } from './entities';
import { fixedReading, sampleRecords } from './fixed-places';
import {
  type Format,
  noProblems,
  type Place,
  type Problem,
  problemAt,
  type ReadExample,
  type Reading,
  type Row,
  type Sample,
  unreadable,
} from './format';
import { elementCutter } from './json-array';
import { membersAt, within } from './json-documents';
import { labelAt, notJson, textAt } from './json-row-reader';
import { sampledShape } from './json-row-starts';
import { listValues, OPEN_LIST, OPEN_OBJECT, skipMark, visitMembers } from './json-scanner';
import type { JsonText } from './json-text';
import { scalarAt } from './json-text';
import { cutLine } from './jsonl';

/**
 * Aspects in JSON, in a list or a line a row: `{"words": ["…", …], "aspects": [{"from": 4, "to": 5, "polarity": "NEU", "term": ["…"]}]}`.
 * One example an aspect. `from` and `to` count words where the text is a list of words, else code points; end exclusive.
 */
export const aspectJson: Format = { id: 'json', detect };

/** Names of the list of aspects, and of the parts of one. */
const listNames = ['aspects', 'aspectterms'];
const polarityNames = ['polarity', 'sentiment', 'label'];
const fromNames = ['from', 'start'];
const toNames = ['to', 'end'];
const termNames = ['term', 'aspect', 'target'];

/** The keys that hold the parts. */
interface Keys {
  text: string;
  aspects: string;
  polarity: string;
  id: string | null;
}

function detect(sample: Sample, choice: ColumnChoice | null): Reading | null {
  const { text } = sample;
  const opening = skipMark(text, 0, text.length);
  const isArray = text.charCodeAt(opening) === OPEN_LIST;
  if (!isArray && text.charCodeAt(opening) !== OPEN_OBJECT) return null;
  const cut = isArray ? elementCutter(sampledShape(text, opening)) : cutLine;
  const begin = (whole: string): Place => ({ offset: isArray ? skipMark(whole, 0, whole.length) + 1 : 0, state: '' });
  const keys = findKeys(text, begin(text), cut);
  if (keys === null) return null;
  const gold = `${keys.aspects}.${keys.polarity}`;
  // A person who names other columns reads it as rows.
  if (choice !== null && (choice.text !== keys.text || (choice.gold !== undefined && choice.gold !== gold)))
    return null;
  const read = (whole: string, start: number, end: number) => readRow(whole, start, end, keys);
  const rows = sampleRecords(sample, cut, (whole, { start, end }) => read(whole, start, end), begin(text));
  const good = rows.filter((row) => row.problems.length === 0).length;
  if (good < rows.length / 2 || rows.every((row) => row.examples.length === 0)) return null;
  return fixedReading(
    {
      format: isArray ? 'json' : 'jsonl',
      confidence: 0.9 + (0.1 * good) / rows.length,
      detail: `${isArray ? 'JSON array' : 'JSON Lines'}, ${keys.text} + ${keys.aspects}, an example an aspect`,
      columns: { text: keys.text, gold, ...(keys.id === null ? {} : { id: keys.id }) },
      key: JSON.stringify(['aspects', isArray, keys]),
      begin,
      cut,
      read,
    },
    rows,
    choice,
  );
}

/** Rows that are looked at for one with an aspect. */
const KEY_ROWS = 50;

function findKeys(text: string, from: Place, cut: Reading['cut']): Keys | null {
  let place = from;
  for (let row = 0; row < KEY_ROWS; row++) {
    const found = cut(text, place);
    if (found === null) return null;
    place = found.next;
    if (found.start === found.end) continue;
    const { members, fault } = membersAt(text, found.start, found.end);
    if (fault !== null) continue;
    const names = [...members.keys()];
    const aspects = names.find((name) => listNames.includes(normalised(name)));
    const words = names.find(
      (name) =>
        (textNameScore(name) > 0.5 || tokenListNames.includes(normalised(name))) &&
        textAt(text, members.get(name)!.start, members.get(name)!.end, 0) !== null,
    );
    if (aspects === undefined || words === undefined) return null;
    const list = members.get(aspects)!;
    if (text.charCodeAt(list.start) !== OPEN_LIST) return null;
    const first = listValues(text, list.start, list.end)[0];
    if (first === undefined) continue;
    if (text.charCodeAt(first) !== OPEN_OBJECT) return null;
    const parts = partsOf(text, { start: first, end: list.end });
    const polarity = polarityNames.find((name) => parts.has(name));
    if (polarity === undefined || !fromNames.some((name) => parts.has(name))) return null;
    return { text: words, aspects, polarity, id: names.find(isIdName) ?? null };
  }
  return null;
}

/** The members of a checked object. */
function partsOf(text: string, object: Span): Map<string, Span> {
  const parts = new Map<string, Span>();
  visitMembers(text, object.start, object.end, (keyStart, keyEnd, start, end) => {
    parts.set(text.slice(keyStart, keyEnd), { start, end });
  });
  return parts;
}

function readRow(text: string, start: number, end: number, keys: Keys): Row {
  const first = skipMark(text, start, end) - start;
  if (text.charCodeAt(start + first) !== OPEN_OBJECT)
    return unreadable('The row is no JSON object { … }. It is left out.', first, end - start);
  const { members, fault } = membersAt(text, start, end);
  if (fault !== null) return notJson(text, fault, start, end);
  const field = members.get(keys.text);
  const content = field === undefined ? null : textAt(text, field.start, field.end, start);
  if (field === undefined || content === null)
    return unreadable(
      `"${keys.text}" is missing, or neither text nor a list of words. The row is left out.`,
      first,
      end - start,
    );
  const list = members.get(keys.aspects);
  if (list === undefined || text.charCodeAt(list.start) !== OPEN_LIST)
    return unreadable(`The row has no list "${keys.aspects}". It is left out.`, first, end - start);
  const idField = keys.id === null ? undefined : members.get(keys.id);
  const id = idField === undefined ? null : scalarAt(text, idField.start, idField.end);
  const examples: ReadExample[] = [];
  const problems: Problem[] = [];
  const values = listValues(text, list.start, list.end);
  for (let index = 0; index < values.length; index += 2) {
    const value = { start: values[index]!, end: values[index + 1]! };
    const read = readAspect(text, value, content, keys, start);
    if ('problem' in read) problems.push(read.problem);
    if ('aspect' in read) {
      const { aspect, gold, goldField } = read;
      examples.push({
        id: id === null || values.length === 2 ? id : `${id}#${index / 2 + 1}`,
        text: content.text,
        spans: null,
        aspect,
        mentions: null,
        types: null,
        gold,
        map: content.map,
        textField: within(field, start),
        goldField,
      });
    }
  }
  return { examples, problems: problems.length === 0 ? noProblems : problems };
}

type ReadAspect =
  | { problem: Problem }
  | { aspect: Span; gold: string | null; goldField: Span | null }
  | { aspect: Span; gold: string | null; goldField: Span | null; problem: Problem };

function readAspect(text: string, value: Span, content: JsonText, keys: Keys, origin: number): ReadAspect {
  const place = within(value, origin);
  const fault = (message: string, code: Problem['code'] = 'assay/unreadable-row') => ({
    problem: problemAt(code, `${message} The aspect is left out.`, place.start, place.end),
  });
  if (text.charCodeAt(value.start) !== OPEN_OBJECT) return fault('An aspect should be a JSON object { … }.');
  const parts = partsOf(text, value);
  const numberOf = (names: readonly string[]) => {
    const part = names.map((name) => parts.get(name)).find((each) => each !== undefined);
    return part === undefined ? null : wholeNumber(text.slice(part.start, part.end));
  };
  const from = numberOf(fromNames);
  const to = numberOf(toNames);
  if (from === null || to === null) return fault('"from" and "to" of the aspect must be whole numbers.');
  const aspect = placeOffsets(content.text, content.words, 'aspect', { start: from, end: to });
  if ('role' in aspect) return fault(aspect.message, aspect.code);
  const polarity = parts.get(keys.polarity);
  const gold =
    polarity === undefined || text.startsWith('null', polarity.start)
      ? null
      : labelAt(text, polarity.start, polarity.end);
  const read = { aspect, gold, goldField: polarity === undefined ? null : within(polarity, origin) };
  const named = termNames.map((name) => parts.get(name)).find((each) => each !== undefined);
  const term = named === undefined ? null : textAt(text, named.start, named.end, 0);
  const found = content.text.slice(aspect.start, aspect.end);
  if (term === null || term.text === '' || term.text === found) return read;
  const message = `At ${from} to ${to} the text says "${shortened(found)}", not the aspect "${shortened(term.text)}". It is read as the numbers say.`;
  return { ...read, problem: problemAt('assay/entity-not-found', message, place.start, place.end, 'warning') };
}
