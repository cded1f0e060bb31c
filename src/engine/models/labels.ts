/** Which label of the model a label of the dataset means. */
import type { LabelMatch } from '../../protocol/prediction';
import { canonical, type LabelMeaning, meaningOf, words } from './label-meaning';

/** A label of the model, or none; `sure` where no person need be asked. */
interface Guess {
  model: string | null;
  sure: boolean;
}

/**
 * Matches by what a person chose before (`remembered`: dataset label -> model label, null for none), then by the name, or the `id` that the
 * dataset writes for it,
 * then by the name but for case, spaces, underscores and hyphens, then by meaning: numbers, stars and words of feeling,
 * where all labels of the dataset together decide what a number counts from. `sure` is false where one pair was guessed,
 * where nothing matches, and where labels are left over on both sides.
 */
export function matchLabels(
  dataset: readonly { label: string; count: number; id?: string }[],
  model: readonly string[],
  remembered: ReadonlyMap<string, string | null> = new Map(),
): LabelMatch {
  const guesses = new Map<string, Guess>();
  for (const { label, id } of dataset) {
    const chosen = remembered.get(label);
    if (chosen === null || (chosen !== undefined && model.includes(chosen))) {
      guesses.set(label, { model: chosen, sure: true });
    } else {
      const named = matchByName(label, model) ?? (id === undefined ? null : matchByName(id, model));
      if (named !== null) guesses.set(label, named);
    }
  }
  const open = dataset.map(({ label }) => label).filter((label) => !guesses.has(label));
  for (const [label, guess] of matchByMeaning(open, model)) guesses.set(label, guess);
  matchNegatives(open, model, guesses);

  const pairs = dataset.map(({ label, count }) => ({
    dataset: label,
    model: guesses.get(label)?.model ?? null,
    count,
  }));
  const used = new Set(pairs.map((pair) => pair.model));
  const isLeftOver = pairs.some((pair) => pair.model === null && remembered.get(pair.dataset) !== null);
  const isAnyChosen = pairs.some((pair) => pair.model !== null || remembered.get(pair.dataset) === null);
  const isAllUsed = model.every((label) => used.has(label));
  const isNoneGuessed = [...guesses.values()].every((guess) => guess.sure);
  const sure = dataset.length === 0 || (isAnyChosen && isNoneGuessed && (!isLeftOver || isAllUsed));
  return { pairs, sure };
}

function matchByName(label: string, model: readonly string[]): Guess | null {
  if (model.includes(label)) return { model: label, sure: true };
  const form = canonical(label);
  if (form === null) return null;
  const alike = model.filter((candidate) => canonical(candidate) === form);
  return alike.length === 0 ? null : { model: alike[0]!, sure: alike.length === 1 };
}

/** How the model's own labels are to be read. */
type Scale =
  /** Feelings from negative to positive. `inOrder`: their ids rise with them. `loose`: in other words (good, bad). */
  | { kind: 'polarity'; ladder: { value: number; label: string }[]; inOrder: boolean; loose: boolean }
  /** Counted from 1, as stars are, in this order. */
  | { kind: 'stars'; labels: string[] }
  /** Numbered from 0 without names, in this order. */
  | { kind: 'index'; labels: readonly string[] }
  | { kind: 'named'; labels: readonly string[] };

function scaleOf(model: readonly string[]): Scale {
  const meanings = model.map(meaningOf);
  const valuesOf = (...kinds: LabelMeaning['kind'][]): number[] | null => {
    const values = meanings.flatMap((meaning) =>
      meaning !== null && kinds.includes(meaning.kind) ? [meaning.value] : [],
    );
    return values.length === model.length && new Set(values).size === model.length ? values : null;
  };
  const feelings = valuesOf('polarity');
  if (feelings !== null) {
    const ladder = model.map((label, id) => ({ value: feelings[id]!, label })).sort((a, b) => a.value - b.value);
    const loose = meanings.some((meaning) => meaning?.kind === 'polarity' && meaning.loose);
    return { kind: 'polarity', ladder, inOrder: ladder.every((step, id) => step.label === model[id]), loose };
  }
  const numbers = valuesOf('index', 'number', 'stars');
  const countsFrom = (first: number): boolean =>
    numbers?.every((value) => value >= first && value < first + model.length) === true;
  if (numbers !== null && countsFrom(1)) {
    return { kind: 'stars', labels: model.map((_, index) => model[numbers.indexOf(index + 1)]!) };
  }
  if (numbers !== null && countsFrom(0)) {
    return { kind: 'index', labels: model.map((_, index) => model[numbers.indexOf(index)]!) };
  }
  return { kind: 'named', labels: model };
}

function matchByMeaning(open: readonly string[], model: readonly string[]): Map<string, Guess> {
  const scale = scaleOf(model);
  const meant = open.flatMap((label) => {
    const meaning = meaningOf(label);
    return meaning === null ? [] : [{ label, meaning }];
  });
  const numbers = meant.flatMap(({ meaning }) =>
    meaning.kind === 'number' || meaning.kind === 'index' ? [meaning.value] : [],
  );
  const feelings = meant.flatMap(({ meaning }) => (meaning.kind === 'polarity' ? [meaning.value] : []));
  const fromNumber = numberReader(numbers, scale);
  return new Map(
    meant.flatMap(({ label, meaning }): [string, Guess][] => {
      const guess =
        meaning.kind === 'polarity'
          ? byFeeling(meaning.value, feelings, scale, !meaning.loose)
          : meaning.kind === 'stars'
            ? byStars(meaning.value, scale)
            : fromNumber(meaning.value);
      return guess === null ? [] : [[label, guess]];
    }),
  );
}

