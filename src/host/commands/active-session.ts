/** The dataset that a command is about: the one in the active editor. */
import * as vscode from 'vscode';
import type { DatasetSession } from '../annotations/session';
import type { App } from '../app';
import { UserError } from '../user-error';

export function activeEditor(): vscode.TextEditor {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    throw new UserError('No text editor is open. Open a dataset file first, or run "Assay: Open Sample".');
  }
  return editor;
}

/** Throws UserError where the active editor shows no diagnosed dataset. */
export function activeSession(app: App): { editor: vscode.TextEditor; session: DatasetSession } {
  const editor = activeEditor();
  const session = app.sessions.of(editor.document);
  if (session === undefined) {
    throw new UserError('This file has not been diagnosed yet. Run "Assay: Diagnose Dataset" first.');
  }
  return { editor, session };
}
