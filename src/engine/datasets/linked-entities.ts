import type { ColumnChoice, Span } from '../../protocol/dataset';
import { notGold, verdictAt } from './answers';
import { placeOffsets, wholeNumber } from './entities';
import { type EntityName, misfitsOf } from './entity-names';
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
import { digitsAt, type PlaceParts, placeParts } from './json-places';
import { textAt } from './json-row-reader';
import { listValues, OPEN_LIST, OPEN_OBJECT, QUOTE } from './json-scanner';
import type { JsonText } from './json-text';
import { scalarAt } from './json-text';

/**
 * A text an object, with lists of its entities (by offsets) and of the relations that link them, as tools of annotation export them: doccano
 * (`entities` `{id, start_offset, end_offset, label}`, `relations` `{from_id, to_id, type}`) and Prodigy (`spans` `{start, end, label}`,
 * `relations` `{head_span, child_span, label}`). Ends are exclusive and count characters, or the words of a list. Every relation is
 * an example.
 */
export const linkedEntities: Format = { id: 'linked-entities', detect };

const textKeys = ['text', 'sentence', 'content', 'tokens', 'token'];
const entityKeys = ['entities', 'spans', 'mentions'];
/** The keys of a relation that say its two entities: by their ids, or as objects with their offsets. */
const linkKeys = [
  { head: 'from_id', tail: 'to_id' },
  { head: 'head_span', tail: 'child_span' },
  { head: 'head_id', tail: 'tail_id' },
  { head: 'head', tail: 'tail' },
  { head: 'head', tail: 'child' },
  { head: 'from', tail: 'to' },
  { head: 'arg1', tail: 'arg2' },
  { head: 'subject', tail: 'object' },
] as const;
const labelKeys = ['type', 'label', 'relation', 'predicate'];

interface Keys {
  text: string;
  entities: string;
  head: string;
  tail: string;
  label: string;
}

/** Objects that are asked whether they have such lists; and those whose lists may be empty before one is not. */
const SAMPLE_OBJECTS = 20;
const MAX_EMPTY = 2000;

function detect(sample: Sample, choice: ColumnChoice | null) {
  const keys = keysOf(sample);
  return keys === null ? null : documentFormat(shapeOf(keys)).detect(sample, choice);
}

function keysOf({ text, ...sample }: Sample): Keys | null {
  let names: { text: string; entities: string } | null = null;
  let looked = 0;
  for (const members of sampledObjects({ text, ...sample })) {
    names ??= namesOf(text, members);
    if (++looked > (names === null ? SAMPLE_OBJECTS : MAX_EMPTY)) return null;
    const list = members.get('relations');
    const entities = names === null ? undefined : members.get(names.entities);
    if (names === null || !isList(text, list) || !isList(text, entities)) continue;
    const [start, end] = listValues(text, list.start, list.end);
    if (start === undefined) continue;
    const [entity] = listValues(text, entities.start, entities.end);
    if (entity !== undefined && !saysOffsets(text, entities)) return null;
    const { members: relation } = membersAt(text, start, end!);
    // SpERT's: numbers of entities whose places are words.
    if (isNumber(text, relation.get('head')) && isNumber(text, relation.get('tail')) && names.text.startsWith('token'))
      return null;
    const link = linkKeys.find(
      ({ head, tail }) => isLink(text, relation.get(head)) && isLink(text, relation.get(tail)),
    );
    const label = labelKeys.find((key) => textOf(text, relation.get(key)) !== null);
    return link === undefined || label === undefined ? null : { ...names, ...link, label };
  }
  return null;
}

function namesOf(text: string, members: Members): { text: string; entities: string } | null {
  const name = textKeys.find((key) => {
    const unit = members.has(key) ? text.charCodeAt(members.get(key)!.start) : 0;
    return unit === QUOTE || unit === OPEN_LIST;
  });
  const entities = entityKeys.find((key) => isList(text, members.get(key)));
  return name === undefined || entities === undefined || !isList(text, members.get('relations'))
    ? null
    : { text: name, entities };
}

function saysOffsets(text: string, entities: Span): boolean {
  const [start, end] = listValues(text, entities.start, entities.end);
  if (text.charCodeAt(start!) !== OPEN_OBJECT) return false;
  const parts = placeParts(text, start!, end!);
  return parts.start !== null && parts.end !== null;
}

function isNumber(text: string, member: Span | undefined): boolean {
  return member !== undefined && wholeNumber(text.slice(member.start, member.end)) !== null;
}

/** Whether a value names an entity by its id or number, or says where it stands. */
function isLink(text: string, member: Span | undefined): boolean {
  if (member === undefined) return false;
  const first = text.charCodeAt(member.start);
  return first === QUOTE || first === OPEN_OBJECT || isNumber(text, member);
}

function shapeOf(keys: Keys): DocumentShape {
  const { text: textKey, entities, head, tail, label } = keys;
  return {
    id: 'linked-entities',
    name: `${textKey} + ${entities} + relations`,
    columns: {
      task: 'relation',
      text: textKey,
      gold: `relations.${label}`,
      head: `relations.${head}`,
      tail: `relations.${tail}`,
    },
    relations: 'relations',
    matches: (text, members) =>
      members.has(textKey) &&
      [members.get(entities), members.get('relations')].every((list) => list === undefined || isList(text, list)),
    read: (text, members, origin) => readLinks(text, members, origin, keys),
  };
}

type Entity = { span: Span; type: string | null; name: EntityName | null } | { fault: string; code: Problem['code'] };

