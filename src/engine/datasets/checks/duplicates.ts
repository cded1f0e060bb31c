import type { Example } from '../dataset';
import type { CheckedFile } from './file-check';
import type { CheckFinding, RelatedRow } from './finding';
import { firstSameRows, lineOf, SLICE_ROWS, sharesRecord, textWithEntities } from './same-rows';

/** Other rows that a finding names. */
const RELATED_ROWS = 10;

/** Rows with the same normalised text and the same entities: duplicates if their labels are the same too, else in conflict. */
export function* duplicates(file: CheckedFile): Generator<void, readonly CheckFinding[]> {
  const { examples, slots, facts } = file;
  const first = yield* firstSameRows(file);
  const groups = new Map<number, number[]>();
  for (let row = 0; row < first.length; row++) {
    const of = first[row]!;
    if (of === row) continue;
    const group = groups.get(of);
    if (group === undefined) groups.set(of, [of, row]);
    else group.push(row);
    if (row % SLICE_ROWS === SLICE_ROWS - 1) yield;
  }
  const findings: CheckFinding[] = [];
  let seen = 0;
  for (const rows of groups.values()) {
    // Empty texts are told as such.
    if (!/\S/.test(examples[rows[0]!]!.text)) continue;
    const byLabel = new Map<number, number[]>();
    for (const row of rows) {
      const label = facts.labelId(slots[row]!);
      const same = byLabel.get(label);
      if (same === undefined) byLabel.set(label, [row]);
      else same.push(row);
    }
    for (const same of byLabel.values()) {
      for (const row of same.slice(1)) {
        if (!isSameText(examples[row]!, examples[same[0]!]!)) findings.push(duplicate(examples, row, same[0]!));
      }
    }
    // A row without label contradicts none.
    byLabel.delete(0);
    if (byLabel.size > 1) findings.push(...conflicts(examples, byLabel));
    seen += rows.length;
    if (seen >= 512) {
      seen = 0;
      yield;
    }
  }
  return findings;
}

/** One text of the file may be judged twice, of things that do not stand in it (SemEval-2014's categories). */
function isSameText(example: Example, original: Example): boolean {
  const isOne = example.record === original.record && example.textField.start === original.textField.start;
  return isOne && example.spans === null && example.aspect === null;
}

function duplicate(examples: readonly Example[], row: number, original: number): CheckFinding {
  const example = examples[row]!;
  const first = examples[original]!;
  const label = example.gold === null ? 'also without label' : `labelled ${JSON.stringify(example.gold)} too`;
  return {
    code: 'assay/duplicate',
    example,
    place: { part: 'row' },
    message: `The same ${textWithEntities(example)}, ${label}, stands on line ${lineOf(first)}. Remove this row, unless it is to count twice.`,
    related: [{ kind: 'here', example: first, message: 'The first one' }],
    fix: sharesRecord(examples, row) ? null : { kind: 'remove-row' },
  };
}

/** For every row of a group the rows with other labels. */
function conflicts(examples: readonly Example[], byLabel: ReadonlyMap<number, readonly number[]>): CheckFinding[] {
  const findings: CheckFinding[] = [];
  for (const [label, rows] of byLabel) {
    const against = [...byLabel].filter(([other]) => other !== label);
    for (const row of rows) {
      const example = examples[row]!;
      // One record may give a pair several relations: that is no contradiction.
      const isElsewhere = (other: number) => examples[other]!.record !== example.record;
      const parts = against.flatMap(([, others]) => labelPlaces(examples, others.filter(isElsewhere)));
      if (parts.length === 0) continue;
      findings.push({
        code: 'assay/conflicting-labels',
        example,
        place: { part: 'gold' },
        message: `The same ${textWithEntities(example)} is labelled ${JSON.stringify(example.gold)} here, but ${parts.join(', ')}. Decide which is right, and relabel or remove the others.`,
        related: against
          .flatMap(([, others]) => others.filter(isElsewhere))
          .slice(0, RELATED_ROWS)
          .map((other) => related(examples[other]!)),
        fix: null,
      });
    }
  }
  return findings;
}

/** `"negative" on lines 3, 8 and 2 more`. */
function labelPlaces(examples: readonly Example[], rows: readonly number[]): string[] {
  const first = rows[0];
  if (first === undefined) return [];
  const lines = [...new Set(rows.map((row) => lineOf(examples[row]!)))];
  const shown = lines.slice(0, 3).join(', ');
  const more = lines.length > 3 ? ` and ${lines.length - 3} more` : '';
  return [`${JSON.stringify(examples[first]!.gold)} on line${lines.length > 1 ? 's' : ''} ${shown}${more}`];
}

function related(example: Example): RelatedRow {
  return { kind: 'here', example, message: `Labelled ${JSON.stringify(example.gold)}` };
}
