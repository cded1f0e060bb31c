/** **Open Sample**: a small dataset of each format, copied to where it may be edited, opened and diagnosed. */
import * as vscode from 'vscode';
import type { App } from '../app';
import { diagnoseDataset } from './diagnose-dataset';

const samples: readonly { file: string; label: string; detail: string }[] = [
  {
    file: 'sentiment.csv',
    label: 'Sentiment, CSV',
    detail: 'Reviews with quoted fields, accents and emoji; some labels wrong on purpose',
  },
  {
    file: 'sentiment.jsonl',
    label: 'Sentiment, JSON Lines',
    detail: 'The same reviews with 0/1 labels and JSON escapes',
  },
  {
    file: 'relations.jsonl',
    label: 'Relations, JSON Lines',
    detail: 'Tokens with head and tail entity, nineteen labels',
  },
  {
    file: 'relations.semeval.txt',
    label: 'Relations, SemEval-2010 text',
    detail: 'The same sentences with <e1> and <e2> markers',
  },
];

/** `file` comes from the walkthrough: no question is asked then. */
export async function openSample(app: App, file?: string): Promise<void> {
  const chosen =
    samples.find((sample) => sample.file === file) ??
    (await vscode.window.showQuickPick(samples, {
      title: 'Open a sample dataset',
      placeHolder: 'Which sample?',
      matchOnDetail: true,
    }));
  if (chosen === undefined) return;
  const target = vscode.Uri.joinPath(app.storageUri, 'samples', chosen.file);
  const isThere = await vscode.workspace.fs.stat(target).then(
    () => true,
    () => false,
  );
  // A copy that a person has edited is theirs.
  if (!isThere) {
    await vscode.workspace.fs.copy(vscode.Uri.joinPath(app.extensionUri, 'samples', chosen.file), target);
  }
  await diagnoseDataset(app, target);
}
