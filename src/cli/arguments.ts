import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UsageError } from './io';

type Options = NonNullable<ParseArgsConfig['options']>;

/** The arguments of a verb that takes one file, and its options. Throws UsageError. */
export function parseFileArguments<O extends Options>(verb: string, args: readonly string[], options: O) {
  const { files, values } = parseFilesArguments(verb, args, options);
  const [file, ...more] = files as [string, ...string[]];
  if (more.length > 0) throw new UsageError(`${verb}: one file at a time; ${more.join(', ')} is too much.`);
  return { file, values };
}

/** The arguments of a verb that takes files, one at least, and its options. Throws UsageError. */
export function parseFilesArguments<O extends Options>(verb: string, args: readonly string[], options: O) {
  const { values, positionals } = parse(verb, args, options);
  if (positionals.length === 0) throw new UsageError(`${verb}: name the dataset file. See assay ${verb} --help.`);
  return { files: positionals, values };
}

function parse<O extends Options>(verb: string, args: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(`${verb}: ${(error as Error).message} See assay ${verb} --help.`);
  }
}