function readLinks(text: string, members: Members, origin: number, keys: Keys): Row {
  const field = members.get(keys.text)!;
  const textField = within(field, origin);
  const content = textAt(text, field.start, field.end, origin);
  if (content === null) {
    const message = `"${keys.text}" is neither text nor a list of words. The row is left out.`;
    return unreadable(message, textField.start, textField.end);
  }
  const entities = new EntityList(text, members, keys.entities, content, origin);
  const problems: Problem[] = [];
  const answer = members.get('answer');
  const verdict = answer === undefined ? null : verdictAt(text, answer);
  const isRefused = verdict !== null && verdict !== 'accept';
  const examples: ReadExample[] = [];
  for (const { start, end } of itemsOf(text, members.get('relations'))) {
    const { members: relation } = membersAt(text, start, end);
    const ends = (['head', 'tail'] as const).map((role) => entities.linked(relation.get(keys[role]), role, keys[role]));
    const fault = ends.find((entity) => 'fault' in entity);
    const label = relation.get(keys.label);
    const gold = textOf(text, label);
    if (fault !== undefined || gold === null) {
      const [message, code] =
        fault !== undefined && 'fault' in fault
          ? [fault.fault, fault.code]
          : [`"${keys.label}" is no text.`, 'assay/unreadable-row' as const];
      problems.push(problemAt(code, `${message} The relation is left out.`, start - origin, end - origin));
      continue;
    }
    const [head, tail] = ends as Extract<Entity, { span: Span }>[];
    const spans = { head: head!.span, tail: tail!.span };
    examples.push({
      id: null,
      text: content.text,
      spans,
      mentions: null,
      types: head!.type === null && tail!.type === null ? null : { head: head!.type, tail: tail!.type },
      misfits: misfitsOf(content.text, spans, null, { head: head!.name, tail: tail!.name, words: content.words }),
      gold: isRefused ? null : gold,
      map: content.map,
      textField,
      goldField: within(label!, origin),
    });
  }
  if (isRefused && examples.length > 0) problems.push(notGold(verdict, within(answer!, origin)));
  return { examples, problems };
}

function itemsOf(text: string, list: Span | undefined): Span[] {
  if (!isList(text, list)) return [];
  const values = listValues(text, list.start, list.end);
  return Array.from({ length: values.length / 2 }, (_, at) => ({ start: values[at * 2]!, end: values[at * 2 + 1]! }));
}

/** The entities of a row, by what relations call them. */
class EntityList {
  readonly #text: string;
  readonly #content: JsonText;
  readonly #origin: number;
  readonly #items: readonly Span[];
  readonly #byId = new Map<string, Span>();
  /** Prodigy's tokens: a relation may say the number of one instead of a span. */
  readonly #tokens: readonly Span[];

  constructor(text: string, members: Members, key: string, content: JsonText, origin: number) {
    this.#text = text;
    this.#content = content;
    this.#origin = origin;
    this.#items = itemsOf(text, members.get(key)).filter(({ start }) => text.charCodeAt(start) === OPEN_OBJECT);
    for (const item of this.#items) {
      const id = membersAt(text, item.start, item.end).members.get('id');
      const name = id === undefined ? null : scalarAt(text, id.start, id.end);
      if (name !== null) this.#byId.set(name, item);
    }
    const tokens = content.words === null ? itemsOf(text, members.get('tokens')) : [];
    this.#tokens = tokens.filter(({ start }) => text.charCodeAt(start) === OPEN_OBJECT);
  }

  /** The entity that a relation's member names. */
  linked(member: Span | undefined, role: 'head' | 'tail', key: string): Entity {
    if (member === undefined) return { fault: `"${key}", the ${role}, is missing.`, code: 'assay/unreadable-row' };
    if (this.#text.charCodeAt(member.start) === OPEN_OBJECT) return this.#entityAt(member, role);
    const name = scalarAt(this.#text, member.start, member.end) ?? '';
    const item = this.#byId.size > 0 ? this.#byId.get(name) : this.#numbered(wholeNumber(name));
    return item === undefined
      ? { fault: `The ${role} is entity ${name}, which the row has not.`, code: 'assay/unreadable-row' }
      : this.#entityAt(item, role);
  }

  #numbered(number: number | null): Span | undefined {
    if (number === null) return undefined;
    if (this.#tokens.length === 0) return this.#items[number];
    const numberAt = (members: Members, key: string): number | null => {
      const field = members.get(key);
      return field === undefined ? null : wholeNumber(this.#text.slice(field.start, field.end));
    };
    const around = this.#items.find(({ start, end }) => {
      const { members } = membersAt(this.#text, start, end);
      const first = numberAt(members, 'token_start');
      const last = numberAt(members, 'token_end');
      return first !== null && last !== null && first <= number && number <= last;
    });
    return around ?? this.#tokens[number];
  }

  #entityAt({ start, end }: Span, role: 'head' | 'tail'): Entity {
    const text = this.#text;
    const parts = placeParts(text, start, end);
    const numberAt = (field: Span | null) => (field === null ? null : wholeNumber(text.slice(field.start, field.end)));
    const from = numberAt(parts.start);
    const to = numberAt(parts.end);
    if (from === null || to === null) {
      return { fault: `The ${role} does not say where it starts and ends.`, code: 'assay/unreadable-row' };
    }
    const span = placeOffsets(this.#content.text, this.#content.words, role, { start: from, end: to });
    if ('role' in span) return { fault: span.message, code: span.code };
    const label = membersAt(text, start, end).members.get('label');
    return { span, type: textOf(text, label ?? parts.type ?? undefined), name: this.#nameOf(parts) };
  }

  #nameOf({ name, text: words, end }: PlaceParts): EntityName | null {
    const said = textOf(this.#text, name ?? words ?? undefined);
    if (said === null) return null;
    return {
      name: said,
      end: () => {
        const digits = end === null ? null : digitsAt(this.#text, end);
        return digits === null ? null : within(digits, this.#origin);
      },
    };
  }
}
