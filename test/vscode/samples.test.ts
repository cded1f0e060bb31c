import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, headline } from './host-tools';

/** What each sample holds, as samples/README.md says. */
const exampleCounts: readonly (readonly [file: string, count: number])[] = [
  ['sentiment.csv', 73],
  ['sentiment.jsonl', 73],
  ['reviews.json', 30],
  ['reviews.parquet', 73],
  ['sentiment.columns.json', 24],
  ['sentiment.fasttext.txt', 48],
  ['sentiment.trees.txt', 24],
  ['reviews.pos', 24],
  ['aspects.xml', 51],
  ['aspects.json', 24],
  ['aspects.lines.txt', 24],
  ['relations.jsonl', 78],
  ['relations.semeval.txt', 78],
  ['relations.tacred.json', 20],
  ['relations.fewrel.json', 26],
  ['relations.docred.json', 11],
  ['relations.scierc.jsonl', 11],
  ['relations.spert.json', 23],
  ['relations.conll.txt', 22],
  ['relations.brat.txt', 13],
  ['relations.offsets.csv', 16],
  ['relations.marked.tsv', 22],
];

describe('Open Sample', () => {
  afterEach(closeAll);

  for (const [file, count] of exampleCounts) {
    it(`opens ${file}, all of it predicted`, async () => {
      await vscode.commands.executeCommand('assay.openSample', file);
      const document = vscode.window.activeTextEditor?.document;
      assert.ok(document !== undefined, 'no editor is shown');
      assert.ok(document.uri.path.includes(file), document.uri.path);
      const summary = await headline(document.uri);
      assert.match(summary, new RegExp(`^Assay: ${count} examples · `));
      assert.doesNotMatch(summary, /predicted|unreadable/);
    });
  }
});
