import { createRandom } from '../../statistics/random';
import { entityCompanions, goldNameScore } from '../column-names';
import type { Example } from '../dataset';
import type { CheckedFile } from './file-check';
import type { CheckFinding } from './finding';

/**
 * Columns beside the text that tell the label: an id that is counted within each label, a file's name, a source, a time. A rule is learned on one
 * half of a sample and judged on the other, both ways, so that a column of which every value is different tells nothing by its values.
 *
 * A column that is the label under another name (`label_text` beside `label`: as many values as labels, each one's own) is told as a
 * copy, which is no fault of the data; every other one as a leak. Columns that say where entities stand and of what type they are belong to the
 * example and are not judged.
 */

/** Rows that are looked at, evenly over the file. */
const MOST_ROWS = 5_000;
const FEWEST_ROWS = 60;
/** Of the errors of always saying the most frequent label, so many are avoided. */
const LEAST_GAIN = 0.5;
/** Rows whose numbers are nearest have the say in the rule by order. */
const NEIGHBOURS = 5;
const SLICE_ROWS = 256;

/** Values and labels of the sampled rows that have both. */
interface Column {
  readonly values: string[];
  readonly labels: string[];
}

interface Judgement {
  readonly rule: 'value' | 'prefix' | 'order';
  /** Share of the rows left out whose label is right. */
  readonly accuracy: number;
  /** The same of always saying the most frequent label. */
  readonly baseline: number;
}

export function* labelLeak(file: CheckedFile): Generator<void, readonly CheckFinding[]> {
  const columns = new Map<string, Column>();
  const rows = sampledRows(file.examples);
  for (const [index, example] of rows.entries()) {
    for (const [name, value] of file.fieldsOf(example) ?? []) {
      if (value.trim() === '') continue;
      let column = columns.get(name);
      if (column === undefined) {
        column = { values: [], labels: [] };
        columns.set(name, column);
      }
      column.values.push(value.trim());
      column.labels.push(example.gold!);
    }
    if (index % SLICE_ROWS === SLICE_ROWS - 1) yield;
  }
  const findings: CheckFinding[] = [];
  const isOwn = ownColumns(file.columns, [...columns.keys()]);
  const first = rows[0];
  for (const [name, column] of columns) {
    if (first === undefined || isOwn(name) || column.values.length < Math.max(FEWEST_ROWS, rows.length / 2)) continue;
    if (isCopy(name, column)) findings.push(copyFinding(first, name));
    else {
      const judged = yield* bestRule(column);
      if (judged !== null) findings.push(leakFinding(first, name, judged));
    }
    yield;
  }
  return findings;
}

function sampledRows(examples: readonly Example[]): Example[] {
  const step = Math.max(1, examples.length / MOST_ROWS);
  const rows: Example[] = [];
  for (let at = 0; at < examples.length; at += step) {
    const example = examples[Math.floor(at)]!;
    if (example.gold !== null) rows.push(example);
  }
  return rows.length < FEWEST_ROWS ? [] : rows;
}

/** Entities under the names that datasets give them, with what belongs to them: `subj_start`, `h.type`, `e1_ner`. */
const entityName =
  /^(?:subj(?:ect)?|obj(?:ect)?|head|tail|h|t|e[12]|(?:entity|ent|arg|span)[_-]?[12ab]?|source_entity|target_entity)(?:[_.-].*)?$/i;

/** Whether a column is a part of the example itself. */
function ownColumns(
  { text, gold, head, tail }: CheckedFile['columns'],
  names: readonly string[],
): (name: string) => boolean {
  const own = new Set([text, gold, head, tail]);
  const entities = [head, tail].filter((name) => name !== undefined);
  for (const entity of entities) {
    const { end, type, name } = entityCompanions(entity, names);
    for (const companion of [end, type, name]) own.add(companion ?? undefined);
  }
  return (name) =>
    own.has(name) ||
    entities.some((entity) => name.startsWith(`${entity}.`)) ||
    (entities.length > 0 && entityName.test(name));
}

/** Whether values and labels are each other's one to one, and the column's name or its values say that it is a label. */
function isCopy(name: string, { values, labels }: Column): boolean {
  const labelFor = new Map<string, string>();
  const valueFor = new Map<string, string>();
  for (const [index, value] of values.entries()) {
    const label = labels[index]!;
    if ((labelFor.get(value) ?? label) !== label || (valueFor.get(label) ?? value) !== value) return false;
    labelFor.set(value, label);
    valueFor.set(label, value);
  }
  if (labelFor.size < 2) return false;
  const folded = (text: string) => text.toLowerCase().replace(/[\s_-]/g, '');
  return (
    goldNameScore(name) > 0 ||
    labelWord.test(name) ||
    [...labelFor].every(([value, label]) => folded(value) === folded(label))
  );
}

const labelWord = /label|class|categor|sentiment|polarity|relation|gold|target|topic/i;

/** The simplest rule that nothing beats by much; null if none tells enough. */
function* bestRule({ values, labels }: Column): Generator<void, Judgement | null> {
  const halves = randomHalves(values.length);
  const rules: [Judgement['rule'], Rule | null][] = [
    ['value', byKey(values, labels)],
    ['prefix', prefixRule(values, labels)],
    ['order', orderRule(values, labels)],
  ];
  let best: Judgement | null = null;
  for (const [rule, learn] of rules) {
    if (learn === null) continue;
    const judged = yield* judge(rule, learn, labels, halves);
    if (best === null || judged.accuracy > best.accuracy + 0.005) best = judged;
  }
  if (best === null) return null;
  const { accuracy, baseline } = best;
  const error = Math.sqrt((baseline * (1 - baseline)) / labels.length);
  const isBeyondChance = accuracy - baseline > 5 * error;
  return isBeyondChance && accuracy - baseline >= LEAST_GAIN * (1 - baseline) ? best : null;
}

