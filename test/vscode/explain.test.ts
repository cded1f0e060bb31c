import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, diagnose, hoverText, lenses, sample, scratchFile, until } from './host-tools';

const at = (line: number, character: number) => {
  const editor = vscode.window.activeTextEditor!;
  editor.selection = new vscode.Selection(line, character, line, character);
};

async function setting(name: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration('assay.attribution').update(name, value, vscode.ConfigurationTarget.Global);
}

describe('why: attributions', () => {
  afterEach(async () => {
    await setting('method', undefined);
    await setting('steps', undefined);
    await closeAll();
  });

  it('Explain Example: the words for and against, in the hover of that example only', async () => {
    const { document } = await diagnose(
      scratchFile('why.csv', 'text,label\n"A wonderful film, ""truly""",positive\nDull and endless,negative\n'),
    );
    at(1, 5);
    await vscode.commands.executeCommand('assay.explainExample');
    assert.match(await hoverText(document.uri, 1, 5), /for \*\*positive\*\*: \*\*wonderful\*\* \+\d/);
    assert.doesNotMatch(await hoverText(document.uri, 2, 3), /Integrated Gradients/);
  });

  it('of a relation, and of a document with several pairs the one at the cursor', async () => {
    for (const name of ['relations.jsonl', 'relations.docred.json', 'relations.semeval.txt', 'relations.brat.txt']) {
      const { document } = await diagnose(sample(name));
      const line = Array.from({ length: document.lineCount }, (_, index) => index).find((index) => {
        return /[a-z]{3}/.test(document.lineAt(index).text);
      })!;
      at(line, Math.floor(document.lineAt(line).text.length / 2));
      await vscode.commands.executeCommand('assay.explainExample');
      const card = await hoverText(document.uri, line, vscode.window.activeTextEditor!.selection.active.character);
      assert.match(card, /\*Integrated Gradients\* · the scores add up to/, name);
    }
  });

  it('the heat explains what is seen, and what is edited', async () => {
    const { document } = await diagnose(
      scratchFile('seen.csv', 'text,label\nA wonderful film,positive\nDull,negative\n'),
    );
    await vscode.commands.executeCommand('assay.toggleHeat');
    await until(
      () => hoverText(document.uri, 2, 1),
      (card) => /for \*\*negative\*\*: \*\*Dull\*\*/.test(card),
    );
    assert.ok((await lenses(document.uri)).includes('Heat: Integrated Gradients'));
    await vscode.window.activeTextEditor!.edit((edit) => edit.replace(new vscode.Range(2, 0, 2, 4), 'Superb'));
    const card = await until(
      () => hoverText(document.uri, 2, 1),
      (text) => /for \*\*positive\*\*: \*\*Superb\*\*/.test(text),
    );
    assert.match(card, /for \*\*positive\*\*: \*\*Superb\*\*/);
    await vscode.commands.executeCommand('assay.toggleHeat');
    assert.doesNotMatch(await hoverText(document.uri, 2, 1), /Integrated Gradients/);
  });

  it('follows the settings: another method, more steps', async () => {
    const { document } = await diagnose(
      scratchFile('steps.csv', 'text,label\nA wonderful film,positive\nDull,negative\n'),
    );
    await vscode.commands.executeCommand('assay.toggleHeat');
    await setting('method', 'occlusion');
    const card = await until(
      () => hoverText(document.uri, 1, 5),
      (text) => /\*Occlusion\*/.test(text),
    );
    assert.match(card, /for \*\*positive\*\*: \*\*wonderful\*\* \+\d/);
    assert.ok((await lenses(document.uri)).includes('Heat: Occlusion'));
  });
});
