import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { closeAll, diagnose, headline, hover, hoverText, scratchFolder, until } from './host-tools';

const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
const reviewedFile = path.join(workspace, '.assay', 'reviewed.json');

const good = (text: string) => JSON.stringify({ text, label: 'positive' });
const empty = JSON.stringify({ text: '  ', label: 'negative' });
const broken = '{"text": "Cut off';

function file(name: string, lines: readonly string[], folder = workspace): vscode.Uri {
  const target = path.join(folder, name);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, `${lines.join('\n')}\n`);
  return vscode.Uri.file(target);
}

const problems = (uri: vscode.Uri) => vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'Assay');
const codeOf = ({ code }: vscode.Diagnostic) => (code as { value: string; target: vscode.Uri } | undefined)?.value;
const listed = (uri: vscode.Uri) => problems(uri).map((each) => [codeOf(each), each.range.start.line]);

/** The problems of a file, once they are what is awaited. */
async function problemsWhen(uri: vscode.Uri, isRight: (found: vscode.Diagnostic[]) => boolean) {
  const found = await until(() => problems(uri), isRight);
  assert.ok(isRight(found), JSON.stringify(listed(uri)));
  return found;
}
const has = (code: string, line: number) => (found: vscode.Diagnostic[]) =>
  found.some((each) => codeOf(each) === code && each.range.start.line === line);
const hasNot = (code: string) => (found: vscode.Diagnostic[]) => !found.some((each) => codeOf(each) === code);

function select(line: number): void {
  const editor = vscode.window.activeTextEditor!;
  editor.selection = new vscode.Selection(line, 1, line, 1);
}

