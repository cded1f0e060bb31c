// `npm test`: everything, on a fresh clone too.
//   --only lint,types,unit,vscode,ui   some of it
//   --host current|oldest              one of the two VS Codes (with --only vscode)
//   --grep TEXT                        mocha's: tests whose full title holds it
// Installs what it needs first. A step that fails does not stop the others. Writes out/test-results.json.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureCodeServer, hosts } from '../test/vscode/harness/code-server.mjs';
import { chooseHost, runSuite } from '../test/vscode/harness/suite.mjs';
import { ensureDebian, findChromium } from './lib/ensure-debian.mjs';
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { main, must, root, run, Told } from './lib/run.mjs';
import { followEvents } from './lib/test-events.mjs';
import { packageExtension } from './package.mjs';

const kinds = ['lint', 'types', 'unit', 'vscode', 'ui'];
const debian = [
  'chromium',
  'fonts-dejavu',
  'fonts-noto-color-emoji',
  'fonts-noto-cjk',
  'ripgrep',
  'g++',
  'make',
  'python3',
];
const dataFolder = process.env.ASSAY_DATA ?? path.join(root, '../shared/data');
const bin = (...parts) => path.join(root, 'node_modules', ...parts);

/** What a step without tests of its own counts as. */
const one = { passes: 1, failures: [], skips: [] };

/** Runs mocha in a Node of its own over the built tests of a folder. */
async function mocha(folder, { grep, reporter, args = [], env = {} }) {
  const scratch = mkdtempSync(path.join(tmpdir(), 'assay-run-'));
  const eventsFile = path.join(scratch, 'events.jsonl');
  const events = followEvents(eventsFile);
  try {
    const tests = `out/test/${folder}/**/*.test.cjs`;
    const all = [
      '--no-config',
      '--enable-source-maps',
      '--timeout',
      '60000',
      '--reporter',
      'scripts/lib/mocha-events.cjs',
      ...args,
    ];
    if (grep !== undefined) all.push('--grep', grep);
    const told = { ASSAY_TEST_EVENTS: eventsFile, ASSAY_TEST_REPORTER: reporter, ...env };
    const code = await run(process.execPath, [bin('mocha/bin/mocha.js'), ...all, tests], { env: told });
    const { passes, failures, skips, complete } = events.finish();
    if (!complete)
      failures.push({ title: `${folder}: the run itself`, ms: 0, error: `mocha ended early (exit ${code})` });
    else if (code !== 0 && failures.length === 0)
      failures.push({ title: `${folder}: the run itself`, ms: 0, error: `mocha exited with ${code}` });
    return { passes: passes.length, failures, skips };
  } finally {
    events.finish();
    rmSync(scratch, { recursive: true, force: true });
  }
}

function hasTests(folder) {
  const below = path.join(root, 'out/test', folder);
  return existsSync(below) && readdirSync(below, { recursive: true }).some((name) => name.endsWith('.test.cjs'));
}

/** Steps in the order they run. `needs`: steps that must have passed. A step returns its counts, or a text: why there was nothing to do. */
function stepsFor({ only, host, grep }) {
  const wants = (kind) => only.includes(kind);
  const tested = wants('unit') || wants('vscode') || wants('ui');
  const steps = [];
  const add = (isWanted, name, body, needs = []) => {
    if (isWanted) steps.push({ name, body, needs });
  };
  const command = (program, args) => async () => {
    await must(program, args);
    return one;
  };
  add(
    wants('lint'),
    'lint',
    command(process.execPath, [
      bin('@biomejs/biome/bin/biome'),
      'ci',
      ...(process.stdout.isTTY ? [] : ['--colors=off']),
      '.',
    ]),
  );
  add(wants('types'), 'types', command(process.execPath, [bin('typescript/bin/tsc'), '--noEmit']));
  add(tested, 'build', command(process.execPath, ['esbuild.mjs', '--tests']));
  add(wants('unit'), 'unit tests', () => mocha('unit', { grep, reporter: 'dot' }), ['build']);
  for (const which of ['oldest', 'current']) {
    const inHost = async () => {
      if (!hasTests('vscode')) throw new Told('There are no suites in out/test/vscode.');
      const { passes, failures, skips, name } = await runSuite({ which, grep });
      console.log(`(${name})`);
      return { passes: passes.length, failures, skips };
    };
    add(wants('vscode') && (host === undefined || host === which), `VS Code ${hosts[which].vscode}`, inHost, ['build']);
  }
  const noBrowser = async () => {
    if (process.platform !== 'linux') return 'VS Code in a browser (code-server) is run on Linux only';
    return (await findChromium()) === undefined ? 'no Chromium was found (ASSAY_CHROMIUM names one)' : undefined;
  };
  const inBrowser = async () => {
    const reason = await noBrowser();
    if (reason !== undefined) return reason;
    if (!hasTests('ui')) throw new Told('There are no suites in out/test/ui.');
    const vsix = await packageExtension();
    // Mocha's own process would find an install that has begun here, and take it for one that was given up.
    await ensureCodeServer('current');
    // A workbench on a busy machine now and then swallows a click: a test that fails is tried twice more.
    const args = ['--exit', '--retries', '2'];
    return await mocha('ui', { grep, reporter: 'spec', args, env: { ASSAY_VSIX: vsix } });
  };
  add(wants('ui'), 'in a browser', inBrowser, ['build']);
  return steps;
}

