import type * as vscode from 'vscode';
import type { ColumnCandidate } from '../protocol/dataset';

/** Something a person did or chose cannot be carried out; the message says what and what to do. Shown, not logged as a fault. */
export class UserError extends Error {
  override readonly name: string = 'UserError';
}

/** A file is no dataset as far as its content tells; a person may know better. */
export class Refused extends UserError {
  override readonly name = 'Refused';
  readonly file: vscode.Uri;
  /** The columns that were seen; empty where there are none to choose from. */
  readonly candidates: readonly ColumnCandidate[];

  constructor(message: string, file: vscode.Uri, candidates: readonly ColumnCandidate[]) {
    super(message);
    this.file = file;
    this.candidates = candidates;
  }
}
