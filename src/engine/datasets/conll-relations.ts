import type { ColumnChoice, Span } from '../../protocol/dataset';
import { afterLineBreak, lineEnd } from '../text/lines';
import { OffsetMapBuilder } from '../text/offset-map';
import { sampleRecords } from './fixed-places';
import type { Cut, Format, Place, Problem, ReadExample, Reading, Row, Sample } from './format';
import { problemAt } from './format';
import { relationCandidates } from './json-documents';
import { isBlank } from './line-records';

/**
 * CoNLL04 as the multi-head selection model (Bekoulis et al. 2018) reads it: a word a line, in five columns set apart by tabs: the number of
 * the word in its sentence, the word, its tag (BIO, BILOU or the type alone), the labels of its relations `['Live_In']` (`['N']`: none) and
 * the words they go to `[21]`. A relation stands at the last word of its head and names the last word of its tail. Before a sentence
 * may stand `#doc 5121`. Every relation is an example.
 */
export const conllRelations: Format = { id: 'conll', detect };

const columns: ColumnChoice & { text: string } = {
  task: 'relation',
  text: 'words',
  gold: 'relations',
  head: 'word of the relation',
  tail: 'heads',
};

/** Columns are parted by white space with a tab. That it is the first one leaves one way to match a long run of tabs. */
const wordLine =
  /^(\d+)([^\S\t]*\t\s*)(\S(?:[^\t]*\S)?)[^\S\t]*\t\s*(\S+)[^\S\t]*\t\s*(\[[^\t]*\])[^\S\t]*\t\s*(\[[\d\s,]*\])\s*$/d;
const NONE = 'N';

function detect(sample: Sample, choice: ColumnChoice | null): Reading | null {
  if (choice !== null && (choice.task !== 'relation' || choice.text !== columns.text)) return null;
  const { text } = sample;
  let words = 0;
  let lines = 0;
  for (let start = 0; start < text.length && lines < 200; ) {
    const end = lineEnd(text, start);
    if (!isBlank(text, start, end) && text[start] !== '#') {
      lines++;
      if (wordLine.test(text.slice(start, end))) words++;
    }
    start = afterLineBreak(text, end);
  }
  if (words < 2 || words < lines * 0.8) return null;
  const rows = sampleRecords(sample, cutSentence, (whole, cut) => readSentence(whole, cut.start, cut.end));
  return {
    format: 'conll',
    confidence: choice === null ? 0.95 : 1,
    detail: 'CoNLL columns with relations, an example a relation',
    columns,
    candidates: relationCandidates(columns, rows),
    key: 'conll relations',
    begin: () => ({ offset: 0, state: '' }),
    cut: cutSentence,
    read: readSentence,
  };
}

/** A sentence goes on until a blank line, a line that starts with #, or the word number 0. */
function cutSentence(text: string, place: Place): Cut | null {
  let start = place.offset;
  let end = lineEnd(text, start);
  while (isBlank(text, start, end)) {
    if (end >= text.length) return null;
    start = afterLineBreak(text, end);
    end = lineEnd(text, start);
  }
  let hasWord = text[start] !== '#';
  let next = afterLineBreak(text, end);
  let looked = next;
  while (next < text.length) {
    const stop = lineEnd(text, next);
    looked = afterLineBreak(text, stop);
    if (isBlank(text, next, stop) || text[next] === '#') break;
    if (hasWord && text[next] === '0' && !/\d/.test(text[next + 1] ?? '')) break;
    hasWord = true;
    end = stop;
    next = looked;
  }
  return { start, end, next: { offset: next, state: '' }, looked, problem: null };
}

interface Word {
  /** Of the word in the text. */
  span: Span;
  tag: string;
  relations: { label: string; field: Span; tail: number }[];
  /** Of its line in the record. */
  line: Span;
}

