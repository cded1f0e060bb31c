/** Which model serves a task: the one a person chose, else the bundled one; in an untrusted workspace always the bundled one. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { Task } from '../../protocol/dataset';
import { bundledModelOfTask } from '../../protocol/worker';

const settingOf: Readonly<Record<Task, string>> = { sentiment: 'models.sentiment', relation: 'models.relation' };

export class ModelChoice {
  readonly #modelsFolder: string;

  constructor(modelsFolder: string) {
    this.#modelsFolder = modelsFolder;
  }

  bundledFolder(task: Task): string {
    return path.join(this.#modelsFolder, bundledModelOfTask[task]);
  }

  isBundled(folder: string): boolean {
    return path.dirname(folder) === this.#modelsFolder;
  }

  folderFor(task: Task, resource: vscode.Uri): string {
    if (!vscode.workspace.isTrusted) return this.bundledFolder(task);
    const chosen = vscode.workspace.getConfiguration('assay', resource).get<string>(settingOf[task])?.trim();
    if (!chosen) return this.bundledFolder(task);
    if (path.isAbsolute(chosen)) return path.normalize(chosen);
    const workspaceFolder = vscode.workspace.getWorkspaceFolder(resource) ?? vscode.workspace.workspaceFolders?.[0];
    return path.resolve(workspaceFolder?.uri.fsPath ?? '.', chosen);
  }

  /** `folder` null: the bundled one again. Kept in the workspace where there is one, else for the person. */
  async choose(task: Task, folder: string | null, resource: vscode.Uri): Promise<void> {
    const target = vscode.workspace.workspaceFolders?.length
      ? vscode.ConfigurationTarget.Workspace
      : vscode.ConfigurationTarget.Global;
    const configuration = vscode.workspace.getConfiguration('assay', resource);
    await configuration.update(settingOf[task], folder ?? undefined, target);
  }

  affects(event: vscode.ConfigurationChangeEvent): boolean {
    return Object.values(settingOf).some((setting) => event.affectsConfiguration(`assay.${setting}`));
  }
}
