/** **Diagnose Dataset**: reads the file, says what was understood of it, and predicts all of it, the visible lines first. */
import * as vscode from 'vscode';
import type { DatasetInfo } from '../../protocol/dataset';
import { count } from '../annotations/wording';
import type { App } from '../app';
import { UserError } from '../user-error';
import { activeEditor } from './active-session';
import { runWithProgress } from './run-with-progress';

/** Below this the columns are pointed out: the person may have to correct them. */
const sureConfidence = 0.75;

/** `resource` comes from the explorer's and the editor title's menus. */
export async function diagnoseDataset(app: App, resource?: vscode.Uri): Promise<void> {
  const editor = resource instanceof vscode.Uri ? await show(resource) : activeEditor();
  const { document } = editor;
  const isNew = app.sessions.of(document) === undefined;
  const session = app.sessions.ensure(document);
  try {
    const info = await session.open();
    if (isNew && info.confidence < sureConfidence) pointOutColumns(info);
    await runWithProgress(app, session, null);
  } catch (error) {
    // No half-open session stays behind a file that could not be read.
    if (session.info === null) app.sessions.close(document);
    throw error;
  }
}

async function show(resource: vscode.Uri): Promise<vscode.TextEditor> {
  try {
    return await vscode.window.showTextDocument(resource);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(
      `${vscode.workspace.asRelativePath(resource)} cannot be shown as text (${reason}). Files over 50 MB and binary files do not open in an editor: split the file, or run the command line, "assay predict FILE".`,
    );
  }
}

function pointOutColumns(info: DatasetInfo): void {
  const { text, gold } = info.columns;
  const message = `${count(info.exampleCount, 'example')} read as ${info.formatDetail}: text from “${text ?? 'the whole row'}”, ${gold === undefined ? 'no gold label' : `gold label from “${gold}”`}.`;
  vscode.window.showInformationMessage(message, 'Choose Columns').then((action) => {
    if (action !== undefined) void vscode.commands.executeCommand('assay.chooseColumns');
  });
}