function readSentence(text: string, start: number, end: number): Row {
  const problems: Problem[] = [];
  const words: Word[] = [];
  const byNumber = new Map<number, number>();
  const builder = new OffsetMapBuilder(firstWordAt(text, start, end) - start);
  const parts: string[] = [];
  let previousEnd = -1;
  let textStart = 0;
  for (let at = start; at < end; ) {
    const stop = Math.min(lineEnd(text, at), end);
    const line = text.slice(at, stop);
    const lineStart = at - start;
    at = afterLineBreak(text, stop);
    if (line.startsWith('#') && words.length === 0) continue;
    const match = wordLine.exec(line);
    if (match === null) {
      const message =
        'The line has not five columns (number, word, tag, [relations], [words they go to]). Its word is left out.';
      problems.push(problemAt('assay/unreadable-row', message, lineStart, lineStart + line.length));
      continue;
    }
    const [from, to] = match.indices![3]!;
    const place = lineStart + from;
    if (previousEnd !== -1) builder.unit(1, previousEnd, place - previousEnd);
    else textStart = place;
    const span = { start: builder.length, end: builder.length + to - from };
    builder.copy(to - from, place);
    parts.push(line.slice(from, to));
    previousEnd = lineStart + to;
    byNumber.set(Number(match[1]), words.length);
    const lineSpan = { start: lineStart, end: lineStart + line.length };
    const found = relationsAt(match[5]!, lineStart + match.indices![5]![0], match[6]!);
    if (found === null) {
      const message = 'The line has not as many relations as words they go to. They are left out.';
      problems.push(problemAt('assay/unreadable-row', message, lineSpan.start, lineSpan.end));
    }
    words.push({ span, tag: match[4]!, relations: found ?? [], line: lineSpan });
  }
  const content = { text: parts.join(' '), map: builder.finish() };
  const textField = { start: textStart, end: Math.max(textStart, previousEnd) };
  const examples: ReadExample[] = [];
  for (const [index, word] of words.entries()) {
    for (const { label, field, tail } of word.relations) {
      const tailIndex = byNumber.get(tail);
      if (tailIndex === undefined) {
        const message = `tail is word ${tail}, which the sentence does not have. The relation is left out.`;
        problems.push(problemAt('assay/span-out-of-bounds', message, word.line.start, word.line.end));
        continue;
      }
      const [head, other] = [entityAt(words, index), entityAt(words, tailIndex)];
      examples.push({
        id: null,
        text: content.text,
        spans: { head: head.span, tail: other.span },
        mentions: null,
        types: head.type === null && other.type === null ? null : { head: head.type, tail: other.type },
        gold: label,
        map: content.map,
        textField,
        goldField: field,
      });
    }
  }
  return { examples, problems };
}

/** Where the first word stands, or the record. */
function firstWordAt(text: string, start: number, end: number): number {
  for (let at = start; at < end; at = afterLineBreak(text, lineEnd(text, at))) {
    const match = wordLine.exec(text.slice(at, Math.min(lineEnd(text, at), end)));
    if (match !== null) return at + match.indices![3]![0];
  }
  return start;
}

/** The relations of a word; null if there are not as many labels as words they go to. */
function relationsAt(labels: string, labelsAt: number, heads: string): Word['relations'] | null {
  const names = [...labels.matchAll(/'([^']*)'|"([^"]*)"/g)].map((match) => ({
    label: match[1] ?? match[2] ?? '',
    start: labelsAt + match.index + 1,
  }));
  const tails = [...heads.matchAll(/\d+/g)].map(([digits]) => Number(digits));
  if (names.length !== tails.length) return null;
  return names.flatMap(({ label, start }, index) =>
    label === NONE ? [] : [{ label, field: { start, end: start + label.length }, tail: tails[index]! }],
  );
}

/** The entity that a word belongs to, by the tags; the word alone if it is tagged O. */
function entityAt(words: readonly Word[], index: number): { span: Span; type: string | null } {
  const { prefix, type } = tagParts(words[index]!.tag);
  if (type === null) return { span: words[index]!.span, type: null };
  const goesOn = (at: number) => {
    // Whether the word `at` continues the entity of the word before it.
    const word = words[at];
    if (word === undefined) return false;
    const tag = tagParts(word.tag);
    return tag.type === type && ['I', 'L', 'E', ''].includes(tag.prefix);
  };
  const ends = (at: number) => ['L', 'E', 'U', 'S'].includes(tagParts(words[at]!.tag).prefix);
  let first = index;
  if (!['B', 'U', 'S'].includes(prefix)) {
    while (first > 0 && goesOn(first) && tagParts(words[first - 1]!.tag).type === type && !ends(first - 1)) first--;
  }
  let last = index;
  while (!ends(last) && goesOn(last + 1)) last++;
  return { span: { start: words[first]!.span.start, end: words[last]!.span.end }, type };
}

/** `B-Peop`: B and Peop; a type alone has no prefix; O has no type. */
function tagParts(tag: string): { prefix: string; type: string | null } {
  const match = /^([BILUSE])[-_](.+)$/.exec(tag);
  if (match !== null) return { prefix: match[1]!, type: match[2]! };
  return tag === 'O' ? { prefix: '', type: null } : { prefix: '', type: tag };
}
