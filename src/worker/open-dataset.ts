/** A dataset that a person has open: what was read of it, what is wrong with it, and what the chosen model says of its examples. */

import type { CheckFinding } from '../engine/datasets/checks/finding';
import type { Example } from '../engine/datasets/dataset';
import type { DatasetDocument } from '../engine/datasets/document';
import { predictionOf } from '../engine/models/classifier';
import { matchLabels } from '../engine/models/labels';
import { summarise } from '../engine/statistics/summary';
import type { ColumnChoice, DatasetInfo, Finding, LineRange, TextChange } from '../protocol/dataset';
import type { LabelMatch, ModelInfo, Prediction, Summary } from '../protocol/prediction';
import type { ExampleState } from '../protocol/view';
import type { Checking } from './checking';
import { Explanations } from './explanations';
import { FindingList } from './finding-list';
import { TestedExamples } from './tested-examples';

export interface Result extends Prediction {
  /** Tokens of the input before truncation. */
  tokenCount: number;
}

/** What the list of findings is made of. */
interface FindingSources {
  ofReader: readonly Finding[];
  ofChecks: readonly CheckFinding[];
  disabled: ReadonlySet<string>;
  guiltyCount: number;
  reviewed: ReadonlyMap<string, ReadonlySet<string>>;
}

const nothing: readonly CheckFinding[] = [];
const nothingDisabled: ReadonlySet<string> = new Set();

function isSame(a: FindingSources, b: FindingSources): boolean {
  return (Object.keys(a) as (keyof FindingSources)[]).every((part) => a[part] === b[part]);
}

export class OpenDataset {
  readonly uri: string;
  version: number;
  document: DatasetDocument;
  model: ModelInfo | null = null;
  /** What a person sees now: done first. */
  visible: LineRange | null = null;
  /** Hang on the example: an edit elsewhere leaves them standing. */
  #results = new WeakMap<Example, Result>();
  #guilty = new WeakSet<Example>();
  /** Every example that was there at the opening or came by an edit that has been noted. */
  #known = new WeakSet<Example>();
  /** Examples that edits have made, newest last, until they are predicted. */
  #edited = new Set<Example>();
  #remembered: [string, string | null][] = [];
  #match: LabelMatch | null = null;
  #guiltyCount = 0;
  readonly explanations = new Explanations();
  readonly robustness = new TestedExamples();
  /** Looks for what is wrong with the data; null until it is told what to look for. */
  checking: Checking | null = null;
  /** Keys of the findings that a person has judged, by code. */
  #reviewed: ReadonlyMap<string, ReadonlySet<string>> = new Map();
  /** As long as nothing changes, the same list serves every drawing. */
  #findings: { madeOf: FindingSources; list: FindingList } | null = null;
  readonly #ids = new WeakMap<object, number>();
  #lastId = 0;
  readonly #keys = new WeakMap<CheckFinding, string>();
  #modelLabelOf = new Map<string, string | null>();

  /** What the file of a page says beyond the page. */
  readonly #ofFile: Partial<DatasetInfo>;

  /** Where it is on disk; null for what is in no file, and for pages. */
  readonly file: string | null;
  /** The columns a person chose. */
  choice: ColumnChoice | null;

  constructor(
    uri: string,
    version: number,
    document: DatasetDocument,
    {
      ofFile = {},
      file = null,
      choice = null,
    }: { ofFile?: Partial<DatasetInfo>; file?: string | null; choice?: ColumnChoice | null } = {},
  ) {
    this.uri = uri;
    this.version = version;
    this.document = document;
    this.#ofFile = ofFile;
    this.file = file;
    this.choice = choice;
    for (const example of document.examples) this.#known.add(example);
  }

