import type { Span } from '../../../protocol/dataset';
import type { Example } from '../dataset';
import { kindOf, unitTable, WORD, WORD_ALONE } from './characters';
import type { CheckedFile } from './file-check';
import type { CheckFinding } from './finding';

/** Rows with an empty entity that show something: so many, and this share of all. */
const EMPTY_ROWS = 3;
const EMPTY_SHARE = 0.1;
/** Of a role's entities at least this share must be empty, and at least this share not: else they were masked. */
const MIXED_SHARE = 0.1;
/** Share of the empty entities that must stand before a word: what an inclusive end of one word leaves. Behind a mask stands anything. */
const BEFORE_WORD_SHARE = 0.9;
/** Entities that are needed to see that all of them end within a word, one letter before its end; and their share. */
const CUT_ENTITIES = 20;
const CUT_SHARE = 0.9;
/** Entities that are needed to see that none is of one word; and the share that ends in punctuation. */
const LONG_ENTITIES = 50;
const PUNCTUATED_SHARE = 0.1;
const SLICE_ROWS = 20_000;

/**
 * Whether the ends of all entities are mistaken, where no row says its entities' names: inclusive ends that are read as exclusive leave
 * entities of one word empty and cut the last letter off others; exclusive ends that are read as inclusive take a word too many.
 */
export function* entityEnds({ examples, task }: CheckedFile): Generator<void, readonly CheckFinding[]> {
  if (task !== 'relation') return [];
  const census = new EndCensus();
  for (const [index, example] of examples.entries()) {
    if (index % SLICE_ROWS === SLICE_ROWS - 1) yield;
    census.add(example);
  }
  const found = census.verdict(examples.length);
  return found === null ? [] : [found];
}

class RoleCensus {
  empty = 0;
  filled = 0;

  get isMixed(): boolean {
    const least = (this.empty + this.filled) * MIXED_SHARE;
    return this.empty >= least && this.filled >= least;
  }
}

class EndCensus {
  readonly #roles = { head: new RoleCensus(), tail: new RoleCensus() };
  #firstEmpty: Example | null = null;
  #emptyRows = 0;
  #beforeWord = 0;
  /** An entity ends with its text, or is empty behind it: no inclusive end that is read as exclusive does. */
  #reachesEnd = false;
  #firstCut: Example | null = null;
  #cut = 0;
  #hasOneWord = false;
  #firstPunctuated: Example | null = null;
  #punctuated = 0;
  /** Names say it better (entity-names.ts). */
  #isNamed = false;

  add(example: Example): void {
    const { spans, text, misfits } = example;
    if (spans === null) return;
    if (misfits?.some(({ endShift }) => endShift !== 0) === true) this.#isNamed = true;
    let isEmpty = false;
    for (const role of ['head', 'tail'] as const) {
      const span = spans[role];
      const census = this.#roles[role];
      if (span.end === text.length) this.#reachesEnd = true;
      if (span.start === span.end) {
        census.empty++;
        isEmpty = true;
        if (isWord(text, span.start) && !isWord(text, span.start - 1)) this.#beforeWord++;
      } else {
        census.filled++;
        this.#addFilled(example, span);
      }
    }
    if (!isEmpty) return;
    this.#emptyRows++;
    this.#firstEmpty ??= example;
  }

  #addFilled(example: Example, { start, end }: Span): void {
    const { text } = example;
    if (isWord(text, end - 1) && isWord(text, end) && !isWord(text, end + 1)) {
      this.#cut++;
      this.#firstCut ??= example;
    }
    if (this.#hasOneWord) return;
    const lastSpace = text.lastIndexOf(' ', end - 1);
    if (lastSpace <= start) this.#hasOneWord = true;
    else if (!holdsWord(text, lastSpace, end)) {
      this.#punctuated++;
      this.#firstPunctuated ??= example;
    }
  }

  verdict(rowCount: number): CheckFinding | null {
    if (this.#isNamed) return null;
    const { head, tail } = this.#roles;
    const filled = head.filled + tail.filled;
    const empty = head.empty + tail.empty;
    if (
      this.#firstEmpty !== null &&
      this.#emptyRows >= Math.max(EMPTY_ROWS, rowCount * EMPTY_SHARE) &&
      (head.isMixed || tail.isMixed) &&
      this.#beforeWord >= empty * BEFORE_WORD_SHARE &&
      !this.#reachesEnd
    ) {
      const message = `In ${this.#emptyRows} of ${rowCount} rows an entity holds no word: it starts where it ends, and none in the file reaches the end of its text. The ends seem to name the last word where they are read as the one behind it: write them one higher.`;
      return told(this.#firstEmpty, message);
    }
    if (this.#firstCut !== null && filled >= CUT_ENTITIES && this.#cut >= filled * CUT_SHARE) {
      const message = `${this.#cut} of ${filled} entities stop one letter before the end of a word. The ends seem to name the last character where they are read as the one behind it: write them one higher.`;
      return told(this.#firstCut, message);
    }
    const isPunctuated = this.#punctuated >= filled * PUNCTUATED_SHARE;
    if (this.#firstPunctuated !== null && !this.#hasOneWord && filled >= LONG_ENTITIES && isPunctuated) {
      const message = `None of ${filled} entities is of one word, and ${this.#punctuated} end in punctuation. The ends seem to name the word behind an entity where they are read as its last one: write them one lower.`;
      return told(this.#firstPunctuated, message);
    }
    return null;
  }
}

function told(example: Example, message: string): CheckFinding {
  return {
    code: 'assay/inclusive-end',
    example,
    place: { part: 'row' },
    subject: '',
    message,
    related: [],
    fix: null,
  };
}

function isWord(text: string, at: number): boolean {
  if (at < 0 || at >= text.length) return false;
  const kind = kindOf(unitTable[text.charCodeAt(at)]!);
  return kind === WORD || kind === WORD_ALONE;
}

function holdsWord(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (isWord(text, at)) return true;
  return false;
}
