/** **Fix Finding**, **Fix All of This Kind**: what a quick fix does, from the side bar, the hover and the light bulb. */
import * as vscode from 'vscode';
import { count } from '../annotations/wording';
import type { App } from '../app';
import { applyFix } from '../findings/apply-fix';
import { isFindingRef, sessionOf } from '../findings/finding-ref';
import type { GroupNode } from '../findings/findings-tree';

/** `refs`: all that is selected in the side bar. */
export async function fixFinding(app: App, ref?: unknown, refs?: unknown): Promise<void> {
  const chosen = (Array.isArray(refs) && refs.length > 0 ? refs : [ref]).filter(isFindingRef);
  for (const uri of new Set(chosen.map((each) => each.uri))) {
    const ids = chosen.filter((each) => each.uri === uri).map(({ id }) => id);
    await applyFix(sessionOf(app.sessions, { uri }), { kind: 'ids', ids });
  }
}

/** Takes a kind of the side bar, or what the light bulb names it by. */
export async function fixAllFindings(app: App, kind?: unknown): Promise<void> {
  const named = namedKind(kind);
  if (named === null) return;
  const { fixedCount, leftCount } = await applyFix(sessionOf(app.sessions, named), {
    kind: 'code',
    code: named.code,
  });
  const left = leftCount === 0 ? '' : `; ${count(leftCount, 'finding')} of this kind cannot be mended without you`;
  vscode.window.setStatusBarMessage(`Assay: ${count(fixedCount, 'finding')} mended, Undo takes it back${left}`, 8000);
}

export interface KindRef {
  uri: string;
  code: string;
}

function namedKind(value: unknown): KindRef | null {
  if (typeof value !== 'object' || value === null) return null;
  const { type, session, kind } = value as Partial<GroupNode>;
  if (type === 'group' && session !== undefined && kind != null) return { uri: session.uri, code: kind.code };
  const { uri, code } = value as Partial<KindRef>;
  return typeof uri === 'string' && typeof code === 'string' ? { uri, code } : null;
}
