import type { CheckedFile, LabelCount } from './file-check';
import type { CheckFinding } from './finding';
import { examples, firstRowOf, properLabels, rowsWith, someLabels } from './label-census';

/** On so many rows a label that nothing knows is a slip; on more it was meant. */
const MOST_SLIPS = 2;
/** Findings between two yields. */
const SLICE_FINDINGS = 4096;
/** A file whose labels are mostly unknown follows another scheme: few-shot tasks hold out whole relations. */
const MOST_UNKNOWN_SHARE = 0.5;

/**
 * Labels of dev and test that the train split lacks, and labels that the file of names lacks. On one or two rows such a label is told as unknown,
 * on each of them; on more it is a class that cannot be learned, told once; where most labels are such, once for the file. What is
 * told as misspelt is not told again.
 */
export function* unseenLabels(file: CheckedFile): Generator<void, readonly CheckFinding[]> {
  const judged = properLabels(file);
  yield;
  const findings: CheckFinding[] = [];
  const { labelNames } = file;
  if (labelNames !== null) {
    const isNamed = ({ label }: LabelCount) => labelNames.idOf(label) !== null || labelNames.nameOf(label) !== null;
    const unnamed = judged.filter((count) => !isNamed(count));
    if (unnamed.length <= judged.length * MOST_UNKNOWN_SHARE) {
      const unknown = yield* onEachRow(
        file,
        unnamed,
        ({ label }) =>
          `${labelNames.source}, which names the labels, has no ${JSON.stringify(label)}. Correct the label, or name it there.`,
      );
      for (const finding of unknown) findings.push(finding);
    }
  }
  const { beside } = file.labels;
  const train = file.others.flatMap(({ split, file: name }, at) =>
    split === 'train' && file.split !== 'train' ? [{ name, labels: beside[at]! }] : [],
  );
  const known = new Set(train.flatMap(({ labels }) => [...labels.keys()]));
  // A train file without labels says nothing.
  if (known.size === 0) return findings;
  const told = new Set(findings.map(({ example }) => example.gold));
  const unseen = judged.filter(({ label }) => !known.has(label) && !told.has(label));
  const where = train.map(({ name }) => name).join(', ');
  if (unseen.length > judged.length * MOST_UNKNOWN_SHARE) {
    const row = firstRowOf(unseen);
    const message = `${unseen.length} of the ${judged.length} labels here never occur in ${where}: ${someLabels(unseen.map(({ label }) => label))}. That is right for few-shot tasks; else the files do not belong together.`;
    return [...findings, { ...onRow(file, 'assay/unseen-label', row, message), subject: '' }];
  }
  const slips = unseen.filter(({ here }) => here <= MOST_SLIPS);
  const onSlips = yield* onEachRow(
    file,
    slips,
    ({ label, here }) =>
      `${where} does not know the label ${JSON.stringify(label)}, which has ${examples(here)} here. Correct it; if it is meant, no model trained there can predict it.`,
  );
  for (const finding of onSlips) findings.push(finding);
  for (const { label, here, firstRow } of unseen) {
    if (here <= MOST_SLIPS) continue;
    const message = `The label ${JSON.stringify(label)} has ${examples(here)} here and none in ${where}: a model trained there gets all of them wrong. Add examples to train, or leave the label out.`;
    findings.push({ ...onRow(file, 'assay/unseen-label', firstRow, message), subject: label });
  }
  return findings;
}

function* onEachRow(
  file: CheckedFile,
  labels: readonly LabelCount[],
  messageOf: (label: LabelCount) => string,
): Generator<void, readonly CheckFinding[]> {
  const rows = yield* rowsWith(file, new Set(labels.map(({ id }) => id)));
  const findings: CheckFinding[] = [];
  for (const label of labels) {
    const message = messageOf(label);
    for (const row of rows.get(label.id) ?? []) {
      findings.push(onRow(file, 'assay/unknown-label', row, message));
      if (findings.length % SLICE_FINDINGS === 0) yield;
    }
  }
  return findings;
}

function onRow(file: CheckedFile, code: CheckFinding['code'], row: number, message: string): CheckFinding {
  return { code, example: file.examples[row]!, place: { part: 'gold' }, message, related: [], fix: null };
}