  get info(): DatasetInfo {
    return { ...this.document.info, ...this.#ofFile };
  }

  /** Reads the changed rows again; the examples they hold now count as edited. */
  applyEdits(version: number, changes: readonly TextChange[]): void {
    this.version = version;
    this.document.applyEdits(changes);
    this.#noteEdited();
    this.checking?.edited();
    if (this.model !== null) this.matchLabels(this.model);
  }

  /** Reads with other columns: all examples are new, and none of them edited. */
  choose(choice: ColumnChoice): void {
    this.document.choose(choice);
    this.choice = choice;
    this.checking?.reread();
    this.clear();
    this.#edited.clear();
    for (const example of this.document.examples) this.#known.add(example);
  }

  #noteEdited(): void {
    const examples = this.document.examples;
    const fresh = examples.filter((example) => !this.#known.has(example));
    for (const example of fresh) {
      this.#known.add(example);
      this.#edited.add(example);
    }
    if (this.#edited.size <= fresh.length) return;
    // What was edited and has gone since is not waited for.
    const present = new Set(examples);
    for (const example of this.#edited) if (!present.has(example)) this.#edited.delete(example);
  }

  /** Examples that edits have made and that have no prediction. */
  pendingEdited(): Example[] {
    return [...this.#edited].filter((example) => !this.isDone(example));
  }

  /** Another model than before: what the former said is forgotten. */
  useModel(model: ModelInfo, remembered: [string, string | null][]): LabelMatch {
    if (this.model?.hash !== model.hash || this.model.folder !== model.folder) this.clear();
    this.model = model;
    this.#remembered = remembered;
    return this.matchLabels(model);
  }

  /** After an edit there may be labels that were not there before. */
  matchLabels(model: ModelInfo): LabelMatch {
    const match = matchLabels(this.info.labels, model.labels, new Map(this.#remembered));
    this.#modelLabelOf = new Map(match.pairs.map((pair) => [pair.dataset, pair.model]));
    this.#match = match;
    return match;
  }

  get labelMatch(): LabelMatch | null {
    return this.#match;
  }

  clear(): void {
    this.#results = new WeakMap();
    this.#guilty = new WeakSet();
    this.#guiltyCount = 0;
    this.explanations.clear();
    this.robustness.clear();
    this.model = null;
  }

  resultOf(example: Example): Result | undefined {
    return this.#results.get(example);
  }

  setResult(example: Example, logits: Float32Array, truncated: boolean, tokenCount: number): void {
    if (this.model === null) return;
    this.#edited.delete(example);
    this.#results.set(example, { ...predictionOf(logits, this.model.labels, truncated), tokenCount });
  }

  /** The model cannot be asked about it: it kills the worker. */
  setGuilty(example: Example): void {
    if (!this.#guilty.has(example)) this.#guiltyCount++;
    this.#guilty.add(example);
    this.#edited.delete(example);
  }

  isDone(example: Example): boolean {
    return this.#results.has(example) || this.#guilty.has(example);
  }

  /** The gold label under the model's name for it; null where it has none or the model does not know it. */
  goldInModel(example: Example): string | null {
    return example.gold === null ? null : (this.#modelLabelOf.get(example.gold) ?? null);
  }

  stateOf(example: Example): ExampleState {
    if (this.#guilty.has(example)) return 'problem';
    const result = this.#results.get(example);
    if (result === undefined) return 'pending';
    if (example.gold === null) return 'unlabelled';
    const gold = this.goldInModel(example);
    if (gold === null) return 'unmatched';
    return gold === result.label ? 'right' : 'wrong';
  }

  get guiltyCount(): number {
    return this.#guiltyCount;
  }

  set reviewed(keys: ReadonlyMap<string, ReadonlySet<string>>) {
    this.#reviewed = keys;
  }

  /** All that is wrong with the data, as of now. */
  get findings(): FindingList {
    const { document, checking } = this;
    const madeOf: FindingSources = {
      ofReader: document.findings,
      ofChecks: checking?.findings ?? nothing,
      disabled: checking?.disabled ?? nothingDisabled,
      guiltyCount: this.#guiltyCount,
      reviewed: this.#reviewed,
    };
    const known = this.#findings;
    if (known !== null && isSame(known.madeOf, madeOf)) return known.list;
    const { ofReader, ofChecks, disabled, reviewed } = madeOf;
    const list = new FindingList({
      document,
      ofReader: disabled.size === 0 ? ofReader : ofReader.filter(({ code }) => !disabled.has(code)),
      ofChecks,
      crashing: this.#guiltyCount === 0 ? [] : document.examples.filter((example) => this.#guilty.has(example)),
      reviewed,
      idOf: (source) => this.#idOf(source),
      keys: this.#keys,
    });
    this.#findings = { madeOf, list };
    return list;
  }

  #idOf(source: object): number {
    const known = this.#ids.get(source);
    if (known !== undefined) return known;
    this.#ids.set(source, ++this.#lastId);
    return this.#lastId;
  }

  summary(): Summary {
    const pairs: { gold: string; predicted: string }[] = [];
    let predictedCount = 0;
    let truncatedCount = 0;
    for (const example of this.document.examples) {
      const result = this.#results.get(example);
      if (result === undefined) continue;
      predictedCount++;
      if (result.truncated) truncatedCount++;
      const gold = this.goldInModel(example);
      if (gold !== null) pairs.push({ gold, predicted: result.label });
    }
    const figures = summarise({
      labels: this.model?.labels ?? [],
      negativeLabel: this.model?.negativeLabel ?? null,
      pairs,
    });
    return {
      exampleCount: this.document.examples.length,
      predictedCount,
      truncatedCount,
      ...figures,
    };
  }
}
