import type { CheckCode } from '../../../../src/engine/datasets/checks/catalogue';
import { DatasetChecks, type WholeDataset } from '../../../../src/engine/datasets/checks/dataset-checks';
import type { OtherSplit } from '../../../../src/engine/datasets/checks/file-check';
import type { CheckFinding } from '../../../../src/engine/datasets/checks/finding';
import { type CheckSettings, defaultCheckSettings } from '../../../../src/engine/datasets/checks/settings';
import { SplitFacts } from '../../../../src/engine/datasets/checks/split-facts';
import type { DatasetDocument } from '../../../../src/engine/datasets/document';

export const alone: WholeDataset = { split: null, others: [] };

export function findingsOf(
  document: DatasetDocument,
  settings: Partial<CheckSettings> = {},
  dataset: WholeDataset = alone,
): readonly CheckFinding[] {
  const checks = new DatasetChecks(document, { ...defaultCheckSettings, ...settings }, dataset);
  finish(checks.update());
  return checks.findings;
}

/** The findings of one kind. */
export function findingsWith(
  code: CheckCode,
  document: DatasetDocument,
  settings: Partial<CheckSettings> = {},
  dataset: WholeDataset = alone,
): CheckFinding[] {
  return findingsOf(document, settings, dataset).filter((finding) => finding.code === code);
}

export function finish<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** The 1-based lines on which findings stand. */
export function linesOf(findings: readonly CheckFinding[]): number[] {
  return findings.map(({ example }) => example.record.startLine + 1);
}

/** Rows of a sentiment dataset as CSV; line 1 is the header. */
export function csvRows(...rows: (readonly [text: string, label: string])[]): string {
  const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
  return `text,label\n${rows.map((row) => row.map(quoted).join(',')).join('\n')}\n`;
}

/** A document as another split of a dataset. */
export function asSplit(split: string, file: string, document: DatasetDocument): OtherSplit {
  const facts = new SplitFacts();
  for (const example of document.examples) facts.add(example, document.firstLineOf(example));
  return facts.finish(split, file);
}
