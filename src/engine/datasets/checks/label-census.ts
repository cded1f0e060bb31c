import type { CheckedFile, LabelCensus, LabelCount } from './file-check';
import { misspellingsIn } from './misspellings';
import type { RowFacts } from './row-facts';

/** Rows between two yields, of work that takes some nanoseconds a row. */
const SLICE_ROWS = 131_072;

export function* labelCensus({
  slots,
  facts,
  others,
}: Pick<CheckedFile, 'slots' | 'facts' | 'others'>): Generator<void, LabelCensus> {
  const here = yield* countsById(facts, slots.length, (row) => slots[row]!);
  const beside: Map<string, number>[] = [];
  for (const other of others) {
    const found = yield* countsById(other.facts, other.rowCount, (row) => row);
    beside.push(new Map([...found].map(([id, { count }]) => [other.facts.labelText(id)!, count])));
    yield;
  }
  const counts: LabelCount[] = [];
  for (const [id, { count, firstRow }] of here) {
    const label = facts.labelText(id)!;
    const all = beside.reduce((sum, counts) => sum + (counts.get(label) ?? 0), count);
    counts.push({ label, id, here: count, all, firstRow });
  }
  yield;
  counts.sort((a, b) => b.here - a.here || a.firstRow - b.firstRow);
  yield;
  return { counts, beside, misspellings: yield* misspellingsIn(counts, beside) };
}

/** How often each label occurs, and first in which row; rows without label are not counted. */
function* countsById(
  facts: RowFacts,
  rowCount: number,
  slotOf: (row: number) => number,
): Generator<void, Map<number, { count: number; firstRow: number }>> {
  const counts = new Uint32Array(facts.labelIdCount);
  const first = new Int32Array(facts.labelIdCount);
  for (let row = 0; row < rowCount; row++) {
    const id = facts.labelId(slotOf(row));
    if (counts[id]!++ === 0) first[id] = row;
    if (row % SLICE_ROWS === SLICE_ROWS - 1) yield;
  }
  const found = new Map<number, { count: number; firstRow: number }>();
  for (let id = 1; id < counts.length; id++) {
    if (counts[id]! > 0) found.set(id, { count: counts[id]!, firstRow: first[id]! });
  }
  return found;
}

/** The rows that have one of some labels, by the label's id. */
export function* rowsWith(
  { slots, facts }: CheckedFile,
  ids: ReadonlySet<number>,
): Generator<void, Map<number, number[]>> {
  const rows = new Map<number, number[]>();
  if (ids.size === 0) return rows;
  for (let row = 0; row < slots.length; row++) {
    if (row % SLICE_ROWS === SLICE_ROWS - 1) yield;
    const id = facts.labelId(slots[row]!);
    if (!ids.has(id)) continue;
    const known = rows.get(id);
    if (known === undefined) rows.set(id, [row]);
    else known.push(row);
  }
  return rows;
}

/** The labels of the file, without those that are told as misspelt; the most frequent first. */
export function properLabels({ labels: { counts, misspellings } }: CheckedFile): LabelCount[] {
  const misspelt = new Set(misspellings.map(({ label }) => label.id));
  return counts.filter(({ id }) => !misspelt.has(id));
}

/** The first row that has one of some labels. */
export function firstRowOf(labels: readonly LabelCount[]): number {
  return labels.reduce((first, { firstRow }) => Math.min(first, firstRow), Number.POSITIVE_INFINITY);
}

/** For messages: `1 example`, `1,234 examples`. */
export function examples(count: number): string {
  return `${count.toLocaleString('en-US')} example${count === 1 ? '' : 's'}`;
}

/** Some labels for a message, quoted; how many more there are. */
export function someLabels(labels: readonly string[], shown = 5): string {
  const quoted = labels.slice(0, shown).map((label) => JSON.stringify(label));
  return labels.length > shown ? `${quoted.join(', ')} and ${labels.length - shown} more` : quoted.join(', ');
}
