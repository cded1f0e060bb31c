// The one server and the one Chromium that all UI suites of a process share: starting them costs more than most tests.
import { launchChromium } from '../../vscode/harness/browser.mjs';
import { startServer } from '../../vscode/harness/server.mjs';

const servers = new Map();
let browser;

/** Servers with the same options are one. Options as in startServer(). They end with the process. */
export function sharedServer(options) {
  const key = JSON.stringify(options);
  if (!servers.has(key)) servers.set(key, startServer(options));
  return servers.get(key);
}

export function sharedBrowser() {
  browser ??= launchChromium();
  return browser;
}

/** Ends the browser and all servers. */
export async function endSession() {
  const started = [...servers.values()];
  servers.clear();
  const shown = browser;
  browser = undefined;
  await shown?.then((it) => it.close()).catch(() => {});
  for (const server of started) await server.then((it) => it.stop()).catch(() => {});
}
