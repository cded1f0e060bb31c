// Starting other programs so that a person can read what happened. Needs nothing installed.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** A step that failed for a reason already told to the person: print the message only, not the stack. */
export class Told extends Error {}

const isWindows = process.platform === 'win32';

/** cmd.exe is what starts npm there, and it splits at spaces. */
const forShell = (word) => (/[\s"&|<>^%]/.test(word) ? `"${word.replaceAll('"', '""')}"` : word);

/** npm is a .cmd file on Windows, which Node starts through a shell only. */
function start(command, args, options) {
  if (isWindows && /^(npm|npx)$|\.(cmd|bat)$/i.test(command)) {
    return spawn([command, ...args].map(forShell).join(' '), { ...options, shell: true });
  }
  return spawn(command, args, options);
}

/** How a command is shown: words with spaces quoted. */
export const shown = (command, args) =>
  [path.basename(command), ...args].map((word) => (/\s/.test(word) ? JSON.stringify(word) : word)).join(' ');

/**
 * Runs a program and resolves to its exit code; a signal counts as 128.
 * `output`: 'inherit' (default), 'stderr' (both streams go to our stderr, for commands whose stdout is data) or a path of a log file.
 */
export async function run(command, args, { cwd = root, env = {}, output = 'inherit' } = {}) {
  let log;
  let stdio = ['ignore', 'inherit', 'inherit'];
  if (output === 'stderr') stdio = ['ignore', 2, 2];
  else if (output !== 'inherit') {
    mkdirSync(path.dirname(output), { recursive: true });
    log = openSync(output, 'a');
    stdio = ['ignore', log, log];
  }
  try {
    return await new Promise((resolve, reject) => {
      const child = start(command, args, { cwd, env: { ...process.env, ...env }, stdio });
      child.on('error', reject);
      child.on('exit', (code, signal) => resolve(signal === null ? (code ?? 1) : 128));
    });
  } finally {
    if (log !== undefined) closeSync(log);
  }
}

/** Like run(), but a failure throws, with the log's last lines where the output went to a file. */
export async function must(command, args, options = {}) {
  let code;
  try {
    code = await run(command, args, options);
  } catch (error) {
    throw new Told(`${shown(command, args)} could not be started: ${error.message}`);
  }
  if (code === 0) return;
  const { output } = options;
  const log =
    output !== undefined && output !== 'inherit' && output !== 'stderr'
      ? `\n${tail(output)}\n(all of it: ${output})`
      : '';
  throw new Told(`${shown(command, args)} failed (exit ${code})${log}`);
}

/** Runs a program and resolves to its exit code and all it wrote (both streams, in one string). */
export async function capture(command, args, { cwd = root, env = {} } = {}) {
  return await new Promise((resolve) => {
    const child = start(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    child.stdout.on('data', (chunk) => (text += chunk));
    child.stderr.on('data', (chunk) => (text += chunk));
    child.on('error', (error) => resolve({ code: 127, text: error.message }));
    child.on('close', (code) => resolve({ code: code ?? 128, text }));
  });
}

/** The last lines of a text file, or a note that there is none. */
export function tail(file, lines = 25) {
  try {
    return readFileSync(file, 'utf8').trimEnd().split(/\r?\n/).slice(-lines).join('\n');
  } catch {
    return `(no ${file})`;
  }
}

/** The first executable file of that name on the PATH, or undefined. */
export async function onPath(name) {
  const { constants } = await import('node:fs');
  const { access } = await import('node:fs/promises');
  const endings = isWindows ? ['.exe', '.cmd', '.bat', ''] : [''];
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    for (const ending of endings) {
      const file = path.join(folder, name + ending);
      try {
        await access(file, constants.X_OK);
        return file;
      } catch {
        // not here
      }
    }
  }
  return undefined;
}

/** Runs the main function of a script, and ends with its exit code: a Told error is its message, any other its stack; both exit 1. */
export function main(body) {
  // Written out first: where stdout is a pipe, exiting can cut it.
  const end = (code) => process.stdout.write('', () => process.exit(code));
  body().then(
    (code) => end(code ?? 0),
    (error) => {
      console.error(error instanceof Told ? `\n${error.message}` : error);
      end(1);
    },
  );
}
