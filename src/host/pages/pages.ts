/** Shows files that no editor shows as they are, in read-only documents of a thousand examples. The worker reads them. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { ColumnChoice } from '../../protocol/dataset';
import type { PagedFileParams, PagedFileResult, PagingProgress } from '../../protocol/pages';
import type { WorkerRequests } from '../../protocol/worker';
import type { Memory } from '../memory';
import { Refused } from '../user-error';
import type { Supervisor } from '../worker/supervisor';
import { WorkerLost } from '../worker/worker-process';
import { type PageAddress, pageAddress, pageParams, pageUri } from './page-uri';

/** Opening that takes no longer shows no notification: it would only flash. */
const momentMs = 500;
/** A longer line is not drawn to its end. */
const longLine = 100_000;
/** Lines of a document that are looked at: of files on one line, the first ones tell. */
const linesLookedAt = 20;

type Refusal = Extract<PagedFileResult, { kind: 'notADataset' }>;

export class Pages implements vscode.TextDocumentContentProvider {
  readonly #supervisor: Supervisor;
  readonly #memory: Memory;
  /** Texts that were read before their document was opened. */
  readonly #texts = new Map<string, string>();
  readonly #progress = new vscode.EventEmitter<PagingProgress>();

  constructor(supervisor: Supervisor, memory: Memory) {
    this.#supervisor = supervisor;
    this.#memory = memory;
  }

  onProgress(progress: PagingProgress): void {
    this.#progress.fire(progress);
  }

  /** Whether a file is to be shown in pages, since no editor can show it. */
  async isPaged(file: vscode.Uri): Promise<boolean> {
    return file.scheme === 'file' && (await this.#ask('pages/why', this.#params(file))) !== null;
  }

  /** The same for a file that is open in an editor: asks only where its lines are too long to be drawn. */
  async isPagedInEditor(document: vscode.TextDocument): Promise<boolean> {
    if (document.uri.scheme !== 'file' || document.isDirty) return false;
    for (let line = 0; line < Math.min(document.lineCount, linesLookedAt); line++) {
      if (document.lineAt(line).text.length > longLine) return this.isPaged(document.uri);
    }
    return false;
  }

  /**
   * Goes over a file, with a notification that shows how far and can cancel. Null when it was cancelled. Throws UserError
   * where it is no dataset.
   */
  async open(file: vscode.Uri): Promise<PageAddress | null> {
    for (;;) {
      const choice = this.#memory.columnsOf(file);
      const opened = await this.#find(file, choice);
      if (opened === 'cancelled') return null;
      if (typeof opened === 'number') return { file, index: 0, pageCount: opened, choice };
      if (choice === null) throw new Refused(opened.message, file, opened.candidates);
      // Columns that were chosen once and are no longer there are as good as none.
      await this.#memory.setColumns(file, null);
    }
  }

  /** As `open`, with other columns. Throws UserError where they do not fit; nothing is remembered then. */
  async openWith(file: vscode.Uri, choice: ColumnChoice): Promise<PageAddress | null> {
    const opened = await this.#find(file, choice);
    if (opened === 'cancelled') return null;
    if (typeof opened !== 'number') throw new Refused(opened.message, file, opened.candidates);
    await this.#memory.setColumns(file, choice);
    return { file, index: 0, pageCount: opened, choice };
  }

  /** Shows a page, in the place of the one that is shown now if that is of the same file. */
  async show(address: PageAddress): Promise<vscode.TextEditor> {
    const uri = pageUri(address);
    const former = vscode.window.tabGroups.activeTabGroup.activeTab;
    this.#texts.set(uri.toString(), await this.#ask('pages/read', pageParams(address)));
    try {
      const document = await vscode.workspace.openTextDocument(uri);
      const editor = await vscode.window.showTextDocument(document, { preview: true });
      await closeFormer(former, uri, address.file);
      return editor;
    } finally {
      this.#texts.delete(uri.toString());
    }
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const known = this.#texts.get(uri.toString());
    const address = pageAddress(uri);
    if (known !== undefined || address === null) return known ?? '';
    return this.#ask('pages/read', pageParams(address));
  }

  /** The number of the file's pages; why it has none. */
  async #find(file: vscode.Uri, choice: ColumnChoice | null): Promise<number | 'cancelled' | Refusal> {
    const params = { ...this.#params(file), choice };
    const abort = new AbortController();
    const finding = this.#ask('pages/open', params, abort.signal);
    const settled = finding.then(
      () => true,
      () => true,
    );
    const isShort = await Promise.race([
      settled,
      new Promise<false>((resolve) => setTimeout(resolve, momentMs, false)),
    ]);
    if (!isShort) await this.#showProgress(params, settled, abort);
    if (abort.signal.aborted) {
      await settled;
      return 'cancelled';
    }
    const result = await finding;
    return result.kind === 'opened' ? result.pageCount : result;
  }

  async #showProgress({ path: file, name }: PagedFileParams, settled: Promise<unknown>, abort: AbortController) {
    await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: `Assay: reading ${name}`, cancellable: true },
      async (progress, token) => {
        token.onCancellationRequested(() => abort.abort());
        let reported = 0;
        const subscription = this.#progress.event(({ path: of, bytesDone, bytesTotal }) => {
          if (of !== file) return;
          const percent = (100 * bytesDone) / bytesTotal;
          progress.report({
            message: `${megabytes(bytesDone)} of ${megabytes(bytesTotal)} MB`,
            increment: Math.max(0, percent - reported),
          });
          reported = Math.max(reported, percent);
        });
        await settled;
        subscription.dispose();
      },
    );
  }

  #params(file: vscode.Uri): PagedFileParams {
    return { path: file.fsPath, name: path.basename(file.path), choice: this.#memory.columnsOf(file) };
  }

  /** Another worker reads the file as well as one that has crashed; the supervisor refuses when that happens too often. */
  async #ask<K extends 'pages/why' | 'pages/open' | 'pages/read'>(
    method: K,
    params: WorkerRequests[K]['params'],
    signal?: AbortSignal,
  ): Promise<WorkerRequests[K]['result']> {
    for (;;) {
      try {
        return await this.#supervisor.request(method, params, signal === undefined ? {} : { signal });
      } catch (error) {
        if (!(error instanceof WorkerLost) || signal?.aborted) throw error;
      }
    }
  }

  dispose(): void {
    this.#progress.dispose();
  }
}

/** A page that another one of its file has taken the place of. */
async function closeFormer(tab: vscode.Tab | undefined, shown: vscode.Uri, file: vscode.Uri): Promise<void> {
  if (!(tab?.input instanceof vscode.TabInputText) || tab.input.uri.toString() === shown.toString()) return;
  const isOfFile = pageAddress(tab.input.uri)?.file.toString() === file.toString();
  const isOpen = vscode.window.tabGroups.all.some((group) => group.tabs.includes(tab));
  if (isOfFile && isOpen) await vscode.window.tabGroups.close(tab, true);
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toLocaleString('en-US', { maximumFractionDigits: 0 });
}
