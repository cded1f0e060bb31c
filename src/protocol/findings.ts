/** What is wrong with the data of an open file, in the portions in which the editor asks for it. */
import type { Finding, Severity, TextChange } from './dataset';

/** What a person may set of the checks. */
export interface CheckOptions {
  nearDuplicateThreshold: number;
  fewExamples: number;
  imbalanceRatio: number;
  /** Codes; unknown ones are passed over. */
  disabled: string[];
}

/** How many findings of a file are open, by severity. Those that were reviewed count only as such. */
export interface FindingCounts {
  error: number;
  warning: number;
  information: number;
  reviewed: number;
}

/** A finding that can be spoken of: `id` names it in this worker, as long as its row and what is known of it stay. */
export interface ListedFinding extends Finding {
  id: number;
}

/** The open findings of one code. */
export interface FindingKind {
  code: string;
  /** The kind of fault, in a few words. */
  title: string;
  severity: Severity;
  count: number;
  /** How many of them have a quick fix; some may turn out not to be safe. */
  fixableCount: number;
}

export interface FindingKinds {
  version: number;
  /** The gravest first, then the most frequent. */
  kinds: FindingKind[];
  reviewedCount: number;
}

/** Which findings are asked for: the open ones of a code, the open ones worst first, or those that were reviewed. */
export type FindingGroup = { kind: 'code'; code: string } | { kind: 'worst' } | { kind: 'reviewed' };

/** What is to be mended: some findings, or all open ones of a code. */
export type FixChoice = { kind: 'ids'; ids: number[] } | { kind: 'code'; code: string };

/** One edit of the document as of `version`. */
export interface FixResult {
  version: number;
  changes: TextChange[];
  /** Findings that it mends, and those of the choice that it does not. */
  fixedCount: number;
  leftCount: number;
}

/** A part of a group. */
export interface FindingWindow {
  version: number;
  /** Of the whole group. */
  total: number;
  findings: ListedFinding[];
}

/** A finding that a person has judged, as it stands in `.assay/reviewed.json`. */
export interface ReviewedEntry {
  code: string;
  /** Finding.key. */
  key: string;
  /** The dataset's file, relative to the folder that holds `.assay`, with `/`. */
  file: string;
  /** The first units of the text it speaks of, for the reader. */
  text: string;
  /** `2026-01-31`. */
  date: string;
  note?: string;
}

/** What `.assay/reviewed.json` says; where it cannot be read, why, and in which line (1-based). */
export type ReviewedReading = { kind: 'read' } | ReviewedFault;

export interface ReviewedFault {
  kind: 'broken';
  line: number;
  message: string;
}

/** The file's new text, and how many findings were marked or unmarked: those without a key cannot be. */
export type ReviewedChange = { kind: 'changed'; text: string; count: number } | ReviewedFault;
