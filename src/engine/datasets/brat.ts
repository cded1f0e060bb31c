import type { ColumnChoice, Span } from '../../protocol/dataset';
import { afterLineBreak, lineEnd } from '../text/lines';
import { plainMap } from '../text/offset-map';
import { type BratAnnotations, type BratRelation, parseBrat } from './brat-annotations';
import { shortened } from './entities';
import { sampleRecords } from './fixed-places';
import type { Cut, Format, Place, Problem, ReadExample, Reading, Refusal, Row, Sample } from './format';
import { problemAt } from './format';
import { relationCandidates } from './json-documents';

/**
 * BRAT (Stenetorp et al. 2012): a text, and beside it a file of the same name that ends in `.ann` and says where its entities stand and how
 * they are related. Every relation is an example, whose text is the line that holds both entities, or the lines from one to the other.
 *
 * Annotations count from the start of the text, so the state of a cut is how many code points stand before it: an edit that changes their
 * number moves all annotations behind it, as it would if the file were opened anew.
 */
export const brat: Format = { id: 'brat', detect };

const columns: ColumnChoice & { text: string } = {
  task: 'relation',
  text: 'lines',
  gold: 'relation',
  head: 'Arg1',
  tail: 'Arg2',
  id: 'R',
};

function detect(sample: Sample, choice: ColumnChoice | null): Reading | Refusal | null {
  if (choice !== null && (choice.task !== 'relation' || choice.text !== columns.text)) return null;
  const name = sample.name ?? '';
  const stem = name.replace(/\.(txt|ann)$/i, '');
  const beside = (sample.companions ?? []).filter((companion) => companion.name.replace(/\.(txt|ann)$/i, '') === stem);
  const own = parseBrat(sample.text);
  if (own !== null) {
    const text = beside.find((companion) => /\.txt$/i.test(companion.name))?.name;
    const where =
      text === undefined
        ? 'the text that they annotate should stand beside them, in a file of the same name that ends in .txt. Open that.'
        : `the text that they annotate stands in ${text}. Open that: Assay reads these annotations with it.`;
    return { refusal: `This looks like BRAT annotations: ${where}` };
  }
  const file = beside.find((companion) => /\.ann$/i.test(companion.name));
  const annotations = file === undefined ? null : parseBrat(file.text);
  if (file === undefined || annotations === null) return null;
  if (annotations.relations.length === 0 && annotations.faults.length === 0) {
    return {
      refusal: `This looks like a text with BRAT annotations, but ${file.name} holds ${annotations.entityCount} entities and no relation between them: there is nothing to classify. Assay reads the relations (lines R1, R2, …) of such files.`,
    };
  }
  const { cut, read } = readerOf(annotations, file.name);
  const rows = sampleRecords(sample, cut, (text, found, state) => read(text, found.start, found.end, state));
  return {
    format: 'brat',
    confidence: 1,
    detail: `BRAT, annotations in ${file.name}, an example a relation`,
    columns,
    candidates: relationCandidates(columns, rows),
    key: 'brat',
    begin: () => ({ offset: 0, state: '' }),
    cut,
    read,
  };
}

/** Characters that end a line, which belong to no record. */
const MAX_BREAK = 2;
/** Behind the last record. */
const AFTER = 'after';
const MAX_NAMED = 3;

