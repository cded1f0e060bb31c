import path from 'node:path';
import { byteSource } from '../engine/datasets/byte-source';
import { type CheckCode, catalogue, isCheckCode } from '../engine/datasets/checks/catalogue';
import { DatasetChecks, type WholeDataset } from '../engine/datasets/checks/dataset-checks';
import type { OtherSplit } from '../engine/datasets/checks/file-check';
import { readOtherSplit } from '../engine/datasets/checks/other-split';
import { placedFinding } from '../engine/datasets/checks/places';
import { rowReviewKey } from '../engine/datasets/checks/review-key';
import { type CheckSettings, defaultCheckSettings } from '../engine/datasets/checks/settings';
import { readCompanions } from '../engine/datasets/companion-files';
import { NotADataset } from '../engine/datasets/dataset';
import type { DatasetDocument } from '../engine/datasets/document';
import { splitsOf } from '../engine/datasets/splits';
import { inputLengthOf } from '../engine/models/input-length';
import { readModelFolder } from '../engine/models/model-folder';
import type { ColumnChoice, DatasetSplit, Finding, Severity } from '../protocol/dataset';
import { parseFilesArguments } from './arguments';
import { columnsHelp, parseColumns } from './columns';
import { counted, datasetNotes } from './dataset-notes';
import { checkedLine } from './example-line';
import { type CliIo, exitCode, InputError, UsageError } from './io';
import { labelsHelp, openDataset, readInput } from './open-dataset';
import { reviewedOf } from './reviewed';
import type { Verb } from './verb';

const severities: readonly Severity[] = ['error', 'warning', 'information'];

const help = `Usage: assay check FILE… [--fail-on SEVERITIES] [--near-duplicates J] [--few N] [--imbalance R] [--disable CODES]
                   [--model FOLDER] [--columns COLUMNS] [--labels MAP.json]

Prints what is wrong with the data itself: one JSON object a line on stdout, by file, in its order, with
  file      as it was named
  code      the kind of finding, such as assay/duplicate
  severity  error, warning or information
  message   what is wrong and what to do
  range     where: {"startLine", "startChar", "endLine", "endChar"}, 0-based, end exclusive
  related   other places it speaks of: [{"file", "range", "message"}, …], "file" null: the same
and a summary on stderr. Several files are the splits of one dataset: rows that stand in more than one are found too. What was marked as reviewed in the editor
(.assay/reviewed.json in the file's folder or one above it) is only counted.

  --fail-on SEVERITIES   exit with 1 if there is a finding of one of them, for example error,warning
  --near-duplicates J    Jaccard similarity of word shingles from which on texts are near duplicates (default: ${defaultCheckSettings.nearDuplicateThreshold})
  --few N                labels with fewer examples are told (default: ${defaultCheckSettings.fewExamples})
  --imbalance R          told if the most frequent label has R times the examples of the rarest (default: ${defaultCheckSettings.imbalanceRatio})
  --disable CODES        kinds that are not looked for, for example assay/html,assay/near-duplicate
  --model FOLDER         tell inputs that are longer than this model reads; without it that is not looked for
${columnsHelp}
${labelsHelp}
`;

export const checkVerb: Verb = {
  summary: 'Print what is wrong with the rows of dataset files: duplicates, leaks, labels, entities, characters',
  help,
  run,
};

async function run(args: readonly string[], io: CliIo): Promise<number> {
  const { files, model, failOn, settings, reading } = readArguments(args);
  const folder = model === undefined ? null : await readModelFolder(path.resolve(io.workingFolder, model));
  const inputLength = folder === null ? null : inputLengthOf(folder);
  const splits = new Splits(files, io);
  let reviewedCount = 0;
  const totals = new Map<string, { severity: Severity; count: number }>();
  for (const file of files) {
    const dataset = await openDataset(file, reading, io);
    for (const line of datasetNotes(file, dataset).slice(0, 2)) io.note(line);
    const { task } = dataset.info.columns;
    if (folder !== null && folder.info.task !== task) {
      throw new InputError(`${model}: this model is for ${folder.info.task} examples, ${file} holds ${task} examples.`);
    }
    const isReviewed = await reviewedOf(path.resolve(io.workingFolder, file));
    const found = await check(
      dataset,
      { ...settings, model: inputLength },
      await splits.around(file, reading.columns === null ? null : dataset.info.columns),
      io,
    );
    if (found === null) {
      io.note('interrupted: not everything was checked');
      return exitCode.interrupted;
    }
    const findings = found.filter(({ code, key }) => !isReviewed(code, key));
    reviewedCount += found.length - findings.length;
    for (const finding of findings) {
      const { code, severity } = finding;
      totals.set(code, { severity, count: (totals.get(code)?.count ?? 0) + 1 });
    }
    await io.write(findings.map((finding) => checkedLine(file, finding)).join(''));
  }
  for (const line of summary(totals)) io.note(line);
  if (reviewedCount > 0) io.note(`${counted(reviewedCount, 'finding')} marked as reviewed, not told`);
  return [...totals.values()].some(({ severity }) => failOn.has(severity)) ? exitCode.findings : exitCode.ok;
}

/** The findings of one file, the reader's among them, in file order; null: interrupted. */
async function check(
  dataset: DatasetDocument,
  settings: CheckSettings,
  whole: WholeDataset,
  io: CliIo,
): Promise<Finding[] | null> {
  const checks = new DatasetChecks(dataset, settings, whole);
  let turnMs = performance.now();
  for (const _ of checks.update()) {
    if (io.signal.aborted) return null;
    if (performance.now() - turnMs < 50) continue;
    // Lets an interrupt be heard.
    await new Promise((resolve) => setImmediate(resolve));
    turnMs = performance.now();
  }
  const found = checks.findings.map((finding) => placedFinding(dataset, finding));
  const ofReader = dataset.findings
    .filter(({ code }) => !isCheckCode(code) || !settings.disabled.has(code))
    .map((finding) => ({ ...finding, key: readerKey(dataset, finding) }));
  return [...ofReader, ...found].sort(
    (a, b) => a.range.startLine - b.range.startLine || a.range.startChar - b.range.startChar,
  );
}

