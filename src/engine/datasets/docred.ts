import type { Span } from '../../protocol/dataset';
import type { EntityMisfit } from './dataset';
import { shortened, wholeNumber } from './entities';
import { misfitOf } from './entity-names';
import type { Problem, ReadExample, Row } from './format';
import { problemAt, unreadable } from './format';
import { documentFormat, isList, isListOf, type Members, membersAt, textOf, within } from './json-documents';
import { digitsAt, numberPair, secondOfPair } from './json-places';
import { listValues, OPEN_LIST, OPEN_OBJECT } from './json-scanner';
import { type SentencesText, sentencesText } from './json-sentences';

/**
 * DocRED (Yao et al. 2019) and files made like it (MixRED): a document an object, `sents` lists of words, `vertexSet` a list of mentions an
 * entity (`pos` counts words of the sentence `sent_id`, end exclusive), `labels` the relations `{r, h, t}` between entities, or a list
 * of each of the three parts. Every labelled pair is an example; all of a document share their text, map, sentences and mentions.
 */
export const docRed = documentFormat({
  id: 'docred',
  name: 'DocRED',
  columns: { task: 'relation', text: 'sents', gold: 'labels.r', head: 'labels.h', tail: 'labels.t' },
  relations: 'labels',
  matches: (text, members) =>
    isListOf(text, members.get('sents'), OPEN_LIST) && isListOf(text, members.get('vertexSet'), OPEN_LIST),
  read: readDocument,
});

interface Entity {
  /** Each place once. Empty: none can be read. */
  mentions: Span[];
  type: string | null;
  /** Of its first mention, which has a name of its own. */
  misfit: Omit<EntityMisfit, 'role'> | null;
}

function readDocument(text: string, members: Members, origin: number): Row {
  const sents = members.get('sents')!;
  const content = sentencesText(text, listValues(text, sents.start, sents.end), origin);
  if (content === null) {
    const { start, end } = within(sents, origin);
    return unreadable('"sents" is no list of lists of words. The document is left out.', start, end);
  }
  const problems: Problem[] = [];
  const entities = entitiesAt(text, members.get('vertexSet')!, content, origin, problems);
  const labels = members.get('labels');
  if (labels === undefined) return { examples: [], problems };
  const relations = isList(text, labels) ? listedRelations(text, labels) : columnRelations(text, labels);
  if (relations === null) {
    const { start, end } = within(labels, origin);
    return unreadable('"labels" is no list of relations. The document is left out.', start, end);
  }
  const textField = within(sents, origin);
  const examples: ReadExample[] = [];
  for (const { place, members: relation } of relations) {
    const range = within(place, origin);
    const pair = pairOf(text, relation, entities);
    if (typeof pair === 'string') {
      problems.push(problemAt('assay/unreadable-row', `${pair} The relation is left out.`, range.start, range.end));
      continue;
    }
    const { head, tail } = pair;
    const label = relation.get('r');
    examples.push({
      id: null,
      text: content.text,
      spans: { head: head.mentions[0]!, tail: tail.mentions[0]! },
      mentions:
        head.mentions.length > 1 || tail.mentions.length > 1 ? { head: head.mentions, tail: tail.mentions } : null,
      sentences: content.sentences,
      types: head.type === null && tail.type === null ? null : { head: head.type, tail: tail.type },
      misfits: misfitsOfPair(head, tail),
      gold: labelOf(text, label),
      map: content.map,
      textField,
      goldField: label === undefined ? null : within(label, origin),
    });
  }
  return { examples, problems };
}

interface Relation {
  /** What a finding of it is told at. */
  place: Span;
  /** `h`, `t`, `r`. */
  members: Members;
}

function listedRelations(text: string, labels: Span): Relation[] {
  const values = listValues(text, labels.start, labels.end);
  const relations: Relation[] = [];
  for (let at = 0; at < values.length; at += 2) {
    const place = { start: values[at]!, end: values[at + 1]! };
    const isObject = text.charCodeAt(place.start) === OPEN_OBJECT;
    relations.push({ place, members: isObject ? membersAt(text, place.start, place.end).members : new Map() });
  }
  return relations;
}

/** Relations written as columns, as Hugging Face exports them: `{head: [0], tail: [2], relation_id: ["P17"], …}`. Null: these are none. */
function columnRelations(text: string, labels: Span): Relation[] | null {
  const { members, fault } = membersAt(text, labels.start, labels.end);
  if (fault !== null) return null;
  const column = (...names: string[]): Span[] | null => {
    const field = names.map((name) => members.get(name)).find((span) => span !== undefined);
    if (!isList(text, field)) return null;
    const values = listValues(text, field.start, field.end);
    return Array.from({ length: values.length / 2 }, (_, at) => ({ start: values[at * 2]!, end: values[at * 2 + 1]! }));
  };
  const heads = column('head', 'h');
  const tails = column('tail', 't');
  const names = column('relation_id', 'relation', 'r', 'relation_text');
  if (heads === null || tails === null || names === null) return null;
  const count = Math.max(heads.length, tails.length, names.length);
  return Array.from({ length: count }, (_, at) => {
    const relation = new Map<string, Span>();
    if (heads[at] !== undefined) relation.set('h', heads[at]);
    if (tails[at] !== undefined) relation.set('t', tails[at]);
    if (names[at] !== undefined) relation.set('r', names[at]);
    return { place: names[at] ?? tails[at] ?? heads[at]!, members: relation };
  });
}

