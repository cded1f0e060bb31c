import type { Position, Span } from '../../../protocol/dataset';
import type { Example } from '../dataset';
import type { CheckCode } from './catalogue';

/** What a check finds. It hangs on its example, so it stands where that stands while the file is edited. */
export interface CheckFinding {
  readonly code: CheckCode;
  /** The example it is about; of a finding about the whole file, the first one that shows it. */
  readonly example: Example;
  readonly place: FindingPlace;
  /** What it speaks of, where that is no single example: a label, a column; the file, where it is empty. Another example may show it tomorrow. */
  readonly subject?: string;
  /** What is wrong and what to do: whole sentences for the person. */
  readonly message: string;
  /** The other rows it speaks of; a few of them where there are many. */
  readonly related: readonly RelatedRow[];
  /** Null: no change is safe enough to be offered. */
  readonly fix: Fix | null;
}

/** What part of its example a finding marks. */
export type FindingPlace =
  | { readonly part: 'text'; readonly span: Span }
  /** The gold field; the row, where the label stands outside of it. */
  | { readonly part: 'gold' }
  | { readonly part: 'row' };

export type RelatedRow =
  | { readonly kind: 'here'; readonly example: Example; readonly message: string }
  /** In another split: a file beside this one. */
  | { readonly kind: 'beside'; readonly file: string; readonly position: Position; readonly message: string };

/** A change that a person may have made for them. It leaves every other byte of the file alone. */
export type Fix =
  | { readonly kind: 'remove-row' }
  | { readonly kind: 'relabel'; readonly label: string }
  /** Parts of the text become others, in order; `title` says what is done ("Remove the control characters"). */
  | { readonly kind: 'replace-text'; readonly parts: readonly TextPart[]; readonly title: string }
  /** An entity ends one word or character later, or earlier. `end`: the misfit's (dataset.ts). */
  | { readonly kind: 'move-end'; readonly end: Span; readonly by: 1 | -1; readonly title: string }
  /** So do all entities of the file that would then be what their rows say. */
  | { readonly kind: 'move-all-ends'; readonly by: 1 | -1; readonly title: string };

export interface TextPart {
  readonly span: Span;
  /** What is to stand there; empty: it is deleted. */
  readonly text: string;
}
