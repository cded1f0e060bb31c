/** A file that is renamed in the editor keeps what was judged of it: `.assay/reviewed.json` names it anew. */
import * as vscode from 'vscode';
import type { Supervisor } from '../worker/supervisor';
import { type ReviewedFiles, type ReviewPlace, reviewPlace } from './reviewed-files';

export function followRenames(
  supervisor: Supervisor,
  reviewedFiles: ReviewedFiles,
  onError: (error: unknown) => void,
): vscode.Disposable {
  return vscode.workspace.onDidRenameFiles(({ files }) => {
    if (!vscode.workspace.isTrusted) return;
    for (const { oldUri, newUri } of files) {
      const from = reviewPlace(oldUri);
      const to = reviewPlace(newUri);
      // What leaves the folder leaves its judgements behind.
      if (from === null || to === null || from.reviewed.toString() !== to.reviewed.toString()) continue;
      rename(supervisor, reviewedFiles, from, to.file).catch(onError);
    }
  });
}

async function rename(supervisor: Supervisor, reviewedFiles: ReviewedFiles, from: ReviewPlace, to: string) {
  await reviewedFiles.write(from, async (text) => {
    // Most renames are of other files: no worker is started for them.
    if (text === null || !text.includes(JSON.stringify(from.file).slice(0, -1))) return null;
    const result = await supervisor.request('reviewed/rename', { text, from: from.file, to });
    return result.kind === 'changed' && result.count > 0 ? result.text : null;
  });
}
