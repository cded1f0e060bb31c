import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { closeAll, diagnose, headline, hoverText, lenses, open, sample, scratchFile, until } from './host-tools';

const scheme = 'assay-page';

/** Few texts, so that predicting a page takes no time. */
const texts = ['A wonderful film', 'Dull and endless', 'I would watch it again', 'The worst meal of the year'];
const row = (index: number) => ({
  id: `n${index + 1}`,
  text: texts[index % texts.length],
  label: index % 2 === 0 ? 'positive' : 'negative',
});
const rows = (count: number) => Array.from({ length: count }, (_, index) => row(index));

async function diagnoseFile(uri: vscode.Uri): Promise<vscode.TextEditor> {
  await vscode.commands.executeCommand('assay.openDataset', uri);
  return shown();
}

/** The page in the active editor. */
function shown(): vscode.TextEditor {
  const editor = vscode.window.activeTextEditor;
  assert.equal(editor?.document.uri.scheme, scheme);
  return editor!;
}

async function turn(command: string, ...args: unknown[]): Promise<vscode.TextDocument> {
  await vscode.commands.executeCommand(command, ...args);
  return shown().document;
}

const ids = ({ lineCount, lineAt }: vscode.TextDocument) =>
  [0, lineCount - 1].map((line) => (JSON.parse(lineAt(line).text) as { id: string }).id);

