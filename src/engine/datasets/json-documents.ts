import type { ColumnCandidate, ColumnChoice, FormatId, Span } from '../../protocol/dataset';
import { shortened } from './entities';
import type { Cut, Format, Place, Reading, Refusal, Row, Sample } from './format';
import { unreadable } from './format';
import { elementCutter } from './json-array';
import { notJson } from './json-row-reader';
import { sampledShape } from './json-row-starts';
import { JsonError, OPEN_LIST, OPEN_OBJECT, skipMark, skipSpace, visitMembers } from './json-scanner';
import { stringValue } from './json-text';
import { cutLine } from './jsonl';

/** The parts of a JSON object by key; of keys that are there twice the last, as in JSON.parse. */
export type Members = ReadonlyMap<string, Span>;

/** JSON objects of a fixed shape, each with several relations (or labels): in JSON Lines or in a JSON array. */
export interface DocumentShape {
  id: FormatId;
  /** For people: `DocRED`. */
  name: string;
  columns: ColumnChoice & { text: string };
  /** Whether an object is of this shape. Of one that is cut off only the first members are known. */
  matches(text: string, members: Members): boolean;
  /** The key that holds the relations. */
  relations: string;
  /** Whether an object says relations, if it does not by having that key. A file none of whose objects does may be of another format. */
  isRelated?(text: string, members: Members): boolean;
  /** Reads an object whose members are known. Offsets in the row are relative to `origin`, where the record starts. */
  read(text: string, members: Members, origin: number): Row;
}

/** Documents that are looked at; they may be long. */
const SAMPLE_DOCUMENTS = 20;

export function documentFormat(shape: DocumentShape): Format {
  return { id: shape.id, detect: (sample, choice) => detect(shape, sample, choice) };
}

/** How the objects of a file follow one another. */
interface Layout {
  name: 'JSON array' | 'JSON Lines';
  begin(text: string): Place;
  cut(text: string, place: Place): Cut | null;
}

const arrayLayout = (text: string): Layout => ({
  name: 'JSON array',
  begin: (whole) => ({ offset: skipMark(whole, 0, whole.length) + 1, state: '' }),
  cut: elementCutter(sampledShape(text, 0)),
});
const linesLayout: Layout = { name: 'JSON Lines', begin: () => ({ offset: 0, state: '' }), cut: cutLine };

function layoutOf(text: string): Layout | null {
  const first = text.charCodeAt(skipMark(text, 0, text.length));
  return first === OPEN_LIST ? arrayLayout(text) : first === OPEN_OBJECT ? linesLayout : null;
}

/** The members of the first objects of a sample that are whole. */
export function* sampledObjects(sample: Sample): Generator<Members> {
  const { text } = sample;
  const layout = layoutOf(text);
  let place = layout?.begin(text);
  while (layout !== null && place !== undefined) {
    const found = layout.cut(text, place);
    if (found === null) return;
    place = found.next;
    if (found.start === found.end) continue;
    const { members, fault } = membersAt(text, found.start, found.end);
    if (fault === null) yield members;
  }
}

function detect(shape: DocumentShape, sample: Sample, choice: ColumnChoice | null): Reading | Refusal | null {
  // A person who names other columns reads it as rows.
  if (choice !== null && (choice.task !== shape.columns.task || choice.text !== shape.columns.text)) return null;
  const { text } = sample;
  const layout = layoutOf(text);
  if (layout === null) return null;
  const { begin, cut } = layout;
  let documents = 0;
  let related = 0;
  let others = 0;
  const rows: Row[] = [];
  for (let place = begin(text); documents + others < SAMPLE_DOCUMENTS || (related === 0 && shape.isRelated); ) {
    const found: Cut | null = cut(text, place);
    if (found === null) break;
    place = found.next;
    if (found.start === found.end) continue;
    const { members, fault } = membersAt(text, found.start, found.end);
    // The last of a part is cut off.
    if (fault !== null && (sample.complete || documents + others > 0)) {
      if (sample.complete) others++;
      continue;
    }
    if (!shape.matches(text, members)) {
      others++;
      continue;
    }
    documents++;
    if (shape.isRelated?.(text, members) ?? (members.has(shape.relations) || fault !== null)) related++;
    if (fault === null && rows.length < SAMPLE_DOCUMENTS) rows.push(shape.read(text, members, found.start));
  }
  if (documents === 0 || documents < others) return null;
  if (related === 0) {
    if (shape.isRelated !== undefined) return null;
    return {
      refusal: `This looks like ${shape.name} documents without "${shape.relations}": nothing says which pairs of entities to classify. Assay reads documents whose relations are labelled; open such a file.`,
    };
  }
  return {
    format: shape.id,
    confidence: choice === null ? 0.95 : 1,
    detail: `${shape.name}, ${layout.name}, an example a ${shape.columns.task === 'relation' ? 'relation' : 'text'}`,
    columns: shape.columns,
    candidates: relationCandidates(shape.columns, rows),
    key: `${shape.id} ${layout.name} ${JSON.stringify(shape.columns)}`,
    begin,
    cut,
    read: (whole, start, end) => readObject(shape, whole, start, end),
  };
}

