import type { Example } from '../dataset';
import type { CheckedFile, OtherSplit } from './file-check';
import type { CheckFinding } from './finding';
import { alike, lastShingles, otherLabel } from './near-duplicates';
import { nearPairs } from './near-rows';
import { RowTable, SLICE_ROWS, sharesRecord, textWithEntities } from './same-rows';

/** Rows between two yields, each of which may be told. */
const SLICE_FINDINGS = 2048;

/** A row of another split. */
interface RowBeside {
  readonly split: OtherSplit;
  readonly row: number;
}

/** Rows that stand in another split too, word for word or nearly. Each is told once: with every split that has it, or with the row that is nearest. */
export function* leakage(file: CheckedFile): Generator<void, readonly CheckFinding[]> {
  // A split in several files leaks nothing from one to the other.
  const others = file.others.filter(({ split, rowCount }) => split !== file.split && rowCount > 0);
  if (others.length === 0) return [];
  const same = yield* sameBeside(file, others);
  const near = yield* nearBeside(file, others, same);
  const findings: CheckFinding[] = [];
  for (let row = 0; row < file.examples.length; row++) {
    const exact = same.get(row);
    if (exact !== undefined) findings.push(exactLeak(file, row, exact));
    else if (near.has(row)) findings.push(nearLeak(file, row, near.get(row)!));
    if (row % SLICE_FINDINGS === SLICE_FINDINGS - 1) yield;
  }
  return findings;
}

/** The first row of each other split that has the same text and entities. */
function* sameBeside(file: CheckedFile, others: readonly OtherSplit[]): Generator<void, Map<number, RowBeside[]>> {
  const { slots, facts, examples } = file;
  const found = new Map<number, RowBeside[]>();
  for (const split of others) {
    const table = new RowTable(split.rowCount);
    for (let row = 0; row < split.rowCount; row++) {
      const place = table.find(split.facts.identityHash(row), (other) => split.facts.isSame(row, other));
      if (table.rowAt(place) === -1) table.set(place, row);
      if (row % SLICE_ROWS === SLICE_ROWS - 1) yield;
    }
    for (let row = 0; row < slots.length; row++) {
      const slot = slots[row]!;
      const place = table.find(facts.identityHash(slot), (other) => facts.isSame(slot, other, split.facts));
      const same = table.rowAt(place);
      if (same !== -1 && /\S/.test(examples[row]!.text)) {
        const known = found.get(row);
        if (known === undefined) found.set(row, [{ split, row: same }]);
        else known.push({ split, row: same });
      }
      if (row % SLICE_ROWS === SLICE_ROWS - 1) yield;
    }
  }
  return found;
}

interface NearRow extends RowBeside {
  readonly similarity: number;
}

/** The nearest row of all other splits, for rows that are in none of them word for word. */
function* nearBeside(
  file: CheckedFile,
  others: readonly OtherSplit[],
  same: ReadonlyMap<number, unknown>,
): Generator<void, Map<number, NearRow>> {
  const { slots, facts, examples, settings } = file;
  // Numbered behind each other: the rows of the other splits, then those of the file.
  const starts: number[] = [];
  let own = 0;
  for (const { rowCount } of others) {
    starts.push(own);
    own += rowCount;
  }
  const splitAt = (number: number) => {
    let at = starts.length - 1;
    while (starts[at]! > number) at--;
    return at;
  };
  const factsOf = (number: number) => (number >= own ? facts : others[splitAt(number)]!.facts);
  const slotOf = (number: number) => (number >= own ? slots[number - own]! : number - starts[splitAt(number)]!);
  const hasWords = (number: number) => factsOf(number).shingleCount(slotOf(number)) > 0;
  const shinglesFor = lastShingles((number) => examples[number - own]!.text);
  const { partner, similarity } = yield* nearPairs(
    {
      count: own + examples.length,
      factsOf,
      slotOf,
      isAsked: (number) => number >= own && !same.has(number - own) && hasWords(number),
      isCandidate: (number) => number < own && hasWords(number),
      similarity(number, beside) {
        const split = others[splitAt(beside)]!;
        const row = beside - starts[splitAt(beside)]!;
        return facts.isSameText(slotOf(number), row, split.facts)
          ? 0
          : split.shingles.similarity(row, shinglesFor(number));
      },
    },
    settings.nearDuplicateThreshold,
  );
  const found = new Map<number, NearRow>();
  for (let row = 0; row < examples.length; row++) {
    const of = partner[own + row]!;
    if (of === -1) continue;
    const split = others[splitAt(of)]!;
    found.set(row, { split, row: of - starts[splitAt(of)]!, similarity: similarity[own + row]! });
  }
  return found;
}

const advice = 'What a model has seen in training it is not tested on: keep the row in one split only';

function exactLeak(file: CheckedFile, row: number, places: readonly RowBeside[]): CheckFinding {
  const example = file.examples[row]!;
  const labels = places
    .map(({ split, row: other }) => otherLabel(example.gold, split.facts.label(other)))
    .find((text) => text !== '');
  const isTrain = file.split === 'train';
  return {
    ...leak(example, places),
    message: `The same ${textWithEntities(example)} stands in ${places.map(placeText).join(' and in ')}.${labels ?? ''} ${advice}.`,
    // What is trained on can be spared.
    fix: isTrain && !sharesRecord(file.examples, row) ? { kind: 'remove-row' } : null,
  };
}

function nearLeak({ examples, settings }: CheckedFile, row: number, near: NearRow): CheckFinding {
  const example = examples[row]!;
  const label = otherLabel(example.gold, near.split.facts.label(near.row));
  return {
    ...leak(example, [near]),
    message: `The text is nearly that of ${placeText(near)}: ${alike(near.similarity, settings.nearDuplicateThreshold)}.${label} ${advice}, unless the difference is meant.`,
    fix: null,
  };
}

function leak(
  example: Example,
  places: readonly RowBeside[],
): Pick<CheckFinding, 'code' | 'example' | 'place' | 'related'> {
  return {
    code: 'assay/leakage',
    example,
    place: { part: 'row' },
    related: places.map(({ split, row }) => ({
      kind: 'beside',
      file: split.file,
      position: { line: split.lines[row]!, char: 0 },
      message: `In ${split.split}`,
    })),
  };
}

/** `train.csv (train), line 12`. */
function placeText({ split: { file, split, lines }, row }: RowBeside): string {
  return `${file} (${split}), line ${lines[row]! + 1}`;
}
