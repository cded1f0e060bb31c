// Runs the suites of out/test/vscode inside a real VS Code and says how each test went.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onPath, root, Told, tail } from '../../../scripts/lib/run.mjs';
import { followEvents } from '../../../scripts/lib/test-events.mjs';
import { launchChromium } from './browser.mjs';
import { editorsFolder, hosts } from './code-server.mjs';
import { calmSettings, startServer } from './server.mjs';

const entry = path.join(root, 'test/vscode/harness/host-entry.cjs');

/** A run that takes longer hangs. */
const limitMs = 10 * 60_000;

/**
 * Which VS Code the suites run in: the person's own (ASSAY_VSCODE), a downloaded one where a desktop and the network are there,
 * else code-server. 'oldest' is never the person's own.
 */
export async function chooseHost(which) {
  const own = process.env.ASSAY_VSCODE;
  if (which === 'current' && own !== undefined && own !== '') {
    return { kind: 'desktop', executable: desktopExecutable(own), name: `VS Code (${own})` };
  }
  const hasDisplay = process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
  if (hasDisplay && (await downloadReachable())) {
    const version = which === 'oldest' ? hosts.oldest.vscode : 'stable';
    return { kind: 'download', version, name: `VS Code ${version} (downloaded)` };
  }
  if (process.platform !== 'linux') {
    throw new Told(`VS Code could not be downloaded. Name a desktop VS Code in ASSAY_VSCODE to run the suites in it.`);
  }
  return { kind: 'code-server', name: `VS Code ${hosts[which].vscode} (code-server ${hosts[which].codeServer})` };
}

async function downloadReachable() {
  try {
    const address = 'https://update.code.visualstudio.com/api/releases/stable';
    return (await fetch(address, { method: 'HEAD', signal: AbortSignal.timeout(3000) })).ok;
  } catch {
    return false;
  }
}

/** The `code` command is a script that starts the editor and leaves; the suites need the editor itself. */
export function desktopExecutable(command) {
  if (!existsSync(command)) throw new Told(`ASSAY_VSCODE names no file: ${command}`);
  const real = realpathSync(command);
  const folder = path.dirname(real);
  if (path.basename(folder) !== 'bin') return real;
  const candidates = [
    ...['code', 'code-insiders', 'codium', 'Code.exe', 'Code - Insiders.exe', 'VSCodium.exe'].map((name) =>
      path.join(folder, '..', name),
    ),
    ...['Electron', 'Code', 'VSCodium'].map((name) => path.join(folder, '../../../MacOS', name)),
  ];
  return candidates.find((file) => existsSync(file)) ?? real;
}

/** A `code` on the PATH that starts a desktop VS Code (not code-server's, nor the one of a remote window), or undefined. */
export async function desktopOnPath() {
  const command = process.env.ASSAY_VSCODE || (await onPath('code'));
  if (command === undefined) return undefined;
  if (/remote-cli|code-server|vscode-server/.test(realpathSync(command))) return undefined;
  const executable = desktopExecutable(command);
  return executable === realpathSync(command) && !process.env.ASSAY_VSCODE ? undefined : { command, executable };
}

/**
 * Runs the suites once. `folder`: what VS Code opens. `extension`: the checkout of the extension under development. `grep`: mocha's.
 * `testFolder`: where the *.test.cjs lie. Resolves to followEvents()'s result and the `name` of the host. A run that did not come to
 * its end, or that the host reports otherwise than the events do, has a failure that says so.
 */
