import type { ColumnCandidate, ColumnChoice } from '../../protocol/dataset';
import { lineEnd } from '../text/lines';
import type { Companion } from './companions';
import { NotADataset } from './dataset';
import type { Reading, Sample } from './format';
import { readingOf } from './formats';
import { withLabelNames } from './label-names';
import { LINE, lineCandidates } from './lines-format';
import { describeText } from './text-kinds';

/** Finds out how a document is read, by as little of its beginning as tells. */

/** What is known of a document's beginning. */
export interface Head {
  readonly text: string;
  /** It is all of the document. */
  readonly isWhole: boolean;
}

export interface Detected {
  readonly reading: Reading;
  /** UTF-16 code units of the document that were looked at: an edit behind them changes nothing of what was found. */
  readonly looked: number;
}

/** What is known of a document besides its text. */
export interface DocumentFacts {
  readonly name: string;
  readonly companions: readonly Companion[];
}

/** The samples that are looked at one after the other, until one tells. Each is so much longer that all take little more than the last. */
const SAMPLE_UNITS = [65_536, 524_288, 4_194_304, 33_554_432] as const;
/** Of a document whose first line is longer than the first sample, that line is looked at, up to here. */
const MAX_LINE_UNITS = 1_000_000;
/** With so many whole records a sample tells all that a longer one would. */
const ENOUGH_RECORDS = 10;

/**
 * How a document is to be read, by its content only. Yields how many units of the document's beginning it has to look at, and goes on with what
 * there is of them.
 * @throws NotADataset with a message for the person: what the file looks like and what to do.
 */
export function* detecting(facts: DocumentFacts, choice: ColumnChoice | null): Generator<number, Detected, Head> {
  let found: Detected | null = null;
  let refusal: string | null = null;
  let candidates: readonly ColumnCandidate[] = [];
  let first: Sample | null = null;
  let sample: Sample = { text: '', complete: false };
  let head: Head = { text: '', isWhole: false };
  for (const units of SAMPLE_UNITS) {
    if (units <= sample.text.length) continue;
    head = yield Math.max(units, MAX_LINE_UNITS) + 1;
    sample = sampleOf(head, units, facts);
    first ??= sample;
    const told = tellingOf(sample, choice);
    if ('looked' in told) {
      found = { ...told, looked: Math.max(units, told.looked) };
      if (told.isEnough) break;
    } else {
      refusal = told.refusal ?? refusal;
      if (told.candidates.length > 0) candidates = told.candidates;
    }
    if (sample.complete) break;
  }
  if (found === null && !head.isWhole && head.text.trimStart().startsWith('{')) {
    // An object of columns has its labels behind all its texts.
    head = yield Number.POSITIVE_INFINITY;
    const told = tellingOf(sampleOf(head, SAMPLE_UNITS[SAMPLE_UNITS.length - 1]!, facts), choice);
    if ('looked' in told) found = told;
    else refusal = told.refusal ?? refusal;
  }
  if (found !== null) return { reading: found.reading, looked: found.looked };
  throw notADataset(refusal, first?.text ?? '', candidates);
}

/** Of a document that is there as a whole. */
export function detectReading(text: string, facts: DocumentFacts, choice: ColumnChoice | null): Detected {
  const detection = detecting(facts, choice);
  const head = { text, isWhole: true };
  for (;;) {
    const step = detection.next(head);
    if (step.done === true) return step.value;
  }
}

/** The whole lines among the first `units` of a document; of a long first line, as much of it. */
function sampleOf({ text: whole, isWhole }: Head, units: number, facts: DocumentFacts): Sample {
  const text = sampleText(whole, units);
  return { text, complete: isWhole && text.length === whole.length, whole, ...facts };
}

function sampleText(whole: string, units: number): string {
  if (whole.length <= units) return whole;
  const head = whole.slice(0, units);
  const cut =
    Math.max(head.lastIndexOf('\n'), head.lastIndexOf('\r') === head.length - 1 ? -1 : head.lastIndexOf('\r')) + 1;
  if (cut > 0) return head.slice(0, cut);
  return units >= MAX_LINE_UNITS ? head : whole.slice(0, Math.min(lineEnd(whole, 0), MAX_LINE_UNITS));
}

interface Refused {
  refusal: string | null;
  candidates: readonly ColumnCandidate[];
}

function tellingOf(sample: Sample, choice: ColumnChoice | null): (Detected & { isEnough: boolean }) | Refused {
  try {
    const told = readingOf(sample, choice);
    if ('refusal' in told) return { refusal: told.refusal, candidates: told.candidates ?? [] };
    const isEnough = told.needsWhole === true || hasEnoughRecords(told, sample.text);
    return { reading: withLabelNames(told, sample), looked: sample.text.length + 1, isEnough };
  } catch (error) {
    // The chosen columns may stand in rows further down.
    if (error instanceof NotADataset) return { refusal: error.message, candidates: error.candidates };
    throw error;
  }
}

function hasEnoughRecords(reading: Reading, text: string): boolean {
  let place = reading.begin(text);
  for (let count = 0; count < ENOUGH_RECORDS; ) {
    const cut = reading.cut(text, place);
    if (cut === null || cut.looked >= text.length) return false;
    if (cut.end > cut.start) count++;
    place = cut.next;
  }
  return true;
}

/** `text`: the first lines, which tell what it is if nothing was said of it. */
function notADataset(refusal: string | null, text: string, seen: readonly ColumnCandidate[]): NotADataset {
  if (refusal !== null) return new NotADataset(refusal, seen);
  const candidates = seen.length > 0 ? seen : lineCandidates(text);
  const how =
    candidates.length === 0
      ? ''
      : seen.length > 0
        ? ' If it is a dataset nevertheless, name its columns with Choose Columns.'
        : ` If each of its lines is a text, say so with Choose Columns (${LINE}).`;
  return new NotADataset(describeText(text) + how, candidates);
}
