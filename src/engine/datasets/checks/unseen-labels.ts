import type { CheckedFile } from './file-check';
import type { CheckFinding } from './finding';
import { examples, type LabelCount, labelCounts, labelCountsBeside, rowsWith, someLabels } from './label-census';
import { misspellingsIn } from './misspelt-labels';

/** On so many rows a label that nothing knows is a slip; on more it was meant. */
const MOST_SLIPS = 2;
/** A file whose labels are mostly unknown follows another scheme: few-shot tasks hold out whole relations. */
const MOST_UNKNOWN_SHARE = 0.5;

/**
 * Labels of dev and test that the train split lacks, and labels that the file of names lacks. On one or two rows such a label is told as unknown,
 * on each of them; on more it is a class that cannot be learned, told once; where most labels are such, once for the file. What is
 * told as misspelt is not told again.
 */
export function* unseenLabels(file: CheckedFile): Generator<void, readonly CheckFinding[]> {
  const counts = labelCounts(file);
  const misspelt = new Set(misspellingsIn(file, counts).map(({ label }) => label.id));
  yield;
  const judged = counts.filter(({ id }) => !misspelt.has(id));
  const findings: CheckFinding[] = [];
  const { labelNames } = file;
  if (labelNames !== null) {
    const isNamed = ({ label }: LabelCount) => labelNames.idOf(label) !== null || labelNames.nameOf(label) !== null;
    const unnamed = judged.filter((count) => !isNamed(count));
    if (unnamed.length <= judged.length * MOST_UNKNOWN_SHARE) {
      findings.push(
        ...onEachRow(
          file,
          unnamed,
          ({ label }) =>
            `${labelNames.source}, which names the labels, has no ${JSON.stringify(label)}. Correct the label, or name it there.`,
        ),
      );
    }
  }
  const train = file.split === 'train' ? [] : file.others.filter(({ split }) => split === 'train');
  const known = new Set(train.flatMap((split) => [...labelCountsBeside(split).keys()]));
  // A train file without labels says nothing.
  if (known.size === 0) return findings;
  const told = new Set(findings.map(({ example }) => example.gold));
  const unseen = judged.filter(({ label }) => !known.has(label) && !told.has(label));
  const where = train.map(({ file: name }) => name).join(', ');
  if (unseen.length > judged.length * MOST_UNKNOWN_SHARE) {
    const row = Math.min(...unseen.map(({ firstRow }) => firstRow));
    const message = `${unseen.length} of the ${judged.length} labels here never occur in ${where}: ${someLabels(unseen.map(({ label }) => label))}. That is right for few-shot tasks; else the files do not belong together.`;
    return [...findings, { ...onRow(file, 'assay/unseen-label', row, message), subject: '' }];
  }
  const slips = unseen.filter(({ here }) => here <= MOST_SLIPS);
  findings.push(
    ...onEachRow(
      file,
      slips,
      ({ label, here }) =>
        `${where} does not know the label ${JSON.stringify(label)}, which has ${examples(here)} here. Correct it; if it is meant, no model trained there can predict it.`,
    ),
  );
  for (const { label, here, firstRow } of unseen) {
    if (here <= MOST_SLIPS) continue;
    const message = `The label ${JSON.stringify(label)} has ${examples(here)} here and none in ${where}: a model trained there gets all of them wrong. Add examples to train, or leave the label out.`;
    findings.push({ ...onRow(file, 'assay/unseen-label', firstRow, message), subject: label });
  }
  return findings;
}

function onEachRow(file: CheckedFile, labels: readonly LabelCount[], messageOf: (label: LabelCount) => string) {
  const rows = rowsWith(file, new Set(labels.map(({ id }) => id)));
  return labels.flatMap((label) =>
    (rows.get(label.id) ?? []).map((row) => onRow(file, 'assay/unknown-label', row, messageOf(label))),
  );
}

function onRow(file: CheckedFile, code: CheckFinding['code'], row: number, message: string): CheckFinding {
  return { code, example: file.examples[row]!, place: { part: 'gold' }, message, related: [], fix: null };
}
