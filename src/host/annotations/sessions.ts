/** The datasets that are open in this window. A document becomes one when a person asks for it, and stays one until its tab is closed or it is cleared. */
import * as vscode from 'vscode';
import type { FindingsChanged, RunProgress } from '../../protocol/worker';
import { affectsAttribution } from '../attribution/attribution-options';
import { Disposables } from '../disposable';
import { affectsChecks } from '../findings/check-options';
import { reviewPlace } from '../findings/reviewed-files';
import { DatasetSession, type SessionServices } from './session';

const tabMoveMs = 100;

export class Sessions {
  readonly #services: SessionServices;
  readonly #sessions = new Map<string, DatasetSession>();
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<DatasetSession | null>());
  /** The session that has changed; null where one has gone. */
  readonly onDidChange = this.#changed.event;
  readonly #findingsChanged = this.#disposables.add(new vscode.EventEmitter<DatasetSession | null>());
  /** The session whose findings may be others now; null where one has gone. */
  readonly onDidChangeFindings = this.#findingsChanged.event;

  constructor(services: SessionServices) {
    this.#services = services;
    const { onError, reviewedFiles } = services;
    this.#disposables.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        for (const { findings, attribution, document } of this.all) {
          if (affectsChecks(event, document.uri)) findings.configureChecks().catch(onError);
          if (affectsAttribution(event, document.uri)) attribution.changeOptions().catch(onError);
        }
      }),
    );
    this.#disposables.add(
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        for (const session of this.all) {
          if (isOtherSplit(session, uri)) session.findings.configureChecks().catch(onError);
        }
      }),
    );
    this.#disposables.add(
      reviewedFiles.onDidChange((reviewed) => {
        for (const { findings, document } of this.all) {
          if (reviewPlace(document.uri)?.reviewed.toString() === reviewed.toString())
            findings.readReviewed().catch(onError);
        }
      }),
    );
    this.#disposables.add(
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        for (const { findings } of this.all) findings.readReviewed().catch(onError);
      }),
    );
    this.#disposables.add(
      vscode.workspace.onDidChangeTextDocument((event) => {
        this.of(event.document)?.edited(event).catch(onError);
      }),
    );
    this.#disposables.add(
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        // A tab that is moved is closed and opened.
        if (closed.length > 0) setTimeout(() => this.#closeUnseen(closed), tabMoveMs);
      }),
    );
    this.#disposables.add(
      vscode.workspace.onDidCloseTextDocument((document) => {
        // Another language mode is told as closing and opening, though the document stays.
        if (document.isClosed) this.close(document);
      }),
    );
  }

  get all(): DatasetSession[] {
    return [...this.#sessions.values()];
  }

  of(document: vscode.TextDocument): DatasetSession | undefined {
    return this.byUri(document.uri.toString());
  }

  byUri(uri: string): DatasetSession | undefined {
    return this.#sessions.get(uri);
  }

  ensure(document: vscode.TextDocument): DatasetSession {
    const known = this.of(document);
    if (known !== undefined) return known;
    const session = new DatasetSession(document, this.#services);
    session.onDidChange(() => this.#changed.fire(session));
    session.findings.onDidChange(() => this.#findingsChanged.fire(session));
    this.#sessions.set(session.uri, session);
    this.#findingsChanged.fire(session);
    return session;
  }

  close(document: vscode.TextDocument): void {
    const session = this.of(document);
    if (session === undefined) return;
    this.#sessions.delete(session.uri);
    session.dispose();
    this.#changed.fire(null);
    this.#findingsChanged.fire(null);
  }

  /** VS Code keeps a document for minutes that an extension has opened; for the person it is closed with its tab. */
  #closeUnseen(closed: readonly vscode.Tab[]): void {
    const shown = new Set(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.flatMap(urisOf)));
    for (const uri of closed.flatMap(urisOf)) {
      const session = this.byUri(uri);
      if (session !== undefined && !shown.has(uri)) this.close(session.document);
    }
  }

  onProgress(progress: RunProgress): void {
    this.#sessions.get(progress.uri)?.onProgress(progress);
  }

  onFindingsChanged(changed: FindingsChanged): void {
    this.#sessions.get(changed.uri)?.findings.onWorkerChange(changed);
  }

  dispose(): void {
    for (const session of this.#sessions.values()) session.dispose();
    this.#sessions.clear();
    this.#disposables.dispose();
  }
}

/** A dataset is checked against the other files it is kept in. */
function isOtherSplit({ info, document }: DatasetSession, saved: vscode.Uri): boolean {
  const splits = info?.splits ?? [];
  return splits.some(
    ({ name, isThis }) => !isThis && vscode.Uri.joinPath(document.uri, '..', name).toString() === saved.toString(),
  );
}

/** Of the documents that a tab shows as text. */
function urisOf({ input }: vscode.Tab): string[] {
  if (input instanceof vscode.TabInputText) return [input.uri.toString()];
  if (input instanceof vscode.TabInputTextDiff) return [input.original.toString(), input.modified.toString()];
  return [];
}
