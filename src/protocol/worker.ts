/**
 * What host and worker say to each other: one entry a message, over JSON-RPC on the fork's IPC channel (advanced
 * serialisation: typed arrays pass). Datasets are named by their document's URI. A cancelled request rejects with
 * JSON-RPC's RequestCancelled.
 */
import type { ExplainParams, ExplainResult } from './attribution';
import type {
  ColumnCandidate,
  ColumnChoice,
  DatasetInfo,
  FileRange,
  LineRange,
  Position,
  Task,
  TextChange,
} from './dataset';
import type {
  CheckOptions,
  FindingCounts,
  FindingGroup,
  FindingKinds,
  FindingWindow,
  FixChoice,
  FixResult,
  ListedFinding,
  ReviewedChange,
  ReviewedReading,
} from './findings';
import type { PagedFileParams, PagedFileResult, PageParams, PagingProgress, WhyPaged } from './pages';
import type { LabelMatch, ModelInfo, Summary } from './prediction';
import type { RobustnessParams, RobustnessProgress, RobustnessResult } from './robustness';
import type { CardList, NextFinding, View } from './view';

export interface WorkerOptions {
  /** The folder of the result cache; created where it is missing. */
  cacheFolder: string;
  /** Threads of ONNX Runtime. */
  threads: number;
}

/**
 * The document's text comes from disk where the document is unchanged there, else from the `dataset/text` pieces sent
 * before. `probe` holds some of its lines, to notice when the file on disk is not what the editor shows.
 */
export interface OpenParams {
  uri: string;
  name: string;
  version: number;
  path: string | null;
  probe: { lineCount: number; lines: { line: number; text: string }[] } | null;
  choice: ColumnChoice | null;
  /** What the editor decodes the file as, by VS Code's name. */
  encoding?: string;
  /** The document is this page of a file. */
  page?: PageParams;
}

export type OpenResult =
  | { kind: 'opened'; info: DatasetInfo }
  /** The file on disk is not what the editor shows: send the text. */
  | { kind: 'differs' }
  /** The message says what the file looks like and what to do; `candidates`: columns that were seen all the same. */
  | { kind: 'notADataset'; message: string; candidates: ColumnCandidate[] };

export interface EditParams {
  uri: string;
  /** The document's version after the changes. */
  version: number;
  changes: TextChange[];
}

/** Folder of the model that is to be used. */
export interface ModelChoice {
  folder: string;
}

/** Which examples are wanted: all, those on some lines, or those that edits have changed. */
export type RunScope = { kind: 'all' } | { kind: 'lines'; lines: LineRange } | { kind: 'edited' };

export interface RunParams {
  uri: string;
  model: ModelChoice;
  scope: RunScope;
  /** What a person sees now: classified first. */
  visible: LineRange | null;
  /** Label pairs that a person has confirmed: dataset label, model label or null for none. */
  rememberedLabels: [string, string | null][];
  /** Batches (input keys) that were in flight when the worker died: run last, each alone. */
  suspects: string[][];
  /** Inputs known to kill the worker: not run. */
  guilty: string[];
}

export interface RunResult {
  model: ModelInfo;
  labels: LabelMatch;
  summary: Summary;
  /** Examples answered from the cache on disk or because their input had been seen. */
  reusedCount: number;
  /** Examples classified in this run. */
  classifiedCount: number;
  ms: number;
}

export interface RunProgress {
  uri: string;
  done: number;
  total: number;
  /** Estimated; null while unknown. */
  remainingMs: number | null;
  summary: Summary;
}

export interface ReviewedChangeParams {
  uri: string;
  ids: number[];
  isReviewed: boolean;
  /** How `.assay/reviewed.json` names the dataset. */
  file: string;
  /** Today, `2026-01-31`. */
  date: string;
  /** What the file holds; null where there is none. */
  text: string | null;
}

/** What is known of a dataset's findings; `isChecking`: more may come. */
export interface FindingsChanged {
  uri: string;
  version: number;
  counts: FindingCounts;
  isChecking: boolean;
}

