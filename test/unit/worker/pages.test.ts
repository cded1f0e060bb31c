import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PageParams, PagingProgress } from '../../../src/protocol/pages';
import type { OpenParams } from '../../../src/protocol/worker';
import { Service } from '../../../src/worker/service';

const never = new AbortController().signal;
const uri = 'assay-page:/rows.json?page';

const rows = (count: number, label = 'pos') =>
  Array.from({ length: count }, (_, index) => ({
    text: `the film ${index} is fine`,
    label: index % 2 ? label : 'neg',
  }));

describe('the worker shows files in pages', () => {
  let folder: string;
  let progress: PagingProgress[];
  let service: Service;

  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'assay-pages-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  beforeEach(() => {
    progress = [];
    service = new Service(async (method, notice) => {
      if (method === 'pages/progress') progress.push(notice as PagingProgress);
    });
  });

  function file(name: string, content: string | Uint8Array): PageParams {
    const absolute = path.join(folder, name);
    writeFileSync(absolute, content);
    return { path: absolute, name, choice: null, index: 0 };
  }
  const openParams = (page: PageParams, text: string): OpenParams => {
    const lines = text.split('\n');
    const probe = { lineCount: lines.length, lines: [{ line: lines.length - 1, text: lines.at(-1)! }] };
    return { uri, name: 'page', version: 1, path: null, probe, choice: null, page };
  };

  it('finds them, reads one, and says of it what the whole file says', async () => {
    const page = { ...file('rows.json', JSON.stringify(rows(2500))), index: 2 };
    assert.equal(await service.requests['pages/why'](page, never), 'longLines');
    assert.deepEqual(await service.requests['pages/open'](page, never), {
      kind: 'opened',
      pageCount: 3,
      exampleCount: 2500,
    });
    const text = await service.requests['pages/read'](page, never);
    assert.equal(text.split('\n').length, 500);
    const opened = await service.requests['dataset/open'](openParams(page, text), never);
    assert.ok(opened.kind === 'opened');
    const { info } = opened;
    assert.deepEqual(info.page, { number: 3, pageCount: 3, firstExample: 2001, exampleCount: 2500 });
    assert.equal(info.exampleCount, 500);
    assert.equal(info.format, 'json');
    assert.deepEqual(
      info.candidates.map(({ name }) => name),
      ['text', 'label'],
    );
    assert.deepEqual(info.labels, [
      { label: 'neg', count: 1250 },
      { label: 'pos', count: 1250 },
    ]);
  });

  it('reads a page from the editor where that shows another text', async () => {
    const page = file('differs.json', JSON.stringify(rows(30)));
    const text = await service.requests['pages/read'](page, never);
    const shown = text.replaceAll('fine', 'poor');
    const differs = await service.requests['dataset/open'](openParams(page, shown), never);
    assert.equal(differs.kind, 'differs');
    service.notices['dataset/text']({ uri, piece: shown });
    const opened = await service.requests['dataset/open']({ ...openParams(page, shown), probe: null }, never);
    assert.ok(opened.kind === 'opened');
    const { cards } = await service.requests['dataset/cards']({ uri, position: { line: 4, char: 12 } }, never);
    assert.equal(cards[0]?.id, '5');
  });

  it('goes over a file again when it has changed, and not before', async () => {
    const page = file('changing.json', JSON.stringify(rows(1500)));
    const open = async () => service.requests['pages/open'](page, never);
    assert.deepEqual(await open(), { kind: 'opened', pageCount: 2, exampleCount: 1500 });
    const told = progress.length;
    assert.ok(told > 0);
    await open();
    assert.equal(progress.length, told, 'it was read again');
    writeFileSync(page.path, JSON.stringify(rows(10)));
    utimesSync(page.path, new Date(), new Date(Date.now() + 5000));
    assert.deepEqual(await open(), { kind: 'opened', pageCount: 1, exampleCount: 10 });
    await assert.rejects(async () => service.requests['pages/read']({ ...page, index: 1 }, never), /has 1 pages now/);
  });

  it('says why a file is no dataset, and which columns it has', async () => {
    const numbers = file('numbers.json', JSON.stringify(Array.from({ length: 60_000 }, (_, index) => index)));
    assert.equal(await service.requests['pages/why'](numbers, never), null);
    const refused = await service.requests['pages/open'](numbers, never);
    assert.ok(refused.kind === 'notADataset');
    const page = file('rows.json', JSON.stringify(rows(20)));
    const chosen = { ...page, choice: { task: 'sentiment', text: 'nothing' } as const };
    const without = await service.requests['pages/open'](chosen, never);
    assert.ok(without.kind === 'notADataset');
    assert.match(without.message, /"text", "label"/);
  });

  it('stops when it is told to', async () => {
    const text = rows(1000)
      .map((row) => JSON.stringify({ ...row, note: 'x'.repeat(5000) }))
      .join('\n');
    const page = file('long.jsonl', text);
    const abort = new AbortController();
    const stopped = new Service(async (method) => {
      if (method === 'pages/progress') abort.abort();
    });
    await assert.rejects(async () => stopped.requests['pages/open'](page, abort.signal), { name: 'AbortError' });
    assert.equal((await stopped.requests['pages/open'](page, never)).kind, 'opened');
  });

  it('reads a file of another encoding as the editor decodes it', async () => {
    const latin = 'text,label\nCafé très déçu à Málaga,neg\nUn été très agréable,pos\n';
    const { path: absolute } = file('latin.csv', Uint8Array.from(Buffer.from(latin, 'latin1')));
    const asShown = latin.replace(/[^\n -~]/g, '\ufffd').split('\n');
    const params: OpenParams = {
      uri: 'file:///latin.csv',
      name: 'latin.csv',
      version: 1,
      path: absolute,
      probe: { lineCount: 4, lines: asShown.map((text, line) => ({ line, text })) },
      choice: null,
    };
    const shown = await service.requests['dataset/open']({ ...params, encoding: 'utf8' }, never);
    assert.ok(shown.kind === 'opened');
    assert.equal(shown.info.encoding, 'UTF-8');
    assert.equal(shown.info.badBytes, 10);
    // Where it is not said what the editor decodes, the lines tell that the file holds another text.
    assert.equal((await service.requests['dataset/open'](params, never)).kind, 'differs');
    service.notices['dataset/text']({ uri: params.uri, piece: latin });
    const byText = { ...params, path: null, probe: null, encoding: 'iso88591' };
    const opened = await service.requests['dataset/open'](byText, never);
    assert.ok(opened.kind === 'opened');
    assert.equal(opened.info.encoding, 'Latin-1');
  });
});
