// What the extension host loads (extensionTestsPath): runs the built suites with mocha and writes what happens, a JSON line an event,
// to the file named by ASSAY_TEST_EVENTS. The file, not the log, is what the runner believes: a host that dies leaves no `end` in it.
const fs = require('node:fs');
const path = require('node:path');
const Mocha = require('mocha');
const vscode = require('vscode');

const root = path.resolve(__dirname, '../../..');

function testFiles(folder) {
  return fs
    .readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.test.cjs'))
    .map((name) => path.join(folder, name))
    .sort();
}

/** The error and its stack, without the frames of the editor, of Node and of mocha. */
function asText(error) {
  if (error === undefined || error === null) return 'failed without an error';
  const text = error.stack ?? error.message ?? String(error);
  const foreign = /^\s+at .*(extensionHostProcess\.js|\(?node:|node_modules[\\/]mocha[\\/])/;
  return text
    .split('\n')
    .filter((line) => !foreign.test(line))
    .join('\n');
}

function run() {
  process.setSourceMapsEnabled(true);
  const file = process.env.ASSAY_TEST_EVENTS;
  if (file === undefined) return Promise.reject(new Error('ASSAY_TEST_EVENTS names no file'));
  const write = (event) => fs.appendFileSync(file, `${JSON.stringify(event)}\n`);
  const folder = process.env.ASSAY_TEST_FOLDER ?? path.join(root, 'out/test/vscode');
  return new Promise((resolve, reject) => {
    let failures = 0;
    try {
      const mocha = new Mocha({ ui: 'bdd', timeout: 60_000, reporter: function Silent() {} });
      if (process.env.ASSAY_TEST_GREP) mocha.grep(process.env.ASSAY_TEST_GREP);
      const files = testFiles(folder);
      for (const test of files) mocha.addFile(test);
      write({ event: 'start', files: files.length, vscode: vscode.version, node: process.version });
      const runner = mocha.run((count) => {
        write({ event: 'end', failures: count });
        if (count === 0) resolve();
        else reject(new Error(`${count} failed`));
      });
      runner.on('pass', (test) => write({ event: 'pass', title: test.fullTitle(), ms: test.duration }));
      runner.on('pending', (test) => write({ event: 'skip', title: test.fullTitle() }));
      runner.on('fail', (test, error) => {
        failures += 1;
        write({ event: 'fail', title: test.fullTitle(), ms: test.duration, error: asText(error) });
      });
    } catch (error) {
      // A suite that cannot even be loaded.
      write({ event: 'fail', title: 'loading the suites', error: asText(error) });
      write({ event: 'end', failures: failures + 1 });
      reject(error);
    }
  });
}

module.exports = { run };
