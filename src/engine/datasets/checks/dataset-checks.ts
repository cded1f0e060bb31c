import type { Example } from '../dataset';
import type { DatasetDocument } from '../document';
import { controlCharacters } from './control-characters';
import { duplicates } from './duplicates';
import { emptyText } from './empty-text';
import { entityEnds } from './entity-ends';
import { entityNames } from './entity-names';
import { entitySpans } from './entity-spans';
import type { CheckedFile, FileCheck, OtherSplit } from './file-check';
import type { CheckFinding } from './finding';
import { htmlRemains } from './html-remains';
import { classImbalance, fewExamples } from './label-balance';
import { labelCensus } from './label-census';
import { labelLeak } from './label-leak';
import { mixedLanguage, otherLanguage } from './language-checks';
import { leakage } from './leakage';
import { lostCharacters } from './lost-characters';
import { markerRemains } from './marker-remains';
import { misspeltLabels } from './misspelt-labels';
import { mojibake } from './mojibake';
import { nearDuplicates } from './near-duplicates';
import { nothing, type RowCheck } from './row-check';
import { RowFacts } from './row-facts';
import { isOneText } from './same-rows';
import type { CheckSettings } from './settings';
import { truncatedInput } from './truncated-input';
import { unseenLabels } from './unseen-labels';

/** Of the text alone: of examples that share theirs (the relations of a document) only the first is asked. */
const textChecks: readonly RowCheck[] = [
  emptyText,
  controlCharacters,
  mojibake,
  htmlRemains,
  lostCharacters,
  markerRemains,
];

const rowChecks: readonly RowCheck[] = [...textChecks, entitySpans, truncatedInput];

const checksOfSharedText: readonly RowCheck[] = rowChecks.filter((check) => !textChecks.includes(check));

const fileChecks: readonly FileCheck[] = [
  entityNames,
  entityEnds,
  duplicates,
  nearDuplicates,
  leakage,
  otherLanguage,
  mixedLanguage,
  misspeltLabels,
  unseenLabels,
  fewExamples,
  classImbalance,
  labelLeak,
];

/** Rows that are checked between two yields, and UTF-16 units of their texts: a few milliseconds. */
const SLICE_ROWS = 64;
const SLICE_UNITS = 20_000;
/** Likewise of rows that were checked before. */
const KNOWN_SLICE_ROWS = 16_384;
const SLICE_FINDINGS = 4096;

/** What a file is a part of. */
export interface WholeDataset {
  /** Which split the file is; null where it stands alone. */
  readonly split: string | null;
  readonly others: readonly OtherSplit[];
}

/**
 * The checks of an open dataset. After an edit `update` checks the rows that are new and weighs the file again; until then the
 * findings stand on the examples that are still there.
 */
export class DatasetChecks {
  readonly #document: DatasetDocument;
  readonly #settings: CheckSettings;
  readonly #dataset: WholeDataset;
  readonly #facts = new RowFacts();
  /** Every example that was checked, and its slot in the facts. */
  readonly #slots = new Map<Example, number>();
  readonly #ofRow = new Map<Example, readonly CheckFinding[]>();
  /** In the order of the file, as it was when `#findingsOf` were its examples. */
  #findings: readonly CheckFinding[] = [];
  #findingsOf: readonly Example[] = [];

  constructor(document: DatasetDocument, settings: CheckSettings, dataset: WholeDataset) {
    this.#document = document;
    this.#settings = settings;
    this.#dataset = dataset;
  }

