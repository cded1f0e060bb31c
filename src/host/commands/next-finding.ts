/** **Next Finding**, **Previous Finding**: the wrong predictions and the rows with something wrong, round and round. */
import * as vscode from 'vscode';
import { fromPosition, toRange } from '../annotations/ranges';
import type { App } from '../app';
import { activeSession } from './active-session';

export function nextFinding(app: App): Promise<void> {
  return go(app, 'next');
}

export function previousFinding(app: App): Promise<void> {
  return go(app, 'previous');
}

async function go(app: App, direction: 'next' | 'previous'): Promise<void> {
  const { editor, session } = activeSession(app);
  const found = await session.next(fromPosition(editor.selection.active), direction);
  if (found === null) {
    vscode.window.setStatusBarMessage(
      session.summary === null ? 'Assay: nothing predicted yet' : 'Assay: no findings in this file',
      4000,
    );
    return;
  }
  const { start } = toRange(found.range);
  editor.selection = new vscode.Selection(start, start);
  editor.revealRange(new vscode.Range(start, start), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  vscode.window.setStatusBarMessage(`Assay: finding ${found.ordinal} of ${found.total}: ${found.message}`, 8000);
}
