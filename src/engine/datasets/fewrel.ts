import type { ColumnChoice, Span } from '../../protocol/dataset';
import { shortened, wholeNumber } from './entities';
import type { Cut, Format, Place, Problem, Reading, Row, Sample } from './format';
import { noProblems, problemAt, unreadable } from './format';
import { AFTER, cutElement, restOfText } from './json-array';
import { isList, isListOf, membersAt, relationCandidates, within } from './json-documents';
import { notJson } from './json-row-reader';
import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  JsonError,
  listValues,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
  skipMark,
  skipSpace,
  stringEnd,
  valueEnd,
} from './json-scanner';
import { stringValue, tokensText, type WordPlaces } from './json-text';

/**
 * FewRel (Han et al. 2018): one object of lists, `{"P177": [{tokens, h, t}, …], …}`. The key is the label of all rows in its list; `h` and
 * `t` are `[name, id, [[indices of a mention's tokens], …]]`. A mention whose indices leave tokens out goes from the first to the last.
 */
export const fewRel: Format = { id: 'fewrel', detect };

const columns: ColumnChoice & { text: string } = {
  task: 'relation',
  text: 'tokens',
  gold: 'key of the list',
  head: 'h',
  tail: 't',
};

const SAMPLE_RECORDS = 40;

function detect(sample: Sample, choice: ColumnChoice | null): Reading | null {
  if (choice !== null && (choice.task !== 'relation' || choice.text !== columns.text)) return null;
  const { text } = sample;
  if (text.charCodeAt(skipMark(text, 0, text.length)) !== OPEN_OBJECT) return null;
  let fitting = 0;
  let others = 0;
  const rows: Row[] = [];
  for (let place = begin(text); fitting + others < SAMPLE_RECORDS; ) {
    const cut = cutRow(text, place);
    if (cut === null || (!sample.complete && cut.looked >= text.length)) break;
    if (cut.start === cut.end) {
      if (cut.problem !== null) others++;
    } else if (isRow(text, cut.start, cut.end)) {
      fitting++;
      rows.push(readRow(text, cut.start, cut.end, place.state));
    } else {
      others++;
    }
    place = cut.next;
  }
  if (fitting === 0 || fitting < others) return null;
  return {
    format: 'fewrel',
    confidence: choice === null ? 0.95 : 1,
    detail: 'FewRel, a list of rows a relation',
    columns,
    candidates: relationCandidates(columns, rows),
    key: 'fewrel',
    begin,
    cut: cutRow,
    read: readRow,
  };
}

function isRow(text: string, start: number, end: number): boolean {
  const { members, fault } = membersAt(text, start, end);
  const tokens = members.get('tokens') ?? members.get('token');
  return (
    fault === null && isListOf(text, tokens, QUOTE) && isList(text, members.get('h')) && isList(text, members.get('t'))
  );
}

function begin(text: string): Place {
  return { offset: skipMark(text, 0, text.length) + 1, state: '' };
}

/** The state within a list: its key behind a bracket, which tells it from the other states. */
function inList(key: string): string {
  return `[${key}`;
}

function cutRow(text: string, place: Place): Cut | null {
  const { length } = text;
  let { offset, state } = place;
  for (;;) {
    offset = skipSpace(text, offset, length);
    if (state === AFTER) {
      return offset === length ? null : restOfText(text, offset, 'Something follows the end of the JSON object');
    }
    const unit = text.charCodeAt(offset);
    if (state !== '') {
      if (unit !== CLOSE_LIST) return cutInList(text, offset, state);
      offset++;
      state = '';
    } else if (unit === CLOSE_OBJECT) {
      offset++;
      state = AFTER;
    } else if (unit === COMMA) {
      offset++;
    } else {
      return cutKey(text, offset);
    }
  }
}

function cutInList(text: string, offset: number, state: string): Cut {
  const cut = cutElement(text, { offset, state: '' });
  // There is text or the end, for which there is a cut.
  if (cut === null) throw new RangeError('no element');
  return { ...cut, next: { offset: cut.next.offset, state: cut.next.state === AFTER ? AFTER : state } };
}

/** A cut that leads into the list whose key stands at `at`, so that the state of its first row is the key; or says what is wrong there. */
function cutKey(text: string, at: number): Cut {
  const { length } = text;
  if (at === length) {
    const message =
      'The JSON object is not closed: the file ends where a } or another relation with its list should stand.';
    return { ...emptyCut(at, at, AFTER), problem: problemAt('assay/unreadable-row', message, 0, 0) };
  }
  try {
    if (text.charCodeAt(at) !== QUOTE) throw new JsonError('a relation in quotes should stand here', at);
    const keyEnd = stringEnd(text, at, length);
    const colon = skipSpace(text, keyEnd, length);
    if (text.charCodeAt(colon) !== COLON) throw new JsonError('a colon should stand here', colon);
    const value = skipSpace(text, colon + 1, length);
    const key = stringValue(text, at, keyEnd);
    if (text.charCodeAt(value) === OPEN_LIST) return { ...emptyCut(at, value + 1, inList(key)), problem: null };
    const end = valueEnd(text, value, length);
    const message = `"${shortened(key)}" has no list of rows: it is left out.`;
    return { ...emptyCut(at, end, ''), problem: problemAt('assay/unreadable-row', message, 0, end - at) };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return restOfText(text, at, `Not valid JSON: ${error.message}`);
  }
}

