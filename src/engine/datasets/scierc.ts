import type { Span } from '../../protocol/dataset';
import { wholeNumber } from './entities';
import type { Problem, ReadExample, Row } from './format';
import { problemAt, unreadable } from './format';
import { documentFormat, isList, isListOf, type Members, textOf, within } from './json-documents';
import { listValues, OPEN_LIST } from './json-scanner';
import { type SentencesText, sentencesText } from './json-sentences';

/**
 * SciERC (Luan et al. 2018), the format of DyGIE and DyGIE++: a document an object, `sentences` lists of words, `ner` and `relations` a list a
 * sentence, of `[start, end, type]` and `[start1, end1, start2, end2, label]`; numbers count the words of the whole document, ends are
 * the last word. Every relation is an example, whose text is the sentence that holds both entities, or those from one to the other.
 */
export const sciErc = documentFormat({
  id: 'scierc',
  name: 'SciERC',
  columns: { task: 'relation', text: 'sentences', gold: 'relations', head: 'relations head', tail: 'relations tail' },
  relations: 'relations',
  matches: (text, members) =>
    isListOf(text, members.get('sentences'), OPEN_LIST) &&
    (['ner', 'relations', 'clusters'] as const).some((key) => isListOf(text, members.get(key), OPEN_LIST)),
  read: readDocument,
});

function readDocument(text: string, members: Members, origin: number): Row {
  const sentences = members.get('sentences')!;
  const lists = listValues(text, sentences.start, sentences.end);
  const counts = wordCounts(text, lists);
  if (counts === null) {
    const { start, end } = within(sentences, origin);
    return unreadable('"sentences" is no list of lists of words. The document is left out.', start, end);
  }
  const problems: Problem[] = [];
  const relations = members.get('relations');
  if (!isList(text, relations)) return { examples: [], problems };
  const types = typesAt(text, members.get('ner'));
  const texts = new Map<string, SentencesText>();
  const examples: ReadExample[] = [];
  for (const relation of innerLists(text, relations)) {
    const range = within(relation, origin);
    const values = text.charCodeAt(relation.start) === OPEN_LIST ? listValues(text, relation.start, relation.end) : [];
    const numbers = [0, 2, 4, 6].map((at) => wholeNumber(text.slice(values[at] ?? 0, values[at + 1] ?? 0)));
    const labelField = { start: values[8] ?? 0, end: values[9] ?? 0 };
    const label = values.length >= 10 ? textOf(text, labelField) : null;
    const [headStart, headEnd, tailStart, tailEnd] = numbers;
    if (label === null || headStart == null || headEnd == null || tailStart == null || tailEnd == null) {
      const message = 'A relation should stand here as [start, last, start, last, label]. It is left out.';
      problems.push(problemAt('assay/unreadable-row', message, range.start, range.end));
      continue;
    }
    const total = counts.firstWords.at(-1)!;
    const fault = faultOf('head', headStart, headEnd, total) ?? faultOf('tail', tailStart, tailEnd, total);
    if (fault !== null) {
      problems.push(
        problemAt('assay/span-out-of-bounds', `${fault} The relation is left out.`, range.start, range.end),
      );
      continue;
    }
    const first = sentenceOf(counts.firstWords, Math.min(headStart, tailStart));
    const last = sentenceOf(counts.firstWords, Math.max(headEnd, tailEnd));
    const key = `${first} ${last}`;
    let content = texts.get(key);
    if (content === undefined) {
      content = sentencesText(text, lists.slice(first * 2, last * 2 + 2), origin)!;
      texts.set(key, content);
    }
    const { words } = content;
    const base = counts.firstWords[first]!;
    const span = (start: number, end: number) => ({ start: words.starts[start - base]!, end: words.ends[end - base]! });
    const headType = types.get(`${headStart} ${headEnd}`) ?? null;
    const tailType = types.get(`${tailStart} ${tailEnd}`) ?? null;
    const example: ReadExample = {
      id: null,
      text: content.text,
      spans: { head: span(headStart, headEnd), tail: span(tailStart, tailEnd) },
      mentions: null,
      types: headType === null && tailType === null ? null : { head: headType, tail: tailType },
      gold: label,
      map: content.map,
      textField: { start: lists[first * 2]! - origin, end: lists[last * 2 + 1]! - origin },
      goldField: within(labelField, origin),
    };
    if (first !== last) example.sentences = content.sentences;
    examples.push(example);
  }
  return { examples, problems };
}

/** The number of each sentence's first word, and behind the last that of all; null if a sentence is no list of strings. */
function wordCounts(text: string, lists: readonly number[]): { firstWords: number[] } | null {
  const firstWords = [0];
  for (let list = 0; list < lists.length; list += 2) {
    if (text.charCodeAt(lists[list]!) !== OPEN_LIST) return null;
    const values = listValues(text, lists[list]!, lists[list + 1]!);
    for (let at = 0; at < values.length; at += 2) if (text[values[at]!] !== '"') return null;
    firstWords.push(firstWords.at(-1)! + values.length / 2);
  }
  return { firstWords };
}

/** The sentence that a word of the document stands in. */
function sentenceOf(firstWords: readonly number[], word: number): number {
  let sentence = 0;
  while (firstWords[sentence + 1]! <= word) sentence++;
  return sentence;
}

function faultOf(role: 'head' | 'tail', start: number, end: number, total: number): string | null {
  if (start < 0 || end < start) return `${role} goes from word ${start} to word ${end}.`;
  return end >= total ? `${role} ends with word ${end}, the document has the words 0 to ${total - 1}.` : null;
}

/** The values of all lists in a list. */
function innerLists(text: string, field: Span): Span[] {
  const spans: Span[] = [];
  const outer = listValues(text, field.start, field.end);
  for (let at = 0; at < outer.length; at += 2) {
    if (text.charCodeAt(outer[at]!) !== OPEN_LIST) continue;
    const inner = listValues(text, outer[at]!, outer[at + 1]!);
    for (let index = 0; index < inner.length; index += 2) spans.push({ start: inner[index]!, end: inner[index + 1]! });
  }
  return spans;
}

/** The entities' types by their first and last word. */
function typesAt(text: string, ner: Span | undefined): Map<string, string> {
  const types = new Map<string, string>();
  if (!isList(text, ner)) return types;
  for (const entity of innerLists(text, ner)) {
    if (text.charCodeAt(entity.start) !== OPEN_LIST) continue;
    const values = listValues(text, entity.start, entity.end);
    const type = values.length < 6 ? null : textOf(text, { start: values[4]!, end: values[5]! });
    if (type !== null) types.set(`${text.slice(values[0], values[1])} ${text.slice(values[2], values[3])}`, type);
  }
  return types;
}
