import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { predictionLines, run } from './run-in-process';

declare const ASSAY_ROOT: string;

const bundle = path.join(ASSAY_ROOT, 'dist/assay.js');

interface Ended {
  code: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
}

/** Starts the built command as a shell does; `onStdout` may close its ear or send a signal. */
function start(args: string[], onStdout: (child: ReturnType<typeof spawn>) => void = () => {}): Promise<Ended> {
  const child = spawn(process.execPath, [bundle, ...args], { cwd: ASSAY_ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    onStdout(child);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

describe('cli: the built command', function () {
  this.timeout(120_000);

  before(function () {
    if (!existsSync(bundle)) {
      console.log('    skipped: dist/assay.js is not built (node esbuild.mjs)');
      this.skip();
    }
  });

  it('prints what runCli prints, from any folder of the models beside it', async () => {
    const [shell, inProcess] = await Promise.all([
      start(['predict', 'samples/relations.semeval.txt']),
      run(['predict', 'samples/relations.semeval.txt']),
    ]);
    assert.equal(shell.code, 0, shell.stderr);
    assert.equal(shell.stdout, inProcess.stdout);
    assert.equal(shell.stderr, inProcess.stderr);
  });

  it('exits with the code of its answer', async () => {
    assert.equal((await start(['--version'])).code, 0);
    assert.equal((await start(['predict'])).code, 2);
    const missing = await start(['predict', 'nothing.csv']);
    assert.equal(missing.code, 3);
    assert.equal(missing.stdout, '');
  });

  it('ends quietly when the reader of its output goes away', async () => {
    const ended = await start(['predict', 'samples/sentiment.csv'], (child) => child.stdout?.destroy());
    assert.equal(ended.code, 0, ended.stderr);
    assert.doesNotMatch(ended.stderr, /EPIPE|fault/);
    assert.ok(predictionLines(ended.stdout.slice(0, ended.stdout.indexOf('\n'))).length === 1);
  });
});
