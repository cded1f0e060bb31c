/**
 * One dataset on the screen: what runs over it, what came of it, and what the editor may ask. Predictions are held by the
 * worker; what stands here is what a new worker has to be told again. Requests survive a restart.
 */
import * as vscode from 'vscode';
import type { ColumnChoice, DatasetInfo, LineRange, Position } from '../../protocol/dataset';
import type { Summary } from '../../protocol/prediction';
import type { CardList, NextFinding, View } from '../../protocol/view';
import type { RunProgress, RunResult } from '../../protocol/worker';
import type { Memory } from '../memory';
import type { ModelChoice } from '../models/model-choice';
import { type Supervisor, WorkerBroken } from '../worker/supervisor';
import { WorkerLost } from '../worker/worker-process';
import { DatasetLink } from './dataset-link';

export interface SessionServices {
  supervisor: Supervisor;
  models: ModelChoice;
  memory: Memory;
}

export interface Running {
  done: number;
  total: number;
  remainingMs: number | null;
}

/** After the last edit: long enough that a word is typed, short enough to feel live. */
const livePredictionDelayMs = 300;
/** After the last edit of a text that was no dataset. */
const reopenDelayMs = 500;

export class DatasetSession {
  readonly #services: SessionServices;
  readonly #link: DatasetLink;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Something that is drawn or said may have changed. */
  readonly onDidChange = this.#changed.event;

  summary: Summary | null = null;
  lastRun: RunResult | null = null;
  running: Running | null = null;

  #runAbort: AbortController | null = null;
  /** It was predicted once: edits are predicted as they come, and a new worker predicts it again. */
  #isLive = false;
  #liveTimer: NodeJS.Timeout | undefined;
  /** Why the last prediction that nobody asked for failed. */
  #failure: string | null = null;
  #visible: LineRange | null = null;
  #isDisposed = false;

