/** The one way in which errors reach the person. */
import * as vscode from 'vscode';
import { Refused, UserError } from './user-error';
import { WorkerBroken } from './worker/supervisor';
import { Cancelled } from './worker/worker-process';

/** Says to the person what went wrong, with what they can do about it at hand. Does not wait for the answer. */
export function sayError(log: vscode.LogOutputChannel, error: unknown): void {
  if (error instanceof Cancelled || error instanceof vscode.CancellationError) return;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof Refused && error.candidates.length > 0) {
    vscode.window.showErrorMessage(message, 'Choose Columns').then((action) => {
      if (action !== undefined) void vscode.commands.executeCommand('assay.chooseColumns', error);
    });
    return;
  }
  if (error instanceof UserError) {
    void vscode.window.showErrorMessage(message);
    return;
  }
  log.error(error instanceof Error ? error : message);
  const actions = error instanceof WorkerBroken ? ['Show Log', 'Restart Worker'] : ['Show Log'];
  vscode.window.showErrorMessage(`Assay: ${message}`, ...actions).then((action) => {
    if (action === 'Show Log') void vscode.commands.executeCommand('assay.showLog');
    if (action === 'Restart Worker') void vscode.commands.executeCommand('assay.restartWorker');
  });
}
