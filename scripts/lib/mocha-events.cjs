// A mocha reporter that also writes what happens to the file named by ASSAY_TEST_EVENTS, a JSON line an event, whatever process mocha
// runs in. The file, not the output, is what scripts/test.mjs believes: a process that dies leaves no `end` in it.
// On the screen it is mocha's own reporter of the name in ASSAY_TEST_REPORTER, or silent.
const fs = require('node:fs');
const { reporters } = require('mocha');

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

function writeEvent(event) {
  const file = process.env.ASSAY_TEST_EVENTS;
  if (file !== undefined) fs.appendFileSync(file, `${JSON.stringify(event)}\n`);
}

function EventsReporter(runner, options) {
  const shown = reporters[process.env.ASSAY_TEST_REPORTER];
  if (shown !== undefined) new shown(runner, options);
  runner.on('pass', (test) => writeEvent({ event: 'pass', title: test.fullTitle(), ms: test.duration ?? 0 }));
  runner.on('pending', (test) => writeEvent({ event: 'skip', title: test.fullTitle() }));
  runner.on('fail', (test, error) =>
    writeEvent({ event: 'fail', title: test.fullTitle(), ms: test.duration ?? 0, error: asText(error) }),
  );
  runner.on('end', () => writeEvent({ event: 'end' }));
}

module.exports = EventsReporter;
module.exports.asText = asText;
module.exports.writeEvent = writeEvent;
