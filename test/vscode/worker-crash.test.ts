import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, diagnose, headline, hoverText, open, scratchFile, until, workerPids } from './host-tools';

/** Rows that no other test has put into the cache, so that the model has work to do when it is killed. */
function rows(count: number, seed: string): string {
  const subjects = ['The plot', 'Her performance', 'This sequel', 'The score', 'Every scene', 'The dialogue'];
  const verdicts = [
    'moves along nicely',
    'falls flat',
    'is a delight',
    'wears thin',
    'surprises',
    'is hard to sit through',
  ];
  const lines = ['text,label'];
  for (let index = 0; index < count; index++) {
    const text = `${subjects[index % 6]} of ${seed} number ${index} ${verdicts[Math.floor(index / 6) % 6]} before the credits roll at last`;
    lines.push(`${text},${index % 2 === 0 ? 'positive' : 'negative'}`);
  }
  return `${lines.join('\n')}\n`;
}

describe('a worker that is killed', () => {
  // Three crashes within three minutes would stop the worker: each test starts with none.
  beforeEach(async () => {
    await vscode.commands.executeCommand('assay.restartWorker');
  });
  afterEach(closeAll);

  it('is restarted in the middle of a run, which goes on and ends with the same results', async function () {
    if (process.platform === 'win32') this.skip();
    const count = 480;
    const content = rows(count, `kill ${Date.now()}`);
    const { document } = await open(scratchFile('killed.csv', content));
    const running = Promise.resolve(vscode.commands.executeCommand('assay.diagnoseDataset'));
    let isOver = false;
    void running.then(() => {
      isOver = true;
    });
    // Some of it is predicted, most of it is not.
    const partly = await until(
      () => headline(document.uri),
      (text) => /([1-9]\d*) predicted/.test(text),
    );
    assert.match(partly, /480 examples · \d+ predicted/);
    const [pid] = workerPids();
    assert.ok(pid !== undefined, 'no worker runs');
    process.kill(pid, 'SIGKILL');
    assert.equal(isOver, false, 'the run was over before the kill');
    await running;
    const after = await headline(document.uri);
    assert.match(after, /^Assay: 480 examples · accuracy/);
    const [next] = workerPids();
    assert.ok(next !== undefined && next !== pid, 'another worker runs');

    // The same rows, undisturbed, and under another name: all figures and the last row's probabilities agree.
    const calm = await diagnose(scratchFile('calm.csv', content));
    assert.equal(await headline(calm.document.uri), after);
    for (const line of [1, 240, count]) {
      const disturbed = await hoverText(document.uri, line, 5);
      assert.match(disturbed, /\*\*(positive|negative) \d\.\d\d\*\*/);
      assert.equal(await hoverText(calm.document.uri, line, 5), disturbed);
    }
  });

  it('is restarted when it dies idle; what was predicted comes back', async function () {
    if (process.platform === 'win32') this.skip();
    const { document } = await diagnose(scratchFile('idle.csv', rows(40, 'idle')));
    const before = await headline(document.uri);
    for (const pid of workerPids()) process.kill(pid, 'SIGKILL');
    await until(workerPids, (pids) => pids.length === 0);
    const card = await until(
      () => hoverText(document.uri, 3, 5),
      (text) => /\*\*(positive|negative) \d\.\d\d\*\*/.test(text),
    );
    assert.match(card, /\*\*(positive|negative) \d\.\d\d\*\*/);
    assert.equal(await headline(document.uri), before);
  });

  it('is started again by typing, which predicts the edited line', async function () {
    if (process.platform === 'win32') this.skip();
    const { document, edit } = await diagnose(
      scratchFile('typing.csv', 'text,label\nA wonderful film,positive\nDull and endless,negative\n'),
    );
    for (const pid of workerPids()) process.kill(pid, 'SIGKILL');
    await until(workerPids, (pids) => pids.length === 0);
    await edit((builder) => builder.replace(new vscode.Range(1, 2, 1, 11), 'horrible'));
    const card = await until(
      () => hoverText(document.uri, 1, 4),
      (text) => /\*\*negative/.test(text),
    );
    assert.match(card, /\*\*negative \d\.\d\d\*\*/);
    assert.match(
      await until(
        () => headline(document.uri),
        (text) => /accuracy 0\.50/.test(text),
      ),
      /2 examples · accuracy 0\.50/,
    );
  });

  it('ends when it is told to restart, and the open datasets are predicted again', async () => {
    const { document } = await diagnose(scratchFile('restart.csv', rows(20, 'restart')));
    const before = await headline(document.uri);
    const [pid] = workerPids();
    await vscode.commands.executeCommand('assay.restartWorker');
    assert.notEqual(workerPids()[0], pid);
    assert.equal(await headline(document.uri), before);
  });

  it('stays down after three crashes within three minutes, until it is told to restart', async function () {
    if (process.platform === 'win32') this.skip();
    const { document } = await diagnose(scratchFile('thrice.csv', rows(30, 'thrice')));
    const before = await headline(document.uri);
    for (let crash = 0; crash < 3; crash++) {
      // Asking for a card starts the next one, once the host has seen the last one end.
      const pids = await until(
        async () => {
          await hoverText(document.uri, 3, 5);
          return workerPids();
        },
        (found) => found.length > 0,
      );
      for (const pid of pids) process.kill(pid, 'SIGKILL');
      await until(workerPids, (found) => found.length === 0);
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
    await hoverText(document.uri, 3, 5);
    assert.deepEqual(workerPids(), []);
    await vscode.commands.executeCommand('assay.restartWorker');
    assert.equal(await headline(document.uri), before);
    assert.match(await hoverText(document.uri, 3, 5), /\*\*(positive|negative) \d\.\d\d\*\*/);
  });
});