  constructor(document: vscode.TextDocument, services: SessionServices) {
    this.#services = services;
    this.#link = new DatasetLink(document, services.supervisor, services.memory, () => {
      this.#changed.fire();
      // Its cache on disk knows what was predicted before.
      if (this.#isLive && this.running === null) this.#predictLater(0);
    });
  }

  get document(): vscode.TextDocument {
    return this.#link.document;
  }

  get uri(): string {
    return this.#link.uri;
  }

  /** Null until it was read, and while the text is no dataset. */
  get info(): DatasetInfo | null {
    return this.#link.info;
  }

  /** Why nothing can be said of the text now. */
  get problem(): string | null {
    return this.#link.refusal ?? this.#failure;
  }

  /** The model that a run would use now. */
  get modelFolder(): string | null {
    return this.info === null ? null : this.#services.models.folderFor(this.info.columns.task, this.document.uri);
  }

  /** Reads the document. Throws UserError where it is no dataset. */
  open(): Promise<DatasetInfo> {
    return this.#whileWorkerLives(() => this.#link.open());
  }

  async chooseColumns(choice: ColumnChoice): Promise<void> {
    this.stop();
    await this.#whileWorkerLives(() => this.#link.choose(choice));
    this.summary = null;
    this.lastRun = null;
    this.#changed.fire();
  }

  /**
   * Predicts what has no prediction yet, on `lines` or everywhere, and goes on predicting what is edited. Resolves to
   * null when it was stopped. A second call ends the first.
   */
  async run(lines: LineRange | null, signal?: AbortSignal): Promise<RunResult | null> {
    this.stop();
    const abort = new AbortController();
    this.#runAbort = abort;
    const onAbort = () => abort.abort();
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) abort.abort();
    this.running = { done: 0, total: 0, remainingMs: null };
    this.#changed.fire();
    try {
      const result = await this.#whileWorkerLives(() => this.#runOnce(lines, abort.signal), abort.signal);
      if (abort.signal.aborted) return null;
      this.lastRun = result;
      this.summary = result.summary;
      this.#failure = null;
      this.#isLive = true;
      return result;
    } finally {
      signal?.removeEventListener('abort', onAbort);
      if (this.#runAbort === abort) {
        this.#runAbort = null;
        this.running = null;
        this.#changed.fire();
      }
    }
  }

  async #runOnce(lines: LineRange | null, signal: AbortSignal): Promise<RunResult> {
    const { columns } = await this.#link.open();
    const { supervisor, models, memory } = this.#services;
    const folder = models.folderFor(columns.task, this.document.uri);
    const blame = supervisor.blameOf(this.uri);
    return supervisor.request(
      'predict/run',
      {
        uri: this.uri,
        model: { folder },
        lines,
        visible: this.#visible,
        rememberedLabels: memory.labelsOf(this.document.uri, folder),
        suspects: blame.suspects.map((suspect) => [...suspect.keys]),
        guilty: [...blame.guilty],
      },
      signal,
    );
  }

  /** Ends the run, if there is one: no further batch starts. */
  stop(): void {
    this.#runAbort?.abort();
    this.#runAbort = null;
    this.running = null;
  }

  /** After the worker was restarted on purpose: reads and, where it had been predicted, predicts again. */
  async refresh(): Promise<void> {
    clearTimeout(this.#liveTimer);
    if (this.#isLive) await this.run(null);
    else await this.open();
  }

  onProgress(progress: RunProgress): void {
    if (this.running === null) return;
    this.running = { done: progress.done, total: progress.total, remainingMs: progress.remainingMs };
    this.summary = progress.summary;
    this.#changed.fire();
  }

  /** The lines a person sees: predicted first. */
  setVisible(lines: LineRange | null): void {
    if (lines?.start === this.#visible?.start && lines?.end === this.#visible?.end) return;
    this.#visible = lines;
    const { generation } = this.#link;
    if (this.running === null || generation === null) return;
    void this.#services.supervisor.notify(generation, 'predict/visible', { uri: this.uri, visible: lines });
  }

  view(lines: LineRange): Promise<View | null> {
    return this.#ask(() => this.#services.supervisor.request('dataset/view', { uri: this.uri, lines }));
  }

  cards(position: Position, signal: AbortSignal): Promise<CardList | null> {
    return this.#ask(() => this.#services.supervisor.request('dataset/cards', { uri: this.uri, position }, signal));
  }

  next(position: Position, direction: 'next' | 'previous'): Promise<NextFinding | null> {
    return this.#ask(() => this.#services.supervisor.request('dataset/next', { uri: this.uri, position, direction }));
  }

  /** The document was edited: the worker reads the changed rows again, and predicts them once typing pauses. */
  async edited(event: vscode.TextDocumentChangeEvent): Promise<void> {
    if (event.contentChanges.length === 0) return;
    clearTimeout(this.#liveTimer);
    const isRead = await this.#link.edit(event);
    if (this.#isDisposed) return;
    if (this.info === null) this.summary = null;
    this.#changed.fire();
    if (!isRead) this.#predictLater(reopenDelayMs);
    else if (this.#isLive && isLivePredictionOn()) this.#predictLater(livePredictionDelayMs);
  }

  #predictLater(delayMs: number): void {
    clearTimeout(this.#liveTimer);
    this.#liveTimer = setTimeout(() => void this.#predictUnasked(), delayMs);
  }

  /** What fails here was not asked for: it is said above the first line, not in a message. */
  async #predictUnasked(): Promise<void> {
    // A run that is under way takes what was edited along.
    if (this.#isDisposed || this.running !== null) return;
    try {
      await this.open();
      if (this.#isLive) await this.run(null);
    } catch (error) {
      this.#failure = error instanceof Error ? error.message : String(error);
      this.#changed.fire();
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#liveTimer);
    this.stop();
    this.#link.close();
    this.#changed.dispose();
  }

  /** Null where there is nothing to be asked now: no dataset, or the worker is down (who draws will ask again). */
  async #ask<T>(ask: () => Promise<T>): Promise<T | null> {
    try {
      await this.#link.ensureOpen();
      return this.info === null ? null : await ask();
    } catch (error) {
      // A worker that stays down has been said when it crashed; whoever draws or hovers only finds nothing.
      if (error instanceof WorkerLost || error instanceof WorkerBroken) return null;
      throw error;
    }
  }

  async #whileWorkerLives<T>(ask: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        // The next try starts another worker; the supervisor refuses when it has crashed too often.
        if (!(error instanceof WorkerLost) || signal?.aborted || this.#isDisposed) throw error;
      }
    }
  }
}

function isLivePredictionOn(): boolean {
  return vscode.workspace.getConfiguration('assay').get<boolean>('livePrediction') ?? true;
}
