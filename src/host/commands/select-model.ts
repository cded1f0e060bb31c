/** **Select Model…**: the bundled models, folders chosen before, or another folder. Which task it serves, the model says itself. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { Task } from '../../protocol/dataset';
import type { ModelInfo } from '../../protocol/prediction';
import { bundledModelOfTask } from '../../protocol/worker';
import type { App } from '../app';
import { datasetUri } from '../pages/page-uri';
import { UserError } from '../user-error';
import { WorkerLost } from '../worker/worker-process';

interface Item extends vscode.QuickPickItem {
  folder?: string;
  isBrowse?: boolean;
}

/** `folder` comes from other extensions and tests: no question is asked then. */
export async function selectModel(app: App, folder?: string): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const shown = editor === undefined ? undefined : datasetUri(editor.document.uri);
  const resource = shown ?? vscode.workspace.workspaceFolders?.[0]?.uri ?? app.extensionUri;
  const session = editor === undefined ? undefined : app.sessions.of(editor.document);
  const chosen =
    typeof folder === 'string'
      ? folder
      : await askFolder(app, session?.info?.columns.task ?? null, session?.modelFolder ?? null);
  if (chosen === null) return;
  if (!vscode.workspace.isTrusted && !app.models.isBundled(chosen)) {
    throw new UserError(
      'This workspace is not trusted, so only the bundled models run in it. Trust it (Workspaces: Manage Workspace Trust) to use your own.',
    );
  }
  const inspection = await app.supervisor.request('model/inspect', { folder: chosen }).catch((error) => {
    if (!(error instanceof WorkerLost)) throw error;
    throw new UserError(
      `Trying out ${chosen} ended the background process: the model is damaged, or too large for this machine.`,
    );
  });
  if (inspection.kind === 'notAModel') throw new UserError(inspection.message);
  const { info } = inspection;
  if (inspection.markersInferred !== null && !(await confirmMarkers(inspection.markersInferred))) return;
  if (!app.models.isBundled(chosen)) await app.memory.addModelFolder(chosen);
  await app.models.choose(info.task, app.models.isBundled(chosen) ? null : chosen, resource);
  sayWhatItServes(info, session?.info?.columns.task ?? null);
}

async function askFolder(app: App, task: Task | null, current: string | null): Promise<string | null> {
  const describe = (folder: string) => (folder === current ? 'in use' : '');
  const bundled = (Object.keys(bundledModelOfTask) as Task[])
    .sort((a, b) => Number(b === task) - Number(a === task))
    .map((served): Item => {
      const folder = app.models.bundledFolder(served);
      return {
        label: `$(package) ${path.basename(folder)}`,
        description: describe(folder),
        detail: `Bundled, for ${served} datasets`,
        folder,
      };
    });
  const recent = app.memory.modelFolders.map(
    (folder): Item => ({
      label: `$(folder) ${path.basename(folder)}`,
      description: describe(folder),
      detail: folder,
      folder,
    }),
  );
  const browse: Item = {
    label: '$(folder-opened) Folder…',
    detail: 'With config.json, tokenizer.json, an .onnx file and, for relations, assay.json',
    isBrowse: true,
  };
  const picked = await vscode.window.showQuickPick([...bundled, ...recent, browse], {
    title: 'Select a model',
    matchOnDetail: true,
  });
  if (picked === undefined) return null;
  if (!picked.isBrowse) return picked.folder ?? null;
  const folders = await vscode.window.showOpenDialog({
    title: 'Select a model folder',
    openLabel: 'Use This Model',
    canSelectFiles: false,
    canSelectFolders: true,
  });
  return folders?.[0]?.fsPath ?? null;
}

async function confirmMarkers(markers: string): Promise<boolean> {
  const answer = await vscode.window.showWarningMessage(
    `The folder has no assay.json, which says how entities are written into the input. Its tokenizer suggests: ${markers}`,
    { modal: true },
    'Use These',
  );
  return answer !== undefined;
}

function sayWhatItServes(info: ModelInfo, task: Task | null): void {
  const other = task !== null && task !== info.task ? ` This file is a ${task} dataset, so it keeps its model.` : '';
  void vscode.window.showInformationMessage(
    `${info.name} (${info.labels.length} labels) now serves ${info.task} datasets.${other}`,
  );
}
