/** What is said of the dataset on the screen outside its editor: the status bar's item, and the context key of menus and keys. */
import path from 'node:path';
import * as vscode from 'vscode';
import { Disposables } from '../disposable';
import type { Sessions } from './sessions';
import { count, grouped, remaining, summaryLine } from './wording';

export class StatusBar {
  readonly #sessions: Sessions;
  readonly #disposables = new Disposables();
  readonly #item = this.#disposables.add(
    vscode.window.createStatusBarItem('assay.status', vscode.StatusBarAlignment.Right, 90),
  );

  #isAnnotated = false;

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
    this.#item.name = 'Assay';
    this.#item.command = 'assay.selectModel';
    this.#disposables.add(sessions.onDidChange(() => this.#update()));
    this.#disposables.add(vscode.window.onDidChangeActiveTextEditor(() => this.#update()));
  }

  #update(): void {
    const editor = vscode.window.activeTextEditor;
    const session = editor === undefined ? undefined : this.#sessions.of(editor.document);
    this.#tellMenus(session !== undefined);
    if (session === undefined) {
      this.#item.hide();
      return;
    }
    const { running, summary, modelFolder } = session;
    const model = modelFolder === null ? 'Assay' : path.basename(modelFolder);
    this.#item.text =
      running === null ? `$(beaker) ${model}` : `$(sync~spin) ${model} ${progressText(running.done, running.total)}`;
    const lines = [`Assay runs ${modelFolder ?? 'no model yet'}`];
    const { counts, isChecking } = session.findings;
    if (summary !== null && session.info !== null) lines.push(summaryLine(summary, session.info, counts));
    if (isChecking) lines.push('Checking the data …');
    else if (counts.information > 0) lines.push(`${count(counts.information, 'remark')} on the data`);
    if (running?.remainingMs != null) lines.push(remaining(running.remainingMs));
    lines.push('Click to select another model');
    this.#item.tooltip = lines.join('\n');
    this.#item.show();
  }

  /** Menus and keys ask for it. */
  #tellMenus(isAnnotated: boolean): void {
    if (isAnnotated === this.#isAnnotated) return;
    this.#isAnnotated = isAnnotated;
    void vscode.commands.executeCommand('setContext', 'assay.annotated', isAnnotated);
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}

function progressText(done: number, total: number): string {
  return total === 0 ? '' : `${grouped(done)}/${grouped(total)}`;
}
