import type { ColumnChoice, Span } from '../../protocol/dataset';
import { type EntityPlace, occurrences, placeEntities } from './entities';
import { type Format, type Problem, problemAt, type ReadExample, type Row, type Sample, unreadable } from './format';
import {
  type DocumentShape,
  documentFormat,
  isList,
  type Members,
  membersAt,
  sampledObjects,
  textOf,
  within,
} from './json-documents';
import { numberPair } from './json-places';
import { textAt } from './json-row-reader';
import { listValues, OPEN_LIST, OPEN_OBJECT, QUOTE } from './json-scanner';

/**
 * A text an object, with a list of its relations, whose entities are said by their words: DuIE (`spo_list` of `{subject, predicate, object}`),
 * CasRel (`triple_list` of `[subject, predicate, object]`), NYT (`relationMentions` of `{em1Text, em2Text, label}`), TPLinker
 * (`relation_list`). An entity stands where its words stand first, if no offsets are said. Every relation is an example.
 */
export const relationTriples: Format = { id: 'relation-triples', detect };

const textKeys = ['text', 'sentText', 'sentence', 'sent', 'content', 'tokens', 'token'];
const listKeys = [
  'spo_list',
  'triple_list',
  'relation_list',
  'relationMentions',
  'relations',
  'triples',
  'triplets',
  'spos',
];
/** What the two entities and their relation are called in an object. */
const partKeys = [
  { head: 'subject', tail: 'object' },
  { head: 'em1Text', tail: 'em2Text' },
  { head: 'head', tail: 'tail' },
  { head: 'h', tail: 't' },
  { head: 'subj', tail: 'obj' },
  { head: 'e1', tail: 'e2' },
  { head: 'arg1', tail: 'arg2' },
] as const;
const labelKeys = ['predicate', 'relation', 'label', 'type', 'rel', 'property', 'r'];

/** What the parts of a relation are called in its object; in a list of three, their numbers. */
interface Form {
  readonly head: string;
  readonly tail: string;
  readonly label: string;
}

interface Keys {
  text: string;
  list: string;
  form: Form;
}

/** Objects that are asked whether they have such a list; and relations that are asked how they are written. */
const SAMPLE_OBJECTS = 20;
const SAMPLE_TRIPLES = 60;
/** Objects whose lists may be empty before one is not. */
const MAX_EMPTY = 2000;
/** Share of the sampled relations whose entities must stand in their text. */
const STANDING_SHARE = 0.2;

function detect(sample: Sample, choice: ColumnChoice | null) {
  const keys = keysOf(sample);
  return keys === null ? null : documentFormat(shapeOf(keys)).detect(sample, choice);
}

/** What a file's relations are called and how they are written; null: they are no triples, or their entities are not of the texts. */
function keysOf(sample: Sample): Keys | null {
  const { text } = sample;
  let keys: Omit<Keys, 'form'> | null = null;
  let looked = 0;
  const triples: { content: string; value: Span }[] = [];
  for (const members of sampledObjects(sample)) {
    keys ??= namesOf(text, members);
    if (++looked > (keys === null ? SAMPLE_OBJECTS : MAX_EMPTY)) break;
    const content = keys === null ? undefined : members.get(keys.text);
    const list = keys === null ? undefined : members.get(keys.list);
    if (content === undefined || !isList(text, list)) continue;
    const words = textAt(text, content.start, content.end, 0)?.text ?? '';
    const values = listValues(text, list.start, list.end);
    for (let at = 0; at < values.length; at += 2) {
      triples.push({ content: words, value: { start: values[at]!, end: values[at + 1]! } });
    }
    if (triples.length >= SAMPLE_TRIPLES) break;
  }
  const first = triples[0];
  if (keys === null || first === undefined) return null;
  const isListed = text.charCodeAt(first.value.start) === OPEN_LIST;
  const form = isListed ? listForm(text, triples) : formOfFirst(text, triples);
  if (form === null) return null;
  const standing = triples.filter(({ content, value }) => {
    const parts = tripleAt(text, value, form);
    return parts !== null && stands(content, parts.head) && stands(content, parts.tail);
  }).length;
  return standing > 0 && standing >= triples.length * STANDING_SHARE ? { ...keys, form } : null;
}

function namesOf(text: string, members: Members): Omit<Keys, 'form'> | null {
  const name = textKeys.find((key) => {
    const unit = members.has(key) ? text.charCodeAt(members.get(key)!.start) : 0;
    return unit === QUOTE || unit === OPEN_LIST;
  });
  const list = listKeys.find((key) => isList(text, members.get(key)));
  return name === undefined || list === undefined ? null : { text: name, list };
}

function stands(content: string, place: EntityPlace): boolean {
  return !('surface' in place) || occurrences(content, place.surface).length > 0;
}

/** Of three words the relation is the one that stands in the texts least often; the middle one, if they say nothing. */
function listForm(text: string, triples: readonly { content: string; value: Span }[]): Form {
  const standing = [0, 0, 0];
  for (const { content, value } of triples) {
    const parts = partsAt(text, value);
    for (const at of standing.keys()) {
      const words = textOf(text, parts.get(String(at)));
      if (words !== null && occurrences(content, words).length > 0) standing[at]!++;
    }
  }
  const least = Math.min(...standing);
  if (standing[1] === least) return { head: '0', tail: '2', label: '1' };
  return standing[2] === least ? { head: '0', tail: '1', label: '2' } : { head: '1', tail: '2', label: '0' };
}

function formOfFirst(text: string, triples: readonly { value: Span }[]): Form | null {
  for (const { value } of triples) {
    const form = objectForm(text, value);
    if (form !== null) return form;
  }
  return null;
}

