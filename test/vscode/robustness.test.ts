import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { closeAll, diagnose, hoverText, lenses, sample, scratchFile, scratchFolder } from './host-tools';

const select = (from: number, to: number) => {
  vscode.window.activeTextEditor!.selection = new vscode.Selection(from, 0, to, 1);
};
const test = () => vscode.commands.executeCommand('assay.testRobustness');

/** Words that turn the label, so that what fails is known. */
const suite = {
  version: 1,
  tests: [{ perturbation: 'case' }],
  perturbations: [
    { id: 'spite', name: 'Spite', replace: [{ words: ['wonderful'], by: ['horrible'] }] },
    { id: 'nothing', replace: [{ words: ['xyzzy'], by: ['x'] }] },
  ],
};

describe('what breaks it: robustness', () => {
  let folder: string;
  before(() => {
    // Outside of the workspace a suite lies beside its dataset.
    folder = scratchFolder('suite');
    mkdirSync(path.join(folder, '.assay'), { recursive: true });
  });
  const file = (name: string, content: string) => {
    writeFileSync(path.join(folder, name), content);
    return vscode.Uri.file(path.join(folder, name));
  };
  const writeSuite = (content: string) => writeFileSync(path.join(folder, '.assay/suite.json'), content);
  afterEach(async () => {
    await closeAll();
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('the selected lines: each failing variant is in the hover of its example, with what was changed', async () => {
    writeSuite(JSON.stringify(suite));
    const { document } = await diagnose(
      file('films.csv', 'text,label\nA wonderful film,positive\nDull and endless,negative\n'),
    );
    assert.ok((await lenses(document.uri)).includes('Test Robustness'));
    select(1, 2);
    await test();
    assert.match(
      await hoverText(document.uri, 1, 5),
      /\*\*1 of \d variants fail\*\*\s+- \*Spite\*: A ~~wonderful~~\*\*horrible\*\* film → \*\*negative\*\* 0\.\d\d/,
    );
    assert.match(await hoverText(document.uri, 2, 5), /\*All \d variants hold\.\*/);
    assert.ok((await lenses(document.uri)).includes('1 of 2 tests passed'));
    await vscode.commands.executeCommand('assay.nextFailing');
    assert.equal(vscode.window.activeTextEditor!.selection.active.line, 1);
  });

  it('an example that is edited is untested again, the others stay', async () => {
    writeSuite(JSON.stringify(suite));
    const { document } = await diagnose(
      file('edited.csv', 'text,label\nA wonderful film,positive\nA wonderful day,positive\n'),
    );
    select(1, 2);
    await test();
    await vscode.window.activeTextEditor!.edit((edit) => edit.insert(new vscode.Position(1, 0), 'Truly: '));
    assert.doesNotMatch(await hoverText(document.uri, 1, 9), /variants fail/);
    assert.match(await hoverText(document.uri, 2, 5), /variants fail/);
  });

  it('a suite that cannot be used tests nothing, and leaves what was found', async () => {
    writeSuite(JSON.stringify(suite));
    const { document } = await diagnose(file('bad.csv', 'text,label\nA wonderful film,positive\nDull,negative\n'));
    select(1, 2);
    await test();
    writeSuite('{ "version": 1, "tests": [{ "perturbation": "tipos" }] }');
    await test();
    assert.match(await hoverText(document.uri, 1, 5), /\*\*1 of \d variants fail\*\*/);
    assert.ok((await lenses(document.uri)).includes('1 of 2 tests passed'));
  });

  it('the quick suite on relations', async () => {
    const { document } = await diagnose(sample('relations.jsonl'));
    select(0, 3);
    await test();
    const card = await hoverText(document.uri, 0, 20);
    assert.match(card, /variants (?:fail|hold)/);
    assert.ok((await lenses(document.uri)).some((title) => /^\d+ of \d+ tests passed$/.test(title)));
  });

  it('one example by its link in the hover', async () => {
    const { document } = await diagnose(
      scratchFile('one.csv', 'text,label\nA wonderful film,positive\nDull,negative\n'),
    );
    await vscode.commands.executeCommand('assay.testRobustness', { line: 2, char: 1 });
    assert.match(await hoverText(document.uri, 2, 1), /variants (?:fail|hold)/);
    assert.doesNotMatch(await hoverText(document.uri, 1, 5), /variants/);
  });
});
