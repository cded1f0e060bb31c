/**
 * Runs a suite over examples: asks the model for the sources, makes their variants, asks it for these, and judges. Windows of examples are
 * taken in turn, so that the first results come soon and like lengths meet in a batch; identical inputs are asked once, what a cache knows
 * not at all, and a run that was stopped goes on where it was.
 */

import type { Prediction } from '../../protocol/prediction';
import { type Classifier, predictionOf } from '../models/classifier';
import { classifyAll, type RunOptions } from '../models/run';
import type { EntityPool } from './entity/entity-pool';
import { isFailure, unjudged } from './expectations';
import {
  isNotApplicable,
  type NotApplicable,
  type SearchAnswer,
  type SearchAsk,
  type SearchPerturbation,
  type WeighedWord,
} from './perturbation';
import { isInSlice } from './slice';
import type { Source, Variant } from './source';
import type { Suite, SuiteTest } from './suite';
import { contextOf, keepVariants, type MadeVariants, makeVariants } from './variants';
import type { ToWeigh } from './weigh-words';

/** An example, and its gold label as the model names it. */
export interface TestSubject<T> {
  readonly item: T;
  readonly source: Source;
  /** Null: it has none, or the model does not know it. */
  readonly gold: string | null;
}

/** A variant and what the model says of it. */
export interface TestedVariant {
  readonly variant: Variant;
  readonly prediction: Prediction;
  readonly isFailure: boolean;
}

/** What one test says of one example. */
export interface ExampleOutcome<T> {
  readonly item: T;
  readonly test: SuiteTest;
  /** On the source. */
  readonly prediction: Prediction;
  readonly gold: string | null;
  /** Empty where `notApplicable` says why, or where all variants were equal to the source. */
  readonly variants: readonly TestedVariant[];
  readonly dropped: number;
  readonly notApplicable: string | null;
}

export interface SuiteTools extends RunOptions {
  readonly classifier: Classifier;
  readonly pool: EntityPool | null;
  readonly seed: number;
  /** How much each word of an example speaks for its prediction, in the order of the examples; null: there is no attribution method. */
  readonly weigh: ((items: readonly ToWeigh[]) => Promise<readonly (readonly WeighedWord[])[]>) | null;
  /** Examples that are tested together. */
  readonly windowSize: number;
  /** Awaited before each batch, with the inputs in it. */
  starting?(keys: readonly string[]): Promise<void>;
  /** After each batch. */
  finished?(): void;
}

/**
 * Tells all outcomes of a window at a time, in the order of the examples and, for each, of the tests. Ends early where the signal aborts: what
 * was not finished is not told. Throws PatternTooSlow.
 */
export async function runSuite<T>(
  subjects: readonly TestSubject<T>[],
  suite: Suite,
  tools: SuiteTools,
  tell: (outcomes: ExampleOutcome<T>[]) => void | Promise<void>,
): Promise<void> {
  for (let from = 0; from < subjects.length; from += tools.windowSize) {
    const outcomes = await testWindow(subjects.slice(from, from + tools.windowSize), suite, tools);
    if (outcomes === null) return;
    await tell(outcomes);
  }
}

/** One example of a window. */
interface Row<T> {
  readonly subject: TestSubject<T>;
  readonly prediction: Prediction;
}

/** The variants of one test of one example. */
interface Made<T> {
  readonly row: Row<T>;
  readonly test: SuiteTest;
  readonly made: MadeVariants;
}

/** Null: given up. */
async function testWindow<T>(
  subjects: readonly TestSubject<T>[],
  suite: Suite,
  tools: SuiteTools,
): Promise<ExampleOutcome<T>[] | null> {
  const predictions = await predict(
    subjects.map(({ source }) => source),
    tools,
  );
  if (predictions === null) return null;
  const rows = subjects.map((subject, index): Row<T> => ({ subject, prediction: predictions[index]! }));
  const made = await makeAll(rows, suite, tools);
  if (made === null) return null;
  const answers = await predict(
    made.flatMap((one) => one.made.variants),
    tools,
  );
  if (answers === null) return null;
  const parted = inParts(
    answers,
    made.map((one) => one.made.variants.length),
  );
  return made.map((one, index) => outcomeOf(one, parted[index]!, tools));
}

