// `npm run -s assay -- ARGS`: the command line tool, on a fresh clone too. Stdout carries nothing but the tool's own output.
import { spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { main, must, root } from './lib/run.mjs';

const tool = path.join(root, 'dist/assay.js');

/** Milliseconds since 1970 of the last change below a file or folder; 0 where there is none. */
function lastChange(file) {
  try {
    const stat = statSync(file);
    if (!stat.isDirectory()) return stat.mtimeMs;
    return Math.max(stat.mtimeMs, ...readdirSync(file).map((name) => lastChange(path.join(file, name))));
  } catch {
    return 0;
  }
}

main(async () => {
  await ensureInstalled({ output: 'stderr' });
  const sources = ['src', 'esbuild.mjs', 'package-lock.json'].map((name) => lastChange(path.join(root, name)));
  if (lastChange(tool) < Math.max(...sources)) {
    console.error('Building');
    await must(process.execPath, ['esbuild.mjs'], { output: 'stderr' });
  }
  // Ctrl+C reaches the tool as well, which decides how to end.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
  const child = spawn(process.execPath, [tool, ...process.argv.slice(2)], {
    // npm changes to the checkout: paths are meant from where the person stands.
    cwd: process.env.INIT_CWD ?? process.cwd(),
    stdio: 'inherit',
  });
  return await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(signal === null ? code : 128));
  });
});
