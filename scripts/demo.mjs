// `npm run demo`: opens VS Code with the extension and a copy of samples/, on a fresh clone too.
//   --check      headless instead: diagnoses a sample of each task, and exits 0 only if the predictions are on the lines
//   --browser    VS Code in the browser, though a desktop VS Code is there
//   --port N     where it is served (8137)
// The person's own VS Code settings and extensions are not touched: all lies below out/demo.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { startServer } from '../test/vscode/harness/server.mjs';
import { desktopOnPath } from '../test/vscode/harness/suite.mjs';
import { ensureDebian } from './lib/ensure-debian.mjs';
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { main, must, root, Told } from './lib/run.mjs';
import { packageExtension } from './package.mjs';

const demoFolder = path.join(root, 'out/demo');

/** What a person reads once VS Code is open. */
const next = 'Open sentiment.csv or relations.jsonl there, press F1 and run "Assay: Diagnose Dataset".';

function copySamples(to) {
  rmSync(to, { recursive: true, force: true });
  cpSync(path.join(root, 'samples'), to, { recursive: true });
  return to;
}

async function check(vsix) {
  if (process.platform !== 'linux')
    throw new Told('--check drives VS Code in a browser (code-server), which is run on Linux only.');
  await ensureDebian(['chromium', 'fonts-dejavu', 'fonts-noto-color-emoji', 'fonts-noto-cjk']);
  const { build } = await import('esbuild');
  const bundle = path.join(demoFolder, 'check.cjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['test/ui/driver/demo-check.ts'],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    packages: 'external',
    define: { ASSAY_ROOT: JSON.stringify(root) },
  });
  const { default: driver } = await import(pathToFileURL(bundle).href);
  const scratch = mkdtempSync(path.join(tmpdir(), 'assay-samples-'));
  try {
    const folder = copySamples(path.join(scratch, 'samples'));
    const samples = ['sentiment.csv', 'relations.jsonl'];
    const seen = await driver.checkDemo(folder, samples, vsix, demoFolder);
    let failed = 0;
    for (const { name, annotated, visible, ms, picture } of seen) {
      const isGood = visible > 0 && annotated === visible;
      if (!isGood) failed += 1;
      const line = `${name}: ${annotated} of ${visible} visible examples carry their prediction, ${ms} ms after the command`;
      console.log(`${isGood ? '✓' : '✗'} ${line} (${path.relative(root, picture)})`);
    }
    console.log(`\n${seen.length - failed} passed, ${failed} failed`);
    return failed === 0 ? 0 : 1;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function openDesktop({ command }, vsix) {
  const own = [
    '--user-data-dir',
    path.join(demoFolder, 'user'),
    '--extensions-dir',
    path.join(demoFolder, 'extensions'),
  ];
  const folder = copySamples(path.join(demoFolder, 'samples'));
  const settings = path.join(demoFolder, 'user/User/settings.json');
  mkdirSync(path.dirname(settings), { recursive: true });
  const calm = {
    'workbench.startupEditor': 'none',
    'telemetry.telemetryLevel': 'off',
    'security.workspace.trust.enabled': false,
  };
  writeFileSync(settings, JSON.stringify(calm));
  await must(command, [...own, '--install-extension', vsix, '--force']);
  await must(command, [...own, '--new-window', folder]);
  console.log(`\nVS Code is open, with the extension and ${path.relative(root, folder)}. ${next}`);
  return 0;
}

async function openBrowser(vsix, port) {
  const folder = copySamples(path.join(demoFolder, 'samples'));
  const start = (wanted) => startServer({ extensions: [vsix], ...(wanted === undefined ? {} : { port: wanted }) });
  // The usual port may be taken: then any.
  const server = port === undefined ? await start(8137).catch(() => start()) : await start(port);
  console.log(`\nVS Code with the extension and ${path.relative(root, folder)} is at\n`);
  console.log(`    ${server.url}/?folder=${encodeURI(folder)}\n`);
  console.log(`${next} Ctrl+C here ends it.`);
  console.log(`\nVS Code's server ended (${await server.ended}).`);
  return 1;
}

main(async () => {
  const { values } = parseArgs({
    options: { check: { type: 'boolean' }, browser: { type: 'boolean' }, port: { type: 'string' } },
  });
  const port = values.port === undefined ? undefined : Number(values.port);
  if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65536))
    throw new Told(`--port ${values.port} is no port.`);
  await ensureInstalled();
  mkdirSync(demoFolder, { recursive: true });
  for (const name of readdirSync(demoFolder)) if (name.endsWith('.png')) rmSync(path.join(demoFolder, name));
  const vsix = await packageExtension();
  if (values.check) return await check(vsix);
  const hasDisplay = process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
  const desktop = hasDisplay && !values.browser ? await desktopOnPath() : undefined;
  if (desktop !== undefined) return await openDesktop(desktop, vsix);
  if (process.platform !== 'linux') {
    throw new Told('No desktop VS Code was found: put its `code` command on the PATH, or name it in ASSAY_VSCODE.');
  }
  return await openBrowser(vsix, port);
});
