import type { CheckedFile } from './file-check';
import type { CheckFinding } from './finding';
import { nearPairs } from './near-rows';
import { shinglesOf } from './row-facts';
import { firstSameRows } from './same-rows';
import { jaccard } from './text-scan';

/** Texts that are nearly those of a row before; of relations, with the same words as entities. Duplicates are not told again. */
export function* nearDuplicates(file: CheckedFile): Generator<void, readonly CheckFinding[]> {
  const { examples, slots, facts, settings, firstLineOf } = file;
  const threshold = settings.nearDuplicateThreshold;
  const first = yield* firstSameRows(file);
  const takesPart = (row: number) => first[row] === row && facts.shingleCount(slots[row]!) > 0;
  const shinglesFor = lastShingles((row) => examples[row]!.text);
  const { partner, similarity } = yield* nearPairs(
    {
      count: examples.length,
      factsOf: () => facts,
      slotOf: (row) => slots[row]!,
      isAsked: takesPart,
      isCandidate: takesPart,
      similarity: (row, earlier) =>
        // The same text about other entities is another example.
        facts.isSameText(slots[row]!, slots[earlier]!)
          ? 0
          : jaccard(shinglesFor(row), shinglesOf(examples[earlier]!.text)),
    },
    threshold,
  );
  const findings: CheckFinding[] = [];
  for (let row = 0; row < examples.length; row++) {
    const of = partner[row]!;
    if (of === -1) continue;
    if (findings.length % 512 === 511) yield;
    const example = examples[row]!;
    const other = examples[of]!;
    findings.push({
      code: 'assay/near-duplicate',
      example,
      place: { part: 'row' },
      message: `The text is nearly that of line ${firstLineOf(other) + 1}: ${alike(similarity[row]!, threshold)}.${otherLabel(example.gold, other.gold)} Keep one of them, unless both are wanted.`,
      related: [{ kind: 'here', example: other, message: 'Nearly the same text' }],
      fix: null,
    });
  }
  return findings;
}

/** The shingles of a row, worked out once while it is asked for again and again. */
export function lastShingles(textOf: (row: number) => string): (row: number) => Uint32Array {
  let last = -1;
  let shingles = new Uint32Array(0);
  return (row) => {
    if (row !== last) shingles = new Uint32Array(shinglesOf(textOf(row)));
    last = row;
    return shingles;
  };
}

/** How alike two texts are, and from where on it is told: for messages. */
export function alike(similarity: number, threshold: number): string {
  return similarity === 1
    ? 'they have the same word pairs'
    : `they share ${percent(similarity)} of their word pairs (${percent(threshold)} or more is told)`;
}

/** Downwards, so that what is below a threshold never looks as if it reached it. */
function percent(share: number): string {
  return `${Math.floor(share * 100 + 1e-9)} %`;
}

export function otherLabel(gold: string | null, other: string | null): string {
  return gold === null || other === null || gold === other
    ? ''
    : ` It is labelled ${JSON.stringify(other)} there and ${JSON.stringify(gold)} here.`;
}
