import type { Example } from '../dataset';
import type { CheckedFile } from './file-check';
import type { CheckFinding, RelatedRow } from './finding';
import { isOneText, textWithEntities } from './same-rows';

/**
 * Rows with the same text and entities under different labels. A group may hold all rows of a file, and as many labels, so of the other
 * labels, and of the lines that have one, a few are named and the rest is counted: the work grows with the rows.
 */

/** Labels that a message names, and lines of each. */
const NAMED_LABELS = 4;
const NAMED_LINES = 3;
/** Other rows that a finding links to. */
const RELATED_ROWS = 10;
const SLICE_ROWS = 1024;

/** A line on which a label stands, and how many texts of the group have it there. */
interface LabelledLine {
  readonly line: number;
  texts: number;
}

/** What is known of one label of a group. */
interface GroupLabel {
  readonly lines: LabelledLine[];
  /** The first row of each of the first texts that have it: one more than is linked to. */
  readonly rows: number[];
  textCount: number;
}

/** Rows of a group that stand in the same place of the file: the judgements of one text. */
interface GroupText {
  readonly rows: number[];
  /** By label id, where that stands. */
  readonly labels: Map<number, LabelledLine>;
}

/** For each row of a group, in the order of the file, which rows of other texts contradict it. */
export function* conflictsIn(file: CheckedFile, group: readonly number[]): Generator<void, readonly CheckFinding[]> {
  const { texts, labels } = yield* gathered(file, group);
  const findings: CheckFinding[] = [];
  if (labels.size < 2) return findings;
  /** What is said of a text with one label is the same for all with that label. */
  const said = new Map<number, Said | null>();
  let seen = 0;
  for (const text of texts) {
    const known: Map<number, Said | null> = text.labels.size === 1 ? said : new Map();
    let against: Against | null = null;
    for (const row of text.rows) {
      if (++seen % SLICE_ROWS === 0) yield;
      const label = file.facts.labelId(file.slots[row]!);
      // All judge it so, and some otherwise too: a pair may have several relations.
      if (labels.get(label)!.textCount === texts.length) continue;
      let told = known.get(label);
      if (told === undefined) {
        against ??= new Against(file, text, labels);
        told = sayOf(file, row, against.besides(label));
        known.set(label, told);
      }
      if (told !== null) findings.push(conflict(file.examples[row]!, told));
    }
  }
  return findings;
}

function* gathered(
  { examples, slots, facts, firstLineOf }: CheckedFile,
  group: readonly number[],
): Generator<void, { texts: GroupText[]; labels: Map<number, GroupLabel> }> {
  const texts: GroupText[] = [];
  const labels = new Map<number, GroupLabel>();
  for (const [index, row] of group.entries()) {
    if (index % SLICE_ROWS === SLICE_ROWS - 1) yield;
    const id = facts.labelId(slots[row]!);
    // A row without label contradicts none.
    if (id === 0) continue;
    const former = texts.at(-1);
    let text = former;
    if (text === undefined || !isOneText(examples[text.rows[0]!]!, examples[row]!)) {
      text = { rows: [], labels: new Map() };
      texts.push(text);
    }
    text.rows.push(row);
    // The same judgement twice.
    if (text.labels.has(id)) continue;
    const label = labels.get(id) ?? { lines: [], rows: [], textCount: 0 };
    labels.set(id, label);
    const line = firstLineOf(examples[row]!) + 1;
    let place = label.lines.at(-1);
    if (place?.line !== line) {
      place = { line, texts: 0 };
      label.lines.push(place);
    }
    place.texts++;
    label.textCount++;
    if (label.rows.length <= RELATED_ROWS) label.rows.push(row);
    text.labels.set(id, place);
  }
  return { texts, labels };
}

/** The labels that other texts of the group have, with the lines of those. */
interface OtherLabels {
  readonly named: readonly {
    readonly lines: readonly number[];
    readonly lineCount: number;
    readonly rows: readonly number[];
  }[];
  readonly count: number;
}

/** What of a group does not stand in one of its texts. */
class Against {
  readonly #file: CheckedFile;
  readonly #text: GroupText;
  readonly #labels: ReadonlyMap<number, GroupLabel>;
  /** Labels that other texts have: one more than is named. */
  readonly #first: number[] = [];
  readonly #count: number;

  constructor(file: CheckedFile, text: GroupText, labels: ReadonlyMap<number, GroupLabel>) {
    this.#file = file;
    this.#text = text;
    this.#labels = labels;
    let onlyHere = 0;
    for (const id of text.labels.keys()) if (labels.get(id)!.textCount === 1) onlyHere++;
    this.#count = labels.size - onlyHere;
    for (const id of labels.keys()) {
      if (this.#isElsewhere(id)) this.#first.push(id);
      if (this.#first.length > NAMED_LABELS) break;
    }
  }

  #isElsewhere(id: number): boolean {
    return this.#labels.get(id)!.textCount > (this.#text.labels.has(id) ? 1 : 0);
  }

  besides(label: number): OtherLabels {
    const named = this.#first.filter((id) => id !== label).slice(0, NAMED_LABELS);
    return {
      named: named.map((id) => this.#placesOf(id)),
      count: this.#count - (this.#isElsewhere(label) ? 1 : 0),
    };
  }

  #placesOf(id: number): OtherLabels['named'][number] {
    const { lines, rows } = this.#labels.get(id)!;
    const here = this.#text.labels.get(id);
    const own = here?.texts === 1 ? here : undefined;
    const { examples } = this.#file;
    const first = examples[this.#text.rows[0]!]!;
    const elsewhere = lines.slice(0, NAMED_LINES + 1).filter((place) => place !== own);
    return {
      lines: elsewhere.slice(0, NAMED_LINES).map(({ line }) => line),
      lineCount: lines.length - (own === undefined ? 0 : 1),
      rows: rows.filter((row) => !isOneText(examples[row]!, first)),
    };
  }
}

interface Said {
  readonly message: string;
  readonly related: readonly RelatedRow[];
}

/** Null: nothing contradicts the row. */
function sayOf({ examples }: CheckedFile, row: number, { named, count }: OtherLabels): Said | null {
  if (named.length === 0) return null;
  const example = examples[row]!;
  const goldOf = (other: number) => JSON.stringify(examples[other]!.gold);
  const parts = named.map(({ lines, lineCount, rows }) => {
    const more = lineCount > lines.length ? ` and ${lineCount - lines.length} more` : '';
    return `${goldOf(rows[0]!)} on line${lineCount > 1 ? 's' : ''} ${lines.join(', ')}${more}`;
  });
  const more =
    count > named.length ? `, and ${count - named.length} more label${count - named.length > 1 ? 's' : ''}` : '';
  return {
    message: `The same ${textWithEntities(example)} is labelled ${goldOf(row)} here, but ${parts.join(', ')}${more}. Decide which is right, and relabel or remove the others.`,
    related: named
      .flatMap(({ rows }) => rows)
      .slice(0, RELATED_ROWS)
      .map((other) => ({ kind: 'here', example: examples[other]!, message: `Labelled ${goldOf(other)}` })),
  };
}

function conflict(example: Example, { message, related }: Said): CheckFinding {
  return { code: 'assay/conflicting-labels', example, place: { part: 'gold' }, message, related, fix: null };
}
