import type { ColumnChoice } from '../../protocol/dataset';
import { fixedReading } from './fixed-places';
import {
  type Cut,
  type Format,
  noProblems,
  type Place,
  problemAt,
  type Reading,
  type Row,
  type Sample,
  unreadable,
} from './format';
import { AFTER, restOfText } from './json-array';
import { visitOpenMembers } from './json-open-members';
import {
  afterKey,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COMMA,
  JsonError,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
  skipMark,
  skipSpace,
  stringEnd,
  valueEnd,
} from './json-scanner';
import { stringText, stringValue } from './json-text';

/** Texts by their label in one JSON object: `{"positive": ["a text", "another"], "negative": ["a third"]}`. */
export const jsonLabelLists: Format = { id: 'json', detect };

const columns = { text: 'text in a list', gold: 'key of the list' };
/** More would be texts by topics or ids. */
const MAX_LABELS = 200;
const SAMPLE_TEXTS = 100;
const CONFIDENCE = 0.8;

function detect(sample: Sample, choice: ColumnChoice | null): Reading | null {
  if (choice !== null && choice.text !== columns.text) return null;
  const { text } = sample;
  const opening = skipMark(text, 0, text.length);
  if (text.charCodeAt(opening) !== OPEN_OBJECT) return null;
  const labels: string[] = [];
  let others = 0;
  const fault = visitOpenMembers(text, opening, (key, start) => {
    const isList =
      text.charCodeAt(start) === OPEN_LIST && text.charCodeAt(skipSpace(text, start + 1, text.length)) === QUOTE;
    if (isList) labels.push(key);
    else others++;
    return labels.length <= MAX_LABELS;
  });
  // The second label may stand behind the part of a file that is there, or behind a fault.
  if (others > 0 || labels.length > MAX_LABELS || labels.length < (sample.complete && fault === null ? 2 : 1))
    return null;
  const rows: Row[] = [];
  for (let place = begin(text); rows.length < SAMPLE_TEXTS; ) {
    const cut = cutText(text, place);
    if (cut === null || (!sample.complete && cut.looked >= text.length)) break;
    if (cut.end > cut.start) rows.push(readText(text, cut.start, cut.end, place.state));
    place = cut.next;
  }
  const texts = rows.flatMap(({ examples }) => examples);
  if (
    texts.length < 3 ||
    !areTexts(
      texts.map((example) => example.text),
      labels,
    )
  )
    return null;
  return fixedReading(
    {
      format: 'json',
      confidence: CONFIDENCE,
      detail: 'JSON object of texts by their label',
      columns,
      key: 'label lists',
      begin,
      cut: cutText,
      read: readText,
    },
    rows,
    choice,
  );
}

const knownLabels = /^(?:pos(?:itive)?|neg(?:ative)?|neu(?:tral)?|mixed|good|bad|[0-5](?:[ _-]?stars?)?)$/i;
/** Words in the middle: so many that they are sentences, whatever the lists are called. */
const SENTENCE_WORDS = 6;

/** Lists of names and of single words are lexicons, and what a thing is called, not texts with their labels. */
function areTexts(texts: readonly string[], labels: readonly string[]): boolean {
  const words = texts.map(
    (text) => text.match(/\p{Script=Han}|\p{Script=Hiragana}|[^\s\p{Script=Han}]+/gu)?.length ?? 0,
  );
  const middle = [...words].sort((a, b) => a - b)[words.length >> 1]!;
  return middle >= (labels.every((label) => knownLabels.test(label)) ? 3 : SENTENCE_WORDS);
}

function begin(text: string): Place {
  return { offset: skipMark(text, 0, text.length) + 1, state: '' };
}

/** The state of a text is its label behind a bracket (`[positive`), which tells it from the other states. */
function cutText(text: string, place: Place): Cut | null {
  const { length } = text;
  let { offset, state } = place;
  for (;;) {
    offset = skipSpace(text, offset, length);
    if (state === AFTER) {
      return offset === length ? null : restOfText(text, offset, 'Something follows the end of the JSON object');
    }
    const unit = text.charCodeAt(offset);
    if (unit === COMMA) offset++;
    else if (state !== '' && unit === CLOSE_LIST) {
      state = '';
      offset++;
    } else if (state === '' && unit === CLOSE_OBJECT) {
      state = AFTER;
      offset++;
    } else return state === '' ? cutKey(text, offset) : cutValue(text, offset, state);
  }
}

function cutKey(text: string, at: number): Cut {
  const { length } = text;
  const empty = { start: at, end: at };
  if (at === length) {
    const message =
      'The JSON object is not closed: the file ends where a } or another label with its texts should stand.';
    return {
      ...empty,
      next: { offset: at, state: AFTER },
      looked: at,
      problem: problemAt('assay/unreadable-row', message, 0, 0),
    };
  }
  try {
    const { keyEnd, valueStart } = afterKey(text, at, length);
    if (text.charCodeAt(valueStart) === OPEN_LIST) {
      const state = `[${stringValue(text, at, keyEnd)}`;
      return { ...empty, next: { offset: valueStart + 1, state }, looked: valueStart + 1, problem: null };
    }
    const end = valueEnd(text, valueStart, length);
    const message = 'No list of texts stands below this label: it is left out.';
    return {
      ...empty,
      next: { offset: end, state: '' },
      looked: end,
      problem: problemAt('assay/unreadable-row', message, 0, end - at),
    };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return restOfText(text, at, `Not valid JSON: ${error.message}`);
  }
}

/** A text that is broken ends before the next that is surely one: behind a quote, a comma and a quote. */
function cutValue(text: string, start: number, state: string): Cut {
  const { length } = text;
  if (start === length) {
    const message = 'The list of texts is not closed: the file ends where a ] or another text should stand.';
    const problem = problemAt('assay/unreadable-row', message, 0, 0);
    return { start, end: start, next: { offset: length, state: AFTER }, looked: length, problem };
  }
  let fault = start;
  try {
    const end = valueEnd(text, start, length);
    const behind = skipSpace(text, end, length);
    const unit = text.charCodeAt(behind);
    if (unit === COMMA || unit === CLOSE_LIST || behind === length) {
      return { start, end, next: { offset: end, state }, looked: Math.min(behind + 1, length), problem: null };
    }
    fault = end;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    fault = error.offset;
  }
  const nextText = /"\s*,\s*(?=")|"\s*(?=\])/g;
  nextText.lastIndex = fault;
  const found = nextText.exec(text);
  const offset = found === null ? length : found.index + found[0].length;
  return {
    start,
    end: Math.max(found === null ? length : found.index + 1, start + 1),
    next: { offset, state },
    looked: Math.min(offset + 1, length),
    problem: null,
  };
}

function readText(text: string, start: number, end: number, state: string): Row {
  try {
    if (text.charCodeAt(start) !== QUOTE) throw new JsonError('a text in quotes should stand here', start);
    if (stringEnd(text, start, end) !== end)
      throw new JsonError('a comma or ] should stand behind the text', stringEnd(text, start, end));
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return unreadable(`Not valid JSON: ${error.message}. The text is left out.`, 0, end - start);
  }
  const { text: content, map } = stringText(text, start, end, start);
  const example = {
    id: null,
    text: content,
    spans: null,
    mentions: null,
    types: null,
    gold: state.slice(1),
    map,
    textField: { start: 0, end: end - start },
    // The label stands before the list, outside of the row.
    goldField: null,
  };
  return { examples: [example], problems: noProblems };
}