  /** Yields every few milliseconds. The document may not be edited in between: an edit makes it worthless, so begin again. */
  *update(): Generator<void, void> {
    const { examples, info } = this.#document;
    const { task } = info.columns;
    const context = { task, format: info.format, settings: this.#settings };
    const slots = new Uint32Array(examples.length);
    this.#facts.reserve(examples.length);
    let fresh = 0;
    let units = 0;
    for (const [index, example] of examples.entries()) {
      let slot = this.#slots.get(example);
      if (slot === undefined) {
        // Kept at once, so that a run that is given up loses nothing.
        slot = this.#facts.add(example);
        this.#slots.set(example, slot);
        const former = examples[index - 1];
        const isShared = former !== undefined && isSameText(former, example);
        const found = findingsOf(example, context, isShared ? checksOfSharedText : rowChecks);
        if (found.length > 0) this.#ofRow.set(example, found);
        units += example.text.length;
        if (++fresh % SLICE_ROWS === 0 || units >= SLICE_UNITS) {
          units = 0;
          yield;
        }
      }
      slots[index] = slot;
      if (index % KNOWN_SLICE_ROWS === KNOWN_SLICE_ROWS - 1) yield;
    }
    if (this.#slots.size > examples.length) yield* this.#forget(slots);
    const labels = yield* labelCensus({ slots, facts: this.#facts, others: this.#dataset.others });
    const file: CheckedFile = {
      task,
      columns: info.columns,
      examples,
      fieldsOf: (example) => this.#document.fieldsOf(example),
      firstLineOf: (example) => this.#document.firstLineOf(example),
      slots,
      facts: this.#facts,
      labels,
      ...this.#dataset,
      settings: this.#settings,
      labelNames: this.#document.labelNames,
    };
    const ofFile: CheckFinding[] = [];
    for (const check of fileChecks) {
      for (const finding of yield* check(file)) ofFile.push(finding);
      yield;
    }
    this.#findings = yield* this.#inFileOrder(examples, ofFile);
    this.#findingsOf = examples;
  }

  /** Gives up the slots that no example has. */
  *#forget(slots: Uint32Array): Generator<void, void> {
    const used = new Uint8Array(this.#facts.slotCount);
    for (const slot of slots) used[slot] = 1;
    let seen = 0;
    for (const [example, slot] of this.#slots) {
      if (++seen % KNOWN_SLICE_ROWS === 0) yield;
      if (used[slot] === 1) continue;
      this.#facts.remove(slot);
      this.#slots.delete(example);
      this.#ofRow.delete(example);
    }
  }

  /** The findings of the rows, and those of the file behind them. */
  *#inFileOrder(
    examples: readonly Example[],
    ofFile: readonly CheckFinding[],
  ): Generator<void, readonly CheckFinding[]> {
    const { disabled } = this.#settings;
    const place = new Map<Example, CheckFinding[]>();
    let seen = 0;
    for (const finding of ofFile) {
      if (++seen % SLICE_FINDINGS === 0) yield;
      if (disabled.has(finding.code)) continue;
      const of = place.get(finding.example);
      if (of === undefined) place.set(finding.example, [finding]);
      else of.push(finding);
    }
    const all: CheckFinding[] = [];
    for (const [index, example] of examples.entries()) {
      if (index % KNOWN_SLICE_ROWS === KNOWN_SLICE_ROWS - 1) yield;
      for (const finding of this.#ofRow.get(example) ?? nothing) if (!disabled.has(finding.code)) all.push(finding);
      for (const finding of place.get(example) ?? nothing) all.push(finding);
    }
    return all;
  }

  /** In the order of the file: those whose example is still there. */
  get findings(): readonly CheckFinding[] {
    const { examples } = this.#document;
    if (this.#findingsOf !== examples) {
      this.#findings = this.#findings.filter(({ example }) => this.#document.has(example));
      this.#findingsOf = examples;
    }
    return this.#findings;
  }
}

/** A record is read as a whole, so they come and go together. */
function isSameText(former: Example, example: Example): boolean {
  return isOneText(former, example) && former.text === example.text;
}

function findingsOf(
  example: Example,
  context: Parameters<RowCheck>[1],
  checks: readonly RowCheck[],
): readonly CheckFinding[] {
  let found: CheckFinding[] | null = null;
  for (const check of checks) {
    for (const finding of check(example, context)) {
      found ??= [];
      found.push(finding);
    }
  }
  return found ?? nothing;
}