/** As the editor names what the reader says of a row. */
function readerKey(dataset: DatasetDocument, { code, range }: Finding): string {
  const offset = dataset.lines.offset({ line: range.startLine, char: range.startChar });
  return rowReviewKey(code, dataset.recordTextAt(offset));
}

/** The files of the command line as splits of one dataset; what the checks keep of one is read once. */
class Splits {
  readonly #files: readonly string[];
  readonly #io: CliIo;
  readonly #named: readonly DatasetSplit[];
  readonly #read = new Map<string, OtherSplit>();

  constructor(files: readonly string[], io: CliIo) {
    this.#files = files;
    this.#io = io;
    this.#named = splitsOf(files[0]!, files.slice(1));
  }

  /** The others, as seen from a file. Throws InputError. */
  async around(file: string, columns: ColumnChoice | null): Promise<WholeDataset> {
    if (this.#files.length === 1) return { split: null, others: [] };
    const others: OtherSplit[] = [];
    for (const other of this.#files) if (other !== file) others.push(await this.#other(other, columns));
    return { split: this.#nameOf(file), others };
  }

  /** What its name says; where that says nothing, its name. */
  #nameOf(file: string): string {
    return this.#named.find(({ name }) => name === file)?.split ?? path.basename(file);
  }

  async #other(file: string, choice: ColumnChoice | null): Promise<OtherSplit> {
    const known = this.#read.get(file);
    if (known !== undefined) return known;
    const absolute = path.resolve(this.#io.workingFolder, file);
    const source = byteSource(await readInput(absolute, file));
    const companions = await readCompanions(absolute);
    try {
      const split = await readOtherSplit(source, { split: this.#nameOf(file), name: file, choice, companions });
      this.#read.set(file, split);
      return split;
    } catch (error) {
      if (error instanceof NotADataset) throw new InputError(`${file}: ${error.message}`);
      throw error;
    }
  }
}

function summary(totals: ReadonlyMap<string, { severity: Severity; count: number }>): string[] {
  if (totals.size === 0) return ['no findings'];
  const rows = [...totals].sort(
    ([, a], [, b]) => severities.indexOf(a.severity) - severities.indexOf(b.severity) || b.count - a.count,
  );
  const width = Math.max(...rows.map(([, { count }]) => String(count).length));
  const lines = rows.map(([code, { severity, count }]) => {
    const title = isCheckCode(code) ? catalogue[code].title : code;
    return `  ${String(count).padStart(width)}  ${severity.padEnd(11)}  ${code}  ${title}`;
  });
  const all = rows.reduce((sum, [, { count }]) => sum + count, 0);
  return [`${counted(all, 'finding')}:`, ...lines];
}

function readArguments(args: readonly string[]) {
  const { files, values } = parseFilesArguments('check', args, {
    'fail-on': { type: 'string' },
    'near-duplicates': { type: 'string' },
    few: { type: 'string' },
    imbalance: { type: 'string' },
    disable: { type: 'string' },
    model: { type: 'string' },
    columns: { type: 'string' },
    labels: { type: 'string' },
  });
  const twice = files.find((file, index) => files.indexOf(file) !== index);
  if (twice !== undefined) throw new UsageError(`check: ${twice} is named twice.`);
  const settings: CheckSettings = {
    ...defaultCheckSettings,
    nearDuplicateThreshold: number('near-duplicates', values, defaultCheckSettings.nearDuplicateThreshold, 0.5, 1),
    fewExamples: number('few', values, defaultCheckSettings.fewExamples, 0, Number.MAX_SAFE_INTEGER),
    imbalanceRatio: number('imbalance', values, defaultCheckSettings.imbalanceRatio, 1, Number.MAX_SAFE_INTEGER),
    disabled: new Set(listOf(values.disable).map(codeOf)),
  };
  const reading = {
    columns: values.columns === undefined ? null : parseColumns(values.columns),
    labels: values.labels ?? null,
  };
  return { files, model: values.model, failOn: new Set(listOf(values['fail-on']).map(severityOf)), settings, reading };
}

function listOf(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function codeOf(word: string): CheckCode {
  const code = word.startsWith('assay/') ? word : `assay/${word}`;
  if (isCheckCode(code)) return code;
  throw new UsageError(`check: --disable does not know ${word}. The codes: ${Object.keys(catalogue).join(', ')}.`);
}

function severityOf(word: string): Severity {
  const severity = severities.find((each) => each === word);
  if (severity !== undefined) return severity;
  throw new UsageError(`check: --fail-on takes ${severities.join(', ')}, not ${JSON.stringify(word)}.`);
}

function number(
  name: string,
  values: Readonly<Record<string, string | boolean | undefined>>,
  otherwise: number,
  least: number,
  most: number,
): number {
  const raw = values[name];
  if (raw === undefined) return otherwise;
  const value = Number(raw);
  if (raw !== '' && value >= least && value <= most) return value;
  const upTo = most === Number.MAX_SAFE_INTEGER ? `from ${least} on` : `from ${least} to ${most}`;
  throw new UsageError(`check: --${name} takes a number ${upTo}, not ${JSON.stringify(raw)}.`);
}