describe('findings of a dataset', () => {
  afterEach(async () => {
    await closeAll();
    rmSync(path.join(workspace, '.assay'), { recursive: true, force: true });
  });

  it('are problems with severity, source and a link to their page', async () => {
    const { document } = await diagnose(file('problems.jsonl', [good('A fine film'), empty, broken]));
    await problemsWhen(document.uri, has('assay/empty-text', 1));
    const [unreadable] = await problemsWhen(document.uri, has('assay/unreadable-row', 2));
    assert.equal(codeOf(unreadable!), 'assay/unreadable-row', 'the gravest first');
    assert.equal(unreadable!.severity, vscode.DiagnosticSeverity.Error);
    const emptyText = problems(document.uri).find((each) => codeOf(each) === 'assay/empty-text')!;
    assert.equal(emptyText.severity, vscode.DiagnosticSeverity.Warning);
    const { target } = emptyText.code as { target: vscode.Uri };
    assert.equal(target.scheme, 'command');
    assert.equal(target.path, 'assay.explainFinding');
    assert.deepEqual(JSON.parse(decodeURIComponent(target.query)), ['assay/empty-text']);
    assert.match(await headline(document.uri), /2 data problems/);
  });

  it('follow their rows while the file is edited, and come and go with what is written', async () => {
    const { document, edit } = await diagnose(file('edited.jsonl', [good('A fine film'), empty]));
    await problemsWhen(document.uri, has('assay/empty-text', 1));
    await edit((builder) => builder.insert(new vscode.Position(0, 0), `${good('Dull')}\n`));
    await problemsWhen(document.uri, has('assay/empty-text', 2));
    await edit((builder) => builder.replace(new vscode.Range(2, 9, 2, 11), 'Endless'));
    await problemsWhen(document.uri, hasNot('assay/empty-text'));
    await edit((builder) => builder.replace(new vscode.Range(0, 9, 0, 13), ' '));
    await problemsWhen(document.uri, has('assay/empty-text', 0));
    await vscode.commands.executeCommand('undo');
    await problemsWhen(document.uri, hasNot('assay/empty-text'));
  });

  it('go with Clear, and with the file', async () => {
    const first = await diagnose(file('cleared.jsonl', [good('A fine film'), empty]));
    await problemsWhen(first.document.uri, has('assay/empty-text', 1));
    await vscode.commands.executeCommand('assay.clear');
    await problemsWhen(first.document.uri, (found) => found.length === 0);
    const second = await diagnose(file('closed.jsonl', [good('A fine film'), empty]));
    await problemsWhen(second.document.uri, has('assay/empty-text', 1));
    await closeAll();
    await problemsWhen(second.document.uri, (found) => found.length === 0);
  });

  it('are a thousand problems at most; one more says how many there are and where', async () => {
    const lines = Array.from({ length: 3000 }, (_, index) => (index % 2 === 0 ? good(`A film, ${index}`) : empty));
    lines[2901] = broken;
    const { document } = await diagnose(file('many.jsonl', lines));
    const found = await problemsWhen(document.uri, (all) => all.length === 1001);
    assert.equal(codeOf(found[0]!), 'assay/unreadable-row', 'the gravest is among them');
    const more = found.at(-1)!;
    assert.equal(more.severity, vscode.DiagnosticSeverity.Information);
    const left = Number(/([\d,]+) findings more in this file/.exec(more.message)?.[1]?.replace(',', ''));
    assert.ok(left >= 500, more.message);
    assert.match(more.message, /Assay view in the side bar/);
  });

  it('stand on pages too', async () => {
    const rows = Array.from({ length: 2500 }, (_, index) => ({
      text: index === 3 ? ' ' : `A film ${index}`,
      label: 'positive',
    }));
    await vscode.commands.executeCommand('assay.openDataset', file('paged.json', [JSON.stringify(rows)]));
    const { document } = vscode.window.activeTextEditor!;
    assert.equal(document.uri.scheme, 'assay-page');
    await problemsWhen(document.uri, has('assay/empty-text', 3));
    assert.match(await hoverText(document.uri, 3, 60), /Mark as reviewed/);
  });

  it('are said in the hover, with what can be done; not twice where VS Code says them', async () => {
    const { document } = await diagnose(file('hover.jsonl', [good('A fine film'), empty]));
    await problemsWhen(document.uri, has('assay/empty-text', 1));
    const problem = problems(document.uri).find((each) => codeOf(each) === 'assay/empty-text')!;
    const parts = await hover(document.uri, 1, problem.range.start.character);
    const said = parts.map(({ value }) => value).join('\n');
    assert.ok(!said.includes('says nothing'), 'the message is VS Code’s to say there');
    assert.match(said, /command:assay\.markReviewed/);
    assert.match(said, /command:assay\.explainFinding/);
  });

  it('every code has a page that opens', async () => {
    await vscode.commands.executeCommand('assay.explainFinding', 'assay/empty-text');
    const input = await until(
      () => vscode.window.tabGroups.activeTabGroup.activeTab,
      (tab) => /empty-text/.test(tab?.label ?? ''),
    );
    assert.match(input?.label ?? '', /empty-text/);
    await vscode.commands.executeCommand('assay.explainFinding', '../../package');
    assert.doesNotMatch(vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '', /package/);
  });

  it('speak of the other splits, as they are saved', async () => {
    const shared = good('The very same review stands in both files');
    const train = file('split.train.jsonl', [good('A fine film'), shared]);
    const { document } = await diagnose(file('split.test.jsonl', [shared, good('Dull and endless')]));
    const [leak] = await problemsWhen(document.uri, has('assay/leakage', 0));
    assert.equal(leak?.relatedInformation?.[0]?.location.uri.toString(), train.toString());
    assert.equal(leak?.relatedInformation?.[0]?.location.range.start.line, 1);
    const other = await vscode.workspace.openTextDocument(train);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(train, new vscode.Range(1, 9, 1, 42), 'Another one');
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.ok(await other.save());
    await problemsWhen(document.uri, hasNot('assay/leakage'));
  });

  it('are looked for as the settings say, at once', async () => {
    const { document } = await diagnose(file('settings.jsonl', [good('A fine film'), empty]));
    await problemsWhen(document.uri, has('assay/empty-text', 1));
    const settings = vscode.workspace.getConfiguration('assay.checks');
    await settings.update('disabled', ['assay/empty-text'], vscode.ConfigurationTarget.Global);
    try {
      await problemsWhen(document.uri, hasNot('assay/empty-text'));
    } finally {
      await settings.update('disabled', undefined, vscode.ConfigurationTarget.Global);
    }
    await problemsWhen(document.uri, has('assay/empty-text', 1));
  });
});

