import type { Span } from '../../protocol/dataset';
import type { Place, Reading } from './format';
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
    const start = behindMark(text, records[first]!.start);
    const end = endOf(records[last]!);
    if (next !== undefined && isParted(text, records[last]!, records[next]!)) {
      removals.push({ span: { start, end: records[next]!.start }, records: gone });
    } else if (former !== undefined && isParted(text, records[former]!, records[first]!)) {
      removals.push({ span: { start: endOf(records[former]!), end }, records: gone });
    }
  }
  return removals;
}

const MARK = '\ufeff';

/** A byte-order mark at the very start is the file's, whatever record it is read with. */
function behindMark(text: string, start: number): number {
  return start === 0 && text.startsWith(MARK) ? 1 : start;
}

/** The indices of the records that looked further than into the next one for their own end (an unclosed quote of CSV). */
export function farLooking(records: readonly StoredRecord[]): number[] {
  const found: number[] = [];
  for (let index = 0; index + 2 < records.length; index++) {
    const { start, lookedLength } = records[index]!;
    if (start + lookedLength >= records[index + 2]!.start) found.push(index);
  }
  return found;
}

/**
 * Whether the records that looked into a piece, and the one behind it, would be cut without it as they are with it. `far`: see
 * `farLooking`.
 */
export function leavesOthers(
  text: string,
  records: readonly StoredRecord[],
  { span, records: gone }: Removal,
  far: readonly number[],
  cut: Reading['cut'],
): boolean {
  const first = indexOf(records, gone[0]!);
  const behind = records[indexOf(records, gone.at(-1)!) + 1];
  const lookedInto = (index: number) => {
    const { start, lookedLength } = records[index]!;
    return start + lookedLength >= span.start;
  };
  const before = first > 0 && lookedInto(first - 1) ? first - 1 : first;
  const from = far.find((index) => index < before && lookedInto(index)) ?? before;
  const removed = span.end - span.start;
  const kept = records.slice(from, first);
  const looked = kept.map(({ start, lookedLength }) => start + lookedLength + removed);
  if (behind !== undefined) {
    kept.push(behind);
    looked.push(behind.start + Math.max(behind.lookedLength, behind.nextLength));
  }
  const { start, leadLength, state } = records[from]!;
  const origin = start - leadLength;
  const left =
    text.slice(origin, span.start) +
    text.slice(
      span.end,
      looked.reduce((a, b) => Math.max(a, b), span.end),
    );
  let place: Place = { offset: 0, state };
  for (const record of kept) {
    const found = cut(left, place);
    const expected = record.start - origin - (record.start >= span.end ? removed : 0);
    if (found === null || place.state !== record.state) return false;
    if (found.end !== expected + record.length) return false;
    // The file's mark may belong to what is the first record now.
    if (found.start !== expected && left.slice(found.start, expected) !== MARK) return false;
    place = found.next;
  }
  return true;
}

function isParted(text: string, record: StoredRecord, next: StoredRecord): boolean {
  return /^\s*(?:,\s*)?$/.test(text.slice(endOf(record), next.start));
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
