/**
 * How entities are written into the text that a relation model reads: marked by tokens around them, with or without
 * their type, replaced by a mask, or not at all. What is written keeps a map back to the example's text.
 */
import type { EntitySpans, Span } from '../../protocol/dataset';
import { isPair } from '../text/mapped-text';

/**
 * How one entity is written. In each string `{type}` stands for the entity's type in lower case with spaces for
 * underscores, `{TYPE}` for the type as the dataset has it.
 */
export type EntityForm =
  | { kind: 'markers'; open: string; close: string }
  | { kind: 'mask'; mask: string }
  | { kind: 'none' };

/** Which mentions are written where an entity is mentioned more than once. */
export type MentionRule = 'closest' | 'first';

export interface EntityTemplate {
  head: EntityForm;
  tail: EntityForm;
  mentions: MentionRule;
}

export interface EntityTypes {
  head: string | null;
  tail: string | null;
}

const markers = (open: string, close: string): EntityForm => ({ kind: 'markers', open, close });

/**
 * Ways of writing that have names, after Zhou and Chen, "An Improved Baseline for Sentence-level Relation Extraction"
 * (2022), section 3.2.
 */
export const entityPresets: Readonly<Record<string, Readonly<Pick<EntityTemplate, 'head' | 'tail'>>>> = {
  'entity-markers': { head: markers('[E1]', '[/E1]'), tail: markers('[E2]', '[/E2]') },
  'entity-markers-punctuation': { head: markers('@', '@'), tail: markers('#', '#') },
  'typed-markers': { head: markers('[SUBJ-{TYPE}]', '[/SUBJ-{TYPE}]'), tail: markers('[OBJ-{TYPE}]', '[/OBJ-{TYPE}]') },
  'typed-markers-punctuation': { head: markers('@ * {type} *', '@'), tail: markers('# ^ {type} ^', '#') },
  'entity-mask': { head: { kind: 'mask', mask: '[SUBJ-{TYPE}]' }, tail: { kind: 'mask', mask: '[OBJ-{TYPE}]' } },
  none: { head: { kind: 'none' }, tail: { kind: 'none' } },
};

const typePlaceholder = /\{(?:type|TYPE)\}/g;

/** The strings that the template writes, placeholders as they are. */
export function stringsOf(template: EntityTemplate): string[] {
  return [template.head, template.tail].flatMap((form) => {
    if (form.kind === 'markers') return [form.open, form.close];
    return form.kind === 'mask' ? [form.mask] : [];
  });
}

/** True where what is written depends on the entities' types. */
export function needsTypes(template: EntityTemplate): boolean {
  return stringsOf(template).some((written) => written.search(typePlaceholder) >= 0);
}

/**
 * The mentions to write: the first of each entity, or the pair with the fewest characters between them (pairs that do not
 * overlap before those that do; the earlier pair where equal).
 */
export function chooseMentions(
  spans: EntitySpans,
  mentions: { head: readonly Span[]; tail: readonly Span[] } | null,
  rule: MentionRule,
): EntitySpans {
  const heads = mentions === null || mentions.head.length === 0 ? [spans.head] : mentions.head;
  const tails = mentions === null || mentions.tail.length === 0 ? [spans.tail] : mentions.tail;
  if (rule === 'first') return { head: heads[0]!, tail: tails[0]! };
  let best: EntitySpans = { head: heads[0]!, tail: tails[0]! };
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const head of heads) {
    for (const tail of tails) {
      const between = Math.max(head.start, tail.start) - Math.min(head.end, tail.end);
      const distance = between >= 0 ? between : Number.MAX_SAFE_INTEGER;
      if (distance < bestDistance) {
        best = { head, tail };
        bestDistance = distance;
      }
    }
  }
  return best;
}

/** A stretch of the written text. `source` is its range in the example's text; null: it was added. */
interface WrittenPiece {
  start: number;
  end: number;
  source: Span | null;
  /** Copied character by character; else all of it stands for all of the source. */
  isCopy: boolean;
}

export interface WrittenText {
  text: string;
  pieces: readonly WrittenPiece[];
}

/** The text as it is, for models that read no entities. */
export function writePlain(text: string): WrittenText {
  const all = { start: 0, end: text.length };
  return { text, pieces: [{ ...all, source: all, isCopy: true }] };
}

/**
 * Writes both entities into the text. Spans may nest, overlap or be equal (the head then stands outside); spans that
 * reach outside the text are cut, those that cut a surrogate pair widened. A type that is not known is written `entity`.
 * Between what is written and the text stands one space, where there is no white space yet.
 */
