import type { TextChange } from '../../../protocol/dataset';
import type { Example } from '../dataset';
import type { DatasetDocument } from '../document';
import type { CheckFinding } from './finding';
import { changesOf, changesOfEnds } from './fixes';

/** Fixes that are worked out between two yields: a few milliseconds. */
const SLICE_FIXES = 32;

export interface FixedTogether {
  /** In coordinates of the document as it is, none over another: one edit. */
  readonly changes: TextChange[];
  /** How many of the findings that mends. */
  readonly fixedCount: number;
}

/**
 * The fixes of many findings as one edit. Rows that go are taken out together; of a row with several other fixes one is made, since
 * each was proved for the row as it is. Yields every few milliseconds: the document may not be edited in between.
 */
export function* changesOfAll(
  document: DatasetDocument,
  findings: readonly CheckFinding[],
): Generator<void, FixedTogether> {
  const changes: TextChange[] = [];
  const removed = new Map<Example, number>();
  const changed = new Set<Example['record']>();
  let fixedCount = 0;
  let asked = 0;
  for (const finding of findings) {
    const { example, fix } = finding;
    if (++asked % SLICE_FIXES === 0) yield;
    const known = removed.get(example);
    if (known !== undefined) {
      // Whatever else is wrong with it goes with the row.
      removed.set(example, known + 1);
      continue;
    }
    if (fix?.kind === 'move-all-ends') {
      for (const row of changesOfEnds(document, fix.by)) {
        if (++asked % SLICE_FIXES === 0) yield;
        if (changed.has(row.example.record)) continue;
        changed.add(row.example.record);
        changes.push(...row.changes);
      }
      fixedCount++;
      continue;
    }
    if (changed.has(example.record)) continue;
    const own = changesOf(document, finding);
    if (own === null) continue;
    if (fix?.kind === 'remove-row') {
      removed.set(example, 1);
      continue;
    }
    changed.add(example.record);
    changes.push(...own);
    fixedCount++;
  }
  const going = [...removed.keys()].filter(({ record }) => !changed.has(record));
  for (const { range, examples } of document.removalsOf(going)) {
    changes.push({ range, text: '' });
    for (const example of examples) fixedCount += removed.get(example)!;
  }
  return { changes, fixedCount };
}
