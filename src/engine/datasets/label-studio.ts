import type { ColumnChoice, Span } from '../../protocol/dataset';
import { textNameScore } from './column-names';
import { placeOffsets, shortened, wholeNumber } from './entities';
import { misfitsOf } from './entity-names';
import { type Format, type Problem, problemAt, type ReadExample, type Row, type Sample, unreadable } from './format';
import {
  type DocumentShape,
  documentFormat,
  isList,
  type Members,
  membersAt,
  sampledObjects,
  textOf,
  within,
} from './json-documents';
import { listValues, OPEN_LIST, OPEN_OBJECT, QUOTE } from './json-scanner';
import { type JsonText, scalarAt, stringText } from './json-text';

/**
 * Label Studio's JSON export: tasks of `data` and `annotations`, whose `result` lists choices or ratings of the text, or labelled places in it
 * and relations between them. The first annotation that was not skipped is read. An example a text, or a relation where there are any.
 */
export const labelStudio: Format = { id: 'label-studio', detect };

/** What a file's tasks hold. */
interface Kind {
  /** The member of `data` that is the text. */
  text: string;
  /** Results of this type are read: `relation`, or one of `labelTypes`. */
  type: string;
  /** The name of the control that a label was chosen with; null for relations. */
  control: string | null;
}

const labelTypes = ['choices', 'rating'];
const SAMPLE_OBJECTS = 20;
const SAMPLE_TASKS = 200;

function detect(sample: Sample, choice: ColumnChoice | null) {
  const kind = kindOf(sample);
  return kind === null ? null : documentFormat(shapeOf(kind)).detect(sample, choice);
}

function kindOf(sample: Sample): Kind | null {
  const { text } = sample;
  let labelled: Kind | null = null;
  let looked = 0;
  for (const members of sampledObjects(sample)) {
    if (++looked > SAMPLE_TASKS) break;
    if (!isTask(text, members)) {
      if (looked >= SAMPLE_OBJECTS && labelled === null) return null;
      continue;
    }
    const name = textNameOf(text, members.get('data')!);
    if (name === null) continue;
    for (const result of resultsOf(text, members)[0] ?? []) {
      const type = textOf(text, result.get('type'));
      if (type === 'relation') return { text: name, type, control: null };
      if (type === null || !labelTypes.includes(type)) continue;
      labelled ??= { text: name, type, control: textOf(text, result.get('from_name')) };
    }
  }
  return labelled;
}

function isTask(text: string, members: Members): boolean {
  const data = members.get('data');
  const annotations = members.get('annotations') ?? members.get('completions');
  return data !== undefined && text.charCodeAt(data.start) === OPEN_OBJECT && isList(text, annotations);
}

/** The member of a task's data that is most surely the text: by its name, else the longest. */
function textNameOf(text: string, data: Span): string | null {
  let best: { name: string; score: number; length: number } | null = null;
  for (const [name, { start, end }] of membersAt(text, data.start, data.end).members) {
    if (text.charCodeAt(start) !== QUOTE) continue;
    const found = { name, score: textNameScore(name), length: end - start };
    const isBetter =
      best === null || found.score > best.score || (found.score === best.score && found.length > best.length);
    if (isBetter) best = found;
  }
  return best?.name ?? null;
}

/** The results of each annotation that was not skipped. */
function resultsOf(text: string, members: Members): Members[][] {
  return objectsIn(text, members.get('annotations') ?? members.get('completions')).flatMap((annotation) => {
    const skipped = annotation.get('was_cancelled');
    if (skipped !== undefined && text.startsWith('true', skipped.start)) return [];
    return [objectsIn(text, annotation.get('result'))];
  });
}

function objectsIn(text: string, list: Span | undefined): Members[] {
  if (!isList(text, list)) return [];
  const values = listValues(text, list.start, list.end);
  const objects: Members[] = [];
  for (let at = 0; at < values.length; at += 2) {
    if (text.charCodeAt(values[at]!) === OPEN_OBJECT)
      objects.push(membersAt(text, values[at]!, values[at + 1]!).members);
  }
  return objects;
}

function shapeOf(kind: Kind): DocumentShape {
  const result = `annotations.${kind.control ?? kind.type}`;
  const columns = { text: `data.${kind.text}`, gold: result };
  return {
    id: 'label-studio',
    name: 'Label Studio',
    columns:
      kind.type === 'relation'
        ? { task: 'relation', ...columns, head: `${result}.from_id`, tail: `${result}.to_id` }
        : { task: 'sentiment', ...columns },
    relations: 'annotations',
    isRelated: (text, members) =>
      resultsOf(text, members).some((results) => results.some((each) => isOf(text, each, kind))),
    matches: isTask,
    read: (text, members, origin) => readTask(text, members, origin, kind),
  };
}

function isOf(text: string, result: Members, { type, control }: Kind): boolean {
  return (
    textOf(text, result.get('type')) === type && (control === null || textOf(text, result.get('from_name')) === control)
  );
}

