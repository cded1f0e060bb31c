/** Another model was chosen, or the workspace has become trusted: what is open is predicted again, by the model that now serves it. */
import * as vscode from 'vscode';
import type { App } from '../app';
import { sayError } from '../say-error';

export function followModelSettings(app: App): vscode.Disposable {
  const follow = async () => {
    const outdated = app.sessions.all.filter((session) => session.isOutdated);
    if (outdated.length === 0) return;
    for (const session of outdated) session.stop();
    // ONNX Runtime does not give a model's memory back: a fresh process does.
    await app.supervisor.restart();
    await Promise.all(app.sessions.all.map((session) => session.refresh()));
  };
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (app.models.affects(event)) void follow().catch((error) => sayError(app.log, error));
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void follow().catch((error) => sayError(app.log, error))),
  );
}