/** Installing the editors takes a minute, most of it waiting for the network: it runs beside the first steps. */
function prefetch({ only, host }) {
  if (process.platform !== 'linux') return;
  const begin = (which) => ensureCodeServer(which).catch(() => {}); // reported by the step that needs it
  for (const which of ['oldest', 'current']) {
    const inHost = only.includes('vscode') && (host === undefined || host === which);
    const needed = async () =>
      (which === 'current' && only.includes('ui')) || (inHost && (await chooseHost(which)).kind === 'code-server');
    needed().then(
      (is) => (is ? begin(which) : undefined),
      () => {},
    );
  }
}

const seconds = (ms) => (ms / 1000).toFixed(1);

function printTable(results) {
  const rows = [['step', 'result', 'passed', 'failed', 'skipped', 'seconds']];
  for (const { name, state, passed, failed, skipped, ms } of results) {
    rows.push([name, state, String(passed), String(failed), String(skipped), seconds(ms)]);
  }
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  for (const row of rows) {
    console.log(
      row.map((cell, column) => (column < 2 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join('  '),
    );
  }
}

function chosen() {
  const { values } = parseArgs({
    options: { only: { type: 'string', multiple: true }, host: { type: 'string' }, grep: { type: 'string' } },
  });
  const only = (values.only ?? kinds).flatMap((value) => value.split(','));
  const unknown = only.filter((kind) => !kinds.includes(kind));
  if (unknown.length > 0) throw new Told(`--only knows ${kinds.join(', ')}; not ${unknown.join(', ')}.`);
  if (values.host !== undefined && hosts[values.host] === undefined)
    throw new Told(`--host knows ${Object.keys(hosts).join(', ')}.`);
  return { only, host: values.host, grep: values.grep };
}

main(async () => {
  const asked = chosen();
  const results = [];
  const step = async (name, body, needs = []) => {
    console.log(`\n── ${name} ${'─'.repeat(Math.max(3, 70 - name.length))}`);
    const began = Date.now();
    const result = { name, state: 'passed', passed: 0, failed: 0, skipped: 0, ms: 0, failures: [], skips: [] };
    const missing = needs.filter((other) => results.some((it) => it.name === other && it.state !== 'passed'));
    try {
      if (missing.length > 0) throw new Told(`Not run: ${missing.join(', ')} failed.`);
      const counts = await body();
      if (typeof counts === 'string') {
        result.state = `left out: ${counts}`;
      } else {
        Object.assign(result, {
          passed: counts.passes,
          failures: counts.failures,
          skips: counts.skips.map(({ title }) => title),
        });
        if (result.passed + result.failures.length + result.skips.length === 0 && asked.grep === undefined) {
          result.failures.push({ title: name, ms: 0, error: 'It ran no test.' });
        }
      }
    } catch (error) {
      result.failures.push({
        title: name,
        ms: 0,
        error: error instanceof Told ? error.message : (error.stack ?? String(error)),
      });
      console.error(result.failures.at(-1).error);
    }
    result.failed = result.failures.length;
    result.skipped = result.skips.length;
    if (result.failed > 0) result.state = 'FAILED';
    result.ms = Date.now() - began;
    results.push(result);
  };

  const prepared = async () => {
    await ensureInstalled();
    if (asked.only.some((kind) => kind === 'vscode' || kind === 'ui')) {
      await ensureDebian(debian);
      prefetch(asked);
    }
    return one;
  };
  await step('install', prepared);
  for (const { name, body, needs } of stepsFor(asked)) await step(name, body, needs);

  const sum = (field) => results.reduce((total, result) => total + result[field], 0);
  const total = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
  mkdirSync(path.join(root, 'out'), { recursive: true });
  writeFileSync(path.join(root, 'out/test-results.json'), `${JSON.stringify({ ...total, steps: results }, null, 2)}\n`);

  console.log(`\n── results ${'─'.repeat(63)}`);
  for (const { name, failures } of results) {
    for (const { title, error } of failures)
      console.log(`FAILED (${name}): ${title}\n${error.replace(/^/gm, '    ')}\n`);
  }
  printTable(results);
  const hasData = existsSync(dataFolder);
  const titles = [...new Set(results.flatMap(({ skips }) => skips))];
  const where = process.env.ASSAY_DATA === undefined ? '../shared/data, or ASSAY_DATA' : 'ASSAY_DATA';
  if (hasData)
    console.log(
      `\nReal data was there (${where}); ${titles.length} tests were skipped${titles.length > 0 ? `:\n  ${titles.join('\n  ')}` : '.'}`,
    );
  else console.log(`\n${titles.length} tests were skipped for want of data: there is no ${where}.`);
  console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  return total.failed === 0 ? 0 : 1;
});
