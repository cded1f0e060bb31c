/** **Choose Attribution Method**: how words are scored, from now on; shown at once, on the example at the cursor if the heat is off. */
import * as vscode from 'vscode';
import { type MethodId, methodIds, methods } from '../../protocol/attribution';
import { fromPosition } from '../annotations/ranges';
import type { App } from '../app';
import { setMethod } from '../attribution/attribution-options';
import { activeSession } from './active-session';
import { explainAt } from './explain-example';

export async function chooseMethod(app: App): Promise<void> {
  const { session, editor } = activeSession(app);
  const current = session.attribution.options.method;
  const items = methodIds.map((id): vscode.QuickPickItem & { id: MethodId } => ({
    id,
    label: methods[id].name,
    description: [id, ...(id === current ? ['as now'] : [])].join(' · '),
    detail: methods[id].description,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: 'Choose Attribution Method',
    placeHolder: 'How is it told which words speak for a label?',
    matchOnDetail: true,
  });
  if (picked === undefined) return;
  // The sessions follow the setting.
  if (picked.id !== current) await setMethod(session.document.uri, picked.id);
  if (!session.attribution.isHeatOn) {
    await explainAt(session, fromPosition(editor.selection.active), { kind: 'predicted' });
  }
}
