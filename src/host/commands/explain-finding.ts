/** **Explain Finding**: the page on a kind of finding; the way there from problems, hovers and the side bar. */
import * as vscode from 'vscode';
import type { App } from '../app';
import { explanationPage } from '../findings/explain-target';

export async function explainFinding(app: App, code?: unknown): Promise<void> {
  // In the side bar it is the kind that is asked about.
  const asked = typeof code === 'object' && code !== null ? (code as { kind?: { code?: unknown } }).kind?.code : code;
  const page = explanationPage(app.extensionUri, asked);
  if (page === null) return;
  try {
    await vscode.commands.executeCommand('markdown.showPreview', page);
  } catch {
    // Where Markdown is not rendered the page is text that can be read as well.
    await vscode.window.showTextDocument(page);
  }
}
