/** **Mark as Reviewed**, **Unmark as Reviewed**: a finding that a person has judged is told no more, until it is taken back. */
import * as vscode from 'vscode';
import type { ListedFinding } from '../../protocol/findings';
import { shorten } from '../annotations/markdown';
import { fromRange } from '../annotations/ranges';
import type { DatasetSession } from '../annotations/session';
import { count } from '../annotations/wording';
import type { App } from '../app';
import { findingGone, isFindingRef, sessionOf } from '../findings/finding-ref';
import { exists, faultText, labelOf, type ReviewPlace, reviewPlace } from '../findings/reviewed-files';
import { UserError } from '../user-error';
import { activeSession } from './active-session';

/** Reviewed findings of a file that can be picked from; the side bar lists them all. */
const pickLimit = 1000;

/** `ref` and `refs` come from the side bar, hovers and quick fixes: what was clicked, and all that is selected. */
export function markReviewed(app: App, ref?: unknown, refs?: unknown): Promise<void> {
  return change(app, true, ref, refs);
}

export function unmarkReviewed(app: App, ref?: unknown, refs?: unknown): Promise<void> {
  return change(app, false, ref, refs);
}

async function change(app: App, isReviewed: boolean, ref: unknown, refs: unknown): Promise<void> {
  if (!(await isTrusted())) return;
  const chosen = (Array.isArray(refs) && refs.length > 0 ? refs : [ref]).filter(isFindingRef);
  if (chosen.length === 0) {
    const { editor, session } = activeSession(app);
    const picked = isReviewed ? await pickHere(editor, session) : await pickReviewed(session);
    if (picked.length > 0) await write(app, session, picked, isReviewed);
    return;
  }
  for (const uri of new Set(chosen.map((each) => each.uri))) {
    const ids = chosen.filter((each) => each.uri === uri).map(({ id }) => id);
    await write(app, sessionOf(app.sessions, { uri }), ids, isReviewed);
  }
}

async function isTrusted(): Promise<boolean> {
  if (vscode.workspace.isTrusted) return true;
  const manage = 'Manage Workspace Trust';
  const answer = await vscode.window.showWarningMessage(
    'What you review is kept in .assay/reviewed.json in this folder, and the folder is not trusted: nothing is read from that file or written to it.',
    manage,
  );
  if (answer === manage) await vscode.commands.executeCommand('workbench.trust.manage');
  return false;
}

async function pickHere(editor: vscode.TextEditor, session: DatasetSession): Promise<number[]> {
  const { selection } = editor;
  const here = await session.findings.on(fromRange(selection));
  const open = here?.findings.filter(({ key }) => key !== undefined) ?? [];
  if (open.length === 0) throw new UserError('There is no finding on this line that could be marked as reviewed.');
  if (open.length === 1) return [open[0]!.id];
  return pick(open, 'Mark as Reviewed', 'Which of the findings on this line have you judged?');
}

async function pickReviewed(session: DatasetSession): Promise<number[]> {
  const reviewed = await session.findings.window({ kind: 'reviewed' }, 0, pickLimit);
  if (reviewed === null || reviewed.total === 0) {
    throw new UserError('No finding of this file is marked as reviewed.');
  }
  return pick(reviewed.findings, 'Unmark as Reviewed', 'Which findings are to be told again?');
}

async function pick(findings: readonly ListedFinding[], title: string, placeHolder: string): Promise<number[]> {
  const items = findings.map(({ id, code, message, range }) => ({
    label: `Line ${range.startLine + 1}`,
    description: code,
    detail: shorten(message, 200),
    id,
  }));
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder, canPickMany: true });
  return picked?.map(({ id }) => id) ?? [];
}

async function write(app: App, session: DatasetSession, ids: number[], isReviewed: boolean): Promise<void> {
  const place = reviewPlace(session.document.uri);
  if (place === null) {
    throw new UserError(
      'This document is in no file yet, so there is no place to keep what you review. Save it first.',
    );
  }
  if (isReviewed && !(await mayWrite(place))) return;
  let changed = 0;
  await app.reviewedFiles.write(place, async (text) => {
    const { file, reviewed } = place;
    const result = await session.findings.changeReviewed({ ids, isReviewed, file, date: today(), text });
    if (result === null) throw new UserError(findingGone);
    if (result.kind === 'broken') {
      throw new UserError(`${faultText(reviewed, result)} Mend it first: it is not overwritten.`);
    }
    changed = result.count;
    return changed === 0 ? null : result.text;
  });
  if (changed === 0) throw new UserError(findingGone);
  const what = `${count(changed, 'finding')} ${isReviewed ? 'marked as reviewed' : 'told again'}`;
  vscode.window.setStatusBarMessage(`Assay: ${what} (${labelOf(place.reviewed)})`, 6000);
}

/** Beside a file that is in no folder of the window, nothing is written unasked. */
async function mayWrite({ isInWorkspace, reviewed }: ReviewPlace): Promise<boolean> {
  if (isInWorkspace || (await exists(reviewed))) return true;
  const keep = 'Keep It There';
  const answer = await vscode.window.showInformationMessage(
    'Where is what you review to be kept?',
    {
      modal: true,
      detail: `This file is in no folder of this window, so the place would be beside it:\n${reviewed.fsPath}\n\nOpen its folder first to keep it in the folder's .assay/reviewed.json.`,
    },
    keep,
  );
  return answer === keep;
}

function today(): string {
  const now = new Date();
  const two = (number: number) => String(number).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
