/** **Open Dataset…**: asks for a file, opens and diagnoses it. */
import * as vscode from 'vscode';
import type { App } from '../app';
import { diagnoseDataset } from './diagnose-dataset';

/** `resource` comes from the explorer's menu. */
export async function openDataset(app: App, resource?: vscode.Uri): Promise<void> {
  if (resource instanceof vscode.Uri) {
    await diagnoseDataset(app, resource);
    return;
  }
  const picked = await vscode.window.showOpenDialog({
    title: 'Open a sentiment or relation dataset',
    openLabel: 'Diagnose',
    filters: {
      Datasets: ['csv', 'tsv', 'jsonl', 'json', 'ndjson', 'txt', 'xml', 'conll', 'parquet'],
      'All files': ['*'],
    },
  });
  if (picked?.[0] !== undefined) await diagnoseDataset(app, picked[0]);
}
