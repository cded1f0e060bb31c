// npm ci, when it is due. Every script a person may run on a fresh clone calls this first.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { must, root, Told } from './run.mjs';

const modules = path.join(root, 'node_modules');
const stamp = path.join(modules, '.assay-installed');

/** What decides whether node_modules is the right one: the lock file, and the platform whose optional packages were chosen. */
function wanted() {
  const lock = readFileSync(path.join(root, 'package-lock.json'));
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}\n`;
}

/**
 * npm's own list of what it installed holds the packages of the lock file: a node_modules that a person made with `npm ci` or
 * `npm install` is as good as ours, and may hold more.
 */
function matchesLock() {
  try {
    const packagesOf = (file) => {
      const { packages } = JSON.parse(readFileSync(file, 'utf8'));
      return new Map(Object.entries(packages).filter(([name]) => name !== ''));
    };
    const have = packagesOf(path.join(modules, '.package-lock.json'));
    const want = packagesOf(path.join(root, 'package-lock.json'));
    return [...want].every(([name, { version, optional }]) =>
      have.has(name) ? have.get(name).version === version : optional === true,
    );
  } catch {
    return false;
  }
}

/** Installs node_modules when it is missing or the lock file changed since. `output` as in run(). */
export async function ensureInstalled({ output = 'inherit' } = {}) {
  const [major] = process.versions.node.split('.').map(Number);
  if (major < 20)
    throw new Told(`Node ${process.versions.node} is too old: Assay is built and tested with Node 20 or later.`);
  const now = wanted();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === now) return;
  if (matchesLock()) {
    writeFileSync(stamp, now);
    return;
  }
  console.error('Installing the npm packages (npm ci)');
  rmSync(stamp, { force: true });
  // Which packages may run install scripts is said in package.json (allowScripts), which npm older than 11.16 does not read;
  // none of ours needs one, and onnxruntime-node's would download CUDA files.
  await must('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { output });
  writeFileSync(stamp, now);
}
