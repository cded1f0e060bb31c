import type { ColumnChoice, Span } from '../../protocol/dataset';
import { shortened, wholeNumber } from './entities';
import { type EntityName, misfitsOf } from './entity-names';
import type { Format, Problem, Reading, Row, Sample } from './format';
import { noProblems, problemAt, unreadable } from './format';
import { isList, isListOf, membersAt, relationCandidates, within } from './json-documents';
import { beginKeyedLists, type KeyedLists, keyedListCutter } from './json-keyed-lists';
import { notJson } from './json-row-reader';
import { listValues, OPEN_LIST, OPEN_OBJECT, QUOTE, skipMark } from './json-scanner';
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

const relationLists: KeyedLists = {
  title: 'relation',
  shape: { firstKeys: new Set(['tokens', 'token']), needed: new Set(), shared: new Set() },
  holdsRows: () => true,
  without: (key) => `"${shortened(key)}" has no list of rows: it is left out.`,
};

function detect(sample: Sample, choice: ColumnChoice | null): Reading | null {
  if (choice !== null && (choice.task !== 'relation' || choice.text !== columns.text)) return null;
  const { text } = sample;
  if (text.charCodeAt(skipMark(text, 0, text.length)) !== OPEN_OBJECT) return null;
  const cutRow = keyedListCutter(relationLists);
  let fitting = 0;
  let others = 0;
  const rows: Row[] = [];
  for (let place = beginKeyedLists(text); fitting + others < SAMPLE_RECORDS; ) {
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
    begin: beginKeyedLists,
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
  const spans = { head: head.spans[0]!, tail: tail.spans[0]! };
  const mentions = head.spans.length > 1 || tail.spans.length > 1 ? { head: head.spans, tail: tail.spans } : null;
  const example = {
    id: null,
    text: content.text,
    spans,
    mentions,
    types: null,
    misfits: misfitsOf(content.text, spans, mentions, {
      head: saidName(text, h, head.first, start),
      tail: saidName(text, t, tail.first, start),
      words: content.words,
    }),
    gold: state.slice(1),
    map: content.map,
    textField: within(tokens, start),
    // The key stands before the list, outside of the row.
    goldField: null,
  };
  return { examples: [example], problems: problems.length === 0 ? noProblems : problems };
}

interface Mentions {
  /** Of the text. */
  readonly spans: Span[];
  /** The list of numbers that says the first one. */
  readonly first: Span;
}

/** What the entity at `field` is called. `end`: the numbers of its first mention. */
function saidName(text: string, field: Span, end: Span, origin: number): EntityName | null {
  const [start, stop] = listValues(text, field.start, field.end);
  if (start === undefined || text.charCodeAt(start) !== QUOTE) return null;
  return { name: stringValue(text, start, stop!), end: () => within(end, origin) };
}

/** The mentions of the entity at `field`; null, and a problem more, if none can be read. */
function mentionsAt(
  text: string,
  field: Span,
  role: 'head' | 'tail',
  words: WordPlaces,
  origin: number,
  problems: Problem[],
): Mentions | null {
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
  let firstList: Span | null = null;
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
    firstList ??= range;
  }
  for (const { message, code, range } of mentions.length > 0 ? faults : faults.slice(0, 1)) {
    const [rest, severity] =
      mentions.length > 0
        ? (['The other mentions are read.', 'warning'] as const)
        : (['The row is left out.', 'error'] as const);
    fail(`${message} ${rest}`, code, range, severity);
  }
  return firstList === null ? null : { spans: mentions, first: firstList };
}