function readTask(text: string, members: Members, origin: number, kind: Kind): Row {
  const data = members.get('data')!;
  const field = membersAt(text, data.start, data.end).members.get(kind.text);
  if (field === undefined || text.charCodeAt(field.start) !== QUOTE) {
    const { start, end } = within(data, origin);
    return unreadable(`"data" has no "${kind.text}" that is text. The task is left out.`, start, end);
  }
  const content = stringText(text, field.start, field.end, origin);
  const annotations = resultsOf(text, members);
  const base = { text: content.text, map: content.map, textField: within(field, origin), mentions: null, id: null };
  if (kind.type === 'relation') return relationsOf(text, annotations[0] ?? [], content, origin, base);
  const labels = annotations.flatMap((results) => {
    const result = results.find((each) => isOf(text, each, kind));
    return result === undefined ? [] : [labelOf(text, result, kind.type)];
  });
  const [first] = labels;
  const example = { ...base, spans: null, types: null, gold: first?.label ?? null };
  const goldField = first === undefined ? null : within(first.place, origin);
  const problems: Problem[] = [];
  const warn = (message: string) => {
    problems.push(problemAt('assay/unreadable-row', message, goldField!.start, goldField!.end, 'warning'));
  };
  if (first !== undefined && first.label === null) warn('This is not one label. The row is read without it.');
  const other = labels.find(({ label }) => label !== first?.label);
  if (other?.label != null && first?.label != null) {
    const said = `“${shortened(first.label)}” and “${shortened(other.label)}”`;
    warn(`The annotators of this text do not agree: ${said}. The first one's label is read.`);
  }
  return { examples: [{ ...example, goldField }], problems };
}

/** The label of a result; null where it has none, or several. */
function labelOf(text: string, result: Members, type: string): { label: string | null; place: Span } {
  const value = result.get('value') ?? [...result.values()][0]!;
  const field = membersAt(text, value.start, value.end).members.get(type);
  if (field === undefined) return { label: null, place: value };
  if (text.charCodeAt(field.start) !== OPEN_LIST)
    return { label: scalarAt(text, field.start, field.end), place: field };
  const values = listValues(text, field.start, field.end);
  if (values.length !== 2) return { label: null, place: field };
  const place = { start: values[0]!, end: values[1]! };
  return { label: scalarAt(text, place.start, place.end), place };
}

interface Place {
  span: Span;
  type: string | null;
  name: string | null;
}

function relationsOf(
  text: string,
  results: readonly Members[],
  content: JsonText,
  origin: number,
  base: Pick<ReadExample, 'id' | 'text' | 'map' | 'textField' | 'mentions'>,
): Row {
  const places = new Map<string, Members>();
  for (const result of results) {
    const id = textOf(text, result.get('id'));
    if (id !== null && result.has('value')) places.set(id, result);
  }
  const problems: Problem[] = [];
  const examples: ReadExample[] = [];
  for (const result of results) {
    const kind = result.get('type');
    if (textOf(text, kind) !== 'relation') continue;
    const isTurned = textOf(text, result.get('direction')) === 'left';
    const [from, to] = isTurned ? (['to_id', 'from_id'] as const) : (['from_id', 'to_id'] as const);
    const placeOf = (role: 'head' | 'tail', key: string): Place | string => {
      const id = textOf(text, result.get(key));
      const found = id === null ? undefined : places.get(id);
      return found === undefined
        ? `"${key}", the ${role}, names no labelled place of the text.`
        : placeAt(text, found, content, role);
    };
    const head = placeOf('head', from);
    const tail = placeOf('tail', to);
    if (typeof head === 'string' || typeof tail === 'string') {
      const { start, end } = within(kind!, origin);
      const message = typeof head === 'string' ? head : tail;
      problems.push(problemAt('assay/unreadable-row', `${message} The relation is left out.`, start, end));
      continue;
    }
    const labels = result.get('labels');
    const values = isList(text, labels) ? listValues(text, labels.start, labels.end) : [];
    const goldField = values.length === 2 ? { start: values[0]!, end: values[1]! } : null;
    const spans = { head: head.span, tail: tail.span };
    const named = ({ name }: Place) => (name === null ? null : { name, end: () => null });
    examples.push({
      ...base,
      spans,
      types: head.type === null && tail.type === null ? null : { head: head.type, tail: tail.type },
      misfits: misfitsOf(content.text, spans, null, { head: named(head), tail: named(tail), words: null }),
      gold: goldField === null ? null : textOf(text, goldField),
      goldField: goldField === null ? null : within(goldField, origin),
    });
  }
  return { examples, problems };
}

/** Where a labelled place stands; else why it stands nowhere. Offsets count UTF-16 units or code points, by what the words beside them say. */
function placeAt(text: string, result: Members, content: JsonText, role: 'head' | 'tail'): Place | string {
  const value = result.get('value')!;
  const { members } = membersAt(text, value.start, value.end);
  const numberAt = (key: string): number | null => {
    const field = members.get(key);
    return field === undefined ? null : wholeNumber(text.slice(field.start, field.end));
  };
  const start = numberAt('start');
  const end = numberAt('end');
  if (start === null || end === null) return `The ${role} does not say where it starts and ends.`;
  const name = textOf(text, members.get('text'));
  const labels = members.get('labels');
  const [from, to] = isList(text, labels) ? listValues(text, labels.start, labels.end) : [];
  const type = from === undefined ? null : textOf(text, { start: from, end: to! });
  const span = placeOffsets(content.text, null, role, { start, end });
  const isPlaced = !('role' in span) && content.text.slice(span.start, span.end) === name;
  if (!isPlaced && name !== null && end <= content.text.length && content.text.slice(start, end) === name) {
    return { span: { start, end }, type, name };
  }
  return 'role' in span ? span.message : { span, type, name };
}
