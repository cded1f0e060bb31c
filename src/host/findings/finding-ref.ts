/** How commands are told which finding is meant: a document and the worker's number, nothing of the data. */
import type { DatasetSession } from '../annotations/session';
import type { Sessions } from '../annotations/sessions';
import { UserError } from '../user-error';

export interface FindingRef {
  /** Of the document. */
  uri: string;
  id: number;
}

/** Commands are called with whatever the caller gave. */
export function isFindingRef(value: unknown): value is FindingRef {
  if (typeof value !== 'object' || value === null) return false;
  const { uri, id } = value as Partial<FindingRef>;
  return typeof uri === 'string' && typeof id === 'number';
}

/** Throws UserError where the dataset has been closed since. */
export function sessionOf(sessions: Sessions, { uri }: Pick<FindingRef, 'uri'>): DatasetSession {
  const session = sessions.byUri(uri);
  if (session === undefined) {
    throw new UserError('This dataset is no longer open. Run "Assay: Diagnose Dataset" on it again.');
  }
  return session;
}

export const findingGone = 'This finding is no longer there: the file has changed since.';
