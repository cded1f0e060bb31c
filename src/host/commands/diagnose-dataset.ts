/** **Diagnose Dataset**: reads the file, says what was understood of it, and predicts all of it, the visible lines first. */
import * as vscode from 'vscode';
import type { DatasetInfo } from '../../protocol/dataset';
import { count } from '../annotations/wording';
import type { App } from '../app';
import type { PageAddress } from '../pages/page-uri';
import { UserError } from '../user-error';
import { activeEditor } from './active-session';
import { runWithProgress } from './run-with-progress';

/** Below this the columns are pointed out: the person may have to correct them. */
const sureConfidence = 0.75;

/** `resource` comes from the explorer's and the editor title's menus. */
export async function diagnoseDataset(app: App, resource?: vscode.Uri): Promise<void> {
  const file = resource instanceof vscode.Uri ? resource : fileWithoutEditor();
  if (file !== null && (await app.pages.isPaged(file))) {
    await diagnosePages(app, file);
    return;
  }
  const { document } = file === null ? activeEditor() : await show(file);
  if (file === null && (await app.pages.isPagedInEditor(document))) await diagnosePages(app, document.uri);
  else await diagnoseDocument(app, document);
}

/** Files over 50 MB and Parquet are in the active tab and yet no text editor that an extension sees. */
function fileWithoutEditor(): vscode.Uri | null {
  if (vscode.window.activeTextEditor !== undefined) return null;
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? input.uri : null;
}

/** Opens a file in pages and diagnoses the first one. */
async function diagnosePages(app: App, file: vscode.Uri): Promise<void> {
  const address = await app.pages.open(file);
  if (address !== null) await diagnosePage(app, address);
}

export async function diagnosePage(app: App, address: PageAddress): Promise<void> {
  const { document } = await app.pages.show(address);
  await diagnoseDocument(app, document);
}

async function diagnoseDocument(app: App, document: vscode.TextDocument): Promise<void> {
  const isNew = app.sessions.of(document) === undefined;
  const session = app.sessions.ensure(document);
  try {
    const info = await session.open();
    if (isNew && info.looksLike !== undefined) pointOutEncoding(info, info.looksLike);
    // Once is enough for a file in pages.
    if (isNew && (info.page?.number ?? 1) === 1 && info.confidence < sureConfidence) pointOutColumns(info);
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
      `${vscode.workspace.asRelativePath(resource)} cannot be shown as text (${reason}). Open a text file or Parquet.`,
    );
  }
}

/** Only the editor can show the file rightly: texts and places are those of its document. */
function pointOutEncoding({ badBytes, encoding }: DatasetInfo, looksLike: string): void {
  const message = `The editor reads this file as ${encoding}, but it looks like ${looksLike}: ${count(badBytes, 'byte')} cannot be shown, and the texts are predicted without them. Reopen it with that encoding, or save it as UTF-8.`;
  vscode.window.showWarningMessage(message, 'Reopen with Encoding').then((action) => {
    if (action !== undefined) void vscode.commands.executeCommand('workbench.action.editor.changeEncoding');
  });
}

function pointOutColumns(info: DatasetInfo): void {
  const { text, gold } = info.columns;
  const message = `${count(info.page?.exampleCount ?? info.exampleCount, 'example')} read as ${info.formatDetail}: text from “${text ?? 'the whole row'}”, ${gold === undefined ? 'no gold label' : `gold label from “${gold}”`}.`;
  vscode.window.showInformationMessage(message, 'Choose Columns').then((action) => {
    if (action !== undefined) void vscode.commands.executeCommand('assay.chooseColumns');
  });
}
