import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ModelError } from '../engine/models/model-error';
import { checkVerb } from './check';
import { explainVerb } from './explain';
import { type CliIo, exitCode, InputError, OutputClosed, UsageError } from './io';
import { perturbVerb } from './perturb';
import { predictVerb } from './predict';
import { readVerb } from './read';
import { testVerb } from './test';
import type { Verb } from './verb';

const verbs = new Map<string, Verb>([
  ['check', checkVerb],
  ['explain', explainVerb],
  ['perturb', perturbVerb],
  ['predict', predictVerb],
  ['read', readVerb],
  ['test', testVerb],
]);

/** Runs one command line (without `node` and the script) and resolves to its exit code; never rejects. */
export async function runCli(argv: readonly string[], io: CliIo): Promise<number> {
  try {
    return await dispatch(argv, io);
  } catch (error) {
    if (error instanceof OutputClosed) return exitCode.ok;
    if (error instanceof UsageError) {
      io.note(`assay: ${error.message}`);
      return exitCode.usage;
    }
    if (error instanceof InputError || error instanceof ModelError) {
      io.note(`assay: ${error.message}`);
      return exitCode.input;
    }
    io.note(
      `assay: this is a fault of Assay; please report it. ${error instanceof Error ? error.stack : String(error)}`,
    );
    return exitCode.fault;
  }
}

async function dispatch(argv: readonly string[], io: CliIo): Promise<number> {
  const [first, ...rest] = argv;
  if (first === '--version' || first === '-V') {
    await io.write(`${await version(io)}\n`);
    return exitCode.ok;
  }
  if (first === '--help' || first === '-h' || (first === 'help' && rest.length === 0)) {
    await io.write(overview());
    return exitCode.ok;
  }
  if (first === undefined) throw new UsageError(`no verb given.\n\n${overview()}`);
  const verb = verbs.get(first === 'help' ? (rest[0] ?? '') : first);
  if (verb === undefined) {
    const known = [...verbs.keys()].join(', ');
    throw new UsageError(`"${first === 'help' ? rest[0] : first}" is no verb. The verbs: ${known}. See assay --help.`);
  }
  if (first === 'help' || rest.includes('--help') || rest.includes('-h')) {
    await io.write(verb.help);
    return exitCode.ok;
  }
  return verb.run(rest, io);
}

function overview(): string {
  const width = Math.max(...[...verbs.keys()].map((name) => name.length));
  return [
    'Assay: what is wrong with a sentiment or relation dataset, and with a model.',
    '',
    'Usage: assay VERB [ARGUMENTS]',
    '',
    ...[...verbs].map(([name, verb]) => `  ${name.padEnd(width)}  ${verb.summary}`),
    '',
    'assay VERB --help says more of a verb; assay --version prints the version.',
    'Results go to stdout, everything else to stderr. Exit codes: 0 done, 1 findings that --fail-on names,',
    '2 the command line, 3 a file or model that cannot be used, 70 a fault of Assay, 130 interrupted.',
    '',
  ].join('\n');
}

async function version(io: CliIo): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(path.join(io.packageFolder, 'package.json'), 'utf8'));
  return String((manifest as { version?: unknown }).version);
}
