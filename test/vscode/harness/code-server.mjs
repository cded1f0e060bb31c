// Installing code-server (VS Code's workbench and extension host, served to a browser) under .vscode-test/.
// A plain `npm i code-server` fails: it compiles packages that need Kerberos and downloads others from outside the registry. So nothing
// is compiled but the few packages that the server does load.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ensureDebian } from '../../../scripts/lib/ensure-debian.mjs';
import { must, onPath, root, shown, Told } from '../../../scripts/lib/run.mjs';

/** Where downloaded editors live; ASSAY_VSCODE_TEST lets several checkouts share one. */
export const editorsFolder = process.env.ASSAY_VSCODE_TEST || path.join(root, '.vscode-test');

/**
 * The two hosts that every suite runs in. `build`: packages with native code that the server loads, by the folder (inside code-server)
 * whose node_modules they lie in. `smokeTestDriver`: whether the server must be told to let a page bring a test payload; 1.100 always
 * lets it, and does not know the option.
 */
export const hosts = {
  current: {
    vscode: '1.139.1',
    codeServer: '4.139.1',
    node: '24.21.0',
    build: { 'lib/vscode': ['@vscode/spdlog', '@vscode/native-watchdog'] },
    smokeTestDriver: true,
  },
  oldest: {
    vscode: '1.100.3',
    codeServer: '4.100.3',
    node: '20.20.2',
    build: { '.': ['argon2'], 'lib/vscode': ['@vscode/spdlog', 'native-watchdog', 'node-pty'] },
    smokeTestDriver: false,
  },
};

/** Raised when the way of installing changes, so that what was installed before is done again. */
const recipe = 1;

/** Does `install(folder, log)` unless its stamp says that it was completed; a half-done one is removed first. */
async function once(folder, install) {
  const stamp = path.join(folder, '.complete');
  const log = `${folder}.log`;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === `${recipe}\n`) return;
  rmSync(folder, { recursive: true, force: true });
  rmSync(log, { force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
  await install(log);
  writeFileSync(stamp, `${recipe}\n`);
}

/** Resolves to the folder of a Node.js of exactly that version (bin/node, include/), from its npm package. */
async function ensureNode(version) {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = path.join(editorsFolder, `node-${version}`);
  await once(folder, async (log) => {
    await must('npm', ['install', `${name}@${version}`, ...quiet], { cwd: folder, output: log });
  });
  return path.join(folder, 'node_modules', name);
}

const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=warn'];

/**
 * Installs one of `hosts`, if that is not done yet (about a minute and 400 MB).
 * Resolves to what starting it needs: `{ node, entry, host }`, two files and the entry of `hosts`.
 */
export function ensureCodeServer(which) {
  // Two who ask at the same time wait for one install.
  if (!installs.has(which)) installs.set(which, install(hosts[which]));
  return installs.get(which);
}

const installs = new Map();

async function install(host) {
  if (process.platform !== 'linux') throw new Told(`code-server is used on Linux only, not on ${process.platform}.`);
  await ensureDebian(['ripgrep', 'g++', 'make', 'python3']);
  const folder = path.join(editorsFolder, `code-server-${host.codeServer}`);
  const nodeFolder = await ensureNode(host.node);
  const node = path.join(nodeFolder, 'bin', 'node');
  const server = path.join(folder, 'node_modules', 'code-server');
  await once(folder, async (log) => {
    console.log(
      `Installing VS Code ${host.vscode} (code-server ${host.codeServer}) under ${path.relative(root, folder) || folder}, once`,
    );
    // npm itself runs on the server's Node, so that what it compiles fits that Node.
    const env = {
      PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}`,
      npm_config_nodedir: nodeFolder,
      // node-pty compiles through npx, which would ask.
      npm_config_yes: 'true',
      // Not the prebuilt file that its installer would look for outside the registry.
      npm_config_build_from_source: 'true',
    };
    const npm = (cwd, args) => must('npm', args, { cwd, env, output: log });
    await npm(folder, ['install', `code-server@${host.codeServer}`, ...quiet]);
    // npm ci refuses here: the lock files that code-server ships are out of step with its package.json.
    const omitDev = ['install', '--omit=dev', ...quiet];
    await Promise.all([
      npm(path.join(server, 'lib/vscode'), omitDev),
      npm(path.join(server, 'lib/vscode/extensions'), omitDev),
    ]);
    for (const [inside, packages] of Object.entries(host.build)) {
      await npm(inside === '.' ? folder : path.join(server, inside), ['rebuild', ...packages]);
    }
    linkRipgrep(server, await onPath('rg'));
    // Where the workbench's own extensions look for packages, as code-server's installer does it.
    for (const inside of ['lib/vscode', 'lib/vscode/extensions']) {
      const asar = path.join(server, inside, 'node_modules.asar');
      if (!existsSync(asar)) symlinkSync('node_modules', asar);
    }
  });
  return { node, entry: path.join(server, 'out/node/entry.js'), host };
}

/** Search and file listing use a `rg` that VS Code's package would download. */
function linkRipgrep(server, rg) {
  if (rg === undefined) throw new Told(`ripgrep is missing: ${shown('apt-get', ['install', 'ripgrep'])}`);
  const bin = path.join(server, 'lib/vscode/node_modules/@vscode/ripgrep/bin');
  if (!existsSync(path.dirname(bin))) return;
  mkdirSync(bin, { recursive: true });
  copyFileSync(rg, path.join(bin, 'rg'));
}
