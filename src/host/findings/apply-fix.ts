/** Makes the changes of quick fixes: one edit, of the very version that they were worked out for, so that one Undo takes it back. */
import * as vscode from 'vscode';
import type { FixChoice, FixResult } from '../../protocol/findings';
import { toRange } from '../annotations/ranges';
import type { DatasetSession } from '../annotations/session';
import { pageAddress } from '../pages/page-uri';
import { UserError } from '../user-error';

/** A person who types while a fix is made is overtaken sooner or later. */
const tries = 5;

/** Throws UserError where nothing can be changed. */
export async function applyFix(session: DatasetSession, choice: FixChoice): Promise<FixResult> {
  const { document, findings } = session;
  if (pageAddress(document.uri) !== null) {
    throw new UserError(
      'This is a page of a file, and pages cannot be edited. Mend the row in the file itself, then diagnose it again.',
    );
  }
  for (let tried = 0; tried < tries; tried++) {
    const result = await findings.fix(choice);
    if (result === null || (result.changes.length === 0 && result.version === document.version)) {
      throw new UserError('There is nothing left to change: the file has changed since, or no change of it is safe.');
    }
    // An edit has come between: asked again.
    if (result.version !== document.version) continue;
    const edit = new vscode.WorkspaceEdit();
    edit.set(
      document.uri,
      result.changes.map(({ range, text }) => vscode.TextEdit.replace(toRange(range), text)),
    );
    if (await vscode.workspace.applyEdit(edit)) return result;
  }
  throw new UserError('The file could not be changed. It may be read-only, or it is being edited all the time.');
}
