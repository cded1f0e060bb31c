/**
 * What people have judged: `.assay/reviewed.json` in the workspace folder of a dataset, or beside it where it is in none. It is text in
 * their repository; the worker reads and writes its content, here is where it lies. In a workspace that is not trusted it is neither read
 * (it could hide what is wrong) nor written.
 */
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ReviewedFault, ReviewedReading } from '../../protocol/findings';
import { Disposables } from '../disposable';
import { datasetUri } from '../pages/page-uri';
import { UserError } from '../user-error';

/** Others may write it in several steps. */
const settleMs = 100;

export interface ReviewPlace {
  /** The folder that holds `.assay`. */
  folder: vscode.Uri;
  reviewed: vscode.Uri;
  /** The dataset's file, relative to the folder, with `/`. */
  file: string;
  isInWorkspace: boolean;
}

/** Null: the document is in no file. */
export function reviewPlace(uri: vscode.Uri): ReviewPlace | null {
  const dataset = datasetUri(uri);
  if (dataset.scheme === 'untitled') return null;
  const workspaceFolder = vscode.workspace.getWorkspaceFolder(dataset)?.uri;
  const folder = workspaceFolder ?? vscode.Uri.joinPath(dataset, '..');
  return {
    folder,
    reviewed: vscode.Uri.joinPath(folder, '.assay', 'reviewed.json'),
    file: path.posix.relative(folder.path, dataset.path),
    isInWorkspace: workspaceFolder !== undefined,
  };
}

export class ReviewedFiles {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<vscode.Uri>());
  /** The `reviewed.json` that holds something else now. */
  readonly onDidChange = this.#changed.event;
  readonly #watched = new Set<string>();
  /** What was said of a broken file: once is enough. */
  readonly #said = new Map<string, string>();
  #writing: Promise<unknown> = Promise.resolve();

  /** For the worker: how the dataset is named in the file, and what the file holds. */
  async read(uri: vscode.Uri): Promise<{ file: string; text: string | null }> {
    const place = reviewPlace(uri);
    if (place === null || !vscode.workspace.isTrusted) return { file: place?.file ?? '', text: null };
    this.#watch(place.reviewed);
    return { file: place.file, text: await textOf(place.reviewed) };
  }

  /** A broken file is told once, with a way to it. */
  sayReading(uri: vscode.Uri, reading: ReviewedReading): void {
    const place = reviewPlace(uri);
    if (place === null) return;
    const { reviewed } = place;
    const name = reviewed.toString();
    if (reading.kind === 'read') {
      this.#said.delete(name);
      return;
    }
    const message = faultText(reviewed, reading);
    if (this.#said.get(name) === message) return;
    this.#said.set(name, message);
    vscode.window
      .showErrorMessage(`${message} Until that is mended, nothing counts as reviewed.`, 'Open File')
      .then((action) => {
        if (action !== undefined) void showLine(reviewed, reading.line);
      });
  }

  /** Writes what `change` makes of the file's text; null: leave it. One after the other, so that none overwrites another. */
  async write(place: ReviewPlace, change: (text: string | null) => Promise<string | null>): Promise<void> {
    const { reviewed } = place;
    const work = async () => {
      const shown = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === reviewed.toString());
      if (shown?.isDirty) {
        throw new UserError(`${labelOf(reviewed)} has changes that are not saved. Save it, then try again.`);
      }
      const text = await change(await textOf(reviewed));
      if (text === null) return;
      const folder = vscode.Uri.joinPath(place.folder, '.assay');
      await vscode.workspace.fs.createDirectory(folder);
      await write(reviewed, text);
      this.#watch(reviewed);
      this.#changed.fire(reviewed);
    };
    const written = this.#writing.then(work, work);
    this.#writing = written;
    await written;
  }

  #watch(reviewed: vscode.Uri): void {
    const name = reviewed.toString();
    if (this.#watched.has(name)) return;
    this.#watched.add(name);
    const pattern = new vscode.RelativePattern(vscode.Uri.joinPath(reviewed, '..'), 'reviewed.json');
    const watcher = this.#disposables.add(vscode.workspace.createFileSystemWatcher(pattern));
    let timer: NodeJS.Timeout | undefined;
    const tell = () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.#changed.fire(reviewed), settleMs);
    };
    watcher.onDidChange(tell);
    watcher.onDidCreate(tell);
    watcher.onDidDelete(tell);
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}

export function faultText(reviewed: vscode.Uri, { line, message }: ReviewedFault): string {
  return `${labelOf(reviewed)} cannot be read, line ${line}: ${message}.`;
}

export async function exists(uri: vscode.Uri): Promise<boolean> {
  return (await textOf(uri)) !== null;
}

/** Null where there is no such file. */
async function textOf(uri: vscode.Uri): Promise<string | null> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return null;
    throw error;
  }
}

async function showLine(uri: vscode.Uri, line: number): Promise<void> {
  const place = new vscode.Range(line - 1, 0, line - 1, 0);
  await vscode.window.showTextDocument(uri, { selection: place });
}

export function labelOf(uri: vscode.Uri): string {
  return vscode.workspace.asRelativePath(uri);
}

/**
 * On disk it is renamed into its place, so that nobody ever reads a half of it or finds none (VS Code's own rename deletes what it overwrites
 * first).
 */
async function write(file: vscode.Uri, text: string): Promise<void> {
  if (file.scheme !== 'file') return vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
  const draft = `${file.fsPath}.new`;
  await writeFile(draft, text);
  await rename(draft, file.fsPath);
}