function misfitsOfPair(head: Entity, tail: Entity): EntityMisfit[] | null {
  if (head.misfit === null && tail.misfit === null) return null;
  return [
    ...(head.misfit === null ? [] : [{ role: 'head' as const, ...head.misfit }]),
    ...(tail.misfit === null ? [] : [{ role: 'tail' as const, ...tail.misfit }]),
  ];
}

function labelOf(text: string, label: Span | undefined): string | null {
  const value = textOf(text, label);
  if (value !== null || label === undefined) return value;
  return /^-?\d/.test(text.slice(label.start, label.end)) ? text.slice(label.start, label.end) : null;
}

/** The two entities of a relation; else why it has none. */
function pairOf(text: string, relation: Members, entities: readonly Entity[]): { head: Entity; tail: Entity } | string {
  const entity = (key: 'h' | 't', role: string): Entity | string => {
    const member = relation.get(key);
    const number = member === undefined ? null : wholeNumber(text.slice(member.start, member.end));
    if (number === null) return `"${key}", the number of the ${role} entity, is missing.`;
    const found = entities[number];
    if (found === undefined) {
      return `${role} is entity ${number}, the document has ${entities.length === 0 ? 'none' : `0 to ${entities.length - 1}`}.`;
    }
    return found.mentions.length === 0 ? `No mention of ${role}, entity ${number}, can be read.` : found;
  };
  const head = entity('h', 'head');
  if (typeof head === 'string') return head;
  const tail = entity('t', 'tail');
  return typeof tail === 'string' ? tail : { head, tail };
}

function entitiesAt(
  text: string,
  vertexSet: Span,
  content: SentencesText,
  origin: number,
  problems: Problem[],
): Entity[] {
  const lists = listValues(text, vertexSet.start, vertexSet.end);
  const entities: Entity[] = [];
  for (let at = 0; at < lists.length; at += 2) {
    const entity: Entity = { mentions: [], type: null, misfit: null };
    entities.push(entity);
    const values = text.charCodeAt(lists[at]!) === OPEN_LIST ? listValues(text, lists[at]!, lists[at + 1]!) : [];
    for (let value = 0; value < values.length; value += 2) {
      const { members } = membersAt(text, values[value]!, values[value + 1]!);
      const place = mentionAt(text, members, content);
      if ('message' in place) {
        const range = { start: values[value]! - origin, end: values[value + 1]! - origin };
        const message = `${place.message} This mention is left out.`;
        problems.push(problemAt(place.code, message, range.start, range.end, 'warning'));
        continue;
      }
      entity.type ??= textOf(text, members.get('type'));
      if (entity.mentions.length === 0) entity.misfit = misfitAt(text, members, place, content, origin);
      if (!entity.mentions.some(({ start, end }) => start === place.start && end === place.end))
        entity.mentions.push(place);
    }
  }
  return entities;
}

/** What does not fit between a mention's words and the name it has. */
function misfitAt(
  text: string,
  members: Members,
  place: Span,
  content: SentencesText,
  origin: number,
): Entity['misfit'] {
  const name = textOf(text, members.get('name'));
  if (name === null) return null;
  const end = () => {
    const digits = digitsAt(text, secondOfPair(text, members.get('pos')!) ?? members.get('pos')!);
    return digits === null ? null : within(digits, origin);
  };
  return misfitOf(content.text, content.words, place, { name, end });
}

function mentionAt(
  text: string,
  members: Members,
  content: SentencesText,
): Span | { message: string; code: Problem['code'] } {
  const field = members.get('pos');
  const pair = field === undefined ? null : numberPair(text, field.start, field.end);
  const id = members.get('sent_id');
  const sentence = id === undefined ? null : wholeNumber(text.slice(id.start, id.end));
  if (pair === null || sentence === null) {
    return {
      message: 'A mention needs "sent_id", a number, and "pos", two whole numbers.',
      code: 'assay/unreadable-row',
    };
  }
  const code = 'assay/span-out-of-bounds' as const;
  const name = textOf(text, members.get('name'));
  const what = name === null ? 'A mention' : `"${shortened(name)}"`;
  const count = content.sentences.length;
  if (sentence < 0 || sentence >= count)
    return {
      message: `${what} stands in sentence ${sentence}, the document has the sentences 0 to ${count - 1}.`,
      code,
    };
  const first = content.firstWords[sentence]!;
  const words = content.firstWords[sentence + 1]! - first;
  const [start, end] = pair;
  if (start < 0 || end < start)
    return { message: `${what} goes from word ${start} to word ${end} of sentence ${sentence}.`, code };
  if (end > words)
    return { message: `${what} ends at word ${end} of sentence ${sentence}, which has ${words} words.`, code };
  if (start < end) {
    return { start: content.words.starts[first + start]!, end: content.words.ends[first + end - 1]! };
  }
  // A masked entity: nothing is left of it but its place.
  const place = start < words ? content.words.starts[first + start]! : content.sentences[sentence]!.end;
  return { start: place, end: place };
}
