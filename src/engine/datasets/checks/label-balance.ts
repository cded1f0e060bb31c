import type { CheckedFile } from './file-check';
import type { CheckFinding } from './finding';
import { examples, firstRowOf, properLabels, someLabels } from './label-census';

/** Labels with few examples: told on the first of them; in one finding, where no label has enough. */
export function* fewExamples(file: CheckedFile): Generator<void, readonly CheckFinding[]> {
  const { settings } = file;
  const labels = properLabels(file);
  yield;
  const few = labels.filter(({ here }) => here < settings.fewExamples);
  const first = few[0];
  if (first === undefined) return [];
  const found = (row: number, subject: string, message: string): CheckFinding => ({
    code: 'assay/few-examples',
    example: file.examples[row]!,
    subject,
    place: { part: 'gold' },
    message,
    related: [],
    fix: null,
  });
  if (few.length === labels.length && few.length > 1) {
    const row = firstRowOf(few);
    const message = `Each of the ${few.length} labels has fewer than ${examples(settings.fewExamples)}: what is learned or measured on this file says little about any of them. Add examples.`;
    return [found(row, '', message)];
  }
  return few.map(({ label, here, firstRow }) =>
    found(
      firstRow,
      label,
      `The label ${JSON.stringify(label)} has ${examples(here)}; fewer than ${settings.fewExamples} are told. A model hardly learns it, and a score on so few means little: add some, or merge it with another.`,
    ),
  );
}

/** The most frequent label against the rarest: one finding a file, on the first example of the rarest. */
export function* classImbalance(file: CheckedFile): Generator<void, readonly CheckFinding[]> {
  const { examples: rows, settings } = file;
  const labels = properLabels(file);
  yield;
  const most = labels[0];
  const least = labels.at(-1);
  if (most === undefined || least === undefined || most === least) return [];
  if (most.here < settings.imbalanceRatio * least.here) return [];
  const ratio = Math.floor(most.here / least.here).toLocaleString('en-US');
  const rare = labels.filter(({ here }) => most.here >= settings.imbalanceRatio * here);
  const others =
    rare.length > 1
      ? ` ${rare.length} labels are ${settings.imbalanceRatio} times rarer or more: ${someLabels(rare.map(({ label }) => label).reverse())}.`
      : '';
  return [
    {
      code: 'assay/class-imbalance',
      example: rows[least.firstRow]!,
      subject: '',
      place: { part: 'gold' },
      message: `${JSON.stringify(most.label)} has ${examples(most.here)}, ${JSON.stringify(least.label)} ${least.here.toLocaleString('en-US')}: ${ratio} to 1; from ${settings.imbalanceRatio} to 1 on it is told.${others} A model that always says the frequent one looks good: judge by macro-F1, weight the classes, or add examples.`,
      related: [],
      fix: null,
    },
  ];
}
