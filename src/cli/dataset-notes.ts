import type { DatasetDocument } from '../engine/datasets/document';
import { shortened } from '../engine/datasets/entities';
import type { ColumnChoice, DatasetInfo, DatasetSplit, Finding } from '../protocol/dataset';

/** Findings that are written out; of the others there is a count. */
const shownFindings = 10;
/** Labels that are written out, the most frequent ones. */
const shownLabels = 30;

/** What was understood of the file, and what in it could not be read. */
export function datasetNotes(file: string, dataset: DatasetDocument): string[] {
  const { info, findings } = dataset;
  const { errorsInReadRows } = dataset;
  const others =
    errorsInReadRows === 0 ? '' : `, ${counted(errorsInReadRows, 'error')} in rows that are read otherwise`;
  const lines = [
    `${file}: ${info.formatDetail}, ${info.encoding}; ${columnsInWords(info.columns)}; ${sureness(info.confidence)}`,
    `${counted(info.exampleCount, 'example')}, ${counted(info.unreadableCount, 'unreadable row')}${others}`,
  ];
  if (info.splits.length > 0) lines.push(splitsInWords(info.splits));
  if (info.badBytes > 0) lines.push(`${counted(info.badBytes, 'byte')} not valid in ${info.encoding}, read as U+FFFD`);
  const [unreadable, further] = [
    findings.filter((finding) => finding.code === 'assay/unreadable-row'),
    findings.filter((finding) => finding.code !== 'assay/unreadable-row'),
  ];
  return [...lines, ...listed(file, unreadable), ...listed(file, further)];
}

/** The gold labels and how often each stands in the file. */
export function goldNotes({ labels }: DatasetInfo): string[] {
  if (labels.length === 0) return ['labels: the file has none'];
  const shown = labels.slice(0, shownLabels).map(({ label, count }) => `${shortened(label)} (${count})`);
  const more = labels.length - shownLabels;
  return [`labels: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`];
}

function listed(file: string, findings: readonly Finding[]): string[] {
  const lines = findings
    .slice(0, shownFindings)
    .map((finding) => `${file}:${finding.range.startLine + 1}: ${finding.message}`);
  if (findings.length > shownFindings) lines.push(`… and ${findings.length - shownFindings} more like these`);
  return lines;
}

function columnsInWords(columns: ColumnChoice): string {
  const parts = (['text', 'head', 'tail', 'gold', 'id'] as const).flatMap((part) => {
    const name = columns[part];
    return name === undefined ? [] : [`${part === 'gold' ? 'label' : part} in ${name}`];
  });
  return [columns.task, ...parts].join(', ');
}

function splitsInWords(splits: readonly DatasetSplit[]): string {
  const own = splits.find(({ isThis }) => isThis)?.split;
  const others = splits.filter(({ isThis }) => !isThis).map(({ split, name }) => `${split} in ${shortened(name)}`);
  return `the ${own} part of a dataset; beside it ${others.join(', ')}`;
}

function sureness(confidence: number): string {
  return `${Math.round(confidence * 100)} % sure`;
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