function objectForm(text: string, value: Span): Form | null {
  const parts = partsAt(text, value);
  const label = labelKeys.find((key) => textOf(text, parts.get(key)) !== null);
  const entities = partKeys.find(
    ({ head, tail }) => surfaceOf(text, parts.get(head)) !== null && surfaceOf(text, parts.get(tail)) !== null,
  );
  return label === undefined || entities === undefined ? null : { ...entities, label };
}

/** The parts of a relation by their keys, or by their numbers in a list of three; empty if it is neither. */
function partsAt(text: string, { start, end }: Span): Members {
  const first = text.charCodeAt(start);
  if (first === OPEN_OBJECT) return membersAt(text, start, end).members;
  const parts = new Map<string, Span>();
  const values = first === OPEN_LIST ? listValues(text, start, end) : [];
  if (values.length !== 6) return parts;
  for (const at of [0, 1, 2]) parts.set(String(at), { start: values[at * 2]!, end: values[at * 2 + 1]! });
  return parts;
}

/** The words of an entity; DuIE writes those of an object as `{"@value": …}`. */
function surfaceOf(text: string, member: Span | undefined): string | null {
  if (member === undefined || text.charCodeAt(member.start) !== OPEN_OBJECT) return textOf(text, member);
  return textOf(text, membersAt(text, member.start, member.end).members.get('@value'));
}

interface Triple {
  head: EntityPlace;
  tail: EntityPlace;
  label: Span | undefined;
  types: { head: string | null; tail: string | null };
}

function tripleAt(text: string, value: Span, form: Form): Triple | null {
  const parts = partsAt(text, value);
  const placeOf = (key: string, offsets: string): EntityPlace | null => {
    const field = parts.get(offsets);
    const pair = field === undefined ? null : numberPair(text, field.start, field.end);
    if (pair !== null) return { start: pair[0], end: pair[1] };
    const surface = surfaceOf(text, parts.get(key));
    return surface === null ? null : { surface };
  };
  const head = placeOf(form.head, 'subj_char_span');
  const tail = placeOf(form.tail, 'obj_char_span');
  if (head === null || tail === null) return null;
  const typeOf = (key: string) => surfaceOf(text, parts.get(`${key}_type`));
  return { head, tail, label: parts.get(form.label), types: { head: typeOf(form.head), tail: typeOf(form.tail) } };
}

function shapeOf({ text: textKey, list, form }: Keys): DocumentShape {
  const part = (role: keyof Form) => (isNumbered(form) ? `${list} ${role}` : `${list}.${form[role]}`);
  return {
    id: 'relation-triples',
    name: `${textKey} + ${list}`,
    columns: { task: 'relation', text: textKey, gold: part('label'), head: part('head'), tail: part('tail') },
    relations: list,
    // Rows without relations need no list.
    matches: (text, members) => members.has(textKey) && (!members.has(list) || isListOrNull(text, members.get(list)!)),
    read: (text, members, origin) => readTriples(text, members, origin, { text: textKey, list, form }),
  };
}

function isNumbered({ label }: Form): boolean {
  return /^\d$/.test(label);
}

function isListOrNull(text: string, member: Span): boolean {
  return text.startsWith('null', member.start) || isList(text, member);
}

function readTriples(text: string, members: Members, origin: number, { text: textKey, list, form }: Keys): Row {
  const field = members.get(textKey)!;
  const textField = within(field, origin);
  const content = textAt(text, field.start, field.end, origin);
  if (content === null) {
    const message = `"${textKey}" is neither text nor a list of words. The row is left out.`;
    return unreadable(message, textField.start, textField.end);
  }
  const relations = members.get(list);
  const values = isList(text, relations) ? listValues(text, relations.start, relations.end) : [];
  const ofWords = typesByWords(text, members.get('entityMentions'));
  const problems: Problem[] = [];
  const examples: ReadExample[] = [];
  for (let at = 0; at < values.length; at += 2) {
    const value = { start: values[at]!, end: values[at + 1]! };
    const { start, end } = within(value, origin);
    const triple = tripleAt(text, value, form);
    const gold = triple === null ? null : textOf(text, triple.label);
    if (triple === null || gold === null) {
      const shape = isNumbered(form) ? 'three texts' : `"${form.head}", "${form.label}" and "${form.tail}"`;
      const message = `A relation should stand here as ${shape}. It is left out.`;
      problems.push(problemAt('assay/unreadable-row', message, start, end));
      continue;
    }
    const spans = placeEntities(content.text, content.words, triple.head, triple.tail);
    if ('role' in spans) {
      problems.push(problemAt(spans.code, `${spans.message} The relation is left out.`, start, end));
      continue;
    }
    const typeOf = (role: 'head' | 'tail') =>
      triple.types[role] ?? ofWords?.get(content.text.slice(spans[role].start, spans[role].end)) ?? null;
    const types = { head: typeOf('head'), tail: typeOf('tail') };
    examples.push({
      id: null,
      text: content.text,
      spans,
      mentions: null,
      types: types.head === null && types.tail === null ? null : types,
      gold,
      map: content.map,
      textField,
      goldField: within(triple.label!, origin),
    });
  }
  return { examples, problems };
}

/** NYT's types of entities, by their words. */
function typesByWords(text: string, mentions: Span | undefined): Map<string, string> | null {
  if (!isList(text, mentions)) return null;
  const types = new Map<string, string>();
  const values = listValues(text, mentions.start, mentions.end);
  for (let at = 0; at < values.length; at += 2) {
    if (text.charCodeAt(values[at]!) !== OPEN_OBJECT) continue;
    const { members } = membersAt(text, values[at]!, values[at + 1]!);
    const words = textOf(text, members.get('text'));
    const type = textOf(text, members.get('label'));
    if (words !== null && type !== null) types.set(words, type);
  }
  return types;
}
