/** The supervisor as VS Code sees it: where the worker lies, where its cache may be, and what a crash says to the person. */
import os from 'node:os';
import * as vscode from 'vscode';
import { Supervisor, type SupervisorEvents } from './supervisor';

const idleMs = 15 * 60_000;

export function startSupervisor(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
  notices: Pick<
    SupervisorEvents,
    'progress' | 'attributionProgress' | 'robustnessProgress' | 'findingsChanged' | 'pagesProgress'
  >,
  isRunning: () => boolean,
): Supervisor {
  return new Supervisor(
    {
      script: vscode.Uri.joinPath(context.extensionUri, 'dist', 'worker.js').fsPath,
      idleMs,
      workerOptions: () => ({
        cacheFolder: vscode.Uri.joinPath(context.globalStorageUri, 'cache').fsPath,
        threads: threads(),
      }),
    },
    {
      ...notices,
      log: ({ level, message }) => log[level](message),
      crashed: (how, willRestart) => sayCrashed(how, willRestart, isRunning()),
    },
  );
}

/** One core is left to the person, unless they say otherwise. */
function threads(): number {
  const chosen = vscode.workspace.getConfiguration('assay').get<number>('worker.threads') ?? 0;
  return chosen > 0 ? chosen : Math.max(1, os.availableParallelism() - 1);
}

/** What a person has to know of a crash depends on whether they wait for something. */
function sayCrashed(how: string, willRestart: boolean, isRunning: boolean): void {
  if (willRestart && !isRunning) {
    vscode.window.setStatusBarMessage(
      `Assay's background process ended (${how}); it starts again when it is needed`,
      8000,
    );
    return;
  }
  // The run that was going on ends with that very message.
  if (!willRestart && isRunning) return;
  const message = willRestart
    ? `Assay's background process ended unexpectedly (${how}). It is restarted, and what was running goes on.`
    : `Assay's background process crashed three times within three minutes and was stopped (${how}).`;
  const actions = willRestart ? ['Show Log'] : ['Show Log', 'Restart Worker'];
  vscode.window.showWarningMessage(message, ...actions).then((action) => {
    if (action === 'Show Log') void vscode.commands.executeCommand('assay.showLog');
    if (action === 'Restart Worker') void vscode.commands.executeCommand('assay.restartWorker');
  });
}