function readerOf(annotations: BratAnnotations, file: string): Pick<Reading, 'cut' | 'read'> {
  const { relations, faults } = annotations;

  function cut(text: string, place: Place): Cut | null {
    const { offset, state } = place;
    if (state === AFTER) return null;
    if (state === '' && faults.length > 0) {
      const more = faults.length > MAX_NAMED ? ` and ${faults.length - MAX_NAMED} more lines` : '';
      return emptyCut(offset, '0', `${file}, ${faults.slice(0, MAX_NAMED).join('; ')}${more}. They are left out.`);
    }
    const before = Number(state);
    const first = relations[firstFrom(relations, before)];
    if (first === undefined) return null;
    const group = offset === text.length ? null : linesFrom(text, offset, before, first);
    if (group === null) {
      const behind = relations.length - firstFrom(relations, before);
      const what = behind === 1 ? `Relation ${first.id}` : `Relation ${first.id} and ${behind - 1} more`;
      return emptyCut(
        text.length,
        AFTER,
        `${what} in ${file} stand${behind === 1 ? 's' : ''} behind the end of the text. Do the annotations belong to this text?`,
      );
    }
    return group;
  }

  /** The lines before the one in which `first` begins, if there are any; else that line and those its relations go on in. Null: no such line. */
  function linesFrom(text: string, offset: number, before: number, first: BratRelation): Cut | null {
    let start = offset;
    let count = before;
    let next: number;
    for (;;) {
      next = afterLineBreak(text, lineEnd(text, start));
      const behind = count + codePoints(text, start, next);
      if (first.start < behind) break;
      if (next === text.length) return null;
      start = next;
      count = behind;
    }
    if (start > offset) return wholeCut(text, offset, start, count, next);
    let index = firstFrom(relations, before);
    let last = first.end;
    for (next = start; next === start || (next < text.length && last > count); ) {
      const line = next;
      next = afterLineBreak(text, lineEnd(text, line));
      count += codePoints(text, line, next);
      for (; index < relations.length && relations[index]!.start < count; index++)
        last = Math.max(last, relations[index]!.end);
    }
    const group = wholeCut(text, start, next, count, next);
    const behind = before + codePoints(text, start, group.end);
    const isEmpty = group.end === group.start;
    const stray = relations
      .slice(firstFrom(relations, before), index)
      .find((relation) => isEmpty || relation.start > behind);
    if (stray === undefined) return group;
    const message = `Relation ${stray.id} in ${file} begins within a line break. It is left out.`;
    const at = group.end - start;
    return { ...group, problem: problemAt('assay/span-out-of-bounds', message, at, at) };
  }

  function read(text: string, start: number, end: number, state: string): Row {
    const before = Number(state);
    const behind = before + codePoints(text, start, end);
    const examples: ReadExample[] = [];
    const problems: Problem[] = [];
    for (let index = firstFrom(relations, before); index < relations.length; index++) {
      const relation = relations[index]!;
      if (relation.start > behind) break;
      if (relation.end > behind + MAX_BREAK) {
        const message = `Relation ${relation.id} in ${file} ends at character ${relation.end}, behind the end of the text. It is left out.`;
        problems.push(problemAt('assay/span-out-of-bounds', message, 0, end - start));
        continue;
      }
      const offsetOf = (codePoint: number) => start + unitsOf(text, start, codePoint - before);
      const spanOf = ({ start: from, end: to }: { start: number; end: number }) => ({
        start: offsetOf(from),
        end: offsetOf(to),
      });
      const whole = spanOf(relation);
      const from = lineStart(text, start, whole.start);
      const to = Math.min(lineEnd(text, lastOf(text, from, whole.end)), end);
      const within = ({ start: a, end: b }: Span) => ({ start: Math.min(a, to) - from, end: Math.min(b, to) - from });
      if (relation.end > behind) {
        const message = `Relation ${relation.id} in ${file} ends behind the end of its line. It is read up to there.`;
        problems.push(problemAt('assay/span-out-of-bounds', message, from - start, to - start, 'warning'));
      }
      const spans = { head: within(spanOf(relation.head)), tail: within(spanOf(relation.tail)) };
      const content = text.slice(from, to);
      for (const role of ['head', 'tail'] as const) {
        const parts = relation[role].parts?.map((part) => within(spanOf(part))) ?? [spans[role]];
        const misfit = misfitOf(content, spans[role], parts, relation[role].surface);
        if (misfit === null) continue;
        const message = `${role} of relation ${relation.id}, ${relation[role].id} in ${file}, ${misfit}`;
        const at = from - start;
        problems.push(
          problemAt('assay/entity-not-found', message, at + spans[role].start, at + spans[role].end, 'warning'),
        );
      }
      examples.push({
        id: relation.id,
        text: content,
        spans,
        mentions: null,
        types: { head: relation.head.type, tail: relation.tail.type },
        gold: relation.label,
        map: plainMap(content.length, from - start),
        textField: { start: from - start, end: to - start },
        goldField: null,
      });
    }
    return { examples, problems };
  }

  return { cut, read };
}

