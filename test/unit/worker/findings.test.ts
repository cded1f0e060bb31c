import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defaultCheckSettings } from '../../../src/engine/datasets/checks/settings';
import type { FileRange } from '../../../src/protocol/dataset';
import type { CheckOptions, FindingGroup } from '../../../src/protocol/findings';
import type { FindingsChanged } from '../../../src/protocol/worker';
import { Service } from '../../../src/worker/service';

declare const ASSAY_ROOT: string;

const never = new AbortController().signal;
const uri = 'file:///nowhere/rows.jsonl';
const options: CheckOptions = { ...defaultCheckSettings, disabled: [] };
const worst = { kind: 'worst' } as FindingGroup;

const row = (text: string, label = 'positive') => JSON.stringify({ text, label });
const good = row('A wonderful film');
const empty = row('   ');
const broken = '{"text": "Cut off';

describe('the findings of an open dataset', () => {
  let told: FindingsChanged[];
  let waiting: (() => void)[];
  let logs: string[];

  function start(): Service {
    told = [];
    waiting = [];
    logs = [];
    return new Service(async (method, notice) => {
      if (method === 'log') logs.push((notice as { message: string }).message);
      if (method !== 'findings/changed') return;
      told.push(notice as FindingsChanged);
      for (const wake of waiting.splice(0)) wake();
    });
  }

  const opened = (service: Service, lines: readonly string[]) => {
    service.notices['dataset/text']({ uri, piece: `${lines.join('\n')}\n` });
    return service.requests['dataset/open'](
      { uri, name: 'rows.jsonl', version: 1, path: null, probe: null, choice: null },
      never,
    );
  };
  /** The last thing told, once it is told that all is checked. */
  async function rest(): Promise<FindingsChanged> {
    for (;;) {
      const last = told.at(-1);
      if (last !== undefined && !last.isChecking) return last;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  }
  const configure = async (service: Service, over: Partial<CheckOptions> = {}) => {
    await service.requests['checks/configure']({ uri, options: { ...options, ...over }, model: null }, never);
    return rest();
  };
  async function checked(lines: readonly string[]): Promise<Service> {
    const service = start();
    await opened(service, lines);
    await configure(service);
    return service;
  }
  const windowOf = (service: Service, group: FindingGroup, from = 0, count = 1000) =>
    service.requests['findings/window']({ uri, group, from, count }, never);
  const codes = async (service: Service, group = worst) =>
    (await windowOf(service, group)).findings.map(({ code, range }) => [code, range.startLine]);
  const edit = (service: Service, version: number, range: FileRange, text: string) =>
    service.requests['dataset/edit']({ uri, version, changes: [{ range, text }] }, never);
  const line = (number: number, from: number, to: number): FileRange => ({
    startLine: number,
    startChar: from,
    endLine: number,
    endChar: to,
  });

  it('of texts that share a record stand on the lines of the texts', async () => {
    const columns = {
      text: [
        'It was far away',
        ' ',
        'A fine film it was',
        ' ',
        'So long and goodbye',
        'We came back late',
        'Nobody knew',
      ],
      label: ['good', 'bad', 'good', 'bad', 'good', 'good', 'bad'],
    };
    const service = await checked([JSON.stringify(columns, null, 1)]);
    const on = async (start: number, end: number) =>
      (await service.requests['dataset/view']({ uri, lines: { start, end } }, never)).findings
        .filter(({ code }) => code === 'assay/empty-text')
        .map(({ range }) => range.startLine);
    assert.deepEqual(await on(0, 20), [3, 5]);
    assert.deepEqual(await on(3, 4), [3]);
    assert.deepEqual(await on(4, 5), []);
    assert.deepEqual(await on(5, 6), [5]);
  });

  it('of the reader and of the checks are one list in file order', async () => {
    const service = await checked([good, empty, broken, empty, good]);
    const { findings } = await service.requests['dataset/view']({ uri, lines: { start: 0, end: 5 } }, never);
    const all = findings
      .filter(({ code }) => code !== 'assay/duplicate')
      .map(({ code, range }) => [code, range.startLine]);
    assert.deepEqual(all, [
      ['assay/empty-text', 1],
      ['assay/unreadable-row', 2],
      ['assay/empty-text', 3],
    ]);
    const { findings: below } = await service.requests['dataset/view']({ uri, lines: { start: 3, end: 5 } }, never);
    assert.ok(below.every(({ range }) => range.endLine >= 3));
    assert.ok(below.some(({ code, range }) => code === 'assay/empty-text' && range.startLine === 3));
  });

  it('are counted by severity and by kind, the gravest kind first', async () => {
    const service = await checked([good, empty, broken]);
    const { counts } = await rest();
    assert.equal(counts.error, 1);
    assert.equal(counts.reviewed, 0);
    const { kinds, reviewedCount } = await service.requests['findings/kinds']({ uri }, never);
    assert.equal(reviewedCount, 0);
    assert.deepEqual(kinds[0], {
      code: 'assay/unreadable-row',
      title: 'Unreadable row',
      severity: 'error',
      count: 1,
      fixableCount: 0,
    });
    const emptyKind = kinds.find(({ code }) => code === 'assay/empty-text');
    assert.deepEqual([emptyKind?.count, emptyKind?.fixableCount], [1, 1]);
    assert.equal(
      counts.warning,
      kinds.filter(({ severity }) => severity === 'warning').reduce((a, k) => a + k.count, 0),
    );
  });

  it('come in windows of a kind', async () => {
    const service = await checked([good, ...Array.from({ length: 30 }, () => broken)]);
    const group: FindingGroup = { kind: 'code', code: 'assay/unreadable-row' };
    const part = await windowOf(service, group, 10, 5);
    assert.equal(part.total, 30);
    assert.deepEqual(
      part.findings.map(({ range }) => range.startLine),
      [11, 12, 13, 14, 15],
    );
    const one = part.findings[0]!;
    const found = await service.requests['findings/find']({ uri, id: one.id }, never);
    assert.deepEqual(found, one);
    assert.equal(await service.requests['findings/find']({ uri, id: 123_456 }, never), null);
  });

  it('stand where their rows stand while the file is edited, before anything is checked again', async () => {
    const service = await checked([good, empty, good]);
    await edit(service, 2, line(0, 0, 0), `${good}\n${good}\n`);
    const now = told.at(-1)!;
    assert.equal(now.version, 2);
    assert.equal(now.isChecking, true);
    assert.ok((await codes(service)).some(([code, at]) => code === 'assay/empty-text' && at === 3));
    // The row is filled in: its finding has gone at once.
    await edit(service, 3, line(3, 9, 12), 'Dull');
    assert.ok(!(await codes(service)).some(([code]) => code === 'assay/empty-text'));
    await rest();
    // Another row is emptied: found after the pause.
    await edit(service, 4, line(0, 9, 25), '');
    assert.ok((await rest()).version === 4);
    assert.ok((await codes(service)).some(([code, at]) => code === 'assay/empty-text' && at === 0));
  });

  it('are looked for again with other settings; a disabled kind is not told, the reader’s neither', async () => {
    const service = await checked([good, empty, broken]);
    await configure(service, { disabled: ['assay/empty-text', 'assay/unreadable-row', 'no/such-code'] });
    const left = (await codes(service)).map(([code]) => code);
    assert.ok(!left.includes('assay/empty-text') && !left.includes('assay/unreadable-row'));
    await configure(service);
    assert.ok((await codes(service)).some(([code]) => code === 'assay/empty-text'));
  });

  it('while it checks, what is asked is answered, and an edit begins anew', async () => {
    const service = start();
    const lines = Array.from({ length: 40_000 }, (_, index) => row(index % 4 === 0 ? '' : `A film, number ${index}`));
    await opened(service, lines);
    await service.requests['checks/configure']({ uri, options, model: null }, never);
    assert.equal(told.at(-1)!.isChecking, true);
    await edit(service, 2, line(0, 0, 0), `${empty}\n`);
    const { counts, version } = await rest();
    assert.equal(version, 2);
    const { kinds } = await service.requests['findings/kinds']({ uri }, never);
    assert.equal(kinds.find(({ code }) => code === 'assay/empty-text')?.count, 10_001);
    assert.ok(counts.warning >= 10_001);
  });

  it('end with the dataset', async () => {
    const service = start();
    await opened(
      service,
      Array.from({ length: 20_000 }, (_, index) => row(`A film, number ${index}`)),
    );
    await service.requests['checks/configure']({ uri, options, model: null }, never);
    service.notices['dataset/close']({ uri });
    const count = told.length;
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(told.length, count);
  });

  it('are stops of Next Finding unless they are mere information; an example is one stop', async () => {
    const service = await checked([good, empty, broken, row('Dull and endless', 'negative')]);
    const next = await service.requests['dataset/next'](
      { uri, position: { line: 0, char: 0 }, direction: 'next' },
      never,
    );
    assert.equal(next?.range.startLine, 1);
    assert.match(next?.message ?? '', /empty/);
    const after = await service.requests['dataset/next'](
      { uri, position: { line: 1, char: next!.range.startChar }, direction: 'next' },
      never,
    );
    assert.equal(after?.range.startLine, 2);
    const { findings } = await windowOf(service, worst);
    const stops = new Set(
      findings.filter(({ severity }) => severity !== 'information').map(({ range }) => range.startLine),
    );
    assert.equal(after?.total, stops.size);
  });

  describe('that need more than the file', () => {
    let folder: string;

    before(() => {
      folder = mkdtempSync(path.join(tmpdir(), 'assay-splits-'));
    });
    after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

    const openedFile = (service: Service, name: string) =>
      service.requests['dataset/open'](
        { uri, name, version: 1, path: path.join(folder, name), probe: null, choice: null },
        never,
      );

    it('speak of the other splits beside it, which are read once', async () => {
      const shared = row('The very same review stands in both files');
      writeFileSync(path.join(folder, 'film.train.jsonl'), `${good}\n${shared}\n`);
      writeFileSync(path.join(folder, 'film.test.jsonl'), `${shared}\n${row('Dull and endless', 'negative')}\n`);
      const service = start();
      await openedFile(service, 'film.test.jsonl');
      for (const _ of ['read', 'remembered']) {
        await configure(service);
        const { findings } = await windowOf(service, { kind: 'code', code: 'assay/leakage' });
        assert.deepEqual(
          findings.map(({ range, related }) => [range.startLine, related?.[0]?.file, related?.[0]?.range.startLine]),
          [[0, 'film.train.jsonl', 1]],
        );
      }
    });

    it('a split that cannot be read is left out, and logged', async () => {
      mkdirSync(path.join(folder, 'odd'));
      writeFileSync(path.join(folder, 'odd/film.train.json'), '{"no": "dataset"}');
      writeFileSync(path.join(folder, 'odd/film.test.json'), `[${good}, ${empty}]`);
      const service = start();
      const logged = logs;
      await openedFile(service, 'odd/film.test.json');
      await configure(service);
      assert.ok((await codes(service)).some(([code]) => code === 'assay/empty-text'));
      assert.ok(
        logged.some((message) => /film\.train\.json is not compared with/.test(message)),
        logged.join(),
      );
    });

    it('speak of what the chosen model cuts off', async () => {
      const service = start();
      await service.requests.initialize({ cacheFolder: path.join(folder, 'cache'), threads: 1 }, never);
      await opened(service, [good, row('A film that goes on and on. '.repeat(200)), row('Dull', 'negative')]);
      await configure(service);
      assert.ok(!(await codes(service)).some(([code]) => code === 'assay/truncated-input'));
      const model = { folder: path.join(ASSAY_ROOT, 'models/sentiment-minilm-sst2') };
      await service.requests['checks/configure']({ uri, options, model }, never);
      await rest();
      assert.ok((await codes(service)).some(([code, at]) => code === 'assay/truncated-input' && at === 1));
      // A folder that holds no model is told by whoever predicts with it.
      await service.requests['checks/configure']({ uri, options, model: { folder } }, never);
      await rest();
      assert.ok(!(await codes(service)).some(([code]) => code === 'assay/truncated-input'));
    });
  });

  describe('that were reviewed', () => {
    const file = 'data/rows.jsonl';
    const date = '2026-01-31';

    async function review(service: Service, text: string | null, ids: number[], isReviewed = true) {
      const change = await service.requests['reviewed/change']({ uri, ids, isReviewed, file, date, text }, never);
      assert.ok(change.kind === 'changed');
      assert.deepEqual(await service.requests['checks/reviewed']({ uri, file, text: change.text }, never), {
        kind: 'read',
      });
      return change;
    }
    const idOf = async (service: Service, code: string, group = worst) =>
      (await windowOf(service, group)).findings.find((finding) => finding.code === code)!.id;

    it('leave the list and are listed as such, with the text they speak of', async () => {
      const service = await checked([good, empty, broken]);
      const { text, count } = await review(service, null, [
        await idOf(service, 'assay/empty-text'),
        await idOf(service, 'assay/unreadable-row'),
      ]);
      assert.equal(count, 2);
      const written = JSON.parse(text);
      assert.equal(written.version, 1);
      assert.deepEqual(
        written.reviewed.map((entry: Record<string, string>) => [entry.code, entry.file, entry.text, entry.date]),
        [
          ['assay/empty-text', file, '   ', date],
          ['assay/unreadable-row', file, broken, date],
        ],
      );
      assert.equal(told.at(-1)!.counts.reviewed, 2);
      assert.ok(!(await codes(service)).some(([code]) => /empty|unreadable/.test(String(code))));
      assert.deepEqual(await codes(service, { kind: 'reviewed' }), [
        ['assay/empty-text', 1],
        ['assay/unreadable-row', 2],
      ]);
      const { findings } = await service.requests['dataset/view']({ uri, lines: { start: 1, end: 3 } }, never);
      assert.ok(!findings.some(({ code }) => /empty|unreadable/.test(code)));
    });

    it('stay so while rows move, and come back when their own row is edited', async () => {
      const service = await checked([good, empty, good]);
      await review(service, null, [await idOf(service, 'assay/empty-text')]);
      await edit(service, 2, line(0, 0, 0), `${good}\n`);
      assert.deepEqual(await codes(service, { kind: 'reviewed' }), [['assay/empty-text', 2]]);
      await edit(service, 3, line(2, 10, 12), '');
      await rest();
      assert.deepEqual(await codes(service, { kind: 'reviewed' }), []);
      assert.ok((await codes(service)).some(([code, at]) => code === 'assay/empty-text' && at === 2));
    });

    it('can be taken back; what was written by others stays', async () => {
      const service = await checked([good, empty]);
      const others = {
        $schema: 'x',
        version: 1,
        reviewed: [{ code: 'assay/html', key: 'k', file: 'a.csv', text: '', date, note: 'seen' }],
      };
      const marked = await review(service, JSON.stringify(others), [await idOf(service, 'assay/empty-text')]);
      assert.equal(JSON.parse(marked.text).reviewed.length, 2);
      const id = await idOf(service, 'assay/empty-text', { kind: 'reviewed' });
      const unmarked = await review(service, marked.text, [id], false);
      assert.equal(unmarked.count, 1);
      assert.deepEqual(JSON.parse(unmarked.text), others);
      assert.equal(told.at(-1)!.counts.reviewed, 0);
    });

    it('of another file are not meant', async () => {
      const service = await checked([good, empty]);
      const { text } = await review(service, null, [await idOf(service, 'assay/empty-text')]);
      await service.requests['checks/reviewed']({ uri, file: 'data/others.jsonl', text }, never);
      assert.equal(told.at(-1)!.counts.reviewed, 0);
    });

    it('follow a file or a folder that is renamed', async () => {
      const service = start();
      const entry = (name: string) => ({ code: 'assay/html', key: name, file: name, text: '', date });
      const names = ['data/a.csv', 'data/a.csv.bak', 'data/b.csv', 'other.csv'];
      const text = JSON.stringify({ version: 1, reviewed: names.map(entry) });
      const renamed = async (from: string, to: string) => {
        const change = await service.requests['reviewed/rename']({ text, from, to }, never);
        assert.ok(change.kind === 'changed');
        return [
          change.count,
          JSON.parse(change.text)
            .reviewed.map((each: { file: string }) => each.file)
            .sort(),
        ];
      };
      assert.deepEqual(await renamed('data/a.csv', 'c.csv'), [
        1,
        ['c.csv', 'data/a.csv.bak', 'data/b.csv', 'other.csv'],
      ]);
      assert.deepEqual(await renamed('data', 'sets'), [3, ['other.csv', 'sets/a.csv', 'sets/a.csv.bak', 'sets/b.csv']]);
      assert.equal((await renamed('nothing', 'x'))[0], 0);
    });

    it('a file that is broken is told, with the line, and not changed', async () => {
      const service = await checked([good, empty]);
      const text = '{\n  "version": 1,\n  "reviewed": [\n    {"code": "assay/html"\n  ]\n}\n';
      const reading = await service.requests['checks/reviewed']({ uri, file, text }, never);
      assert.ok(reading.kind === 'broken');
      assert.equal(reading.line, 5);
      const ids = [await idOf(service, 'assay/empty-text')];
      const change = await service.requests['reviewed/change']({ uri, ids, isReviewed: true, file, date, text }, never);
      assert.deepEqual(change, reading);
    });
  });
});
