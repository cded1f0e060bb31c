/** Builds the parts and puts them together. Nothing is read or started before a command asks for it. */
import * as vscode from 'vscode';
import { Annotator } from './host/annotations/annotator';
import { CardHover } from './host/annotations/hover';
import { Sessions } from './host/annotations/sessions';
import { StatusBar } from './host/annotations/status-bar';
import { SummaryLens } from './host/annotations/summary-lens';
import type { App } from './host/app';
import { registerCommands } from './host/commands/register';
import { FindingsTree } from './host/findings/findings-tree';
import { followRenames } from './host/findings/follow-renames';
import { Problems } from './host/findings/problems';
import { QuickFixes } from './host/findings/quick-fixes';
import { ReviewedFiles } from './host/findings/reviewed-files';
import { Memory } from './host/memory';
import { ModelChoice } from './host/models/model-choice';
import { followModelSettings } from './host/models/model-settings';
import { pageScheme } from './host/pages/page-uri';
import { Pages } from './host/pages/pages';
import { sayError } from './host/say-error';
import type { Supervisor } from './host/worker/supervisor';
import { startSupervisor } from './host/worker/vscode-supervisor';

export function activate(context: vscode.ExtensionContext): void {
  const own = <T extends vscode.Disposable>(part: T): T => {
    context.subscriptions.push(part);
    return part;
  };
  const log = own(vscode.window.createOutputChannel('Assay', { log: true }));
  const memory = new Memory(context.workspaceState, context.globalState);
  const models = new ModelChoice(vscode.Uri.joinPath(context.extensionUri, 'models').fsPath);
  const supervisor: Supervisor = own(
    startSupervisor(
      context,
      log,
      {
        progress: (progress) => sessions.onProgress(progress),
        attributionProgress: ({ uri }) => sessions.byUri(uri)?.attribution.onProgress(),
        robustnessProgress: (progress) => sessions.byUri(progress.uri)?.robustness.onProgress(progress),
        findingsChanged: (changed) => sessions.onFindingsChanged(changed),
        pagesProgress: (progress) => pages.onProgress(progress),
      },
      () => sessions.all.some((session) => session.running !== null),
    ),
  );
  const onError = (error: unknown) => sayError(log, error);
  const reviewedFiles = own(new ReviewedFiles());
  const sessions: Sessions = own(new Sessions({ supervisor, models, memory, reviewedFiles, onError }));
  const pages: Pages = own(new Pages(supervisor, memory));
  const app: App = {
    extensionUri: context.extensionUri,
    findingsTree: own(new FindingsTree(sessions)),
    storageUri: context.globalStorageUri,
    log,
    memory,
    models,
    pages,
    reviewedFiles,
    sessions,
    supervisor,
  };

  own(vscode.workspace.registerTextDocumentContentProvider(pageScheme, pages));
  own(new Annotator(sessions, onError));
  own(new StatusBar(sessions));
  own(new Problems(sessions, onError));
  const lens = own(new SummaryLens(sessions));
  const everyDocument: vscode.DocumentSelector = { pattern: '**' };
  own(vscode.languages.registerCodeLensProvider(everyDocument, lens));
  own(vscode.languages.registerHoverProvider(everyDocument, new CardHover(sessions)));
  own(vscode.languages.registerCodeActionsProvider(everyDocument, new QuickFixes(sessions), QuickFixes.metadata));
  own(followModelSettings(app));
  own(followRenames(supervisor, reviewedFiles, onError));
  own(registerCommands(app));
}
