import type { ColumnChoice, Span } from '../../protocol/dataset';
import { afterLineBreak, lineEnd } from '../text/lines';
import { plainMap } from '../text/offset-map';
import { shortened } from './entities';
import type { Cut, Format, Place, Reading, Row, Sample } from './format';
import { noProblems, unreadable } from './format';
import { markers, withoutMarkers } from './inline-markers';

/**
 * SemEval-2010 Task 8 (Hendrickx et al. 2010): a numbered sentence in quotes with `<e1>` and `<e2>` marked, a line with the label
 * (absent in unlabelled test files), a line `Comment:` (optional), a blank line (optional).
 */
export const semEval2010: Format = { id: 'semeval2010', detect };

const columns: ColumnChoice = { task: 'relation', text: 'sentence', gold: 'label', head: 'e1', tail: 'e2', id: 'id' };

/** The number and white space before a sentence; the group is the number. */
const numberedLine = /(\d+)[\t ]+(?=["<\S])/y;
const markerNames = ['<e1>', '</e1>', '<e2>', '</e2>'] as const;
const sentenceMarkers = markers({ open: '<e1>', close: '</e1>' }, { open: '<e2>', close: '</e2>' });

function detect(sample: Sample, choice: ColumnChoice | null): Reading | null {
  let records = 0;
  let marked = 0;
  const examples: Record<'sentence' | 'label', string[]> = { sentence: [], label: [] };
  for (let place: Place = { offset: 0, state: '' }; records < 100; ) {
    const cut = cutRecord(sample.text, place);
    if (cut === null || (records > 0 && !sample.complete && cut.looked >= sample.text.length)) break;
    records++;
    const example = readRecord(sample.text, cut.start, cut.end).examples[0];
    if (example !== undefined) {
      marked++;
      if (examples.sentence.length < 3) examples.sentence.push(shortened(example.text));
      if (example.gold !== null && examples.label.length < 3) examples.label.push(example.gold);
    }
    place = cut.next;
  }
  if (marked === 0 || marked < records * 0.5) return null;
  const task = choice?.task ?? 'relation';
  return {
    format: 'semeval2010',
    confidence: choice === null ? Math.round(90 + (10 * marked) / records) / 100 : 1,
    detail: `SemEval-2010 Task 8${examples.label.length === 0 ? ', without labels' : ''}`,
    columns: task === 'relation' ? columns : { task, text: 'sentence', gold: 'label', id: 'id' },
    candidates: [
      { name: 'sentence', examples: examples.sentence },
      { name: 'label', examples: [...new Set(examples.label)] },
    ],
    key: `semeval2010 ${task}`,
    begin: () => ({ offset: 0, state: '' }),
    cut: cutRecord,
    read: (text, start, end) => {
      const row = readRecord(text, start, end);
      return task === 'relation'
        ? row
        : { ...row, examples: row.examples.map((example) => ({ ...example, spans: null })) };
    },
  };
}

/** A record goes on until a blank line or the next numbered line. */
function cutRecord(text: string, place: Place): Cut | null {
  let start = place.offset;
  let end = lineEnd(text, start);
  while (isBlank(text, start, end)) {
    if (end >= text.length) return null;
    start = afterLineBreak(text, end);
    end = lineEnd(text, start);
  }
  let next = afterLineBreak(text, end);
  let looked = next;
  while (next < text.length) {
    const stop = lineEnd(text, next);
    looked = afterLineBreak(text, stop);
    if (isBlank(text, next, stop) || isNumbered(text, next)) break;
    end = stop;
    next = looked;
  }
  return { start, end, next: { offset: next, state: '' }, looked, problem: null };
}

function isBlank(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (text.charCodeAt(at) !== 32 && text.charCodeAt(at) !== 9) return false;
  return true;
}

function isNumbered(text: string, start: number): boolean {
  numberedLine.lastIndex = start;
  return numberedLine.test(text);
}

function readRecord(text: string, start: number, end: number): Row {
  const firstEnd = Math.min(lineEnd(text, start), end);
  numberedLine.lastIndex = start;
  const number = numberedLine.exec(text);
  if (number === null || numberedLine.lastIndex > firstEnd) {
    return unreadable(
      'A sentence should stand here: its number, a tab, and the sentence in quotes. The lines up to the next one are left out.',
      0,
      firstEnd - start,
    );
  }
  const fieldStart = numberedLine.lastIndex;
  let fieldEnd = firstEnd;
  while (fieldEnd > fieldStart && isBlank(text, fieldEnd - 1, fieldEnd)) fieldEnd--;
  const from = text[fieldStart] === '"' ? fieldStart + 1 : fieldStart;
  const to = from > fieldStart && fieldEnd > from && text[fieldEnd - 1] === '"' ? fieldEnd - 1 : fieldEnd;
  const textField = { start: fieldStart - start, end: fieldEnd - start };

  const sentence = text.slice(from, to);
  const marks = markerNames.map((name) => ({ name, at: sentence.indexOf(name) }));
  const missing = marks.find(({ at }) => at === -1);
  if (missing !== undefined) {
    return unreadable(
      `The sentence has no ${missing.name}: both entities must be marked. It is left out.`,
      textField.start,
      textField.end,
    );
  }
  const doubled = marks.find(({ name, at }) => sentence.includes(name, at + 1));
  if (doubled !== undefined) {
    const second = from - start + sentence.indexOf(doubled.name, doubled.at + 1);
    return unreadable(
      `The sentence has ${doubled.name} twice: each entity is marked once. It is left out.`,
      second,
      second + doubled.name.length,
    );
  }
  if (marks[1]!.at < marks[0]!.at || marks[3]!.at < marks[2]!.at) {
    return unreadable('A marker closes before it opens. The sentence is left out.', textField.start, textField.end);
  }
  const unmarked = withoutMarkers({ text: sentence, map: plainMap(sentence.length, from - start) }, sentenceMarkers)!;
  const goldField = labelField(text, firstEnd, end, start);
  const example = {
    id: number[1]!,
    text: unmarked.text,
    spans: unmarked.spans,
    mentions: null,
    types: null,
    gold: goldField === null ? null : text.slice(start + goldField.start, start + goldField.end),
    map: unmarked.map,
    textField,
    goldField,
  };
  return { examples: [example], problems: noProblems };
}

/** The line behind the sentence, unless it is the comment. Relative to `origin`. */
function labelField(text: string, sentenceEnd: number, end: number, origin: number): Span | null {
  if (sentenceEnd >= end) return null;
  let start = afterLineBreak(text, sentenceEnd);
  let stop = Math.min(lineEnd(text, start), end);
  while (start < stop && isBlank(text, start, start + 1)) start++;
  while (stop > start && isBlank(text, stop - 1, stop)) stop--;
  if (start === stop || /^comment\s*:/i.test(text.slice(start, stop))) return null;
  return { start: start - origin, end: stop - origin };
}
