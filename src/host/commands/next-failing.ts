/** **Next Failing Example**: goes to the next example with a variant that breaks the model, and shows its card. */
import * as vscode from 'vscode';
import { fromPosition } from '../annotations/ranges';
import type { App } from '../app';
import { UserError } from '../user-error';
import { activeSession } from './active-session';

export async function nextFailing(app: App): Promise<void> {
  const { editor, session } = activeSession(app);
  const position = await session.nextFailing(fromPosition(editor.selection.active));
  if (position === null) {
    const state = session.robustness.result === null ? 'Nothing was tested yet' : 'No variant fails';
    throw new UserError(
      `${state}. "Assay: Test Robustness" changes the examples and tells which changes break the model.`,
    );
  }
  const place = new vscode.Position(position.line, position.char);
  editor.selection = new vscode.Selection(place, place);
  editor.revealRange(new vscode.Range(place, place), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
  await vscode.commands.executeCommand('editor.action.showHover');
}
