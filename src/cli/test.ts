import type { Example } from '../engine/datasets/dataset';
import type { DatasetDocument } from '../engine/datasets/document';
import { expectationText } from '../engine/perturbation/expectations';
import type { ExampleOutcome, TestedVariant } from '../engine/perturbation/run-suite';
import type { SuiteTest } from '../engine/perturbation/suite';
import { Tallying, type TestTally } from '../engine/perturbation/tally';
import type { Interval, Prediction } from '../protocol/prediction';
import { parseFileArguments } from './arguments';
import { columnsHelp } from './columns';
import { spansOf } from './example-line';
import { type CliIo, exitCode } from './io';
import { cacheHelp } from './open-cache';
import { labelsHelp } from './open-dataset';
import { suiteHelp } from './suite-choice';
import { runSuiteOfFile, suiteOptions } from './suite-run';
import type { Verb } from './verb';

const help = `Usage: assay test FILE [--suite SUITE] [--only NAME] [--sample N] [--seed N] [--model FOLDER]

Changes each example in many small ways and tells what the model makes of it: one JSON object a test on stdout, with
  test, name, family  the perturbation
  expectation         what must hold of each variant
  passed              the failure rate is not above "threshold"; null where it applies to no example
  failureRate         failing variants of an example by all of it, mean over the examples, with its 95 % interval
  examples, variants, failing, flips
                      examples that have variants; their variants; those that fail; those with another predicted label
  accuracy            of the examples and of their variants, where the gold label should stay
  dropped             variants that were equal to their example
  notApplicable       [{"reason", "count"}]: examples without a variant
  failures            [{"id", "line", "before", "after", "text", "spans", "edits"}]: each failing variant; "before" and "after" are
                      the predictions, "edits" [{"source", "variant"}] ranges of what was changed in both texts
and a summary on stderr. The same seed gives the same variants. Exits with 1 where a test fails.

${suiteHelp}
  --sample N         only so many examples, chosen by the seed
  --seed N           of all random choices (default 1)
  --model FOLDER     as for assay predict
${columnsHelp}
${labelsHelp}
${cacheHelp}
`;

export const testVerb: Verb = {
  summary: 'Tell which small changes of the examples break the model',
  help,
  run,
};

/** A failing variant, as it is kept until all examples were tested. */
interface Failure {
  example: Example;
  line: number;
  before: Prediction;
  tested: TestedVariant;
}

async function run(args: readonly string[], io: CliIo): Promise<number> {
  const { file, values } = parseFileArguments('test', args, suiteOptions);
  const tallies = new Map<SuiteTest, { tally: Tallying; failures: Failure[] }>();
  const add = (outcome: ExampleOutcome<Example>, dataset: DatasetDocument): void => {
    const ofTest = tallies.get(outcome.test) ?? { tally: new Tallying(outcome.test), failures: [] };
    tallies.set(outcome.test, ofTest);
    ofTest.tally.add(outcome);
    const line = dataset.recordRange(outcome.item).startLine + 1;
    for (const tested of outcome.variants.filter(({ isFailure }) => isFailure)) {
      ofTest.failures.push({ example: outcome.item, line, before: outcome.prediction, tested });
    }
  };
  const { suite, seed, modelName, exampleCount, testedCount } = await runSuiteOfFile(
    'test',
    file,
    values,
    io,
    (outcomes, dataset) => {
      for (const outcome of outcomes) add(outcome, dataset);
    },
  );
  let failed = 0;
  let passed = 0;
  for (const test of suite.tests) {
    const ofTest = tallies.get(test);
    if (ofTest === undefined) continue;
    const result = ofTest.tally.result(seed);
    if (result.passed === true) passed += 1;
    if (result.passed === false) failed += 1;
    await io.write(lineOf(result, ofTest.failures));
    io.note(noteOf(result));
  }
  io.note(
    `${testedCount} examples, suite ${suite.name}, seed ${seed}, model ${modelName}: ${passed} tests passed, ${failed} failed, ${suite.tests.length - passed - failed} not applicable`,
  );
  if (testedCount < exampleCount) {
    io.note(`interrupted after ${testedCount} of ${exampleCount} examples; what the model said is kept`);
    return exitCode.interrupted;
  }
  return failed > 0 ? exitCode.findings : exitCode.ok;
}

function lineOf(result: TestTally, failures: readonly Failure[]): string {
  const { test, passed, failureRate, examples, variants, failing, flips, accuracy, dropped, notApplicable } = result;
  return `${JSON.stringify({
    test: test.id,
    name: test.name,
    family: test.perturbation.family,
    expectation: expectationText(test.expectation),
    threshold: test.threshold,
    passed,
    failureRate: failureRate && roundedInterval(failureRate),
    examples,
    variants,
    failing,
    flips,
    accuracy: accuracy && {
      examples: accuracy.examples,
      source: roundedInterval(accuracy.source),
      variants: roundedInterval(accuracy.variants),
    },
    dropped,
    notApplicable,
    failures: failures.map(({ example, line, before, tested: { variant, prediction } }) => ({
      id: example.id,
      line,
      before: said(before),
      after: said(prediction),
      text: variant.text,
      spans: spansOf(variant),
      edits: variant.edits,
    })),
  })}\n`;
}

/** A predicted label, and how probable it is. */
function said({ label, probabilities }: Prediction): { label: string; probability: number } {
  return { label, probability: rounded(Math.max(...probabilities)) };
}

function noteOf({ test, passed, failureRate, examples, notApplicable }: TestTally): string {
  const verdict = passed === null ? '–' : passed ? '✓' : '✗';
  if (failureRate === null)
    return `${verdict} ${test.id}: not applicable (${notApplicable[0]?.reason ?? 'no example'})`;
  const percent = (share: number) => `${(100 * share).toFixed(1)}`;
  const { value, low, high } = failureRate;
  return `${verdict} ${test.id}: ${percent(value)} % fail [${percent(low)}–${percent(high)}] of ${examples} examples, at most ${percent(test.threshold)} % allowed`;
}

const rounded = (value: number): number => Number(value.toPrecision(7));
const roundedInterval = ({ value, low, high }: Interval) => ({
  value: rounded(value),
  low: rounded(low),
  high: rounded(high),
});