function emptyCut(at: number, next: number, state: string): Omit<Cut, 'problem'> {
  return { start: at, end: at, next: { offset: next, state }, looked: next };
}

function readRow(text: string, start: number, end: number, state: string): Row {
  const { members, fault } = membersAt(text, start, end);
  if (fault !== null) return notJson(text, fault, start, end);
  const tokens = members.get('tokens') ?? members.get('token');
  const h = members.get('h');
  const t = members.get('t');
  if (!isList(text, tokens) || h === undefined || t === undefined) {
    return unreadable('The row has not "tokens", "h" and "t". It is left out.', 0, end - start);
  }
  const content = tokensText(text, tokens.start, tokens.end, start);
  if (content?.words == null) {
    return unreadable('"tokens" is no list of words. The row is left out.', tokens.start - start, tokens.end - start);
  }
  const problems: Problem[] = [];
  const head = mentionsAt(text, h, 'head', content.words, start, problems);
  const tail = mentionsAt(text, t, 'tail', content.words, start, problems);
  if (head === null || tail === null) return { examples: [], problems };
  const example = {
    id: null,
    text: content.text,
    spans: { head: head[0]!, tail: tail[0]! },
    mentions: head.length > 1 || tail.length > 1 ? { head, tail } : null,
    types: null,
    gold: state.slice(1),
    map: content.map,
    textField: within(tokens, start),
    // The key stands before the list, outside of the row.
    goldField: null,
  };
  return { examples: [example], problems: problems.length === 0 ? noProblems : problems };
}

/** The mentions of the entity at `field`; null, and a problem more, if none can be read. */
function mentionsAt(
  text: string,
  field: Span,
  role: 'head' | 'tail',
  words: WordPlaces,
  origin: number,
  problems: Problem[],
): Span[] | null {
  const fail = (message: string, code: Problem['code'], { start, end }: Span, severity: Problem['severity']) => {
    problems.push(problemAt(code, message, start - origin, end - origin, severity));
  };
  const values = text.charCodeAt(field.start) === OPEN_LIST ? listValues(text, field.start, field.end) : [];
  const places = { start: values[4] ?? 0, end: values[5] ?? 0 };
  const lists = isListOf(text, values.length >= 6 ? places : undefined, OPEN_LIST)
    ? listValues(text, places.start, places.end)
    : [];
  if (lists.length === 0) {
    const shape = '[name, id, [[numbers of its words], …]]';
    const message = `${role} does not say where it stands, as ${shape}. The row is left out.`;
    fail(message, 'assay/unreadable-row', field, 'error');
    return null;
  }
  const count = words.starts.length;
  const faults: { message: string; code: Problem['code']; range: Span }[] = [];
  const mentions: Span[] = [];
  for (let at = 0; at < lists.length; at += 2) {
    const range = { start: lists[at]!, end: lists[at + 1]! };
    const numbers = text.charCodeAt(range.start) === OPEN_LIST ? listValues(text, range.start, range.end) : [];
    const indices: (number | null)[] = [];
    for (let index = 0; index < numbers.length; index += 2)
      indices.push(wholeNumber(text.slice(numbers[index], numbers[index + 1])));
    const known = indices.filter((index) => index !== null);
    if (known.length === 0 || known.length < indices.length) {
      faults.push({ message: `a mention of ${role} is no list of word numbers.`, code: 'assay/unreadable-row', range });
      continue;
    }
    const first = Math.min(...known);
    const last = Math.max(...known);
    if (first < 0 || last >= count) {
      const message = `${role} stands at word ${first < 0 ? first : last}, the text has the words 0 to ${count - 1}.`;
      faults.push({ message, code: 'assay/span-out-of-bounds', range });
      continue;
    }
    mentions.push({ start: words.starts[first]!, end: words.ends[last]! });
  }
  for (const { message, code, range } of mentions.length > 0 ? faults : faults.slice(0, 1)) {
    const [rest, severity] =
      mentions.length > 0
        ? (['The other mentions are read.', 'warning'] as const)
        : (['The row is left out.', 'error'] as const);
    fail(`${message} ${rest}`, code, range, severity);
  }
  return mentions.length > 0 ? mentions : null;
}
