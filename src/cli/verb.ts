import type { CliIo } from './io';

/** One thing that `assay` does. */
export interface Verb {
  /** For the list of verbs: what it does, in one line. */
  summary: string;
  /** Printed by `assay VERB --help`. */
  help: string;
  /** Gets the arguments after the verb; resolves to the exit code. Throws UsageError, InputError, ModelError, OutputClosed. */
  run(args: readonly string[], io: CliIo): Promise<number>;
}
