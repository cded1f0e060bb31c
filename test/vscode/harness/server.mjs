// A running code-server: started in a folder of its own, and gone without a trace when this process ends.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { must, Told, tail } from '../../../scripts/lib/run.mjs';
import { ensureCodeServer } from './code-server.mjs';

/** What VS Code is told so that nothing but the extension under test speaks up, and every run starts the same. */
export const calmSettings = {
  'files.hotExit': 'off',
  // As on a desktop; in a browser VS Code saves by itself.
  'files.autoSave': 'off',
  'workbench.editor.useModal': 'off',
  'workbench.startupEditor': 'none',
  'workbench.enableExperiments': false,
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.colorTheme': 'Default Dark Modern',
  'window.autoDetectColorScheme': false,
  'window.commandCenter': false,
  'chat.disableAIFeatures': true,
  'chat.commandCenter.enabled': false,
  'editor.accessibilitySupport': 'off',
  'editor.minimap.enabled': false,
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  'git.openRepositoryInParentFolders': 'never',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
};

/** Servers that this process has to end, and folders that it has to remove, whatever way it goes. */
const running = new Set();
let watching = false;

function killGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

function remove(folder) {
  // A dying process may still be writing into it.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

function endWithUs() {
  if (watching) return;
  watching = true;
  process.on('exit', () => {
    for (const { pid, runFolder } of running) {
      killGroup(pid, 'SIGKILL');
      try {
        remove(runFolder);
      } catch {
        // left to the system's own cleaning of its temporary folder
      }
    }
  });
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ]) {
    process.on(signal, () => process.exit(code));
  }
}

/** A TCP port of the loopback interface that was free a moment ago. */
function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** Our environment without what would make the server believe that it runs inside another editor, npm or debugger. */
function cleanEnvironment(runFolder, extra) {
  const env = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (
      !/^(VSCODE_|ELECTRON_|CODE_SERVER_|npm_|XDG_|NODE_OPTIONS$|NODE_ENV$|PORT$|PASSWORD$|HASHED_PASSWORD$)/i.test(
        name,
      )
    )
      env[name] = value;
  }
  const home = path.join(runFolder, 'home');
  mkdirSync(home, { recursive: true });
  return {
    ...env,
    HOME: home,
    XDG_CONFIG_HOME: path.join(home, 'config'),
    XDG_DATA_HOME: path.join(home, 'data'),
    XDG_CACHE_HOME: path.join(home, 'cache'),
    XDG_STATE_HOME: path.join(home, 'state'),
    XDG_RUNTIME_DIR: runFolder,
    // No marketplace: nothing that a test does may depend on the network, or wait for it.
    EXTENSIONS_GALLERY: JSON.stringify({ serviceUrl: '' }),
    ...extra,
  };
}

/**
 * Starts code-server, with packaged extensions in it, and resolves when it answers.
 * `which`: 'current' or 'oldest'. `extensions`: .vsix files to install. `settings`: over `calmSettings`. `env`: reaches the extension host.
 * `forSuites`: pages may bring a test payload (where the version has to be told so, it then shows no notifications).
 * Resolves to `{ url, port, pid, runFolder, settingsFile, logFile, stop() }`; it also ends when this process does.
 * @throws Told with the log's last lines when the server ends or does not answer within a minute.
 */
export async function startServer({
  which = 'current',
  extensions = [],
  settings = {},
  env = {},
  port,
  forSuites = false,
} = {}) {
  const { node, entry, host } = await ensureCodeServer(which);
  const runFolder = mkdtempSync(path.join(tmpdir(), 'assay-'));
  const inRun = (...parts) => path.join(runFolder, ...parts);
  const settingsFile = inRun('user', 'User', 'settings.json');
  mkdirSync(path.dirname(settingsFile), { recursive: true });
  mkdirSync(inRun('ext'), { recursive: true });
  writeFileSync(settingsFile, JSON.stringify({ ...calmSettings, ...settings }, null, 2));
  writeFileSync(inRun('config.yaml'), '');
  const serverEnv = cleanEnvironment(runFolder, env);
  const places = ['--config', inRun('config.yaml'), '--user-data-dir', inRun('user'), '--extensions-dir', inRun('ext')];
  const logFile = inRun('server.log');
  try {
    for (const file of extensions) {
      // `must` adds our own environment: the name of another editor's socket would send the command there.
      const none = { VSCODE_IPC_HOOK_CLI: '', CODE_SERVER_SESSION_SOCKET: '', NODE_OPTIONS: '' };
      await must(node, [entry, ...places, '--install-extension', file], {
        cwd: runFolder,
        env: { ...serverEnv, ...none },
        output: logFile,
      });
    }
    const thePort = port ?? (await freePort());
    const args = [
      entry,
      ...places,
      '--bind-addr',
      `127.0.0.1:${thePort}`,
      '--auth',
      'none',
      '--session-socket',
      inRun('s.sock'),
    ];
    args.push(
      '--disable-telemetry',
      '--disable-update-check',
      '--disable-workspace-trust',
      '--disable-getting-started-override',
      '--disable-proxy',
    );
    if (forSuites && host.smokeTestDriver) args.push('--vscode-option', 'enable-smoke-test-driver');
    const log = openSync(logFile, 'a');
    // A process group of its own, so that its extension hosts and their children can be ended with it.
    const child = spawn(node, args, { cwd: runFolder, env: serverEnv, stdio: ['ignore', log, log], detached: true });
    closeSync(log);
    const ended = new Promise((resolve) => {
      child.on('error', (error) => resolve(error.message));
      child.on('exit', (code, signal) => resolve(signal ?? `exit ${code}`));
    });
    if (child.pid === undefined) throw new Told(`VS Code's server could not be started: ${await ended}`);
    const entryOfRunning = { pid: child.pid, runFolder };
    running.add(entryOfRunning);
    endWithUs();

    const stop = async () => {
      if (!running.has(entryOfRunning)) return;
      killGroup(child.pid, 'SIGTERM');
      const late = setTimeout(() => killGroup(child.pid, 'SIGKILL'), 3000);
      await ended;
      clearTimeout(late);
      // Extension hosts linger for a while so that a page may come back to them.
      killGroup(child.pid, 'SIGKILL');
      running.delete(entryOfRunning);
      remove(runFolder);
    };
    const url = `http://127.0.0.1:${thePort}`;
    try {
      await answers(`${url}/healthz`, ended);
    } catch (error) {
      const last = tail(logFile);
      await stop();
      throw new Told(`VS Code's server did not start: ${error.message}\n${last}`);
    }
    return { url, port: thePort, pid: child.pid, runFolder, settingsFile, logFile, ended, stop };
  } catch (error) {
    remove(runFolder);
    throw error;
  }
}

async function answers(url, ended, timeoutMs = 60_000) {
  let over;
  ended.then((how) => (over = how));
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    if (over !== undefined) throw new Error(`it ended (${over})`);
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
      if (response.ok) return;
    } catch {
      // not yet
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no answer within ${timeoutMs / 1000} s`);
}