function outcomeOf<T>(
  { row, test, made }: Made<T>,
  answers: readonly Prediction[],
  tools: SuiteTools,
): ExampleOutcome<T> {
  const { subject, prediction } = row;
  const facts = labelsOf(subject, tools);
  return {
    item: subject.item,
    test,
    prediction,
    gold: subject.gold,
    dropped: made.dropped,
    notApplicable: made.notApplicable,
    variants: made.variants.map((variant, index) => {
      const after = answers[index]!;
      const judged = { ...facts, before: prediction.probabilities, after: after.probabilities };
      return { variant, prediction: after, isFailure: isFailure(test.expectation, judged) };
    }),
  };
}

function labelsOf<T>({ gold }: TestSubject<T>, { classifier }: SuiteTools) {
  const { labels, negativeLabel } = classifier.info;
  const indexOf = (label: string | null): number | null => {
    const index = label === null ? -1 : labels.indexOf(label);
    return index < 0 ? null : index;
  };
  return { labels, gold: indexOf(gold), negative: indexOf(negativeLabel) };
}

/** In the order of the rows, and for each of the tests. Null: given up. */
async function makeAll<T>(rows: readonly Row<T>[], suite: Suite, tools: SuiteTools): Promise<Made<T>[] | null> {
  const searches = await searchAll(
    rows.flatMap((row) => suite.tests.flatMap((test) => searchOf(row, test, tools))),
    tools,
  );
  if (searches === null) return null;
  return rows.flatMap((row) => {
    let left = suite.mostAnExample;
    return suite.tests.map((test): Made<T> => {
      const reason = whyNot(row, test, tools);
      const most = Math.min(test.most, left);
      const options = { seed: tools.seed, parts: test.parts, values: test.values, most, pool: tools.pool };
      const { perturbation } = test;
      const { source } = row.subject;
      let made: MadeVariants;
      if (reason !== null) made = { variants: [], dropped: 0, notApplicable: reason };
      else if (perturbation.kind !== 'search') made = makeVariants(perturbation, source, options);
      else {
        const found = searches.get(row)?.get(test) ?? { reason: 'it was not searched' };
        made = isNotApplicable(found)
          ? { variants: [], dropped: 0, notApplicable: found.reason }
          : keepVariants(perturbation, source, found, options);
      }
      left -= made.variants.length;
      return { row, test, made };
    });
  });
}

/** Why a test says nothing of an example, before any variant is made. */
function whyNot<T>({ subject }: Row<T>, test: SuiteTest, tools: SuiteTools): string | null {
  if (test.slice !== null && !isInSlice(test.slice, subject.source)) return 'it is not in the slice';
  return unjudged(test.expectation, labelsOf(subject, tools));
}

interface Search<T> {
  readonly row: Row<T>;
  readonly test: SuiteTest;
  readonly steps: ReturnType<SearchPerturbation['search']>;
  ask: SearchAsk;
}

type Found<T> = Map<Row<T>, Map<SuiteTest, readonly Variant[] | NotApplicable>>;

/** One that has asked for something, or none where the test is no search or cannot be run on the example. */
function searchOf<T>(row: Row<T>, test: SuiteTest, tools: SuiteTools): Omit<Search<T>, 'ask'>[] {
  const { perturbation } = test;
  if (perturbation.kind !== 'search' || whyNot(row, test, tools) !== null) return [];
  const { source } = row.subject;
  const options = { seed: tools.seed, parts: test.parts, values: test.values, most: test.most, pool: tools.pool };
  const context = contextOf(perturbation, source, options);
  const { labels, ...facts } = labelsOf(row.subject, tools);
  const { label, probabilities } = row.prediction;
  const known = { ...facts, predicted: labels.indexOf(label), probabilities, maskToken: tools.classifier.maskToken };
  return isNotApplicable(context)
    ? [{ row, test, steps: ended(context) }]
    : [{ row, test, steps: perturbation.search(source, context, known) }];
}

