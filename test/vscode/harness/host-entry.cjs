// What the extension host loads (extensionTestsPath): runs the built suites with mocha. It is told by the environment: ASSAY_TEST_EVENTS
// (where to write what happens, see mocha-events.cjs), ASSAY_TEST_GREP, ASSAY_TEST_FOLDER (another folder of *.test.cjs).
const fs = require('node:fs');
const path = require('node:path');
const Mocha = require('mocha');
const vscode = require('vscode');
const EventsReporter = require('../../../scripts/lib/mocha-events.cjs');

const root = path.resolve(__dirname, '../../..');

function testFiles(folder) {
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.test.cjs'))
    .map((name) => path.join(folder, name))
    .sort();
}

async function run() {
  process.setSourceMapsEnabled(true);
  EventsReporter.writeEvent({ event: 'start', vscode: vscode.version, node: process.version });
  let failures;
  try {
    const mocha = new Mocha({ ui: 'bdd', timeout: 60_000, reporter: EventsReporter });
    if (process.env.ASSAY_TEST_GREP) mocha.grep(process.env.ASSAY_TEST_GREP);
    for (const file of testFiles(process.env.ASSAY_TEST_FOLDER ?? path.join(root, 'out/test/vscode')))
      mocha.addFile(file);
    failures = await new Promise((resolve, reject) => {
      try {
        mocha.run(resolve);
      } catch (error) {
        reject(error);
      }
    });
  } catch (error) {
    // A suite that cannot even be loaded.
    EventsReporter.writeEvent({
      event: 'fail',
      title: 'loading the suites',
      ms: 0,
      error: EventsReporter.asText(error),
    });
    EventsReporter.writeEvent({ event: 'end' });
    throw error;
  }
  if (failures > 0) throw new Error(`${failures} failed`);
}

module.exports = { run };
