import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { HostNotices, OpenParams, RunParams } from '../../../src/protocol/worker';
import { Service } from '../../../src/worker/service';

declare const ASSAY_ROOT: string;

const never = new AbortController().signal;
const model = { folder: path.join(ASSAY_ROOT, 'models/sentiment-minilm-sst2') };
const rows = [
  '{"text": "A wonderful film", "label": "positive"}',
  '{"text": "Dull and endless", "label": "negative"}',
  '{"text": "A \\"fine\\" \\ud83d\\ude00 surprise", "label": "negative"}',
  '{"text": "A wonderful film", "label": "negative"}',
  '{"text": "Cut off',
  '{"text": "I would watch it again", "label": "positive"}',
];
const uri = 'file:///rows.jsonl';

type Told = { [K in keyof HostNotices]: { method: K; notice: HostNotices[K] } }[keyof HostNotices];

describe('the worker answers', () => {
  let cacheFolder: string;
  let told: Told[];

  beforeEach(() => {
    cacheFolder = mkdtempSync(path.join(tmpdir(), 'assay-cache-'));
  });
  afterEach(() => rmSync(cacheFolder, { recursive: true, force: true, maxRetries: 5 }));

  async function start(): Promise<Service> {
    told = [];
    const service = new Service(async (method, notice) => {
      told.push({ method, notice } as Told);
    });
    await service.requests.initialize({ cacheFolder, threads: 2 }, never);
    return service;
  }
  const openParams = (text: string, service: Service): OpenParams => {
    service.notices['dataset/text']({ uri, piece: text });
    return { uri, name: 'rows.jsonl', version: 1, path: null, probe: null, choice: null };
  };
  const runParams = (over: Partial<RunParams> = {}): RunParams => ({
    uri,
    model,
    scope: { kind: 'all' },
    visible: null,
    rememberedLabels: [],
    suspects: [],
    guilty: [],
    ...over,
  });
  const opened = async (service: Service, text = rows.join('\n')) =>
    service.requests['dataset/open'](openParams(text, service), never);
  const view = async (service: Service) =>
    service.requests['dataset/view']({ uri, lines: { start: 0, end: 100 } }, never);
  const batches = () => told.flatMap((item) => (item.method === 'batch/starting' ? [item.notice.keys] : []));

  it('which other parts of the dataset stand beside it, for text that is not saved too', async () => {
    for (const name of ['film.train.jsonl', 'film.test.jsonl']) {
      writeFileSync(path.join(cacheFolder, name), rows.join('\n'));
    }
    const service = await start();
    const file = path.join(cacheFolder, 'film.test.jsonl');
    const params = { ...openParams(rows.join('\n'), service), uri: pathToFileURL(file).href, name: 'film.test.jsonl' };
    for (const from of [file, null]) {
      if (from === null) service.notices['dataset/text']({ uri: params.uri, piece: rows.join('\n') });
      const result = await service.requests['dataset/open']({ ...params, path: from }, never);
      assert.ok(result.kind === 'opened');
      assert.deepEqual(result.info.splits, [
        { split: 'train', name: 'film.train.jsonl', isThis: false },
        { split: 'test', name: 'film.test.jsonl', isThis: true },
      ]);
    }
    const alone = await opened(service);
    assert.ok(alone.kind === 'opened');
    assert.deepEqual(alone.info.splits, []);
  });

  it('names of relation ids from a file beside it, for text that is not saved too', async () => {
    writeFileSync(path.join(cacheFolder, 'pid2name.json'), '{"P1": ["met", "came upon"]}');
    const file = path.join(cacheFolder, 'people.json');
    const text = '{"P1": [{"tokens": ["Ada", "met", "Bo"], "h": ["ada", "Q1", [[0]]], "t": ["bo", "Q2", [[2]]]}]}';
    writeFileSync(file, text);
    const service = await start();
    for (const from of [file, null]) {
      if (from === null) service.notices['dataset/text']({ uri: pathToFileURL(file).href, piece: text });
      const params = { uri: pathToFileURL(file).href, name: 'people.json', version: 1, probe: null, choice: null };
      const result = await service.requests['dataset/open']({ ...params, path: from }, never);
      assert.ok(result.kind === 'opened');
      assert.deepEqual(result.info.labels, [{ label: 'met', count: 1, id: 'P1' }]);
    }
  });

  it('what stands on the lines', async () => {
    const service = await start();
    const result = await opened(service);
    assert.equal(result.kind, 'opened');
    const run = await service.requests['predict/run'](runParams(), never);
    assert.equal(run.summary.predictedCount, 5);
    assert.equal(run.summary.wrongCount, 2);
    // Rows 1 and 4 are the same input: asked once.
    assert.equal(run.classifiedCount, 4);
    assert.equal(run.reusedCount, 1);
    const shown = await view(service);
    assert.deepEqual(
      shown.examples.map((example) => example.state),
      ['right', 'right', 'wrong', 'wrong', 'right'],
    );
    assert.deepEqual(
      shown.findings.map((finding) => [finding.code, finding.range.startLine]),
      [['assay/unreadable-row', 4]],
    );
    // The details hang behind the closing quote of the text.
    const escaped = shown.examples[2];
    assert.ok(escaped !== undefined);
    assert.equal(rows[2]?.slice(0, escaped.detailsAt.char), '{"text": "A \\"fine\\" \\ud83d\\ude00 surprise"');
  });

  it('the aspect that a label is about', async () => {
    const service = await start();
    const text = 'The $T$ was cold .\nsoup\n-1\nThe $T$ was fine .\nwaiter\n1\n';
    assert.equal((await opened(service, text)).kind, 'opened');
    const shown = await view(service);
    assert.deepEqual(
      shown.examples.map(({ heads, tails, gold }) => [
        heads.map(({ startLine, startChar }) => [startLine, startChar]),
        tails,
        gold,
      ]),
      [
        [[[0, 4]], [], '-1'],
        [[[3, 4]], [], '1'],
      ],
    );
  });

  it('the card of a position, and the next finding from there, round and round', async () => {
    const service = await start();
    await opened(service);
    await service.requests['predict/run'](runParams(), never);
    const { cards } = await service.requests['dataset/cards']({ uri, position: { line: 2, char: 15 } }, never);
    assert.equal(cards.length, 1);
    assert.equal(cards[0]?.gold, 'negative');
    assert.equal(cards[0]?.prediction?.label, 'positive');
    const sum = cards[0]?.top.reduce((total, row) => total + row.probability, 0) ?? 0;
    assert.ok(Math.abs(sum + (cards[0]?.rest.probability ?? 0) - 1) < 1e-6);
    const stops: number[] = [];
    let position = { line: 0, char: 0 };
    for (let step = 0; step < 4; step++) {
      const next = await service.requests['dataset/next']({ uri, position, direction: 'next' }, never);
      assert.ok(next !== null);
      assert.equal(next.total, 3);
      stops.push(next.range.startLine);
      position = { line: next.range.startLine, char: next.range.startChar };
    }
    assert.deepEqual(stops, [2, 3, 4, 2]);
    const back = await service.requests['dataset/next'](
      { uri, position: { line: 2, char: 0 }, direction: 'previous' },
      never,
    );
    assert.equal(back?.range.startLine, 4);
  });

  it('an edit keeps what was predicted elsewhere', async () => {
    const service = await start();
    await opened(service);
    await service.requests['predict/run'](runParams(), never);
    const change = { range: { startLine: 1, startChar: 10, endLine: 1, endChar: 26 }, text: 'Short and lovely' };
    await service.requests['dataset/edit']({ uri, version: 2, changes: [change] }, never);
    const shown = await view(service);
    assert.equal(shown.version, 2);
    assert.deepEqual(
      shown.examples.map((example) => example.state),
      ['right', 'pending', 'wrong', 'wrong', 'right'],
    );
    const run = await service.requests['predict/run'](runParams(), never);
    assert.equal(run.classifiedCount, 1);
    assert.equal(run.summary.wrongCount, 3);
  });

  it('only what was edited, where that is asked', async () => {
    const service = await start();
    await opened(service);
    await service.requests['predict/run'](runParams({ scope: { kind: 'lines', lines: { start: 0, end: 1 } } }), never);
    const change = { range: { startLine: 1, startChar: 10, endLine: 1, endChar: 26 }, text: 'Short and lovely' };
    await service.requests['dataset/edit']({ uri, version: 2, changes: [change] }, never);
    const run = await service.requests['predict/run'](runParams({ scope: { kind: 'edited' } }), never);
    assert.equal(run.classifiedCount, 1);
    const shown = await view(service);
    assert.deepEqual(
      shown.examples.map((example) => example.state),
      ['right', 'wrong', 'pending', 'pending', 'pending'],
    );
  });

  it('the same from the cache on disk after a restart, without asking the model', async () => {
    const first = await start();
    await opened(first);
    const before = await first.requests['predict/run'](runParams(), never);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const second = await start();
    await opened(second);
    const after = await second.requests['predict/run'](runParams(), never);
    assert.equal(after.classifiedCount, 0);
    assert.deepEqual(batches(), []);
    assert.deepEqual(after.summary, before.summary);
  });

  it('suspects of a crash last and alone; the guilty are left out and said', async () => {
    const first = await start();
    await opened(first);
    await first.requests['predict/run'](runParams({ scope: { kind: 'lines', lines: { start: 1, end: 2 } } }), never);
    const dull = batches().flat();
    assert.equal(dull.length, 1);
    told = [];
    await first.requests['predict/run'](runParams({ scope: { kind: 'lines', lines: { start: 5, end: 6 } } }), never);
    const again = batches().flat();
    rmSync(cacheFolder, { recursive: true, force: true });

    const second = await start();
    await opened(second);
    const run = await second.requests['predict/run'](runParams({ suspects: [dull], guilty: again }), never);
    assert.deepEqual(batches().at(-1), dull);
    assert.ok(
      !batches()
        .slice(0, -1)
        .flat()
        .includes(dull[0] ?? ''),
    );
    assert.ok(
      !batches()
        .flat()
        .includes(again[0] ?? ''),
    );
    assert.equal(run.summary.predictedCount, 4);
    const shown = await view(second);
    assert.equal(shown.examples[4]?.state, 'problem');
    assert.deepEqual(
      shown.findings.map((finding) => finding.code),
      ['assay/unreadable-row', 'assay/crashes-the-model'],
    );
  });

  it('a run that is cancelled with what it has; no further batch starts', async () => {
    const service = await start();
    await opened(
      service,
      Array.from({ length: 300 }, (_, index) => `{"text": "film ${index} of a long list", "label": "positive"}`).join(
        '\n',
      ),
    );
    const abort = new AbortController();
    let started = 0;
    const counting = new Service(async (method) => {
      if (method === 'batch/starting' && ++started === 2) abort.abort();
    });
    await counting.requests.initialize({ cacheFolder, threads: 2 }, never);
    await opened(
      counting,
      Array.from({ length: 300 }, (_, index) => `{"text": "film ${index} of a long list", "label": "positive"}`).join(
        '\n',
      ),
    );
    const run = await counting.requests['predict/run'](runParams(), abort.signal);
    assert.equal(started, 2);
    assert.ok(run.summary.predictedCount > 0 && run.summary.predictedCount < 300);
  });

  it('visible lines first', async () => {
    const service = await start();
    await opened(
      service,
      Array.from({ length: 400 }, (_, index) => `{"text": "film ${index} of a long list", "label": "positive"}`).join(
        '\n',
      ),
    );
    let firstView: number[] | null = null;
    const abort = new AbortController();
    const watching = new Service(async (method) => {
      if (method !== 'batch/finished' || firstView !== null) return;
      setImmediate(async () => {
        const shown = await view(watching);
        firstView ??= shown.examples.flatMap((example, index) => (example.prediction === null ? [] : [index]));
        abort.abort();
      });
    });
    await watching.requests.initialize({ cacheFolder, threads: 2 }, never);
    const text = Array.from(
      { length: 400 },
      (_, index) => `{"text": "film ${index} of a long list", "label": "positive"}`,
    ).join('\n');
    service.notices['dataset/close']({ uri });
    await watching.requests['dataset/open'](openParams(text, watching), never);
    await watching.requests['predict/run'](runParams({ visible: { start: 90, end: 95 } }), abort.signal);
    assert.ok(firstView !== null);
    assert.deepEqual([...(firstView as number[])].slice(0, 5), [90, 91, 92, 93, 94]);
  });

  it('a file that is not what the editor shows with a request for the text', async () => {
    const service = await start();
    const file = path.join(cacheFolder, 'rows.jsonl');
    writeFileSync(file, rows.join('\n'));
    const params: OpenParams = {
      uri,
      name: 'rows.jsonl',
      version: 1,
      path: file,
      probe: { lineCount: rows.length, lines: [{ line: 1, text: rows[1] ?? '' }] },
      choice: null,
    };
    assert.equal((await service.requests['dataset/open'](params, never)).kind, 'opened');
    const other = { lineCount: rows.length, lines: [{ line: 1, text: 'something else' }] };
    assert.equal((await service.requests['dataset/open']({ ...params, probe: other }, never)).kind, 'differs');
  });

  it('what a folder lacks that holds no model', async () => {
    const service = await start();
    const inspection = await service.requests['model/inspect']({ folder: cacheFolder }, never);
    assert.equal(inspection.kind, 'notAModel');
    await opened(service);
    await assert.rejects(
      async () => service.requests['predict/run'](runParams({ model: { folder: cacheFolder } }), never),
      /config\.json/,
    );
  });
});
