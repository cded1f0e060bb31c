import type { Span } from '../../protocol/dataset';
import type { StoredRecord } from './records';

/** A piece of the document, and the records that go with it. */
export interface Removal {
  readonly span: Span;
  readonly records: readonly StoredRecord[];
}

/**
 * What has to be deleted of a document for records to be gone: the record, with what parts it from the next, or from the one before where
 * none follows. Records that follow one another go in one piece, so that no comma is left of two that were each the last. A record that is
 * parted from its neighbours by more than white space and a comma stays, and so do all if nothing would be left.
 */
export function removalsOf(
  text: string,
  records: readonly StoredRecord[],
  removed: ReadonlySet<StoredRecord>,
): Removal[] {
  const removals: Removal[] = [];
  const indices = [...removed].map((record) => indexOf(records, record)).sort((a, b) => a - b);
  for (let at = 0; at < indices.length; at++) {
    const first = indices[at]!;
    let last = first;
    const gone = [records[first]!];
    let next = nextFilled(records, last, 1);
    while (next === indices[at + 1] && next !== undefined && isParted(text, records[last]!, records[next]!)) {
      last = next;
      gone.push(records[last]!);
      next = nextFilled(records, last, 1);
      at++;
    }
    const former = nextFilled(records, first, -1);
    const start = records[first]!.start;
    const end = endOf(records[last]!);
    if (next !== undefined && isParted(text, records[last]!, records[next]!)) {
      removals.push({ span: { start, end: records[next]!.start }, records: gone });
    } else if (former !== undefined && isParted(text, records[former]!, records[first]!)) {
      removals.push({ span: { start: endOf(records[former]!), end }, records: gone });
    }
  }
  return removals;
}

function isParted(text: string, record: StoredRecord, next: StoredRecord): boolean {
  return /^\s*,?\s*$/.test(text.slice(endOf(record), next.start));
}

function endOf({ start, length }: StoredRecord): number {
  return start + length;
}

/** The index of a record among those of its document. Empty ones, which only tell of something wrong, may start where it starts. */
function indexOf(records: readonly StoredRecord[], record: StoredRecord): number {
  let index = lastUpTo(records, record.start);
  while (records[index] !== record) index--;
  return index;
}

/** The next record in a direction that holds something. */
function nextFilled(records: readonly StoredRecord[], index: number, step: 1 | -1): number | undefined {
  let next = index + step;
  while (records[next]?.length === 0) next += step;
  return records[next] === undefined ? undefined : next;
}

/** The index of the last record that starts at an offset or before it; -1: there is none. */
export function lastUpTo(records: readonly StoredRecord[], offset: number): number {
  let low = 0;
  let high = records.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (records[middle]!.start > offset) high = middle;
    else low = middle + 1;
  }
  return low - 1;
}
