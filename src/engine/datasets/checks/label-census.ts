import type { CheckedFile, OtherSplit } from './file-check';

/** How often a label occurs. */
export interface LabelCount {
  readonly label: string;
  /** Its id in the file's facts. */
  readonly id: number;
  /** In this file. */
  readonly here: number;
  /** In all splits of the dataset. */
  readonly all: number;
  /** The first row here that has it. */
  readonly firstRow: number;
}

/** The labels of a file, the most frequent first. */
export function labelCounts({ slots, facts, others }: CheckedFile): LabelCount[] {
  const here = new Uint32Array(facts.labelIdCount);
  const first = new Int32Array(facts.labelIdCount).fill(-1);
  for (let row = 0; row < slots.length; row++) {
    const id = facts.labelId(slots[row]!);
    if (here[id]!++ === 0) first[id] = row;
  }
  const elsewhere = others.map(labelCountsBeside);
  const counts: LabelCount[] = [];
  for (let id = 1; id < here.length; id++) {
    if (here[id] === 0) continue;
    const label = facts.labelText(id)!;
    const all = elsewhere.reduce((sum, counts) => sum + (counts.get(label) ?? 0), here[id]!);
    counts.push({ label, id, here: here[id]!, all, firstRow: first[id]! });
  }
  return counts.sort((a, b) => b.here - a.here || a.firstRow - b.firstRow);
}

export function labelCountsBeside({ facts, rowCount }: OtherSplit): Map<string, number> {
  const counts = new Map<string, number>();
  const byId = new Uint32Array(facts.labelIdCount);
  for (let row = 0; row < rowCount; row++) byId[facts.labelId(row)]!++;
  for (let id = 1; id < byId.length; id++) if (byId[id]! > 0) counts.set(facts.labelText(id)!, byId[id]!);
  return counts;
}

/** The rows that have one of some labels, by the label's id. */
export function rowsWith({ slots, facts }: CheckedFile, ids: ReadonlySet<number>): Map<number, number[]> {
  const rows = new Map<number, number[]>();
  if (ids.size === 0) return rows;
  for (let row = 0; row < slots.length; row++) {
    const id = facts.labelId(slots[row]!);
    if (!ids.has(id)) continue;
    const known = rows.get(id);
    if (known === undefined) rows.set(id, [row]);
    else known.push(row);
  }
  return rows;
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
