import type { Companion } from './companions';
import type { LabelNames, Reading, Sample } from './format';

const MAX_NAME_UNITS = 200;

/**
 * The names in a file such as `{"P177": ["crosses", "obstacle which …"]}` or `{"P177": "crosses"}`, by id; null if it is no such
 * file. A name that two ids have is told apart by the id: `part of (P361)`.
 */
export function parseLabelNames(text: string): Map<string, string> | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const entries = Object.entries(value);
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const [id, entry] of entries) {
    const first: unknown = Array.isArray(entry) ? entry[0] : entry;
    if (typeof first !== 'string' || first.trim() === '' || first.length > MAX_NAME_UNITS) continue;
    const name = taken.has(first.trim()) ? `${first.trim()} (${id})` : first.trim();
    taken.add(name);
    names.set(id, name);
  }
  return names.size > 0 && names.size >= entries.length / 2 ? names : null;
}

/** The names that a sample's companions say; where several name an id the first counts. Null if none does. */
export function labelNamesOf(companions: readonly Companion[]): LabelNames | null {
  const names = new Map<string, string>();
  const ids = new Map<string, string>();
  const sources: string[] = [];
  for (const { name: file, text, chosen } of companions) {
    if (!/\.json$/i.test(file) && chosen !== true) continue;
    const found = parseLabelNames(text);
    if (found === null) continue;
    let isUsed = false;
    for (const [id, name] of found) {
      // A file that is only beside it may number the labels of something else.
      if (names.has(id) || (chosen !== true && /^-?\d+$/.test(id))) continue;
      names.set(id, name);
      if (name !== id) ids.set(name, id);
      isUsed = true;
    }
    if (isUsed) sources.push(file);
  }
  if (names.size === 0) return null;
  return {
    source: sources.join(', '),
    nameOf: (id) => names.get(id) ?? null,
    idOf: (name) => ids.get(name) ?? null,
  };
}

/** As many records are looked at to say whether the names are the file's. */
const PROBED_RECORDS = 50;

/** A reading that calls labels by their names. What stands in the file stays the id. */
export function withLabelNames(reading: Reading, sample: Sample): Reading {
  const names = labelNamesOf(sample.companions ?? []);
  if (names === null) return reading;
  const read: Reading['read'] = (text, start, end, state) => {
    const row = reading.read(text, start, end, state);
    for (const example of row.examples) {
      if (example.gold !== null) example.gold = names.nameOf(example.gold) ?? example.gold;
    }
    return row;
  };
  // Of a file that writes names itself, as one beside it may, nothing is said.
  return isAnyNamed(reading, names, sample)
    ? { ...reading, read, labelNames: names, detail: `${reading.detail}, labels named in ${names.source}` }
    : { ...reading, read };
}

function isAnyNamed(reading: Reading, names: LabelNames, sample: Sample): boolean {
  const { text } = sample;
  let from = reading.begin(text);
  for (let count = 0; count < PROBED_RECORDS; count++) {
    const cut = reading.cut(text, from);
    if (cut === null) break;
    if (cut.end > cut.start) {
      const { examples } = reading.read(text, cut.start, cut.end, from.state);
      if (examples.some(({ gold }) => gold !== null && names.nameOf(gold) !== null)) return true;
    }
    from = cut.next;
  }
  return false;
}