/** host -> worker, answered. */
export interface WorkerRequests {
  initialize: { params: WorkerOptions; result: { cache: 'disk' | 'memory' } };
  'dataset/open': { params: OpenParams; result: OpenResult };
  'dataset/edit': { params: EditParams; result: OpenResult };
  'dataset/choose': { params: { uri: string; choice: ColumnChoice }; result: OpenResult };
  'dataset/view': { params: { uri: string; lines: LineRange }; result: View };
  'dataset/cards': { params: { uri: string; position: Position }; result: CardList };
  'dataset/next': {
    params: { uri: string; position: Position; direction: 'next' | 'previous' };
    result: NextFinding | null;
  };
  /** Checks the data, now and after every edit, until the dataset is closed; `findings/changed` tells what comes of it. */
  'checks/configure': { params: { uri: string; options: CheckOptions; model: ModelChoice | null }; result: null };
  /** What a person has judged: the text of `.assay/reviewed.json`, null where there is none; `file` names the dataset in it. */
  'checks/reviewed': { params: { uri: string; file: string; text: string | null }; result: ReviewedReading };
  'findings/kinds': { params: { uri: string }; result: FindingKinds };
  'findings/window': {
    params: { uri: string; group: FindingGroup; from: number; count: number };
    result: FindingWindow;
  };
  /** Those that touch a range, whatever their severity. */
  'findings/on': { params: { uri: string; range: FileRange }; result: FindingWindow };
  /** Null: it is no longer there. */
  'findings/find': { params: { uri: string; id: number }; result: ListedFinding | null };
  'findings/fix': { params: { uri: string; choice: FixChoice }; result: FixResult };
  /** The file of judgements with some more of them, or some fewer. */
  'reviewed/change': { params: ReviewedChangeParams; result: ReviewedChange };
  /** A file, or a folder of files, has another name now. */
  'reviewed/rename': { params: { text: string; from: string; to: string }; result: ReviewedChange };
  'pages/why': { params: PagedFileParams; result: WhyPaged };
  /** Goes over the file and finds its pages; `pages/progress` tells how far. */
  'pages/open': { params: PagedFileParams; result: PagedFileResult };
  /** A page's text: JSON Lines, an example a line. */
  'pages/read': { params: PageParams; result: string };
  'model/inspect': { params: ModelChoice; result: ModelInspection };
  'predict/run': { params: RunParams; result: RunResult };
  /** `attribution/progress` tells when there is something to draw. */
  'attribution/explain': { params: ExplainParams; result: ExplainResult };
  /** `robustness/progress` tells how far it is, and that there is something to draw. */
  'robustness/run': { params: RobustnessParams; result: RobustnessResult };
  /** Where the next example with a failing variant stands, seen from a position; at the end it goes on at the beginning. */
  'robustness/next': { params: { uri: string; position: Position }; result: Position | null };
  /** Nothing is explained any more. */
  'attribution/clear': { params: { uri: string }; result: null };
}

export type ModelInspection =
  | {
      kind: 'model';
      info: ModelInfo /** The entity markers were guessed from the tokenizer. */;
      markersInferred: string | null;
    }
  | { kind: 'notAModel'; message: string };

/** host -> worker, not answered. */
export interface WorkerNotices {
  'dataset/text': { uri: string; piece: string };
  'dataset/close': { uri: string };
  'predict/visible': { uri: string; visible: LineRange | null };
}

/** worker -> host, not answered. */
export interface HostNotices {
  'predict/progress': RunProgress;
  'findings/changed': FindingsChanged;
  'attribution/progress': { uri: string };
  'robustness/progress': RobustnessProgress;
  /** Sent, and flushed, before each batch: who was in flight is known even if the process is killed. */
  'batch/starting': { uri: string; keys: string[] };
  'batch/finished': { uri: string };
  'pages/progress': PagingProgress;
  log: { level: 'info' | 'warn' | 'error'; message: string };
}

/** The JSON-RPC error code of a model that cannot be used; the message says why, for people. Others are faults of ours. */
export const modelErrorCode = 1;

/** Which bundled model serves a task. */
export const bundledModelOfTask: Readonly<Record<Task, string>> = {
  sentiment: 'sentiment-minilm-sst2',
  relation: 'relation-minilm-semeval2010',
};
