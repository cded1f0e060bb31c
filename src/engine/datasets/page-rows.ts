import type { ColumnChoice, Severity, Span, Task } from '../../protocol/dataset';
import { type Problem, problemAt, type ReadExample, type Reading, type Row } from './format';
import { numberPair, numberPairs } from './json-places';
import { jsonRowReader } from './json-row-reader';
import { JsonError, QUOTE, skipSpace, visitMembers } from './json-scanner';
import { stringValue } from './json-text';
import { cutLine } from './jsonl';

/**
 * Examples of any format as JSON Lines, one a line: what a page of a large file shows. Nothing that an example says is lost, and the JSON Lines
 * reader reads it like any other file. Offsets count code points, as is usual in JSON.
 */

/** An example as a line, without line break. `id`: its own, or its number in the file. */
export function pageRow(example: ReadExample, id: string): string {
  const { text, gold, spans, mentions, types, aspect = null, sentences = null } = example;
  const at = (span: Span): [number, number] => [codePointsBefore(text, span.start), codePointsBefore(text, span.end)];
  const entity = (role: 'head' | 'tail') =>
    spans === null
      ? undefined
      : { pos: at(spans[role]), type: types?.[role] ?? undefined, mentions: mentions?.[role].map(at) };
  return written({
    text,
    label: gold ?? undefined,
    h: entity('head'),
    t: entity('tail'),
    aspect: aspect === null ? undefined : at(aspect),
    sentences: sentences?.map(at),
    id,
  });
}

/** What is wrong with a row of the file as a line: it stands where the row would. `where` says which row of the file it is. */
export function problemRow(
  { code, severity, message }: Pick<Problem, 'code' | 'severity' | 'message'>,
  where: string,
): string {
  return written({ problem: `${where}: ${message}`, code, severity });
}

/** Spaced for the eye. U+2028 and U+2029 end a line in some editors. */
function written(row: object): string {
  const members = Object.entries(row)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `"${key}": ${JSON.stringify(value)}`);
  return `{${members.join(', ')}}`.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

function codePointsBefore(text: string, offset: number): number {
  let count = 0;
  for (let at = 0; at < offset; count++) at += text.codePointAt(at)! > 0xffff ? 2 : 1;
  return count;
}

/** How a page is read: what stands where is known, so that no page is taken for something else, however odd its rows are. */
export function pageReading(task: Task): Reading {
  const plain: ColumnChoice = { task, text: 'text', gold: 'label', id: 'id' };
  const columns: ColumnChoice = task === 'relation' ? { ...plain, head: 'h', tail: 't' } : plain;
  const readPlain = jsonRowReader(plain);
  const readWithEntities = jsonRowReader(columns);
  return {
    format: 'jsonl',
    confidence: 1,
    detail: 'a page',
    columns,
    candidates: [],
    key: `page ${task}`,
    begin: () => ({ offset: 0, state: '' }),
    cut: cutLine,
    read(text, start, end) {
      const rest = restOf(text, start, end);
      if (rest.problem !== null) {
        const problem = problemAt(rest.code, rest.problem, 0, end - start, rest.severity);
        return { examples: [], problems: [problem] };
      }
      const row = (rest.hasEntities ? readWithEntities : readPlain)(text, start, end);
      return rest.aspect === null && rest.sentences === null ? row : withRest(row, rest);
    },
  };
}

/** What a line says beyond what JSON rows say. Pairs count code points. */
interface Rest {
  problem: string | null;
  code: Problem['code'];
  severity: Exclude<Severity, 'information'>;
  hasEntities: boolean;
  aspect: Span | null;
  sentences: Span[] | null;
}

function restOf(text: string, start: number, end: number): Rest {
  const rest: Rest = {
    problem: null,
    code: 'assay/unreadable-row',
    severity: 'error',
    hasEntities: false,
    aspect: null,
    sentences: null,
  };
  try {
    visitMembers(text, skipSpace(text, start, end), end, (keyStart, keyEnd, valueStart, valueEnd) => {
      const key = text.slice(keyStart, keyEnd);
      const string = text.charCodeAt(valueStart) === QUOTE ? stringValue(text, valueStart, valueEnd) : null;
      if (key === 'problem') rest.problem = string;
      else if (key === 'code' && string !== null) rest.code = string as Problem['code'];
      else if (key === 'severity' && string === 'warning') rest.severity = string;
      else if (key === 'h') rest.hasEntities = true;
      else if (key === 'aspect') {
        const pair = numberPair(text, valueStart, valueEnd);
        if (pair !== null) rest.aspect = { start: pair[0], end: pair[1] };
      } else if (key === 'sentences') rest.sentences = numberPairs(text, valueStart, valueEnd);
    });
  } catch (error) {
    // The row's reader says what is wrong with it.
    if (!(error instanceof JsonError)) throw error;
  }
  return rest;
}

function withRest(row: Row, { aspect, sentences }: Rest): Row {
  const examples = row.examples.map((example): ReadExample => {
    const toUnits = (span: Span): Span => ({
      start: unitsOf(example.text, span.start),
      end: unitsOf(example.text, span.end),
    });
    return {
      ...example,
      aspect: aspect === null ? null : toUnits(aspect),
      ...(sentences === null ? {} : { sentences: sentences.map(toUnits) }),
    };
  });
  return { ...row, examples };
}

/** The UTF-16 offset of a code point; the text's length if it has no so many. */
function unitsOf(text: string, codePoints: number): number {
  let at = 0;
  for (let left = codePoints; left > 0 && at < text.length; left--) at += text.codePointAt(at)! > 0xffff ? 2 : 1;
  return at;
}