describe('quick fixes', () => {
  afterEach(closeAll);

  const actionsAt = (uri: vscode.Uri, line: number, character = 0) =>
    vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      uri,
      new vscode.Range(line, character, line, character),
      vscode.CodeActionKind.QuickFix.value,
    );
  const titled = (actions: vscode.CodeAction[], title: RegExp) => actions.find((action) => title.test(action.title));
  const run = (action: vscode.CodeAction | undefined) => {
    assert.ok(action?.command !== undefined, 'no such quick fix is offered');
    return vscode.commands.executeCommand(action.command.command, ...(action.command.arguments ?? []));
  };
  const anyFilm = (index: number) =>
    good(`Number ${index} is ${['a fine film', 'dull', 'lovely', 'too long'][index % 4]}`);

  it('take out the row, and nothing else; Undo brings it back', async () => {
    const lines = [good('A fine film'), `  ${empty}`, good('Dull and endless')];
    const { document } = await diagnose(file('fix.jsonl', lines));
    await problemsWhen(document.uri, has('assay/empty-text', 1));
    const before = document.getText();
    const action = titled(await actionsAt(document.uri, 1), /^Remove this row$/);
    await run(action);
    assert.equal(document.getText(), before.replace(`  ${empty}\n`, ''));
    await problemsWhen(document.uri, hasNot('assay/empty-text'));
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), before);
    await problemsWhen(document.uri, has('assay/empty-text', 1));
  });

  it('all of a kind are one edit, in a pretty list too, up to its last row', async () => {
    const films = ['A fine film', 'Dull and endless', 'Simply lovely', 'Too long by half', 'I would see it again'];
    const texts = [...films, ' ', 'The worst of the year', '  ', '\t', 'A quiet ending', ' ', '  '];
    const rows = texts.map((text, index) => ({ text, label: index % 2 === 0 ? 'positive' : 'negative' }));
    const { document } = await diagnose(file('fix-all.json', [JSON.stringify(rows, null, 2)]));
    await problemsWhen(document.uri, (found) => found.some((each) => codeOf(each) === 'assay/empty-text'));
    const before = document.getText();
    const { start } = problems(document.uri).find((each) => codeOf(each) === 'assay/empty-text')!.range;
    await run(
      titled(
        await actionsAt(document.uri, start.line, start.character),
        /^Fix all of this kind in the file \(assay\/empty-text, 5/,
      ),
    );
    const left = rows.filter(({ text }) => text.trim() !== '');
    assert.equal(document.getText(), `${JSON.stringify(left, null, 2)}\n`);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), before);
  });

  it('are worked out for what stands there now, though it was edited since they were offered', async () => {
    const { document, edit } = await diagnose(file('moved.jsonl', [anyFilm(0), empty, anyFilm(1)]));
    await problemsWhen(document.uri, has('assay/empty-text', 1));
    const action = titled(await actionsAt(document.uri, 1), /^Remove this row$/);
    await edit((builder) => builder.insert(new vscode.Position(0, 0), `${anyFilm(2)}\n`));
    await run(action);
    assert.equal(document.getText(), `${[anyFilm(2), anyFilm(0), anyFilm(1)].join('\n')}\n`);
    // And once more: it has gone.
    await run(action);
    assert.equal(document.lineCount, 4);
  });

  it('are not offered on pages, which cannot be edited; what is reviewed is', async () => {
    const rows = Array.from({ length: 4000 }, (_, index) => ({
      text: index === 3 ? ' ' : `A film ${index}`,
      label: 'good',
    }));
    await vscode.commands.executeCommand('assay.openDataset', file('page-fix.json', [JSON.stringify(rows)]));
    const { document } = vscode.window.activeTextEditor!;
    await problemsWhen(document.uri, has('assay/empty-text', 3));
    const actions = await actionsAt(document.uri, 3);
    assert.equal(titled(actions, /Remove|Fix all/), undefined);
    assert.ok(titled(actions, /^Mark as Reviewed \(assay\/empty-text\)/));
  });
});

