/** Goes to another place that a finding speaks of: the row it repeats, the row of another split. From the hover. */
import * as vscode from 'vscode';
import type { App } from '../app';
import { findingGone, isFindingRef, sessionOf } from '../findings/finding-ref';
import { relatedLocation } from '../findings/problems';
import { UserError } from '../user-error';

export async function showRelated(app: App, ref?: unknown, index?: unknown): Promise<void> {
  if (!isFindingRef(ref) || typeof index !== 'number') return;
  const session = sessionOf(app.sessions, ref);
  const related = (await session.findings.find(ref.id))?.related?.[index];
  if (related === undefined) throw new UserError(findingGone);
  const { uri, range } = relatedLocation(session.document.uri, related.file, related.range);
  await vscode.window.showTextDocument(uri, { selection: new vscode.Range(range.start, range.start) });
}
