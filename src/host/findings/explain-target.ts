/** The page that explains a kind of finding. */
import * as vscode from 'vscode';

/** A link that opens the page as it is to be read. */
export function explainTarget(code: string): vscode.Uri {
  return vscode.Uri.parse(`command:assay.explainFinding?${encodeURIComponent(JSON.stringify([code]))}`);
}

/** Null: it is no code. */
export function explanationPage(extensionUri: vscode.Uri, code: unknown): vscode.Uri | null {
  const name = typeof code === 'string' ? /^assay\/([a-z-]+)$/.exec(code)?.[1] : undefined;
  return name === undefined ? null : vscode.Uri.joinPath(extensionUri, 'docs', 'findings', `${name}.md`);
}
