/** Which suite a dataset is tested with: the workspace's own, else the one that the settings name. */
import * as vscode from 'vscode';
import type { SuiteChoice } from '../../protocol/robustness';
import { reviewPlace } from '../findings/reviewed-files';
import { datasetUri } from '../pages/page-uri';

const section = 'assay.robustness';

export interface ChosenSuite {
  suite: SuiteChoice;
  /** For messages: the file. Null: a built-in one. */
  file: vscode.Uri | null;
  seed: number;
}

/** `.assay/suite.json` counts before the setting. In a workspace that is not trusted its regular expressions are not run. */
export async function chosenSuite(uri: vscode.Uri): Promise<ChosenSuite> {
  const settings = vscode.workspace.getConfiguration(section, datasetUri(uri));
  const seed = settings.get<unknown>('seed');
  const common = { seed: typeof seed === 'number' && Number.isSafeInteger(seed) && seed >= 0 ? seed : 1 };
  const place = reviewPlace(uri);
  if (place !== null && vscode.workspace.isTrusted) {
    const file = vscode.Uri.joinPath(place.folder, '.assay', 'suite.json');
    const text = await textOf(file);
    if (text !== null) return { suite: { kind: 'file', text }, file, ...common };
  }
  const name = settings.get('suite') === 'full' ? 'full' : 'quick';
  return { suite: { kind: 'builtIn', name }, file: null, ...common };
}

/** What the editor shows, also unsaved, else what is on disk; null: there is none. */
async function textOf(file: vscode.Uri): Promise<string | null> {
  const open = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === file.toString());
  if (open !== undefined) return open.getText();
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return null;
    throw error;
  }
}