function readObject(shape: DocumentShape, text: string, start: number, end: number): Row {
  const first = skipMark(text, start, end);
  if (text.charCodeAt(first) !== OPEN_OBJECT) {
    return unreadable('The document is no JSON object { … }. It is left out.', first - start, end - start);
  }
  const { members, fault } = membersAt(text, start, end);
  if (fault !== null) return notJson(text, fault, start, end);
  if (!shape.matches(text, members)) {
    return unreadable(`This is no ${shape.name} document. It is left out.`, first - start, end - start);
  }
  return shape.read(text, members, start);
}

/** The members of the object in [start, end), as far as it is JSON. */
export function membersAt(text: string, start: number, end: number): { members: Members; fault: JsonError | null } {
  const members = new Map<string, Span>();
  const first = skipMark(text, start, end);
  if (text.charCodeAt(first) !== OPEN_OBJECT) return { members, fault: new JsonError('no object', first) };
  try {
    const stop = visitMembers(text, first, end, (keyStart, keyEnd, valueStart, valueStop) => {
      members.set(stringValue(text, keyStart - 1, keyEnd + 1), { start: valueStart, end: valueStop });
    });
    const after = skipSpace(text, stop, end);
    return { members, fault: after < end ? new JsonError('something follows the object on its row', after) : null };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { members, fault: error };
  }
}

/** What a person may see of the parts of a relation format: texts, labels and entities of the first rows. */
export function relationCandidates(columns: ColumnChoice & { text: string }, rows: readonly Row[]): ColumnCandidate[] {
  const examples = rows.flatMap((row) => row.examples);
  const values = (of: (example: (typeof examples)[number]) => string | null): string[] => {
    const found = new Set<string>();
    for (const example of examples) {
      const value = of(example);
      if (value !== null) found.add(shortened(value));
      if (found.size === 3) break;
    }
    return [...found];
  };
  const entity = (role: 'head' | 'tail') =>
    values(({ text, spans }) => (spans === null ? null : text.slice(spans[role].start, spans[role].end)));
  const candidates = [{ name: columns.text, examples: values(({ text }) => text) }];
  if (columns.gold !== undefined) candidates.push({ name: columns.gold, examples: values(({ gold }) => gold) });
  for (const role of ['head', 'tail'] as const) {
    const name = columns[role];
    if (name !== undefined) candidates.push({ name, examples: entity(role) });
  }
  return candidates;
}

/** Whether a member is there and is a list. */
export function isList(text: string, member: Span | undefined): member is Span {
  return member !== undefined && text.charCodeAt(member.start) === OPEN_LIST;
}

/** Whether a member is a list whose first value, if it has one, starts with `unit` (a bracket or quote). */
export function isListOf(text: string, member: Span | undefined, unit: number): member is Span {
  if (!isList(text, member)) return false;
  const first = text.charCodeAt(skipSpace(text, member.start + 1, member.end));
  return first === unit || first === OPEN_LIST + 2;
}

/** The text of a member that is a string; null if it is none. */
export function textOf(text: string, member: Span | undefined): string | null {
  return member !== undefined && text[member.start] === '"' ? stringValue(text, member.start, member.end) : null;
}

/** A member relative to `origin`. */
export function within(member: Span, origin: number): Span {
  return { start: member.start - origin, end: member.end - origin };
}
