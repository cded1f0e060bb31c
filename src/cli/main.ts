import path from 'node:path';
import { runCli } from './cli';
import { type CliIo, OutputClosed } from './io';

/** The shell's side: a second interrupt ends the process at once, as a batch that runs cannot be stopped. */
function shellIo(): CliIo {
  const interruption = new AbortController();
  process.once('SIGINT', () => interruption.abort());
  // Without a listener a closed pipe would end the process with a stack trace; `write` reports it.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  return {
    workingFolder: process.cwd(),
    // The bundle lies in dist/.
    packageFolder: path.dirname(__dirname),
    write: (text) =>
      new Promise((resolve, reject) => {
        process.stdout.write(text, (error) => {
          if (error == null) resolve();
          else if ((error as NodeJS.ErrnoException).code === 'EPIPE') reject(new OutputClosed());
          else reject(error);
        });
      }),
    note: (line) => process.stderr.write(`${line}\n`),
    signal: interruption.signal,
  };
}

void runCli(process.argv.slice(2), shellIo()).then((code) => {
  process.exitCode = code;
});
