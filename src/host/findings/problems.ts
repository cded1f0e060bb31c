/** The findings of open datasets among VS Code's problems: as many as it bears, the gravest first. */
import * as vscode from 'vscode';
import type { FileRange, Finding, Severity } from '../../protocol/dataset';
import { markedRange, toRange } from '../annotations/ranges';
import type { DatasetSession } from '../annotations/session';
import type { Sessions } from '../annotations/sessions';
import { count } from '../annotations/wording';
import { Disposables } from '../disposable';
import { datasetUri } from '../pages/page-uri';
import { explainTarget } from './explain-target';

/** VS Code shows no more of a file, and slows down before. */
const problemLimit = 1000;
/** Typing tells of changes at every key. */
const pauseMs = 150;

const severityOf: Readonly<Record<Severity, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
};

export class Problems {
  readonly #sessions: Sessions;
  readonly #onError: (error: unknown) => void;
  readonly #disposables = new Disposables();
  readonly #collection = this.#disposables.add(vscode.languages.createDiagnosticCollection('assay'));
  readonly #timers = new Map<DatasetSession, NodeJS.Timeout>();

  constructor(sessions: Sessions, onError: (error: unknown) => void) {
    this.#sessions = sessions;
    this.#onError = onError;
    this.#disposables.add(
      sessions.onDidChangeFindings((session) => {
        if (session === null) this.#forgetClosed();
        else this.#schedule(session);
      }),
    );
  }

  #schedule(session: DatasetSession): void {
    if (this.#timers.has(session)) return;
    const timer = setTimeout(() => {
      this.#timers.delete(session);
      this.#update(session).catch(this.#onError);
    }, pauseMs);
    this.#timers.set(session, timer);
  }

  async #update(session: DatasetSession): Promise<void> {
    const { document, findings } = session;
    const window = session.info === null ? null : await findings.window({ kind: 'worst' }, 0, problemLimit);
    if (this.#sessions.of(document) !== session) return;
    if (window === null) {
      this.#collection.delete(document.uri);
      return;
    }
    // An edit that the worker has not seen: what comes of it will be told.
    if (window.version !== document.version) return;
    const diagnostics = window.findings.map((finding) => diagnosticOf(document, finding));
    const more = window.total - window.findings.length;
    if (more > 0) diagnostics.push(moreDiagnostic(more));
    this.#collection.set(document.uri, diagnostics);
  }

  #forgetClosed(): void {
    this.#collection.forEach((uri) => {
      if (this.#sessions.byUri(uri.toString()) === undefined) this.#collection.delete(uri);
    });
    for (const [session, timer] of this.#timers) {
      if (this.#sessions.of(session.document) === session) continue;
      clearTimeout(timer);
      this.#timers.delete(session);
    }
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#disposables.dispose();
  }
}

function diagnosticOf(document: vscode.TextDocument, finding: Finding): vscode.Diagnostic {
  const range = markedRange(document, finding.range);
  const diagnostic = new vscode.Diagnostic(range, finding.message, severityOf[finding.severity]);
  diagnostic.source = 'Assay';
  diagnostic.code = { value: finding.code, target: explainTarget(finding.code) };
  if (finding.related !== undefined) {
    diagnostic.relatedInformation = finding.related.map(
      ({ file, range, message }) =>
        new vscode.DiagnosticRelatedInformation(relatedLocation(document.uri, file, range), message),
    );
  }
  return diagnostic;
}

export function relatedLocation(uri: vscode.Uri, file: string | null, range: FileRange): vscode.Location {
  const target = file === null ? uri : vscode.Uri.joinPath(datasetUri(uri), '..', file);
  return new vscode.Location(target, toRange(range));
}

function moreDiagnostic(more: number): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(
    new vscode.Range(0, 0, 0, 0),
    `${count(more, 'finding')} more in this file: the Assay view in the side bar lists them all.`,
    vscode.DiagnosticSeverity.Information,
  );
  diagnostic.source = 'Assay';
  return diagnostic;
}
