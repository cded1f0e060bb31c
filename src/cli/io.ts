/** What a verb may touch of the world outside, so that it can be called from a test as from a shell. */
export interface CliIo {
  /** Paths on the command line are relative to it. */
  workingFolder: string;
  /** Assay's own folder, with package.json and models/. */
  packageFolder: string;
  /** To stdout; fulfilled once the reader has taken it, rejects with `OutputClosed` when the reader has gone. */
  write(text: string): Promise<void>;
  /** A line to stderr. */
  note(line: string): void;
  /** Aborted when the person interrupts. */
  signal: AbortSignal;
}

export const exitCode = {
  ok: 0,
  /** What was asked to fail on was found. */
  findings: 1,
  usage: 2,
  /** The input cannot be read, is no dataset, or the model is no usable model. */
  input: 3,
  /** A fault of Assay itself (EX_SOFTWARE). */
  fault: 70,
  /** As a shell reports SIGINT. */
  interrupted: 130,
} as const;

/** The reader of stdout has gone (`| head`): not an error, there is just nobody left to write for. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}

/** The command line cannot be understood. The message says what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What the command line names cannot be used. The message says what, where, and what to do. */
export class InputError extends Error {
  override readonly name = 'InputError';
}
