/**
 * One dataset document and what the worker knows of it. Everything is held by the worker; what stands here is what is
 * needed to tell a new worker the same again. Requests survive a restart: they open the dataset anew and ask again.
 */
import path from 'node:path';
import * as vscode from 'vscode';
import type { ColumnChoice, DatasetInfo, LineRange, Position } from '../../protocol/dataset';
import type { Summary } from '../../protocol/prediction';
import type { CardList, NextFinding, View } from '../../protocol/view';
import type { OpenParams, OpenResult, RunProgress, RunResult } from '../../protocol/worker';
import type { Memory } from '../memory';
import type { ModelChoice } from '../models/model-choice';
import { UserError } from '../user-error';
import { type Supervisor, WorkerBroken } from '../worker/supervisor';
import { WorkerLost } from '../worker/worker-process';
import { DocumentChanged, pathAndProbe, piecesOf } from './document-text';
import { fromRange } from './ranges';

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
const reopenDelayMs = 500;

export class DatasetSession {
  readonly document: vscode.TextDocument;
  readonly #services: SessionServices;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Something that is drawn or said may have changed. */
  readonly onDidChange = this.#changed.event;

  /** Null until it was read, and while the text is no dataset. */
  info: DatasetInfo | null = null;
  /** Why nothing can be said of the text now: it is no dataset (any more), or the model cannot run. */
  problem: string | null = null;
  summary: Summary | null = null;
  lastRun: RunResult | null = null;
  running: Running | null = null;

  #openGeneration: number | null = null;
  /** The version that was found to be no dataset: not asked again until it is edited. */
  #rejectedVersion: number | null = null;
  #opening: Promise<void> | null = null;
  #runAbort: AbortController | null = null;
  #isLive = false;
  #liveTimer: NodeJS.Timeout | undefined;
  #visible: LineRange | null = null;
  #isDisposed = false;

  constructor(document: vscode.TextDocument, services: SessionServices) {
    this.document = document;
    this.#services = services;
  }

  get uri(): string {
    return this.document.uri.toString();
  }

  /** The model that a run would use now. */
  get modelFolder(): string | null {
    return this.info === null ? null : this.#services.models.folderFor(this.info.columns.task, this.document.uri);
  }

  /** Reads the document. Throws UserError where it is no dataset. */
  async open(): Promise<DatasetInfo> {
    await this.#whileWorkerLives(() => this.#ensureOpen());
    if (this.info === null) throw new UserError(this.problem ?? 'The file could not be read.');
    return this.info;
  }

