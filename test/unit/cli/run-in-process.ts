import path from 'node:path';
import { runCli } from '../../../src/cli/cli';
import type { CliIo } from '../../../src/cli/io';

declare const ASSAY_ROOT: string;

export interface CliResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** One line of `assay predict`. */
export interface PredictionLine {
  id: string;
  text: string;
  spans: { head: { start: number; end: number }; tail: { start: number; end: number } } | null;
  gold: string | null;
  label: string;
  probabilities: Record<string, number>;
  truncated: boolean;
}

/** Runs a command line in this process, in the project's folder unless `io` says otherwise. */
export async function run(args: string[], io: Partial<CliIo> = {}): Promise<CliResult> {
  let stdout = '';
  let stderr = '';
  const code = await runCli(args, {
    workingFolder: ASSAY_ROOT,
    packageFolder: ASSAY_ROOT,
    write: async (text) => {
      stdout += text;
    },
    note: (line) => {
      stderr += `${line}\n`;
    },
    signal: new AbortController().signal,
    ...io,
  });
  return { code, stdout, stderr };
}

export function predictionLines(stdout: string): PredictionLine[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as PredictionLine);
}

export const dataFolder = process.env.ASSAY_DATA ?? path.join(ASSAY_ROOT, '../shared/data');
