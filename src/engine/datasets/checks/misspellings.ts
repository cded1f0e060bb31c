import type { LabelCensus, LabelCount, Misspelling } from './file-check';

/** A label with other letters is a misspelling only of one that is so many times as frequent. */
const TIMES_AS_FREQUENT = 20;
/** Shorter words are too often other words. */
const SHORTEST = 5;
/** Letters that may differ: one, or two in long labels. */
const LONG = 8;

export function* misspellingsIn(
  counts: readonly LabelCount[],
  beside: LabelCensus['beside'],
): Generator<void, readonly Misspelling[]> {
  const known = new Map(counts.map(({ label, all }) => [label, all]));
  for (const other of beside) {
    for (const [label, count] of other) if (!known.has(label)) known.set(label, count);
  }
  // So many are no classes but texts: nothing is expected to be frequent.
  if (known.size > MAX_LABELS) return [];
  const candidates = [...known].map(([label, all]) => ({ label, all, folded: foldedLabel(label) }));
  const found: Misspelling[] = [];
  let compared = 0;
  for (const label of counts) {
    compared += candidates.length;
    if (compared >= SLICE_COMPARED) {
      compared = 0;
      yield;
    }
    const folded = foldedLabel(label.label);
    if (!/\p{L}/u.test(folded)) continue;
    let best: { meant: { label: string; all: number }; distance: number } | null = null;
    for (const other of candidates) {
      if (other.label === label.label || other.all < label.all) continue;
      const distance = distanceBetween(label, folded, other);
      if (distance === null || other.all === label.all) continue;
      if (best === null || distance < best.distance || (distance === best.distance && other.all > best.meant.all)) {
        best = { meant: { label: other.label, all: other.all }, distance };
      }
    }
    if (best !== null) found.push({ label, meant: best.meant, isWriting: best.distance === 0 });
  }
  return found;
}

/** Pairs of labels between two yields. */
const SLICE_COMPARED = 10_000;
const MAX_LABELS = 2000;

/** Without what people write in different ways: case, and spaces, hyphens and underscores between letters. */
function foldedLabel(label: string): string {
  return label
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replace(/(?<=\p{L})[\s_-]+(?=[\p{L}\p{N}])|(?<=\p{N})[\s_-]+(?=\p{L})/gu, '');
}

/** Letters in which a label differs from the one that it may have been meant to be; null: they are two labels. */
function distanceBetween(
  { label, all }: LabelCount,
  folded: string,
  other: { label: string; all: number; folded: string },
): number | null {
  if (folded === other.folded) return 0;
  if (other.all < TIMES_AS_FREQUENT * all || folded.length < SHORTEST || other.folded.length < SHORTEST) return null;
  // Numbers tell labels apart: stars, directions (`(e1,e2)`), ids.
  if (digitsOf(folded) !== digitsOf(other.folded)) return null;
  // Opposites differ in how they begin: increase and decrease, moral and amoral.
  if (folded[0] !== other.folded[0] && !(folded[0] === other.folded[1] && folded[1] === other.folded[0])) return null;
  if (!isOneLongWord(label, other.label)) return null;
  const most = Math.min(folded.length, other.folded.length) >= LONG ? 2 : 1;
  const distance = editDistance(folded, other.folded, most);
  return distance <= most ? distance : null;
}

function digitsOf(label: string): string {
  return label.replace(/\P{N}+/gu, '');
}

/** Whether labels with the same number of words differ in one word, which is long in both. `per` and `org`, `B` and `I` are parts of a scheme. */
function isOneLongWord(label: string, other: string): boolean {
  const words = wordsOf(label);
  const others = wordsOf(other);
  if (words.length !== others.length) return true;
  const different = words.flatMap((word, at) => (word === others[at] ? [] : [[word, others[at]!]]));
  return different.length <= 1 && different.flat().every((word) => word.length >= SHORTEST - 1);
}

function wordsOf(label: string): string[] {
  return label.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/**
 * Letters put in, left out, replaced, or exchanged with their neighbour: Damerau-Levenshtein distance, each part edited once
 * (optimal string alignment). More than `most` is told as `most + 1`.
 */
export function editDistance(first: string, second: string, most: number): number {
  if (Math.abs(first.length - second.length) > most) return most + 1;
  let twoBack: number[] = [];
  let before = Array.from({ length: second.length + 1 }, (_, at) => at);
  for (let row = 1; row <= first.length; row++) {
    const current = [row];
    for (let at = 1; at <= second.length; at++) {
      const cost = first[row - 1] === second[at - 1] ? 0 : 1;
      let least = Math.min(before[at]! + 1, current[at - 1]! + 1, before[at - 1]! + cost);
      if (row > 1 && at > 1 && first[row - 1] === second[at - 2] && first[row - 2] === second[at - 1]) {
        least = Math.min(least, twoBack[at - 2]! + 1);
      }
      current.push(least);
    }
    twoBack = before;
    before = current;
  }
  return Math.min(before[second.length]!, most + 1);
}