export function writeEntities(
  text: string,
  spans: EntitySpans,
  types: EntityTypes | null,
  template: EntityTemplate,
): WrittenText {
  const head = { span: fitSpan(text, spans.head), form: fillType(template.head, types?.head ?? null) };
  const tail = { span: fitSpan(text, spans.tail), form: fillType(template.tail, types?.tail ?? null) };
  const writer = new Writer(text);
  for (const edit of editsOf(head, tail)) writer.apply(edit);
  return writer.finish();
}

interface Entity {
  span: Span;
  form: EntityForm;
}

/** What is written at a place of the text: `replaces` is what it stands for, empty for a marker. */
interface Edit {
  at: number;
  written: string;
  replaces: Span | null;
  /** Among edits at one place: ends first, then beginnings, the outer ones outside. */
  rank: number;
}

function editsOf(head: Entity, tail: Entity): Edit[] {
  const length = (entity: Entity): number => entity.span.end - entity.span.start;
  const headIsOuter = length(head) >= length(tail);
  const edits = [...editsOfEntity(head, headIsOuter), ...editsOfEntity(tail, !headIsOuter)];
  edits.sort((a, b) => a.at - b.at || a.rank - b.rank);
  return edits;
}

function editsOfEntity({ span, form }: Entity, isOuter: boolean): Edit[] {
  if (form.kind === 'none') return [];
  const beginRank = isOuter ? 2 : 3;
  if (form.kind === 'mask') return [{ at: span.start, written: form.mask, replaces: span, rank: beginRank }];
  // The end of an empty span must not come before its beginning.
  const endRank = span.start === span.end ? beginRank + (isOuter ? 2 : 0.5) : isOuter ? 1 : 0;
  return [
    { at: span.start, written: form.open, replaces: null, rank: beginRank },
    { at: span.end, written: form.close, replaces: null, rank: endRank },
  ];
}

function fillType(form: EntityForm, type: string | null): EntityForm {
  const fill = (written: string): string =>
    written
      .replaceAll('{TYPE}', () => type ?? 'entity')
      .replaceAll('{type}', () => (type ?? 'entity').replaceAll('_', ' ').toLowerCase());
  if (form.kind === 'markers') return { kind: 'markers', open: fill(form.open), close: fill(form.close) };
  return form.kind === 'mask' ? { kind: 'mask', mask: fill(form.mask) } : form;
}

function fitSpan(text: string, span: Span): Span {
  const start = Math.min(Math.max(0, span.start), text.length);
  const end = Math.min(Math.max(start, span.end), text.length);
  return {
    start: start > 0 && isPair(text, start - 1) ? start - 1 : start,
    end: end > start && isPair(text, end - 1) ? end + 1 : end,
  };
}

class Writer {
  readonly #source: string;
  readonly #pieces: WrittenPiece[] = [];
  #text = '';
  /** How much of the source is written. */
  #reached = 0;

  constructor(source: string) {
    this.#source = source;
  }

  apply({ at, written, replaces }: Edit): void {
    this.#copyTo(at);
    this.#space();
    // A mask that begins inside the stretch that another one replaced stands for what is left, or for its own again.
    const source = replaces === null ? null : { start: replaces.start, end: Math.max(replaces.end, this.#reached) };
    this.#write(written, source, false);
    if (source !== null) this.#reached = source.end;
  }

  finish(): WrittenText {
    this.#copyTo(this.#source.length);
    return { text: this.#text, pieces: this.#pieces };
  }

  #copyTo(end: number): void {
    if (end <= this.#reached) return;
    const source = { start: this.#reached, end };
    const part = this.#source.slice(source.start, source.end);
    const previous = this.#pieces[this.#pieces.length - 1];
    if (previous !== undefined && !previous.isCopy && !/^\s/.test(part)) this.#space();
    this.#write(part, source, true);
    this.#reached = end;
  }

  #space(): void {
    if (this.#text.length > 0 && !/\s$/.test(this.#text)) this.#write(' ', null, false);
  }

  #write(written: string, source: Span | null, isCopy: boolean): void {
    const start = this.#text.length;
    this.#text += written;
    if (written.length > 0) this.#pieces.push({ start, end: this.#text.length, source, isCopy });
  }
}

/** The range of the example's text that [start, end) of the written text stands for; null where all of it was added. */
export function sourceRange(written: WrittenText, start: number, end: number): Span | null {
  let range: Span | null = null;
  for (const piece of written.pieces) {
    if (piece.source === null || piece.end <= start || piece.start >= end) continue;
    const from = piece.isCopy ? piece.source.start + Math.max(0, start - piece.start) : piece.source.start;
    const to = piece.isCopy ? piece.source.end - Math.max(0, piece.end - end) : piece.source.end;
    range = range === null ? { start: from, end: to } : { start: range.start, end: Math.max(range.end, to) };
  }
  return range !== null && range.start < range.end ? range : null;
}
