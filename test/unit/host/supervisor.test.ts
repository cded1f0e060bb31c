import assert from 'node:assert/strict';
import path from 'node:path';
import { Supervisor, WorkerBroken } from '../../../src/host/worker/supervisor';
import { Cancelled, WorkerLost } from '../../../src/host/worker/worker-process';

declare const ASSAY_ROOT: string;

const script = path.join(ASSAY_ROOT, 'test/fixtures/workers/fake-worker.cjs');

describe('supervisor', () => {
  let supervisor: Supervisor;
  let crashes: { how: string; willRestart: boolean }[];

  function start(options: { cacheFolder?: string; idleMs?: number } = {}): Supervisor {
    crashes = [];
    supervisor = new Supervisor(
      {
        script,
        idleMs: options.idleMs ?? 60_000,
        workerOptions: () => ({ cacheFolder: options.cacheFolder ?? '', threads: 1 }),
      },
      {
        crashed: (how, willRestart) => crashes.push({ how, willRestart }),
        progress: () => {},
        attributionProgress: () => {},
        robustnessProgress: () => {},
        findingsChanged: () => {},
        pagesProgress: () => {},
        log: () => {},
      },
    );
    return supervisor;
  }
  const view = (uri: string, signal?: AbortSignal): Promise<unknown> =>
    supervisor.request('dataset/view', { uri, lines: { start: 0, end: 1 } }, signal === undefined ? {} : { signal });
  const run = () =>
    supervisor.request('predict/run', {
      uri: 'u',
      model: { folder: '' },
      scope: { kind: 'all' },
      visible: null,
      rememberedLabels: [],
      suspects: supervisor.blameOf('u').suspects.map((suspect) => [...suspect.keys]),
      guilty: [],
    });

  afterEach(() => supervisor.dispose());

  it('keeps typed arrays typed across the wire', async () => {
    start();
    const answer = (await view('numbers')) as { numbers: Float32Array };
    assert.ok(answer.numbers instanceof Float32Array);
    assert.deepEqual([...answer.numbers], [0.5, -1]);
  });

  it("forks as plain Node, without the host's own flags", async () => {
    start();
    assert.deepEqual(await view('flags'), { execArgv: [], asNode: '1' });
  });

  it('rejects what was asked of a worker that dies, says so, and starts another', async () => {
    start();
    const first = await supervisor.ensure();
    const pending = view('wait');
    await assert.rejects(view('die'), WorkerLost);
    await assert.rejects(pending, WorkerLost);
    assert.deepEqual(crashes, [{ how: 'SIGKILL', willRestart: true }]);
    await view('numbers');
    assert.equal((await supervisor.ensure()).generation, first.generation + 1);
  });

  it('stays down after three crashes, until it is restarted', async () => {
    start();
    for (let crash = 0; crash < 3; crash++) await assert.rejects(view('die'), WorkerLost);
    await assert.rejects(view('numbers'), WorkerBroken);
    assert.deepEqual(
      crashes.map((crash) => crash.willRestart),
      [true, true, false],
    );
    await supervisor.restart();
    await view('numbers');
  });

  it('knows the batch that was in flight', async () => {
    start();
    await assert.rejects(run(), WorkerLost);
    assert.deepEqual(supervisor.blameOf('u').suspects, [{ keys: ['also good', 'poison'], crashes: 1 }]);
    await assert.rejects(run(), WorkerLost);
    assert.deepEqual(
      supervisor.blameOf('u').suspects.map((suspect) => suspect.keys),
      [['also good'], ['poison']],
    );
  });

  it('asks no other process what only one that has gone could know', async () => {
    start();
    const { generation, process: first } = await supervisor.ensure();
    const ask = () =>
      supervisor.request('dataset/view', { uri: 'numbers', lines: { start: 0, end: 1 } }, { generation });
    await ask();
    await assert.rejects(view('die'), WorkerLost);
    await first.exited;
    await assert.rejects(ask(), WorkerLost);
    await view('numbers');
    await assert.rejects(ask(), WorkerLost);
  });

  it('carries cancellation to the worker', async () => {
    start();
    const abort = new AbortController();
    const pending = view('wait', abort.signal);
    setTimeout(() => abort.abort(), 50);
    await assert.rejects(pending, Cancelled);
  });

  it('rejects, and does not hang, when the worker cannot be initialised', async () => {
    start({ cacheFolder: 'refuse' });
    await assert.rejects(view('numbers'), /the cache folder is refused/);
  });

  it('ends an idle worker without calling it a crash', async () => {
    start({ idleMs: 30 });
    const { process: first } = await supervisor.ensure();
    await first.exited;
    assert.deepEqual(crashes, []);
    await view('numbers');
  });
});
