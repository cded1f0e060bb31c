/** What the suites inside the extension host share: they see only what any extension could see. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';

declare const ASSAY_ROOT: string;

export const extensionId = 'assay.assay';

const scratch = mkdtempSync(path.join(tmpdir(), 'assay-vscode-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

export function sample(name: string): vscode.Uri {
  return vscode.Uri.file(path.join(ASSAY_ROOT, 'samples', name));
}

/** A file of its own for a test: tests that edit leave no trace. */
export function scratchFile(name: string, content: string | Uint8Array): vscode.Uri {
  const file = path.join(scratch, name);
  writeFileSync(file, content);
  return vscode.Uri.file(file);
}

/** A folder of its own for a test; not made yet. */
export function scratchFolder(name: string): string {
  return path.join(scratch, name);
}

export async function open(uri: vscode.Uri): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false });
}

export async function diagnose(uri: vscode.Uri): Promise<vscode.TextEditor> {
  const editor = await open(uri);
  await vscode.commands.executeCommand('assay.diagnoseDataset');
  return editor;
}

/** The titles of Assay's code lenses. */
export async function lenses(uri: vscode.Uri): Promise<string[]> {
  const all = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 20);
  return all.map((lens) => lens.command?.title ?? '').filter((title) => title !== '');
}

/** The summary above the first line; empty where Assay says nothing. */
export async function headline(uri: vscode.Uri): Promise<string> {
  return (await lenses(uri)).find((title) => title.startsWith('Assay:')) ?? '';
}

/** The parts of the hover at a position. */
export async function hover(uri: vscode.Uri, line: number, character: number): Promise<vscode.MarkdownString[]> {
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
    'vscode.executeHoverProvider',
    uri,
    new vscode.Position(line, character),
  );
  return hovers.flatMap((item) => item.contents as vscode.MarkdownString[]);
}

export async function hoverText(uri: vscode.Uri, line: number, character: number): Promise<string> {
  return (await hover(uri, line, character)).map((part) => part.value).join('\n');
}

/** Asks again until the answer is right; the last answer where it never is. */
export async function until<T>(
  ask: () => Promise<T> | T,
  isRight: (answer: T) => boolean,
  timeoutMs = 20_000,
): Promise<T> {
  const endMs = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (isRight(answer) || Date.now() > endMs) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Process ids of the workers that this extension host has forked. */
export function workerPids(): number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return table
    .split('\n')
    .map((row) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(row))
    .filter((row) => row !== null && Number(row[2]) === process.pid && /dist[\\/]worker\.js/.test(row[3] ?? ''))
    .map((row) => Number(row?.[1]));
}

export async function closeAll(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}