describe('files in pages', () => {
  afterEach(closeAll);

  it('a JSON list on one line opens in pages, one example a line, predicted', async () => {
    const file = scratchFile('one-line.json', JSON.stringify(rows(2500)));
    const { document } = await diagnoseFile(file);
    assert.match(document.uri.path, /one-line\.json \(page 1 of 3\)\.jsonl$/);
    assert.equal(document.lineCount, 1000);
    assert.deepEqual(JSON.parse(document.lineAt(41).text), { text: texts[1], label: 'negative', id: 'n42' });
    assert.match(await headline(document.uri), /^Assay: 1,000 examples · accuracy 1\.00/);
    const titles = await lenses(document.uri);
    assert.equal(titles[0], 'Page 1 of 3 · 1–1,000 of 2,500');
    assert.deepEqual(titles.slice(1, 3), ['Next Page', 'Go to Page…']);
    assert.match(await hoverText(document.uri, 41, 12), /\*\*negative \d\.\d\d\*\* · gold negative · line 42/);
  });

  it('pages are turned, up to the first and the last', async () => {
    const file = scratchFile('turned.json', JSON.stringify(rows(2500)));
    const first = (await diagnoseFile(file)).document;
    const second = await turn('assay.nextPage');
    assert.deepEqual(ids(second), ['n1001', 'n2000']);
    assert.match(await headline(second.uri), /1,000 examples · accuracy 1\.00/);
    const third = await turn('assay.nextPage');
    assert.deepEqual(ids(third), ['n2001', 'n2500']);
    assert.deepEqual((await lenses(third.uri)).slice(0, 3), [
      'Page 3 of 3 · 2,001–2,500 of 2,500',
      'Previous Page',
      'Go to Page…',
    ]);
    assert.equal((await turn('assay.nextPage')).uri.toString(), third.uri.toString());
    assert.deepEqual(ids(await turn('assay.previousPage')), ['n1001', 'n2000']);
    assert.equal((await turn('assay.goToPage', 1)).uri.toString(), first.uri.toString());
    assert.equal((await turn('assay.goToPage', 9)).uri.toString(), first.uri.toString(), 'there is no page 9');
    const pages = vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter(({ input }) => {
        return input instanceof vscode.TabInputText && input.uri.scheme === scheme;
      });
    assert.equal(pages.length, 1, 'a page takes the place of the one before');
  });

  it('a file over 50 MB, which no extension sees as a document', async function () {
    this.timeout(120_000);
    const note = 'x'.repeat(1000);
    const lines = Array.from({ length: 52_000 }, (_, index) => JSON.stringify({ ...row(index), note }));
    lines[1] = '{"text": "cut off';
    const { document } = await diagnoseFile(scratchFile('large.jsonl', `${lines.join('\n')}\n`));
    assert.match(document.uri.path, /page 1 of 52\)/);
    assert.match(await headline(document.uri), /1,000 examples .* \d+ data problems?/);
    const [problem] = await until(
      () => vscode.languages.getDiagnostics(document.uri),
      (found) => found.length > 0,
    );
    assert.match(problem?.message ?? '', /^Line 2: Not valid JSON/);
    assert.match(await hoverText(document.uri, 1, 3), /assay\/unreadable-row/);
    const last = await turn('assay.goToPage', 52);
    assert.deepEqual(ids(last), ['n51002', 'n52000']);
  });

  it('Parquet, with the labels that the file names', async () => {
    const { document } = await diagnoseFile(sample('reviews.parquet'));
    assert.equal(document.lineCount, 73);
    assert.match(await headline(document.uri), /73 examples · accuracy 0\.\d\d/);
    const titles = await lenses(document.uri);
    assert.equal(titles[0], 'Page 1 of 1 · 1–73 of 73');
    assert.ok(!titles.includes('Next Page'));
    assert.ok(titles.includes('text: text · gold: label'));
  });

  it('relations with their entities, several mentions and types', async () => {
    const entity = (name: string, positions: number[][]) => [name, `Q-${name}`, positions];
    const instance = (index: number) => ({
      tokens: ['Ada', 'met', 'Bo', ',', 'and', 'Ada', 'liked', 'Bo', String(index % 3)],
      h: entity('ada', [[0], [5]]),
      t: entity('bo', [[2], [7]]),
    });
    const instances = Array.from({ length: 800 }, (_, index) => instance(index));
    const { document } = await diagnoseFile(scratchFile('few.json', JSON.stringify({ P1: instances, P2: instances })));
    assert.match(document.uri.path, /page 1 of 2\)/);
    const first = JSON.parse(document.lineAt(0).text);
    assert.deepEqual(first.h.mentions, [
      [0, 3],
      [17, 20],
    ]);
    assert.match(await hoverText(document.uri, 0, 12), /head \*\*Ada\*\* · tail \*\*Bo\*\*/);
  });

  it('the file in the active editor too, where its line is too long to be drawn', async () => {
    const file = scratchFile('in-editor.json', JSON.stringify(rows(2500)));
    await open(file);
    await vscode.commands.executeCommand('assay.diagnoseDataset');
    assert.match(shown().document.uri.path, /in-editor\.json \(page 1 of 3\)/);
  });

  it('no page of what an editor shows well, and none of what is no dataset', async () => {
    const short = await diagnose(scratchFile('short.json', JSON.stringify(rows(10))));
    assert.equal(short.document.uri.scheme, 'file');
    await closeAll();
    const junk = scratchFile('junk.json', JSON.stringify(Array.from({ length: 60_000 }, (_, index) => index)));
    await vscode.commands.executeCommand('assay.openDataset', junk);
    assert.notEqual(vscode.window.activeTextEditor?.document.uri.scheme, scheme);
  });

  it('a page outlives its worker', async () => {
    const file = scratchFile('restarted.json', JSON.stringify(rows(2500)));
    await diagnoseFile(file);
    const { uri } = await turn('assay.nextPage');
    await vscode.commands.executeCommand('assay.restartWorker');
    const text = await until(
      () => hoverText(uri, 3, 12),
      (answer) => answer.includes('gold negative'),
    );
    assert.match(text, /gold negative · line 4/);
    assert.match((await lenses(uri))[0] ?? '', /^Page 2 of 3 · 1,001–2,000 of 2,500/);
  });
});

describe('a file of another encoding', () => {
  afterEach(closeAll);

  it('is read as the editor shows it', async () => {
    const lines = ['text,label', 'Café très déçu à Málaga,negative', 'Un été très agréable,positive'];
    const bytes = Buffer.from(`${lines.join('\n')}\n`, 'latin1');
    const { document } = await diagnose(scratchFile('latin.csv', bytes));
    const says = await hoverText(document.uri, 1, 20);
    assert.match(says, /gold negative · line 2/);
    assert.match(await headline(document.uri), /2 examples/);
    assert.equal(readFileSync(document.uri.fsPath).equals(bytes), true);
  });
});
