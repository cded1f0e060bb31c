import type { ColumnChoice } from '../../protocol/dataset';
import { isVerdict } from './answers';
import { goldNameScore } from './column-names';
import { listValues, OPEN_LIST } from './json-scanner';
import { scalarAt } from './json-text';
import type { SampleRow } from './sample-row';

/** How rows say their label, besides the column it stands in. */
export interface LabelReading {
  /** The column of Prodigy's verdict; null: there is none. */
  readonly answer: string | null;
  /** A label is a list of zeros with a one at the number of its class. */
  readonly isOneHot: boolean;
}

/** Prodigy's column of the options that were chosen, beside the verdict. */
const CHOSEN = 'accept';
const VERDICT = 'answer';

/**
 * How the label is said, and the columns with it: of a verdict and what was chosen, the label is what was chosen; and a column of lists of
 * zeros and ones may be the label, where no other is. `isChosen`: a person chose the columns, which stay.
 */
export function labelReading(
  columns: ColumnChoice,
  isChosen: boolean,
  names: readonly string[],
  rows: readonly SampleRow[],
): LabelReading & { columns: ColumnChoice } {
  let gold = columns.gold;
  const isAnswered = names.includes(VERDICT) && rows.every((row) => isVerdict(row.get(VERDICT)?.value ?? 'accept'));
  if (!isChosen) {
    const offersChoice = isAnswered && gold === VERDICT && rows.some((row) => row.get(CHOSEN)?.kind === 'tokens');
    if (offersChoice) gold = CHOSEN;
    gold ??= oneHotColumn(names, rows) ?? undefined;
  }
  return {
    columns: gold === columns.gold ? columns : { ...columns, gold: gold! },
    answer: isAnswered && gold !== undefined && gold !== VERDICT ? VERDICT : null,
    isOneHot: gold !== undefined && isOneHotColumn(gold, rows),
  };
}

function oneHotColumn(names: readonly string[], rows: readonly SampleRow[]): string | null {
  const fitting = names.filter((name) => goldNameScore(name) > 0 && isOneHotColumn(name, rows));
  return fitting.sort((a, b) => goldNameScore(b) - goldNameScore(a))[0] ?? null;
}

const zerosAndOnes = /^\[\s*[01](?:\.0)?(?:\s*,\s*[01](?:\.0)?)+\s*\]$/;

/** Whether the values are lists of zeros and ones, all of one length, and no lists of numbers of classes (0 and 1 among them, in order). */
function isOneHotColumn(name: string, rows: readonly SampleRow[]): boolean {
  const values = rows.flatMap((row) => row.get(name)?.value.replace(/\s+/g, '').replaceAll('.0', '') ?? []);
  const [first] = values;
  if (first === undefined || values.length < 2) return false;
  return (
    values.every((value) => value.length === first.length && zerosAndOnes.test(value)) &&
    values.some((value) => value !== '[0,1]')
  );
}

/** The number of the one 1 in a list of zeros; null: there is none, or several, or it is no such list. */
export function oneHotLabel(text: string, start: number, end: number): string | null {
  if (text.charCodeAt(start) !== OPEN_LIST) return null;
  const values = listValues(text, start, end);
  let label: string | null = null;
  for (let at = 0; at < values.length; at += 2) {
    const number = Number(scalarAt(text, values[at]!, values[at + 1]!) ?? Number.NaN);
    if (number === 0) continue;
    if (number !== 1 || label !== null) return null;
    label = String(at / 2);
  }
  return label;
}