// biome-ignore lint/correctness/useYield: a search that has ended before it asked.
function* ended(result: NotApplicable): ReturnType<SearchPerturbation['search']> {
  return result;
}

/** Drives all searches of a window together, so that what they ask fills batches. Null: given up. */
async function searchAll<T>(begun: readonly Omit<Search<T>, 'ask'>[], tools: SuiteTools): Promise<Found<T> | null> {
  const found: Found<T> = new Map();
  const advance = (search: Omit<Search<T>, 'ask'>, answer: SearchAnswer | null): Search<T>[] => {
    const next = answer === null ? search.steps.next() : search.steps.next(answer);
    if (next.done !== true) return [{ ...search, ask: next.value }];
    const ofRow = found.get(search.row) ?? new Map();
    found.set(search.row, ofRow.set(search.test, next.value));
    return [];
  };
  let running = begun.flatMap((search) => advance(search, null));
  while (running.length > 0) {
    const answers = await answerAll(running, tools);
    if (answers === null) return null;
    running = running.flatMap((search, index) => advance(search, answers[index]!));
  }
  return found;
}

async function answerAll<T>(running: readonly Search<T>[], tools: SuiteTools): Promise<SearchAnswer[] | null> {
  const asked = running.map(({ ask }) => (ask.kind === 'predictions' ? ask.variants : []));
  const predictions = await predict(asked.flat(), tools);
  if (predictions === null) return null;
  const words = await weighAll(running, tools);
  if (words === null) return null;
  const parted = inParts(
    predictions,
    asked.map(({ length }) => length),
  );
  return running.map(({ row }, index) => ({
    probabilities: parted[index]!.map(({ probabilities }) => probabilities),
    words: words.get(row) ?? [],
  }));
}

/** Words are weighed once an example, whoever asks. */
async function weighAll<T>(
  running: readonly Search<T>[],
  { classifier, weigh, signal }: SuiteTools,
): Promise<Map<Row<T>, readonly WeighedWord[]> | null> {
  const rows = [...new Set(running.filter(({ ask }) => ask.kind === 'words').map(({ row }) => row))];
  if (rows.length === 0) return new Map();
  if (weigh === null) throw new Error('a search asked for weighed words where there is no attribution method');
  const { labels } = classifier.info;
  const words = await weigh(
    rows.map(({ subject, prediction }) => ({ source: subject.source, predicted: labels.indexOf(prediction.label) })),
  );
  return signal?.aborted ? null : new Map(rows.map((row, index) => [row, words[index]!]));
}

/** In the order of the inputs. Null: given up. */
async function predict(
  inputs: readonly Variant[] | readonly Source[],
  tools: SuiteTools,
): Promise<Prediction[] | null> {
  const { classifier, signal } = tools;
  const results: (Prediction | undefined)[] = new Array(inputs.length);
  const open = () => inputs.map((_, index) => index).filter((index) => results[index] === undefined);
  await classifyAll<number>(
    classifier,
    {
      next: () => (signal?.aborted ? [] : open()),
      inputOf: (index) => inputs[index]! as Variant,
      ...(tools.starting === undefined ? {} : { starting: (keys) => tools.starting!(keys) }),
      ...(tools.finished === undefined ? {} : { finished: () => tools.finished!() }),
      done(index, { logits, encoded }) {
        results[index] = predictionOf(logits, classifier.info.labels, encoded.truncated);
      },
    },
    tools,
  );
  return signal?.aborted ? null : (results as Prediction[]);
}

/** A list cut into parts of the given lengths. */
function inParts<T>(list: readonly T[], lengths: readonly number[]): T[][] {
  let next = 0;
  return lengths.map((length) => {
    next += length;
    return list.slice(next - length, next);
  });
}