/** What is to be said of an entity that is not what its line says, or in pieces with words between them; null if nothing is. */
function misfitOf(content: string, span: Span, parts: readonly Span[], surface: string | null): string | null {
  const pieces = parts.map(({ start, end }) => content.slice(start, end));
  const whole = content.slice(span.start, span.end);
  const said = surface === null ? null : inOneLine(surface);
  const stands = inOneLine(pieces.join(' '));
  // Of an entity in one piece every blank counts.
  if (said !== null && (pieces.length === 1 ? whole !== surface : stands !== said && inOneLine(whole) !== said)) {
    return `is "${shortened(surface!)}", but "${shortened(pieces.join(' … '))}" stands there. Was the text changed after it was annotated?`;
  }
  let end = span.start;
  const isApart = parts.some((part) => {
    const isGap = part.start > end && content.slice(end, part.start).trim() !== '';
    end = Math.max(end, part.end);
    return isGap;
  });
  if (!isApart) return null;
  return `stands in ${pieces.length} pieces, "${shortened(pieces.join(' … '))}". It is read from its first to its last: "${shortened(whole)}".`;
}

function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** A cut of whole lines, up to the break that ends them. `behind`: code points before `next`. */
function wholeCut(text: string, start: number, next: number, behind: number, looked: number): Cut {
  let end = next;
  if (text[end - 1] === '\n') end--;
  if (text[end - 1] === '\r') end--;
  return {
    start,
    end: Math.max(start, end),
    next: { offset: next, state: String(behind) },
    looked,
    problem: null,
  };
}

function emptyCut(at: number, state: string, message: string): Cut {
  const problem = problemAt('assay/unreadable-row', message, 0, 0, 'warning');
  return { start: at, end: at, next: { offset: at, state }, looked: at, problem };
}

/** The first relation that begins at a code point or behind it. */
function firstFrom(relations: readonly BratRelation[], codePoint: number): number {
  let low = 0;
  let high = relations.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (relations[middle]!.start >= codePoint) high = middle;
    else low = middle + 1;
  }
  return low;
}

function isPairAt(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit < 0xd800 || unit > 0xdbff) return false;
  const low = text.charCodeAt(at + 1);
  return low >= 0xdc00 && low <= 0xdfff;
}

/** How many code points [start, end) holds. */
function codePoints(text: string, start: number, end: number): number {
  let count = end - start;
  for (let at = start; at < end - 1; at++) if (isPairAt(text, at)) count--;
  return count;
}

/** How many UTF-16 units the first `count` code points from `start` on take. */
function unitsOf(text: string, start: number, count: number): number {
  let at = start;
  for (let left = count; left > 0 && at < text.length; left--) at += isPairAt(text, at) ? 2 : 1;
  return at - start;
}

/** The start of the line that holds `offset`, not before `start`. */
function lineStart(text: string, start: number, offset: number): number {
  let at = offset;
  if (at > start && text[at] === '\n' && text[at - 1] === '\r') at--;
  while (at > start && !isBreak(text, at - 1)) at--;
  return at;
}

/** The last offset before `end`, not before `start`, that is no line break. */
function lastOf(text: string, start: number, end: number): number {
  let at = Math.max(start, end - 1);
  while (at > start && isBreak(text, at)) at--;
  return at;
}

function isBreak(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit === 10 || unit === 13;
}
