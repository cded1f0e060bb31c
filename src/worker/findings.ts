/** What the editor asks of an open dataset's findings, and of the file of those that a person has judged. */
import { isCheckCode } from '../engine/datasets/checks/catalogue';
import { changesOfAll } from '../engine/datasets/checks/fix-all';
import {
  formatReviewed,
  nameOf,
  noReviews,
  parseReviewed,
  type ReviewedFile,
  ReviewedFileError,
} from '../engine/datasets/checks/reviewed-file';
import type { CheckSettings, InputLength } from '../engine/datasets/checks/settings';
import type { FileRange } from '../protocol/dataset';
import type {
  CheckOptions,
  FindingGroup,
  FindingKinds,
  FindingWindow,
  FixChoice,
  FixResult,
  ReviewedChange,
  ReviewedEntry,
  ReviewedFault,
  ReviewedReading,
} from '../protocol/findings';
import type { FindingsChanged, ReviewedChangeParams } from '../protocol/worker';
import { isOfCheck, type Listed } from './finding-list';
import type { OpenDataset } from './open-dataset';

/** Findings at one place that are told at most. */
const hereLimit = 50;

export function checkSettings(options: CheckOptions, model: InputLength | null): CheckSettings {
  return { ...options, disabled: new Set(options.disabled.filter(isCheckCode)), model };
}

export function findingsState({ uri, version, findings, checking }: OpenDataset): FindingsChanged {
  return { uri, version, counts: findings.counts, isChecking: checking?.isRunning ?? false };
}

export function kindsOf({ version, findings }: OpenDataset): FindingKinds {
  return { version, kinds: findings.kinds, reviewedCount: findings.reviewed.length };
}

export function windowOf(dataset: OpenDataset, group: FindingGroup, from: number, count: number): FindingWindow {
  return placedWindow(dataset, dataset.findings.group(group), from, count);
}

export function findingsOn(dataset: OpenDataset, range: FileRange): FindingWindow {
  const { findings } = dataset;
  const onLines = findings.on({ start: range.startLine, end: range.endLine + 1 });
  return placedWindow(dataset, onLines, 0, hereLimit);
}

function placedWindow(
  { version, findings }: OpenDataset,
  all: readonly Listed[],
  from: number,
  count: number,
): FindingWindow {
  const some = all.slice(from, from + count).map((listed) => findings.placed(listed));
  return { version, total: all.length, findings: some };
}

/** The edit that mends some findings; worked out again where the file is edited meanwhile. */
export async function fixOf(
  dataset: OpenDataset,
  choice: FixChoice,
  { breathe, signal }: { breathe(): Promise<void>; signal: AbortSignal },
): Promise<FixResult> {
  for (;;) {
    const { version, document, findings } = dataset;
    const chosen =
      choice.kind === 'code'
        ? findings.group(choice)
        : choice.ids.map((id) => findings.find(id)).filter((listed) => listed !== null);
    const ofChecks = chosen.map(({ source }) => source).filter(isOfCheck);
    const steps = changesOfAll(document, ofChecks);
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) {
        const { changes, fixedCount } = step.value;
        return { version, changes, fixedCount, leftCount: chosen.length - fixedCount };
      }
      await breathe();
      signal.throwIfAborted();
      if (dataset.version !== version) break;
    }
  }
}

/** Takes over what a person has judged. Where the file cannot be read, nothing counts as judged. */
export function setReviewed(dataset: OpenDataset, file: string, text: string | null): ReviewedReading {
  const read = readReviewed(text);
  const keys = new Map<string, Set<string>>();
  if (read.kind === 'read') {
    for (const entry of read.file.entries) {
      if (entry.file !== file) continue;
      const known = keys.get(entry.code);
      if (known === undefined) keys.set(entry.code, new Set([entry.key]));
      else known.add(entry.key);
    }
  }
  dataset.reviewed = keys;
  return read.kind === 'read' ? { kind: 'read' } : read;
}

/** Marks or unmarks findings in the text of the file; says what is wrong with it instead of changing a broken one. */
export function changeReviewed(dataset: OpenDataset, params: ReviewedChangeParams): ReviewedChange {
  const read = readReviewed(params.text);
  if (read.kind === 'broken') return read;
  const entries = new Map(read.file.entries.map((entry) => [nameOf(entry), entry]));
  let count = 0;
  for (const id of params.ids) {
    const entry = entryOf(dataset, id, params);
    if (entry === null) continue;
    const name = nameOf(entry);
    if (params.isReviewed === entries.has(name)) continue;
    count++;
    if (params.isReviewed) entries.set(name, entry);
    else entries.delete(name);
  }
  return { kind: 'changed', text: formatReviewed({ ...read.file, entries: [...entries.values()] }), count };
}

/** The file with a dataset, or all in a folder, under another name. */
export function renameReviewed(text: string, from: string, to: string): ReviewedChange {
  const read = readReviewed(text);
  if (read.kind === 'broken') return read;
  let count = 0;
  const entries = read.file.entries.map((entry) => {
    if (entry.file !== from && !entry.file.startsWith(`${from}/`)) return entry;
    count++;
    return { ...entry, file: to + entry.file.slice(from.length) };
  });
  return { kind: 'changed', text: formatReviewed({ ...read.file, entries }), count };
}

function entryOf(
  { findings }: OpenDataset,
  id: number,
  { file, date }: Pick<ReviewedChangeParams, 'file' | 'date'>,
): ReviewedEntry | null {
  const listed = findings.find(id);
  const key = listed === null ? null : findings.keyOf(listed);
  if (listed === null || key === null) return null;
  return { code: listed.code, key, file, text: findings.excerptOf(listed), date };
}

function readReviewed(text: string | null): { kind: 'read'; file: ReviewedFile } | ReviewedFault {
  if (text === null || text.trim() === '') return { kind: 'read', file: noReviews };
  try {
    return { kind: 'read', file: parseReviewed(text) };
  } catch (error) {
    if (!(error instanceof ReviewedFileError)) throw error;
    return { kind: 'broken', line: error.line, message: error.message };
  }
}
