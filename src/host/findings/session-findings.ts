/**
 * What is known of a dataset's findings on the host's side: how many there are, and no more. The worker holds them; it is told here
 * what to look for, and what a person has judged, each time it has read the document anew.
 */
import * as vscode from 'vscode';
import type { FileRange } from '../../protocol/dataset';
import type {
  FindingCounts,
  FindingGroup,
  FindingKinds,
  FindingWindow,
  FixChoice,
  FixResult,
  ListedFinding,
  ReviewedChange,
} from '../../protocol/findings';
import type { FindingsChanged, WorkerRequests } from '../../protocol/worker';
import { checkOptions } from './check-options';
import type { ReviewedFiles } from './reviewed-files';

type FindingMethod = Extract<keyof WorkerRequests, `findings/${string}` | `checks/${string}` | 'reviewed/change'>;

export interface FindingsServices {
  /** Null where there is nothing to be asked now: no dataset, or the worker is down. */
  ask<K extends FindingMethod>(
    method: K,
    params: Omit<WorkerRequests[K]['params'], 'uri'>,
  ): Promise<WorkerRequests[K]['result'] | null>;
  reviewedFiles: ReviewedFiles;
  /** Folder of the model that the dataset is predicted with; null while that is not known. */
  modelFolder(): string | null;
}

const noCounts: FindingCounts = { error: 0, warning: 0, information: 0, reviewed: 0 };

export class SessionFindings {
  readonly #uri: vscode.Uri;
  readonly #services: FindingsServices;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Other findings may be there, or the same at other places. */
  readonly onDidChange = this.#changed.event;

  counts: FindingCounts = noCounts;
  /** More may come. */
  isChecking = false;

  constructor(uri: vscode.Uri, services: FindingsServices) {
    this.#uri = uri;
    this.#services = services;
  }

  /** Errors and warnings: what is marked on the lines. */
  get problemCount(): number {
    return this.counts.error + this.counts.warning;
  }

  onWorkerChange({ counts, isChecking }: FindingsChanged): void {
    this.counts = counts;
    this.isChecking = isChecking;
    this.#changed.fire();
  }

  /** Nothing is known any more: the text is no dataset now. */
  clear(): void {
    this.counts = noCounts;
    this.isChecking = false;
    this.#changed.fire();
  }

  /** Tells the worker what to look for and what was judged. */
  async configure(): Promise<void> {
    await this.readReviewed();
    await this.configureChecks();
  }

  async configureChecks(): Promise<void> {
    const folder = this.#services.modelFolder();
    const options = checkOptions(this.#uri);
    await this.#services.ask('checks/configure', { options, model: folder === null ? null : { folder } });
  }

  async readReviewed(): Promise<void> {
    const { reviewedFiles } = this.#services;
    const source = await reviewedFiles.read(this.#uri);
    const reading = await this.#services.ask('checks/reviewed', source);
    if (reading !== null) reviewedFiles.sayReading(this.#uri, reading);
  }

  kinds(): Promise<FindingKinds | null> {
    return this.#services.ask('findings/kinds', {});
  }

  window(group: FindingGroup, from: number, count: number): Promise<FindingWindow | null> {
    return this.#services.ask('findings/window', { group, from, count });
  }

  on(range: FileRange): Promise<FindingWindow | null> {
    return this.#services.ask('findings/on', { range });
  }

  find(id: number): Promise<ListedFinding | null> {
    return this.#services.ask('findings/find', { id });
  }

  fix(choice: FixChoice): Promise<FixResult | null> {
    return this.#services.ask('findings/fix', { choice });
  }

  changeReviewed(params: Omit<WorkerRequests['reviewed/change']['params'], 'uri'>): Promise<ReviewedChange | null> {
    return this.#services.ask('reviewed/change', params);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
