import type { Span } from '../../protocol/dataset';
import { wholeNumber } from './entities';
import type { Problem, ReadExample, Row } from './format';
import { problemAt, unreadable } from './format';
import { documentFormat, isListOf, type Members, membersAt, textOf, within } from './json-documents';
import { listValues, OPEN_OBJECT, QUOTE } from './json-scanner';
import { tokensText, type WordPlaces } from './json-text';

/**
 * CoNLL04 and others as SpERT (Eberts and Ulges 2020) reads them: a sentence an object, `tokens`, `entities` `{type, start, end}` (words, end
 * exclusive), `relations` `{type, head, tail}` (numbers of entities). Every relation is an example.
 */
export const spert = documentFormat({
  id: 'spert',
  name: 'SpERT',
  columns: {
    task: 'relation',
    text: 'tokens',
    gold: 'relations.type',
    head: 'relations.head',
    tail: 'relations.tail',
  },
  relations: 'relations',
  matches: (text, members) =>
    isListOf(text, members.get('tokens'), QUOTE) &&
    isListOf(text, members.get('entities'), OPEN_OBJECT) &&
    (!members.has('relations') || isListOf(text, members.get('relations'), OPEN_OBJECT)),
  read: readSentence,
});

type Entity = { span: Span; type: string | null } | { fault: string; code: Problem['code'] };

function readSentence(text: string, members: Members, origin: number): Row {
  const tokens = members.get('tokens')!;
  const content = tokensText(text, tokens.start, tokens.end, origin);
  if (content?.words == null) {
    const { start, end } = within(tokens, origin);
    return unreadable('"tokens" is no list of words. The sentence is left out.', start, end);
  }
  const problems: Problem[] = [];
  const entities = entitiesAt(text, members.get('entities')!, content.words);
  const relations = members.get('relations');
  const values = relations === undefined ? [] : listValues(text, relations.start, relations.end);
  const examples: ReadExample[] = [];
  for (let at = 0; at < values.length; at += 2) {
    const { members: relation } = membersAt(text, values[at]!, values[at + 1]!);
    const leaveOut = (message: string, code: Problem['code']) => {
      problems.push(
        problemAt(code, `${message} The relation is left out.`, values[at]! - origin, values[at + 1]! - origin),
      );
    };
    const ends = (['head', 'tail'] as const).map((role): Entity => {
      const member = relation.get(role);
      const number = member === undefined ? null : wholeNumber(text.slice(member.start, member.end));
      if (number === null)
        return { fault: `"${role}", the number of an entity, is missing.`, code: 'assay/unreadable-row' };
      const entity = entities[number];
      const count = entities.length;
      if (entity === undefined)
        return {
          fault: `${role} is entity ${number}, the sentence has ${count === 0 ? 'none' : `0 to ${count - 1}`}.`,
          code: 'assay/unreadable-row',
        };
      return 'fault' in entity ? { ...entity, fault: `${role}, entity ${number}, ${entity.fault}` } : entity;
    });
    const head = ends[0]!;
    const tail = ends[1]!;
    if ('fault' in head || 'fault' in tail) {
      const { fault, code } = 'fault' in head ? head : (tail as Extract<Entity, { fault: string }>);
      leaveOut(fault, code);
      continue;
    }
    const label = relation.get('type');
    examples.push({
      id: null,
      text: content.text,
      spans: { head: head.span, tail: tail.span },
      mentions: null,
      types: head.type === null && tail.type === null ? null : { head: head.type, tail: tail.type },
      gold: textOf(text, label),
      map: content.map,
      textField: within(tokens, origin),
      goldField: label === undefined ? null : within(label, origin),
    });
  }
  return { examples, problems };
}

function entitiesAt(text: string, field: Span, words: WordPlaces): Entity[] {
  const values = listValues(text, field.start, field.end);
  const entities: Entity[] = [];
  for (let at = 0; at < values.length; at += 2) {
    const { members } = membersAt(text, values[at]!, values[at + 1]!);
    const number = (key: string) => {
      const member = members.get(key);
      return member === undefined ? null : wholeNumber(text.slice(member.start, member.end));
    };
    entities.push(entityOf(number('start'), number('end'), textOf(text, members.get('type')), words));
  }
  return entities;
}

function entityOf(start: number | null, end: number | null, type: string | null, words: WordPlaces): Entity {
  if (start === null || end === null) return { fault: 'has no "start" and "end".', code: 'assay/unreadable-row' };
  const count = words.starts.length;
  const code = 'assay/span-out-of-bounds' as const;
  if (start < 0 || end < start) return { fault: `goes from word ${start} to word ${end}.`, code };
  if (end > count) return { fault: `ends at word ${end}, the sentence has ${count} words.`, code };
  if (start < end) return { span: { start: words.starts[start]!, end: words.ends[end - 1]! }, type };
  const place = words.starts[start] ?? words.ends.at(-1) ?? 0;
  return { span: { start: place, end: place }, type };
}