/** What a number means, given all the numbers of the dataset. */
function numberReader(numbers: readonly number[], scale: Scale): (value: number) => Guess | null {
  const lowest = Math.min(...numbers);
  const highest = Math.max(...numbers);
  const labels = scale.kind === 'polarity' ? scale.ladder.map(({ label }) => label) : scale.labels;
  const count = labels.length;
  const pick = (index: number, sure: boolean): Guess => ({ model: labels[index] ?? null, sure });

  if (lowest < 0) {
    // -1, 0, 1: feelings themselves; a model without neutral has no label for 0.
    if (scale.kind !== 'polarity' || lowest < -2 || highest > 2) return () => null;
    return (value) => ({ model: scale.ladder.find((step) => step.value === value)?.label ?? null, sure: true });
  }
  if (scale.kind === 'stars') {
    if (lowest >= 1 && highest <= count) return (value) => pick(value - 1, true);
    return highest < count ? (value) => pick(value, false) : () => null;
  }
  const bySign = (sign: number): Guess => ({
    model:
      scale.kind === 'polarity' ? (scale.ladder.find((step) => Math.sign(step.value) === sign)?.label ?? null) : null,
    sure: false,
  });
  if (highest < count) {
    // 0 and 1 where the model has a neutral label between: more likely two feelings than the lower two of three.
    if (scale.kind === 'polarity' && count === 3 && highest === 1) return (value) => bySign(value === 0 ? -1 : 1);
    const isWhole = lowest === 0 && (highest === count - 1 || count === 2);
    const isClear = scale.kind === 'polarity' && scale.inOrder && !scale.loose && isWhole;
    return (value) => pick(value, scale.kind === 'index' || isClear);
  }
  if (lowest >= 1 && highest === count) return (value) => pick(value - 1, false);
  if (scale.kind !== 'polarity' || count > 3) return () => null;
  // 0, 2, 4 for negative, neutral, positive (Sentiment140), else 1 to 5 stars, 0 to 4, or 1 to 10 points.
  if (highest === 4 && numbers.every((value) => value % 2 === 0)) return (value) => bySign(Math.sign(value - 2));
  if (lowest === 0 && highest === 4) return (value) => bySign(Math.sign(value - 2));
  if (lowest >= 1 && highest <= 5) return (value) => bySign(Math.sign(value - 3));
  if (highest <= 10) return (value) => bySign(value >= 7 ? 1 : value <= 4 ? -1 : 0);
  return () => null;
}

/** A word of feeling; `all` are the feelings of the dataset, which tell how fine its scale is. */
function byFeeling(value: number, all: readonly number[], scale: Scale, sure: boolean): Guess | null {
  if (scale.kind === 'polarity') {
    const same = scale.ladder.find((step) => step.value === value);
    if (same !== undefined) return { model: same.label, sure: sure && !scale.loose };
    // A stronger or weaker word than the model has.
    const sameSign = value === 0 ? undefined : scale.ladder.find((step) => Math.sign(step.value) === Math.sign(value));
    return sameSign === undefined ? null : { model: sameSign.label, sure: false };
  }
  if (scale.kind === 'named') return null;
  const ladder = [
    [-1, 1],
    [-1, 0, 1],
    [-2, -1, 1, 2],
    [-2, -1, 0, 1, 2],
  ].find((steps) => steps.length === scale.labels.length);
  const isAsFine = ladder !== undefined && all.some((feeling) => Math.abs(feeling) === 2) === ladder.length > 3;
  const model = isAsFine ? scale.labels[ladder.indexOf(value)] : undefined;
  return model === undefined ? null : { model, sure: false };
}

/** 1 to 5 stars. */
function byStars(value: number, scale: Scale): Guess | null {
  if (scale.kind === 'stars') return { model: scale.labels[value - 1] ?? null, sure: true };
  if (scale.kind === 'named' || value < 1 || value > 5) return null;
  if (scale.kind === 'index')
    return scale.labels.length === 5 ? { model: scale.labels[value - 1]!, sure: false } : null;
  const { ladder } = scale;
  const step =
    ladder.length === 5 ? ladder[value - 1] : ladder.find((rung) => Math.sign(rung.value) === Math.sign(value - 3));
  return step === undefined ? null : { model: step.label, sure: false };
}

const negatives = new Set(['no relation', 'norelation', 'other', 'na', 'n/a', 'none', 'null', 'no']);

/** "No relation" has several names; where each side has one of them left, they are taken for the same. */
function matchNegatives(open: readonly string[], model: readonly string[], guesses: Map<string, Guess>): void {
  const used = new Set(Array.from(guesses.values(), (guess) => guess.model));
  const isNegative = (label: string): boolean => negatives.has(words(label));
  const ofDataset = open.filter((label) => !guesses.has(label) && isNegative(label));
  const ofModel = model.filter((label) => !used.has(label) && isNegative(label));
  if (ofDataset.length === 1 && ofModel.length === 1) guesses.set(ofDataset[0]!, { model: ofModel[0]!, sure: false });
}