export async function runSuite({ which, folder, extension = root, testFolder, grep, env = {}, show = console.log }) {
  const host = await chooseHost(which);
  const scratch = mkdtempSync(path.join(tmpdir(), 'assay-run-'));
  const eventsFile = path.join(scratch, 'events.jsonl');
  const hostEnv = { ...env, ASSAY_TEST_EVENTS: eventsFile };
  if (grep !== undefined) hostEnv.ASSAY_TEST_GREP = grep;
  if (testFolder !== undefined) hostEnv.ASSAY_TEST_FOLDER = testFolder;
  const events = followEvents(eventsFile, show);
  try {
    const asked = { which, host, folder: folder ?? scratch, extension, env: hostEnv, scratch };
    const { code, note } = await (host.kind === 'code-server' ? inCodeServer(asked) : inDesktop(asked));
    const result = events.finish();
    const failure = (error) => result.failures.push({ title: `${host.name}: the run itself`, ms: 0, error });
    const noted = note === '' ? '' : `\n${note}`;
    if (!result.complete) failure(`The extension host ended before the suites did (exit ${code}).${noted}`);
    else if (code !== 0 && result.failures.length === 0)
      failure(`VS Code exited with ${code} though no test failed.${noted}`);
    else if (code === 0 && result.failures.length > 0) failure(`VS Code exited with 0 though tests failed.${noted}`);
    return { ...result, name: host.name };
  } finally {
    events.finish();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** As VS Code's own browser tests do it: a page brings the tests' path to the server's extension host, and is told the exit code. */
async function inCodeServer({ which, folder, extension, env }) {
  const server = await startServer({ which, env, forSuites: true });
  let browser;
  try {
    browser = await launchChromium();
    const page = await browser.newPage();
    const lastLines = [];
    const keep = (line) => {
      lastLines.push(line.split('\n', 1)[0].slice(0, 200));
      if (lastLines.length > 15) lastLines.shift();
    };
    page.on('pageerror', (error) => keep(`page: ${error.message}`));
    await page.exposeFunction('codeAutomationLog', (type, args) => keep(`${type}: ${args.map(String).join(' ')}`));
    const exit = new Promise((resolve) => {
      page.exposeFunction('codeAutomationExit', (code) => resolve({ code, note: '' }));
      page.on('crash', () => resolve({ code: 'none', note: 'The page crashed.' }));
      server.ended.then((how) =>
        resolve({ code: 'none', note: `The server ended (${how}).\n${tail(server.logFile)}` }),
      );
      setTimeout(() => resolve({ code: 'none', note: `No end within ${limitMs / 60_000} minutes.` }), limitMs).unref();
    });
    const remote = (file) => `vscode-remote://127.0.0.1:${server.port}${file}`;
    const payload = [
      ['extensionDevelopmentPath', remote(extension)],
      ['extensionTestsPath', remote(entry)],
      ['skipWelcome', 'true'],
    ];
    const query = new URLSearchParams({ folder, payload: JSON.stringify(payload) });
    await page.goto(`${server.url}/?${query}`);
    const { code, note } = await exit;
    return { code, note: [note, ...lastLines].filter(Boolean).join('\n') };
  } finally {
    await browser?.close();
    await server.stop();
  }
}

async function inDesktop({ host, folder, extension, env, scratch }) {
  const { default: testElectron } = await import('@vscode/test-electron');
  const executable =
    host.executable ??
    (await testElectron.downloadAndUnzipVSCode({
      version: host.version,
      cachePath: editorsFolder,
      extensionDevelopmentPath: extension,
    }));
  const settings = path.join(scratch, 'user', 'User', 'settings.json');
  mkdirSync(path.dirname(settings), { recursive: true });
  writeFileSync(settings, JSON.stringify(calmSettings));
  try {
    const code = await testElectron.runTests({
      vscodeExecutablePath: executable,
      extensionDevelopmentPath: extension,
      extensionTestsPath: entry,
      extensionTestsEnv: env,
      launchArgs: [
        folder,
        `--user-data-dir=${path.join(scratch, 'user')}`,
        `--extensions-dir=${path.join(scratch, 'ext')}`,
        '--disable-workspace-trust',
        '--skip-welcome',
        '--disable-telemetry',
      ],
    });
    return { code, note: '' };
  } catch (error) {
    return { code: error.code ?? 1, note: error.message };
  }
}