/** Learns from some rows; what it then says of a row. */
type Rule = (rows: readonly number[], otherwise: string) => (row: number) => string;

function* judge(
  rule: Judgement['rule'],
  learn: Rule,
  labels: readonly string[],
  halves: readonly [number[], number[]],
): Generator<void, Judgement> {
  let right = 0;
  let rightBefore = 0;
  for (const [learned, judged] of [halves, [halves[1], halves[0]]] as const) {
    const frequent = mostFrequent(learned.map((row) => labels[row]!))!;
    const say = learn(learned, frequent);
    yield;
    for (const [index, row] of judged.entries()) {
      if (index % SLICE_ROWS === SLICE_ROWS - 1) yield;
      if (say(row) === labels[row]) right++;
      if (frequent === labels[row]) rightBefore++;
    }
  }
  return { rule, accuracy: right / labels.length, baseline: rightBefore / labels.length };
}

/** Drawn at random: every second row would take apart what was written in turns. */
function randomHalves(count: number): [number[], number[]] {
  const random = createRandom(1);
  const halves: [number[], number[]] = [[], []];
  for (let row = 0; row < count; row++) halves[random.int(2) as 0 | 1].push(row);
  return halves;
}

/** The label that most rows with the same key have. */
function byKey(keys: readonly string[], labels: readonly string[]): Rule {
  return (rows, otherwise) => {
    const of = new Map<string, string[]>();
    for (const row of rows) {
      const known = of.get(keys[row]!);
      if (known === undefined) of.set(keys[row]!, [labels[row]!]);
      else known.push(labels[row]!);
    }
    const said = new Map([...of].map(([key, found]) => [key, mostFrequent(found)!]));
    return (row) => said.get(keys[row]!) ?? otherwise;
  };
}

/** What stands before the first digit. Null where values have no digits, or nothing before them. */
function prefixRule(values: readonly string[], labels: readonly string[]): Rule | null {
  const prefixes = values.map((value) => /^\D+(?=\d)/.exec(value)?.[0] ?? '');
  return prefixes.filter((prefix) => prefix !== '').length < values.length / 2 ? null : byKey(prefixes, labels);
}

/** The label that most of the nearest numbers have: blocks and thresholds. Null where values have no order. */
function orderRule(values: readonly string[], labels: readonly string[]): Rule | null {
  const numbers = values.map(numberIn);
  if (numbers.filter((number) => Number.isNaN(number)).length > values.length * 0.05) return null;
  if (new Set(numbers).size < 10) return null;
  return (rows, otherwise) => {
    const sorted = rows.filter((row) => !Number.isNaN(numbers[row]!)).sort((a, b) => numbers[a]! - numbers[b]!);
    return (row) => {
      const number = numbers[row]!;
      if (Number.isNaN(number)) return otherwise;
      let low = 0;
      let high = sorted.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (numbers[sorted[middle]!]! < number) low = middle + 1;
        else high = middle;
      }
      const start = Math.max(0, Math.min(low - (NEIGHBOURS >> 1), sorted.length - NEIGHBOURS));
      return mostFrequent(sorted.slice(start, start + NEIGHBOURS).map((near) => labels[near]!)) ?? otherwise;
    };
  };
}

/** A number, a date, or the last number in a value (`train-0017`); NaN: none. */
function numberIn(value: string): number {
  const number = Number(value);
  if (!Number.isNaN(number)) return number;
  if (/^\d{4}-\d\d-\d\d/.test(value)) return Date.parse(value);
  const digits = /(\d+)\D*$/.exec(value);
  return digits === null ? Number.NaN : Number(digits[1]);
}

/** Undefined of nothing; of equally frequent ones the first. */
function mostFrequent(labels: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  let best: string | undefined;
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  for (const [label, count] of counts) if (best === undefined || count > counts.get(best)!) best = label;
  return best;
}

const ruleTexts: Readonly<Record<Judgement['rule'], string>> = {
  value: 'by its value',
  prefix: 'by what stands before its digits',
  order: 'by its order',
};

function leakFinding(example: Example, name: string, { rule, accuracy, baseline }: Judgement): CheckFinding {
  return {
    code: 'assay/label-leak',
    example,
    subject: name,
    place: { part: 'row' },
    message: `The column ${JSON.stringify(name)} gives the label away ${ruleTexts[rule]}: so alone ${percent(accuracy)} of the labels are right on rows left out, against ${percent(baseline)} for always the most frequent one. Keep it out of what a model reads, and shuffle the rows before they are split.`,
    related: [],
    fix: null,
  };
}

function copyFinding(example: Example, name: string): CheckFinding {
  return {
    code: 'assay/label-copy',
    example,
    subject: name,
    place: { part: 'row' },
    message: `The column ${JSON.stringify(name)} is the label under another name: each of its values stands for one label. Keep it out of what a model reads.`,
    related: [],
    fix: null,
  };
}

function percent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}
