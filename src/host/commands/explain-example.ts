/** **Explain Example**: which words of the example at the cursor speak for a label, its prediction unless another is asked for. */
import * as vscode from 'vscode';
import type { ExplainedClass, ExplainResult } from '../../protocol/attribution';
import type { Position } from '../../protocol/dataset';
import { fromPosition } from '../annotations/ranges';
import type { DatasetSession } from '../annotations/session';
import type { App } from '../app';
import { UserError } from '../user-error';
import { activeSession } from './active-session';

/** What a link of the hover asks for. */
export type ExplainRequest = 'predicted' | 'gold' | 'contrast' | 'ask';

export async function explainExample(app: App, request?: unknown, at?: unknown): Promise<void> {
  const { editor, session } = activeSession(app);
  const position = isPosition(at) ? at : fromPosition(editor.selection.active);
  const explained = request === 'ask' ? await askClass(session) : classOf(request);
  if (explained === null) return;
  await explainAt(session, position, explained);
}

/** The card of the example says what came of it; so that it can be read at once, it is shown. */
export async function explainAt(session: DatasetSession, position: Position, explained: ExplainedClass): Promise<void> {
  const result = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: 'Assay: explaining …' },
    () => session.attribution.explainAt(position, explained, new AbortController().signal),
  );
  if (result.explainedCount === 0) throw new UserError(reasonOf(result));
  const { activeTextEditor: editor } = vscode.window;
  if (editor?.document !== session.document) return;
  const place = new vscode.Position(position.line, position.char);
  if (!editor.selection.active.isEqual(place)) editor.selection = new vscode.Selection(place, place);
  // A hover that is there already, the one whose link was pressed, would stay as it is.
  await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
  await vscode.commands.executeCommand('editor.action.hideHover');
  await vscode.commands.executeCommand('editor.action.showHover');
}

function reasonOf({ refusals }: ExplainResult): string {
  const [reason] = refusals;
  return reason === undefined
    ? 'No example stands on this line. Put the cursor on one, then run "Assay: Explain Example" again.'
    : `This example cannot be explained: ${reason}.`;
}

function classOf(request: unknown): ExplainedClass {
  return request === 'gold' || request === 'contrast' ? { kind: request } : { kind: 'predicted' };
}

async function askClass(session: DatasetSession): Promise<ExplainedClass | null> {
  const labels = session.lastRun?.model.labels ?? [];
  const items: (vscode.QuickPickItem & { explained: ExplainedClass })[] = [
    { label: 'The prediction', explained: { kind: 'predicted' } },
    { label: 'The gold label', explained: { kind: 'gold' } },
    {
      label: 'The prediction, and not the gold label',
      description: 'where it is right: and not the next likely',
      explained: { kind: 'contrast' },
    },
    ...labels.map((label) => ({
      label,
      description: 'a label of the model',
      explained: { kind: 'label', label } as const,
    })),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: 'Explain Example',
    placeHolder: 'For which label do the words speak?',
  });
  return picked?.explained ?? null;
}

export function isPosition(value: unknown): value is Position {
  return (
    typeof value === 'object' &&
    value !== null &&
    Number.isInteger((value as Position).line) &&
    Number.isInteger((value as Position).char)
  );
}
