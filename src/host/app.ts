/** The parts that commands work with. */
import type * as vscode from 'vscode';
import type { Sessions } from './annotations/sessions';
import type { FindingsTree } from './findings/findings-tree';
import type { ReviewedFiles } from './findings/reviewed-files';
import type { Memory } from './memory';
import type { ModelChoice } from './models/model-choice';
import type { Pages } from './pages/pages';
import type { Supervisor } from './worker/supervisor';

export interface App {
  extensionUri: vscode.Uri;
  /** Where files of our own may be written. */
  storageUri: vscode.Uri;
  findingsTree: FindingsTree;
  log: vscode.LogOutputChannel;
  memory: Memory;
  models: ModelChoice;
  pages: Pages;
  reviewedFiles: ReviewedFiles;
  sessions: Sessions;
  supervisor: Supervisor;
}