describe('findings that were reviewed', () => {
  afterEach(async () => {
    await closeAll();
    rmSync(path.join(workspace, '.assay'), { recursive: true, force: true });
  });

  const reviewed = () => JSON.parse(readFileSync(reviewedFile, 'utf8')).reviewed as Record<string, string>[];

  async function emptyMarked(name: string): Promise<vscode.TextDocument> {
    const { document } = await diagnose(file(name, [good('A fine film'), empty, good('Dull')]));
    await problemsWhen(document.uri, has('assay/empty-text', 1));
    select(1);
    const others = problems(document.uri).filter((each) => each.range.start.line === 1);
    assert.equal(others.length, 1, `one finding is on the line, so that no question is asked: ${listed(document.uri)}`);
    await vscode.commands.executeCommand('assay.markReviewed');
    await problemsWhen(document.uri, hasNot('assay/empty-text'));
    return document;
  }

  it('are written to .assay/reviewed.json, told no more, and counted', async () => {
    const document = await emptyMarked('data/marked.jsonl');
    const [entry] = reviewed();
    assert.equal(entry?.code, 'assay/empty-text');
    assert.equal(entry?.file, 'data/marked.jsonl');
    assert.equal(entry?.text, '  ');
    assert.match(entry?.date ?? '', /^\d{4}-\d{2}-\d{2}$/);
    const summary = await until(
      () => headline(document.uri),
      (text) => / · 1 reviewed/.test(text),
    );
    assert.match(summary, / · 1 reviewed/);
    assert.doesNotMatch(summary, /data problem/);
  });

  it('stay so after the file is opened again, and when the entry is taken out of the file they are told again', async () => {
    const { uri } = await emptyMarked('reopened.jsonl');
    await closeAll();
    await diagnose(uri);
    await until(
      () => headline(uri),
      (text) => / · 1 reviewed/.test(text),
    );
    assert.ok(hasNot('assay/empty-text')(problems(uri)));
    // As by `git checkout`.
    writeFileSync(reviewedFile, '{"version": 1, "reviewed": []}\n');
    await problemsWhen(uri, has('assay/empty-text', 1));
  });

  it('a broken file is not overwritten, and nothing counts as reviewed until it is mended', async () => {
    const { uri } = await emptyMarked('mended.jsonl');
    const text = readFileSync(reviewedFile, 'utf8');
    const conflict = text.replace('    {', '<<<<<<< HEAD\n    {');
    writeFileSync(reviewedFile, conflict);
    await problemsWhen(uri, has('assay/empty-text', 1));
    select(1);
    await vscode.commands.executeCommand('assay.markReviewed');
    assert.equal(readFileSync(reviewedFile, 'utf8'), conflict);
    assert.ok(has('assay/empty-text', 1)(problems(uri)));
    writeFileSync(reviewedFile, text);
    await problemsWhen(uri, hasNot('assay/empty-text'));
  });

  it('follow the file when it is renamed', async () => {
    const { uri } = await emptyMarked('renamed/before.jsonl');
    const after = vscode.Uri.joinPath(uri, '..', 'after.jsonl');
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(uri, after, { overwrite: true });
    await vscode.workspace.applyEdit(edit);
    await until(
      () => reviewed()[0]?.file,
      (name) => name === 'renamed/after.jsonl',
    );
    assert.equal(reviewed()[0]?.file, 'renamed/after.jsonl');
    await diagnose(after);
    const summary = await until(
      () => headline(after),
      (text) => / · 1 reviewed/.test(text),
    );
    assert.match(summary, / · 1 reviewed/);
  });

  it('of a file in no folder of the window are kept beside it', async () => {
    const folder = scratchFolder('alone');
    const { document } = await diagnose(file('alone.jsonl', [good('A fine film'), empty], folder));
    await problemsWhen(document.uri, has('assay/empty-text', 1));
    // The file is there already: no question is asked.
    const kept = path.join(folder, '.assay', 'reviewed.json');
    mkdirSync(path.dirname(kept));
    writeFileSync(kept, '{"version": 1, "reviewed": []}');
    select(1);
    await vscode.commands.executeCommand('assay.markReviewed');
    await problemsWhen(document.uri, hasNot('assay/empty-text'));
    assert.equal(JSON.parse(readFileSync(kept, 'utf8')).reviewed[0].file, 'alone.jsonl');
  });

  it('VS Code knows what may stand in the file', async () => {
    const faults = async (content: unknown) => {
      mkdirSync(path.dirname(reviewedFile), { recursive: true });
      writeFileSync(reviewedFile, JSON.stringify(content));
      const document = await vscode.workspace.openTextDocument(vscode.Uri.file(reviewedFile));
      await vscode.window.showTextDocument(document);
      return document.uri;
    };
    const entry = {
      code: 'assay/duplicate',
      key: '0123456789abcdef0123456789abcdef',
      file: 'a.csv',
      text: 'A fine film',
      date: '2026-01-31',
    };
    const { date: _, ...undated } = entry;
    const uri = await faults({ version: 2, reviewed: [undated, { ...entry, key: 'x' }, { ...entry, file: '' }] });
    const told = await until(
      () => vscode.languages.getDiagnostics(uri).map(({ message }) => message),
      (messages) => messages.length >= 4,
    );
    assert.equal(told.length, 4, told.join('\n'));
    assert.ok(
      told.some((message) => /"date"/.test(message)),
      told.join('\n'),
    );
    await closeAll();
    await faults({ version: 1, reviewed: [entry, { ...entry, note: 'twice on purpose' }] });
    const left = await until(
      () => vscode.languages.getDiagnostics(uri),
      (all) => all.length === 0,
    );
    assert.deepEqual(left, []);
  });
});
