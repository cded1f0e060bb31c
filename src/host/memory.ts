/** What a person has decided about a dataset, kept in the workspace's state. */
import type * as vscode from 'vscode';
import type { ColumnChoice } from '../protocol/dataset';

export class Memory {
  readonly #workspace: vscode.Memento;
  readonly #global: vscode.Memento;

  constructor(workspace: vscode.Memento, global: vscode.Memento) {
    this.#workspace = workspace;
    this.#global = global;
  }

  columnsOf(uri: vscode.Uri): ColumnChoice | null {
    return this.#workspace.get<ColumnChoice>(`columns:${uri}`) ?? null;
  }

  async setColumns(uri: vscode.Uri, choice: ColumnChoice | null): Promise<void> {
    await this.#workspace.update(`columns:${uri}`, choice ?? undefined);
  }

  /** Pairs [dataset label, model label or null for none] that a person has confirmed for this model. */
  labelsOf(uri: vscode.Uri, modelFolder: string): [string, string | null][] {
    return this.#workspace.get<[string, string | null][]>(`labels:${uri}:${modelFolder}`) ?? [];
  }

  async setLabels(uri: vscode.Uri, modelFolder: string, pairs: [string, string | null][]): Promise<void> {
    await this.#workspace.update(`labels:${uri}:${modelFolder}`, pairs);
  }

  /** Model folders that were chosen before, the latest first. */
  get modelFolders(): string[] {
    return this.#global.get<string[]>('modelFolders') ?? [];
  }

  async addModelFolder(folder: string): Promise<void> {
    const others = this.modelFolders.filter((other) => other !== folder);
    await this.#global.update('modelFolders', [folder, ...others].slice(0, 10));
  }
}
