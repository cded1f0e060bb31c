import type { Example } from '../dataset';
import { conflictsIn } from './conflicting-labels';
import type { CheckedFile } from './file-check';
import type { CheckFinding } from './finding';
import { firstSameRows, isOneText, SLICE_ROWS, sharesRecord, textWithEntities } from './same-rows';

/** Rows between two yields, each of which may be told. */
const SLICE_FINDINGS = 512;

/** Rows with the same normalised text and the same entities: duplicates if their labels are the same too, else in conflict. */
export function* duplicates(file: CheckedFile): Generator<void, readonly CheckFinding[]> {
  const groups = yield* sameRows(file);
  const findings: CheckFinding[] = [];
  let seen = 0;
  for (const rows of groups) {
    // Empty texts are told as such.
    if (!/\S/.test(file.examples[rows[0]!]!.text)) continue;
    /** The first row with each label. */
    const originals = new Map<number, number>();
    for (const row of rows) {
      if (++seen % SLICE_FINDINGS === 0) yield;
      const label = file.facts.labelId(file.slots[row]!);
      const original = originals.get(label);
      if (original === undefined) originals.set(label, row);
      else if (!isSameJudgement(file.examples[row]!, file.examples[original]!))
        findings.push(duplicate(file, row, original));
    }
    if (originals.size < 2) continue;
    for (const finding of yield* conflictsIn(file, rows)) findings.push(finding);
  }
  return findings;
}

/** The groups of rows that are the same, each in the order of the file. */
function* sameRows(file: CheckedFile): Generator<void, Iterable<readonly number[]>> {
  const first = yield* firstSameRows(file);
  const groups = new Map<number, number[]>();
  for (let row = 0; row < first.length; row++) {
    if (row % SLICE_ROWS === SLICE_ROWS - 1) yield;
    const of = first[row]!;
    if (of === row) continue;
    const group = groups.get(of);
    if (group === undefined) groups.set(of, [of, row]);
    else group.push(row);
  }
  return groups.values();
}

/** One text of the file may be judged twice, of things that do not stand in it (SemEval-2014's categories). */
function isSameJudgement(example: Example, original: Example): boolean {
  return isOneText(example, original) && example.spans === null && example.aspect === null;
}

function duplicate({ examples, firstLineOf }: CheckedFile, row: number, original: number): CheckFinding {
  const example = examples[row]!;
  const first = examples[original]!;
  const label = example.gold === null ? 'also without label' : `labelled ${JSON.stringify(example.gold)} too`;
  return {
    code: 'assay/duplicate',
    example,
    place: { part: 'row' },
    message: `The same ${textWithEntities(example)}, ${label}, stands on line ${firstLineOf(first) + 1}. Remove this row, unless it is to count twice.`,
    related: [{ kind: 'here', example: first, message: 'The first one' }],
    fix: sharesRecord(examples, row) ? null : { kind: 'remove-row' },
  };
}
