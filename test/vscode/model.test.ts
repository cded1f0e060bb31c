import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import {
  closeAll,
  diagnose,
  headline,
  hoverText,
  lenses,
  open,
  sample,
  scratchFile,
  scratchFolder,
  until,
} from './host-tools';

declare const ASSAY_ROOT: string;

const ownModel = path.join(ASSAY_ROOT, '../shared/models/relation-minilm-wiki16');

/** Two sentences of ours with labels of that model. */
const family = [
  {
    token: ['Anna', 'married', 'the', 'painter', 'Paul', 'Weber', 'in', '1911', '.'],
    h: { name: 'anna', pos: [0, 1] },
    t: { name: 'paul weber', pos: [4, 6] },
    relation: 'spouse',
  },
  {
    token: ['The', 'Linden', 'Bridge', 'crosses', 'the', 'river', 'Aare', '.'],
    h: { name: 'linden bridge', pos: [1, 3] },
    t: { name: 'aare', pos: [6, 7] },
    relation: 'crosses',
  },
];

describe('select a model', () => {
  afterEach(async () => {
    const target = vscode.workspace.workspaceFolders?.length
      ? vscode.ConfigurationTarget.Workspace
      : vscode.ConfigurationTarget.Global;
    await vscode.workspace.getConfiguration('assay').update('models.relation', undefined, target);
    await closeAll();
  });

  it("runs a user's own folder", async function () {
    if (!existsSync(ownModel)) this.skip();
    const uri = scratchFile('family.jsonl', `${family.map((row) => JSON.stringify(row)).join('\n')}\n`);
    await diagnose(uri);
    assert.match(await headline(uri), /without a gold label the model knows/);
    await vscode.commands.executeCommand('assay.selectModel', ownModel);
    await vscode.commands.executeCommand('assay.diagnoseDataset');
    assert.match(await headline(uri), /2 examples · accuracy 1\.00/);
    assert.ok((await lenses(uri)).includes('relation-minilm-wiki16'));
    assert.match(await hoverText(uri, 0, 20), /\*\*spouse \d\.\d\d\*\* · gold spouse/);
  });

  it('keeps the model where the folder holds none', async () => {
    await diagnose(sample('relations.jsonl'));
    await vscode.commands.executeCommand('assay.selectModel', path.join(ASSAY_ROOT, 'samples'));
    assert.equal(vscode.workspace.getConfiguration('assay').get('models.relation'), '');
    assert.ok((await lenses(sample('relations.jsonl'))).includes('relation-minilm-semeval2010'));
  });

  it('refuses a folder whose model does not do what its files say, and keeps the model', async () => {
    const bundled = path.join(ASSAY_ROOT, 'models/relation-minilm-semeval2010');
    const folder = scratchFolder('two-labels');
    cpSync(bundled, folder, { recursive: true });
    const config = JSON.parse(readFileSync(path.join(folder, 'config.json'), 'utf8'));
    config.id2label = { 0: 'yes', 1: 'Other' };
    config.label2id = { yes: 0, Other: 1 };
    writeFileSync(path.join(folder, 'config.json'), JSON.stringify(config));
    const { document } = await diagnose(sample('relations.jsonl'));
    const before = await headline(document.uri);
    await vscode.commands.executeCommand('assay.selectModel', folder);
    assert.equal(vscode.workspace.getConfiguration('assay').get('models.relation'), '');
    assert.equal(await headline(document.uri), before);
  });

  it('says why a model that the settings name cannot run, and recovers when another is chosen', async () => {
    const { document } = await open(sample('relations.jsonl'));
    const target = vscode.workspace.workspaceFolders?.length
      ? vscode.ConfigurationTarget.Workspace
      : vscode.ConfigurationTarget.Global;
    await vscode.workspace.getConfiguration('assay').update('models.relation', '/nowhere/model', target);
    await vscode.commands.executeCommand('assay.diagnoseDataset');
    assert.match(await headline(document.uri), /not predicted yet/);
    await vscode.workspace.getConfiguration('assay').update('models.relation', undefined, target);
    const summary = await until(
      () => headline(document.uri),
      (text) => /78 examples · micro-F1/.test(text),
    );
    assert.match(summary, /78 examples · micro-F1 0\.\d\d/);
    assert.ok((await lenses(document.uri)).includes('relation-minilm-semeval2010'));
  });
});