  async chooseColumns(choice: ColumnChoice): Promise<void> {
    await this.open();
    this.stop();
    const result = await this.#services.supervisor.request('dataset/choose', { uri: this.uri, choice });
    if (result.kind === 'notADataset') {
      // The former reading stands: open it again.
      this.#openGeneration = null;
      throw new UserError(result.message);
    }
    await this.#services.memory.setColumns(this.document.uri, choice);
    this.#take(result);
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
      this.problem = null;
      this.summary = result.summary;
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

  /** After the worker was restarted on purpose: reads and, where it had been predicted, predicts again. */
  async refresh(): Promise<void> {
    clearTimeout(this.#liveTimer);
    if (this.#isLive) await this.run(null);
    else await this.open();
  }

  async #runOnce(lines: LineRange | null, signal: AbortSignal): Promise<RunResult> {
    await this.#ensureOpen();
    if (this.info === null) throw new UserError(this.problem ?? 'The file could not be read.');
    const { supervisor, models, memory } = this.#services;
    const folder = models.folderFor(this.info.columns.task, this.document.uri);
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
    if (this.running === null || this.#openGeneration === null) return;
    const notice = { uri: this.uri, visible: lines };
    void this.#services.supervisor.notify(this.#openGeneration, 'predict/visible', notice);
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
    const generation = this.#openGeneration;
    if (generation === null) {
      this.#liveTimer = setTimeout(() => this.#reopen(), reopenDelayMs);
      return;
    }
    // The reader wants every change in coordinates of the former text: the last in the file first.
    const changes = event.contentChanges
      .map((change) => ({ range: fromRange(change.range), text: change.text, offset: change.rangeOffset }))
      .sort((a, b) => b.offset - a.offset)
      .map(({ range, text }) => ({ range, text }));
    const params = { uri: this.uri, version: this.document.version, changes };
    try {
      const result = await this.#services.supervisor.request('dataset/edit', params);
      this.#take(result);
      if (result.kind === 'notADataset') this.#rejectedVersion = params.version;
    } catch (error) {
      // Whatever the worker has read is not this text any more.
      if (this.#openGeneration === generation) this.#openGeneration = null;
      if (!(error instanceof WorkerLost)) throw error;
    }
    this.#changed.fire();
    if (!this.#isLive || !isLivePredictionOn()) return;
    clearTimeout(this.#liveTimer);
    this.#liveTimer = setTimeout(() => this.#predictEdited(), livePredictionDelayMs);
  }

  async #predictEdited(): Promise<void> {
    // A run that is under way takes what was edited along.
    if (this.#isDisposed || this.info === null || this.running !== null) return;
    await this.run(null).catch((error) => this.#fail(error));
  }

  async #reopen(): Promise<void> {
    if (this.#isDisposed) return;
    try {
      await this.open();
      if (this.#isLive) await this.run(null);
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.problem = error instanceof Error ? error.message : String(error);
    this.#changed.fire();
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#liveTimer);
    this.stop();
    if (this.#openGeneration !== null) {
      void this.#services.supervisor.notify(this.#openGeneration, 'dataset/close', { uri: this.uri });
    }
    this.#changed.dispose();
  }

  /** Null where there is nothing to be asked now: no dataset, or the worker is down (who draws will ask again). */
  async #ask<T>(ask: () => Promise<T>): Promise<T | null> {
    try {
      await this.#ensureOpen();
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

  async #ensureOpen(): Promise<void> {
    const { generation } = await this.#services.supervisor.ensure();
    if (this.#openGeneration === generation || this.#rejectedVersion === this.document.version) return;
    this.#opening ??= this.#openIn(generation).finally(() => {
      this.#opening = null;
    });
    await this.#opening;
  }

  async #openIn(generation: number): Promise<void> {
    const { supervisor, memory } = this.#services;
    for (;;) {
      const version = this.document.version;
      const params = {
        uri: this.uri,
        name: path.basename(this.document.uri.path),
        version,
        choice: memory.columnsOf(this.document.uri),
      };
      const onDisk = pathAndProbe(this.document);
      let result = onDisk === null ? null : await supervisor.request('dataset/open', { ...params, ...onDisk });
      if (result === null || result.kind === 'differs') {
        result = await this.#openByText(generation, params).catch((error) => {
          if (error instanceof DocumentChanged) return null;
          throw error;
        });
      }
      if (result === null || this.document.version !== version) continue;
      this.#take(result);
      this.#openGeneration = result.kind === 'opened' ? generation : null;
      this.#rejectedVersion = result.kind === 'opened' ? null : version;
      this.#changed.fire();
      // This worker is a new one and has predicted nothing yet; its cache on disk has.
      if (this.#isLive && this.running === null) this.#liveTimer = setTimeout(() => this.#predictEdited(), 0);
      return;
    }
  }

  async #openByText(generation: number, params: Omit<OpenParams, 'path' | 'probe'>): Promise<OpenResult> {
    const { supervisor } = this.#services;
    // Pieces of an attempt that an edit has overtaken are dropped.
    await supervisor.notify(generation, 'dataset/close', { uri: this.uri });
    for await (const piece of piecesOf(this.document)) {
      await supervisor.notify(generation, 'dataset/text', { uri: this.uri, piece });
    }
    return supervisor.request('dataset/open', { ...params, path: null, probe: null });
  }

  #take(result: OpenResult): void {
    if (result.kind === 'opened') {
      this.info = result.info;
      this.problem = null;
    } else if (result.kind === 'notADataset') {
      this.#openGeneration = null;
      this.info = null;
      this.problem = result.message;
      this.summary = null;
    }
  }
}

function isLivePredictionOn(): boolean {
  return vscode.workspace.getConfiguration('assay').get<boolean>('livePrediction') ?? true;
}
