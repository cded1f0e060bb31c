// What the tests need from the operating system.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { capture, must, onPath, root, shown, Told } from './run.mjs';

/** Debian packages of which a file on the PATH tells whether they are there, however they came; the others are asked of dpkg. */
const commandOf = { ripgrep: 'rg', 'g++': 'g++', make: 'make', python3: 'python3' };

async function isThere(name) {
  if (name === 'chromium') return (await findChromium()) !== undefined;
  const command = commandOf[name];
  if (command !== undefined && (await onPath(command)) !== undefined) return true;
  const { text } = await capture('dpkg', ['--status', name]);
  return /^Status: .* installed$/m.test(text);
}

/**
 * Sees to it that Debian packages are installed; does nothing where there is no apt-get but all commands are on the PATH.
 * @throws Told with the one line to run, where we may not or cannot install.
 */
export async function ensureDebian(packages) {
  if (process.platform !== 'linux') return;
  const missing = [];
  const hasDpkg = (await onPath('dpkg')) !== undefined;
  for (const name of packages) {
    // Fonts cannot be told without dpkg; a missing one spoils a picture, not a test.
    if (!hasDpkg && name.startsWith('fonts-')) continue;
    if (!(await isThere(name))) missing.push(name);
  }
  if (missing.length === 0) return;

  const install = ['install', '-y', '--no-install-recommends', ...missing];
  const byHand = `sudo apt-get update && sudo ${shown('apt-get', install)}`;
  const cannot = (why) => new Told(`${why} Run this one line, then try again:\n\n    ${byHand}\n`);
  if ((await onPath('apt-get')) === undefined) {
    throw new Told(
      `These are needed and missing (Debian names): ${missing.join(' ')}. Install them with your system's package manager.`,
    );
  }
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && (await capture('sudo', ['-n', 'true'])).code !== 0) throw cannot(`Missing: ${missing.join(' ')}.`);

  console.log(`Installing from Debian: ${missing.join(' ')}`);
  const [command, before] = isRoot ? ['apt-get', []] : ['sudo', ['-n', 'apt-get']];
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const output = path.join(root, '.vscode-test', 'apt-get.log');
  try {
    // A new machine has no lists yet, and old ones name versions that are gone.
    await must(command, [...before, 'update'], { env, output });
    await must(command, [...before, ...install], { env, output });
  } catch (error) {
    throw cannot(`${error.message}\n\napt-get did not install ${missing.join(' ')}.`);
  }
}

/** A Chromium or Chrome that playwright-core can drive: ASSAY_CHROMIUM, else one on the PATH or in its usual place, else undefined. */
export async function findChromium() {
  const asked = process.env.ASSAY_CHROMIUM;
  if (asked !== undefined && asked !== '') return asked;
  for (const name of ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']) {
    const file = await onPath(name);
    if (file !== undefined) return file;
  }
  const usual = {
    darwin: [
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ],
    win32: ['ProgramFiles', 'ProgramFiles(x86)', 'LocalAppData'].map((name) =>
      path.join(process.env[name] ?? '', 'Google/Chrome/Application/chrome.exe'),
    ),
  };
  return (usual[process.platform] ?? []).find((file) => existsSync(file));
}
