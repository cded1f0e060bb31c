import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  closeAll,
  diagnose,
  extensionId,
  headline,
  hover,
  hoverText,
  lenses,
  open,
  sample,
  scratchFile,
  until,
} from './host-tools';

describe('diagnose a dataset', () => {
  afterEach(closeAll);

  it('activates only when it is asked something, and registers every command it contributes', async () => {
    const extension = vscode.extensions.getExtension(extensionId);
    assert.ok(extension !== undefined);
    assert.equal(extension.isActive, false);
    await open(sample('sentiment.csv'));
    assert.equal(extension.isActive, false, 'opening a file is no request');
    await extension.activate();
    const registered = new Set(await vscode.commands.getCommands(true));
    const contributed: { command: string }[] = extension.packageJSON.contributes.commands;
    assert.ok(contributed.length >= 11);
    for (const { command } of contributed) assert.ok(registered.has(command), command);
  });

  it('predicts a sentiment file and says how well', async () => {
    const { document } = await diagnose(sample('sentiment.csv'));
    const summary = await headline(document.uri);
    assert.match(summary, /^Assay: \d+ examples · accuracy 0\.\d\d \[0\.\d\d–0\.\d\d\] · \d+ wrong/);
    assert.ok((await lenses(document.uri)).includes('text: text · gold: label'));
    const card = await hoverText(document.uri, 1, 3);
    assert.match(card, /\*\*(positive|negative) \d\.\d\d\*\* · gold (positive|negative) · line 2/);
    assert.match(card, /data:image\/svg\+xml;base64,/);
  });

  it('predicts a relation file; the hover names the entities', async () => {
    const { document } = await diagnose(sample('relations.jsonl'));
    assert.match(await headline(document.uri), /micro-F1 0\.\d\d \[.*macro-F1 0\.\d\d \[/);
    const first = JSON.parse(document.lineAt(0).text);
    const card = await hoverText(document.uri, 0, 20);
    const head = first.token.slice(first.h.pos[0], first.h.pos[1]).join(' ');
    assert.ok(card.includes(`head **${head}**`), card);
  });

  it('reads SemEval text, where a row is four lines', async () => {
    const { document } = await diagnose(sample('relations.semeval.txt'));
    const jsonl = await diagnose(sample('relations.jsonl'));
    // The same sentences in two formats.
    assert.equal(
      (await headline(document.uri)).replace(/ · \d+ data problems?/, ''),
      (await headline(jsonl.document.uri)).replace(/ · \d+ data problems?/, ''),
    );
  });

  it('reads a document that is in no file, and a file that was edited and not saved', async () => {
    const untitled = await vscode.workspace.openTextDocument({
      content: 'text,label\nA fine film,positive\nDull and endless,negative\n',
    });
    await vscode.window.showTextDocument(untitled);
    await vscode.commands.executeCommand('assay.diagnoseDataset');
    assert.match(await headline(untitled.uri), /2 examples · accuracy 1\.00/);

    const editor = await open(scratchFile('edited.csv', 'text,label\nA fine film,positive\n'));
    await editor.edit((edit) => edit.insert(new vscode.Position(2, 0), 'Dull and endless,positive\n'));
    await vscode.commands.executeCommand('assay.diagnoseDataset');
    assert.match(await headline(editor.document.uri), /2 examples · accuracy 0\.50 .* 1 wrong/);
  });

  it('leaves a file alone that is no dataset', async () => {
    const { document } = await open(scratchFile('settings.json', '{\n  "editor.fontSize": 12\n}\n'));
    await vscode.commands.executeCommand('assay.diagnoseDataset');
    assert.deepEqual(await lenses(document.uri), []);
    assert.deepEqual(await hover(document.uri, 1, 4), []);
  });

  it('marks a row that cannot be read, and reads all others', async () => {
    const rows = [
      '{"text": "A fine film", "label": "positive"}',
      '{"text": "Cut off',
      '{"text": "Dull and endless", "label": "negative"}',
    ];
    const { document } = await diagnose(scratchFile('broken.jsonl', `${rows.join('\n')}\n`));
    assert.match(await headline(document.uri), /2 examples .* 1 data problem/);
    assert.match(await hoverText(document.uri, 1, 3), /assay\/unreadable-row/);
    await vscode.commands.executeCommand('assay.nextFinding');
    assert.equal(vscode.window.activeTextEditor?.selection.active.line, 1);
  });

  it('shows bad bytes and reads on', async () => {
    const bytes = Buffer.concat([
      Buffer.from('text,label\nA f'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('ne film,positive\nDull and endless,negative\n'),
    ]);
    const { document } = await diagnose(scratchFile('bytes.csv', bytes));
    assert.match(await headline(document.uri), /2 examples/);
  });

  it('lets nothing of the dataset become markup or a command in the hover', async () => {
    const text = '![x](https://example.org/x.png) <img src=x> [run](command:workbench.action.quit) | **b** `c`';
    const { document } = await diagnose(
      scratchFile(
        'hostile.jsonl',
        `${JSON.stringify({ text: 'fine', label: text })}\n${JSON.stringify({ text, label: 'positive' })}\n`,
      ),
    );
    for (const line of [0, 1]) {
      const parts = await hover(document.uri, line, 12);
      const data = parts.filter(({ isTrusted }) => !isTrusted);
      const actions = parts.filter(({ isTrusted }) => isTrusted);
      assert.ok(data.length > 0 && actions.length > 0);
      for (const { value } of data) {
        assert.ok(!value.includes('](https'), value);
        assert.ok(!value.includes('](command'), value);
        assert.ok(!value.includes('<img'), value);
      }
      for (const { value, isTrusted } of actions) {
        assert.ok(!value.includes('quit'), value);
        const { enabledCommands } = isTrusted as { enabledCommands: string[] };
        assert.ok(enabledCommands.every((id) => id.startsWith('assay.')));
      }
    }
  });

  it('predicts again what is edited', async () => {
    const { document, edit } = await diagnose(
      scratchFile('live.csv', 'text,label\nA wonderful film,positive\nDull and endless,negative\n'),
    );
    assert.match(await headline(document.uri), /accuracy 1\.00/);
    await edit((builder) => builder.replace(new vscode.Range(1, 2, 1, 11), 'horrible'));
    const summary = await until(
      () => headline(document.uri),
      (text) => /accuracy 0\.50/.test(text),
    );
    assert.match(summary, /accuracy 0\.50 .* 1 wrong/);
    await edit((builder) => builder.insert(new vscode.Position(3, 0), 'A lovely surprise,positive\n'));
    assert.match(
      await until(
        () => headline(document.uri),
        (text) => /3 examples · accuracy/.test(text),
      ),
      /3 examples · accuracy 0\.67/,
    );
  });

  it('goes on when an edit breaks the file and another mends it', async () => {
    const { document, edit } = await diagnose(
      scratchFile('mend.jsonl', '{"text": "A wonderful film", "label": "positive"}\n'),
    );
    await edit((builder) => builder.delete(new vscode.Range(0, 48, 0, 49)));
    await until(
      () => headline(document.uri),
      (text) => !/accuracy/.test(text),
    );
    await edit((builder) => builder.insert(new vscode.Position(0, 48), '}'));
    assert.match(
      await until(
        () => headline(document.uri),
        (text) => /accuracy/.test(text),
      ),
      /1 example · accuracy 1\.00/,
    );
  });

  it('predicts nothing while typing where that is switched off', async () => {
    const { document, edit } = await diagnose(scratchFile('quiet.csv', 'text,label\nA wonderful film,positive\n'));
    const settings = vscode.workspace.getConfiguration('assay');
    await settings.update('livePrediction', false, vscode.ConfigurationTarget.Global);
    try {
      await edit((builder) => builder.replace(new vscode.Range(1, 2, 1, 11), 'horrible'));
      await until(
        () => hoverText(document.uri, 1, 4),
        (text) => /Not predicted yet/.test(text),
      );
      await new Promise((resolve) => setTimeout(resolve, 1000));
      assert.match(await hoverText(document.uri, 1, 4), /Not predicted yet/);
    } finally {
      await settings.update('livePrediction', undefined, vscode.ConfigurationTarget.Global);
    }
    await vscode.commands.executeCommand('assay.predict');
    assert.match(await hoverText(document.uri, 1, 4), /\*\*negative/);
  });

  it('stays when the language mode is changed', async () => {
    const { document } = await diagnose(scratchFile('mode.csv', 'text,label\nA wonderful film,positive\n'));
    await vscode.languages.setTextDocumentLanguage(document, 'json');
    assert.match(await headline(document.uri), /1 example · accuracy/);
  });

  it('predicts the selected lines only', async () => {
    const editor = await open(
      scratchFile('part.csv', 'text,label\nA wonderful film,positive\nDull and endless,negative\nLovely,positive\n'),
    );
    editor.selection = new vscode.Selection(1, 0, 2, 4);
    await vscode.commands.executeCommand('assay.predict');
    assert.match(await headline(editor.document.uri), /3 examples · 2 predicted · accuracy 1\.00/);
    assert.match(await hoverText(editor.document.uri, 3, 2), /Not predicted yet/);
  });

  it('goes on with the edited lines only where a selection was predicted', async () => {
    const editor = await open(
      scratchFile('some.csv', 'text,label\nA wonderful film,positive\nDull and endless,negative\nLovely,positive\n'),
    );
    editor.selection = new vscode.Selection(1, 0, 1, 4);
    await vscode.commands.executeCommand('assay.predict');
    await editor.edit((builder) => builder.insert(new vscode.Position(2, 0), 'Very '));
    const predicted = await until(
      () => hoverText(editor.document.uri, 2, 2),
      (text) => /\*\*negative/.test(text),
    );
    assert.match(predicted, /\*\*negative/);
    assert.match(await hoverText(editor.document.uri, 3, 2), /Not predicted yet/);
  });

  it('clears', async () => {
    const { document } = await diagnose(sample('sentiment.jsonl'));
    assert.notEqual(await headline(document.uri), '');
    await vscode.commands.executeCommand('assay.clear');
    assert.equal(await headline(document.uri), '');
    assert.deepEqual(await hover(document.uri, 0, 12), []);
  });
});
