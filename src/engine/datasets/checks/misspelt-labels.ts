import type { CheckedFile } from './file-check';
import type { CheckFinding } from './finding';
import { examples, rowsWith } from './label-census';

/** Findings between two yields. */
const SLICE_FINDINGS = 4096;

export function* misspeltLabels(file: CheckedFile): Generator<void, readonly CheckFinding[]> {
  const { misspellings } = file.labels;
  const rows = yield* rowsWith(file, new Set(misspellings.map(({ label }) => label.id)));
  const findings: CheckFinding[] = [];
  for (const { label, meant, isWriting } of misspellings) {
    const why = isWriting ? 'is another writing of' : 'looks like a misspelling of';
    const message = `${JSON.stringify(label.label)} (${examples(label.here)} here) ${why} ${JSON.stringify(meant.label)} (${examples(meant.all)}): to a model they are two labels. Write ${JSON.stringify(meant.label)}.`;
    for (const row of rows.get(label.id) ?? []) {
      findings.push({
        code: 'assay/misspelt-label',
        example: file.examples[row]!,
        place: { part: 'gold' },
        message,
        related: [],
        fix: { kind: 'relabel', label: meant.label },
      });
      if (findings.length % SLICE_FINDINGS === 0) yield;
    }
  }
  return findings;
}
