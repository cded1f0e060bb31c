import { expectationText } from '../engine/perturbation/expectations';
import type { Perturbation } from '../engine/perturbation/perturbation';
import { perturbationById, perturbations } from '../engine/perturbation/table';
import { parseFileArguments } from './arguments';
import { columnsHelp } from './columns';
import { spansOf } from './example-line';
import { type CliIo, exitCode, InputError, UsageError } from './io';
import { labelsHelp } from './open-dataset';
import { runSuiteOfFile, suiteOptions } from './suite-run';
import type { Verb } from './verb';

const help = `Usage: assay perturb FILE --line N --name PERTURBATION [--seed N] [--model FOLDER]

Prints the variants of the examples on one line of the file: one JSON object a variant on stdout, with
  id, perturbation     the example, and what was done to it
  text, spans, types   of the variant
  edits                [{"source", "variant"}]: ranges of what was changed, in the example's text and in the variant's
  before, after        what the model predicts of both: {"label", "probability"}
  failure              the expectation does not hold

  --line N           of the file, counted from 1
  --name NAME        one of those below
  --seed N           of all random choices (default 1)
  --model FOLDER     as for assay predict
${columnsHelp}
${labelsHelp}

${perturbations.map(describe).join('\n')}
`;

function describe({ id, description, expectation, parts, options }: Perturbation): string {
  const numbers = options.map(
    ({ name, description: what, standard, low, high }) => `\n      ${name} (${low} to ${high}, ${standard}): ${what}`,
  );
  return `  ${id}\n      ${description}\n      Expected: ${expectationText(expectation)}. Acts in: ${parts.join(', ')}.${numbers.join('')}`;
}

export const perturbVerb: Verb = {
  summary: 'Print what a perturbation makes of an example',
  help,
  run,
};

async function run(args: readonly string[], io: CliIo): Promise<number> {
  const { file, values } = parseFileArguments('perturb', args, {
    ...suiteOptions,
    line: { type: 'string' },
    name: { type: 'string' },
  });
  const { name, line: lineText, ...rest } = values;
  if (name === undefined || perturbationById(name) === undefined) {
    const said = name === undefined ? 'name one with --name' : `there is no ${JSON.stringify(name)}`;
    throw new UsageError(`perturb: ${said}: ${perturbations.map(({ id }) => id).join(', ')}.`);
  }
  const line = /^[1-9][0-9]*$/.test(lineText ?? '') ? Number(lineText) : null;
  if (line === null) throw new UsageError('perturb: say the line of the file with --line, counted from 1.');
  let reason: string | null = null;
  let count = 0;
  const { exampleCount } = await runSuiteOfFile(
    'perturb',
    file,
    { ...rest, suite: 'full', only: [name], line },
    io,
    async (outcomes) => {
      for (const { item, prediction, variants, notApplicable } of outcomes) {
        reason = notApplicable;
        count += variants.length;
        for (const { variant, prediction: after, isFailure } of variants) {
          const told = (said: typeof after) => ({
            label: said.label,
            probability: Number(Math.max(...said.probabilities).toPrecision(7)),
          });
          await io.write(
            `${JSON.stringify({
              id: item.id,
              perturbation: name,
              text: variant.text,
              spans: spansOf(variant),
              types: variant.types,
              edits: variant.edits,
              before: told(prediction),
              after: told(after),
              failure: isFailure,
            })}\n`,
          );
        }
      }
    },
  );
  if (exampleCount === 0) throw new InputError(`${file}: no example on line ${line}.`);
  io.note(
    count === 0
      ? `no variant: ${reason ?? 'all are equal to the example'}`
      : `${count} ${count === 1 ? 'variant' : 'variants'}`,
  );
  return exitCode.ok;
}
