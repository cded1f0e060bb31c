/**
 * One dataset on the screen: what runs over it, what came of it, and what the editor may ask. Predictions are held by the
 * worker; what stands here is what a new worker has to be told again. Requests survive a restart.
 */
import * as vscode from 'vscode';
import type { ExplainParams, ExplainResult } from '../../protocol/attribution';
import type { ColumnChoice, DatasetInfo, LineRange, Position } from '../../protocol/dataset';
import type { Summary } from '../../protocol/prediction';
import type { RobustnessResult, TestScope } from '../../protocol/robustness';
import type { CardList, NextFinding, View } from '../../protocol/view';
import { modelErrorCode, type RunProgress, type RunResult, type RunScope } from '../../protocol/worker';
import { attributionOptions } from '../attribution/attribution-options';
import { SessionAttribution } from '../attribution/session-attribution';
import type { ReviewedFiles } from '../findings/reviewed-files';
import { SessionFindings } from '../findings/session-findings';
import type { Memory } from '../memory';
import type { ModelChoice } from '../models/model-choice';
import { datasetUri } from '../pages/page-uri';
import type { ChosenSuite } from '../robustness/chosen-suite';
import { SessionRobustness } from '../robustness/session-robustness';
import { UserError } from '../user-error';
import { type Supervisor, WorkerBroken } from '../worker/supervisor';
import { WorkerLost } from '../worker/worker-process';
import { DatasetLink } from './dataset-link';

export interface SessionServices {
  supervisor: Supervisor;
  models: ModelChoice;
  memory: Memory;
  reviewedFiles: ReviewedFiles;
  onError(error: unknown): void;
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
  readonly findings: SessionFindings;
  readonly attribution: SessionAttribution;
  readonly robustness: SessionRobustness;

  summary: Summary | null = null;
  lastRun: RunResult | null = null;
  running: Running | null = null;

  #runAbort: AbortController | null = null;
  /** What a person last wanted predicted; null before they did. A new worker, or another model, is asked for the same. */
  #scope: RunScope | null = null;
  /** The model of the last run that was begun, whether it came to an end or not. */
  #modelFolder: string | null = null;
  #hasPendingEdits = false;
  #liveTimer: NodeJS.Timeout | undefined;
  /** Why the last prediction that nobody asked for failed. */
  #failure: string | null = null;
  #visible: LineRange | null = null;
  #isDisposed = false;

  constructor(document: vscode.TextDocument, services: SessionServices) {
    this.#services = services;
    this.#link = new DatasetLink(document, services.supervisor, services.memory, () => {
      this.#changed.fire();
      this.findings.configure().catch(services.onError);
      // Its cache on disk knows what was predicted before.
      this.attribution.refresh();
      if (this.#scope !== null && this.running === null) this.#later(0, () => this.refresh());
    });
    this.findings = new SessionFindings(document.uri, {
      ask: (method, params) =>
        this.#ask((generation) =>
          services.supervisor.request(method, { ...params, uri: this.uri } as never, { generation }),
        ),
      reviewedFiles: services.reviewedFiles,
      modelFolder: () => this.#chosenFolder,
    });
    this.findings.onDidChange(() => this.#changed.fire());
    this.attribution = new SessionAttribution({
      options: () => attributionOptions(document.uri),
      explain: (params, signal) => this.#explain(params, signal),
      clear: () =>
        this.#ask((generation) => services.supervisor.request('attribution/clear', { uri: this.uri }, { generation })),
      onError: services.onError,
    });
    this.attribution.onDidChange(() => this.#changed.fire());
    this.robustness = new SessionRobustness({
      run: (chosen, scope, signal) => this.#testRobustness(chosen, scope, signal),
    });
    this.robustness.onDidChange(() => this.#changed.fire());
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

  /** The model of what is shown, else the one that a run would use. */
  get modelFolder(): string | null {
    return this.#modelFolder ?? this.#chosenFolder;
  }

  get #chosenFolder(): string | null {
    return this.info === null
      ? null
      : this.#services.models.folderFor(this.info.columns.task, datasetUri(this.document.uri));
  }

  /** What is shown, or was to be shown, is another model's than the one that is chosen now. */
  get isOutdated(): boolean {
    return this.#modelFolder !== null && this.#modelFolder !== this.#chosenFolder;
  }

  /** Reads the document. Throws UserError where it is no dataset. */
  async open(): Promise<DatasetInfo> {
    return (await this.#whileWorkerLives(() => this.#link.open())).info;
  }

  async chooseColumns(choice: ColumnChoice): Promise<void> {
    this.stop();
    this.#modelFolder = null;
    await this.#whileWorkerLives(() => this.#link.choose(choice));
    this.summary = null;
    this.lastRun = null;
    this.robustness.forget();
    this.#changed.fire();
  }

  /**
   * Predicts what has no prediction yet, on `lines` or everywhere, and goes on predicting what is edited. Resolves to
   * null when it was stopped. A second call ends the first.
   */
  async run(lines: LineRange | null, signal?: AbortSignal): Promise<RunResult | null> {
    this.#scope = lines === null ? { kind: 'all' } : { kind: 'lines', lines };
    const result = await this.#run(this.#scope, signal);
    // Stopped by the person: only what they edit is predicted from now on.
    if (signal?.aborted) this.#scope = { kind: 'edited' };
    return result;
  }

  async #run(scope: RunScope, signal?: AbortSignal): Promise<RunResult | null> {
    this.stop();
    const abort = new AbortController();
    this.#runAbort = abort;
    const onAbort = () => abort.abort();
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) abort.abort();
    this.running = { done: 0, total: 0, remainingMs: null };
    this.#failure = null;
    this.#hasPendingEdits = false;
    this.#changed.fire();
    try {
      const result = await this.#whileWorkerLives(() => this.#runOnce(scope, abort.signal), abort.signal);
      if (abort.signal.aborted) return null;
      this.lastRun = result;
      this.summary = result.summary;
      return result;
    } catch (error) {
      // A later run has taken its place, or the person has ended it.
      if (abort.signal.aborted) return null;
      throw error;
    } finally {
      signal?.removeEventListener('abort', onAbort);
      if (this.#runAbort === abort) {
        this.#runAbort = null;
        this.running = null;
        this.#changed.fire();
        // What has been predicted anew, or by another model, is not explained.
        this.attribution.refresh();
        if (this.#hasPendingEdits) this.#predictEdited();
      }
    }
  }

  async #runOnce(scope: RunScope, signal: AbortSignal): Promise<RunResult> {
    const { info, generation } = await this.#link.open();
    const { supervisor, models, memory } = this.#services;
    const file = datasetUri(this.document.uri);
    const folder = models.folderFor(info.columns.task, file);
    this.#modelFolder = folder;
    const blame = supervisor.blameOf(this.uri);
    const params = {
      uri: this.uri,
      model: { folder },
      scope,
      visible: this.#visible,
      rememberedLabels: memory.labelsOf(file, folder),
      suspects: blame.suspects.map((suspect) => [...suspect.keys]),
      guilty: [...blame.guilty],
    };
    return await this.#sayingModelFaults(folder, info, () =>
      supervisor.request('predict/run', params, { signal, generation }),
    );
  }

  async #explain(
    params: Pick<ExplainParams, 'options' | 'scope' | 'explained'>,
    signal: AbortSignal,
  ): Promise<ExplainResult> {
    const { info, generation } = await this.#link.open();
    const { supervisor, models, memory } = this.#services;
    const file = datasetUri(this.document.uri);
    const folder = this.#modelFolder ?? models.folderFor(info.columns.task, file);
    const request = { ...params, uri: this.uri, model: { folder }, rememberedLabels: memory.labelsOf(file, folder) };
    try {
      return await this.#sayingModelFaults(folder, info, () =>
        supervisor.request('attribution/explain', request, { signal, generation }),
      );
    } catch (error) {
      if (!(error instanceof WorkerLost) || signal.aborted) throw error;
      throw new UserError(
        'The background process ended while it explained (memory may have run out: gradients take more than predictions). Try "Assay: Choose Attribution Method" with Occlusion.',
      );
    }
  }

  async #testRobustness(
    { suite, seed }: ChosenSuite,
    scope: TestScope,
    signal: AbortSignal,
  ): Promise<RobustnessResult> {
    const { info, generation } = await this.#link.open();
    const { supervisor, models, memory } = this.#services;
    const file = datasetUri(this.document.uri);
    const folder = this.#modelFolder ?? models.folderFor(info.columns.task, file);
    const model = { folder };
    const request = { uri: this.uri, model, scope, suite, seed, rememberedLabels: memory.labelsOf(file, folder) };
    try {
      return await this.#sayingModelFaults(folder, info, () =>
        supervisor.request('robustness/run', request, { signal, generation }),
      );
    } catch (error) {
      if (!(error instanceof WorkerLost) || signal.aborted) throw error;
      throw new UserError(
        'The background process ended while it tested. What the model said until then is kept: run "Assay: Test Robustness" again, and it goes on.',
      );
    }
  }

  nextFailing(position: Position): Promise<Position | null> {
    return this.#ask((generation) =>
      this.#services.supervisor.request('robustness/next', { uri: this.uri, position }, { generation }),
    );
  }

  async #sayingModelFaults<T>(folder: string, info: DatasetInfo, ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (!isModelFault(error)) throw error;
      const origin = this.#services.models.isBundled(folder)
        ? ''
        : ` The model is named by the setting assay.models.${info.columns.task}; "Assay: Select Model…" changes it.`;
      throw new UserError(error.message + origin);
    }
  }

  /** Ends the run, if there is one: no further batch starts. */
  stop(): void {
    this.#runAbort?.abort();
    this.#runAbort = null;
    this.running = null;
  }

  /** Reads and predicts again what was wanted: by another worker, or by another model. */
  async refresh(): Promise<void> {
    clearTimeout(this.#liveTimer);
    if (this.isOutdated) {
      this.summary = null;
      this.lastRun = null;
      this.robustness.forget();
    }
    if (this.#scope !== null) await this.#run(this.#scope);
    else await this.open();
  }

  onProgress(progress: RunProgress): void {
    // The last message of a run that was cancelled tells how far it came.
    if (this.running !== null) {
      this.running = { done: progress.done, total: progress.total, remainingMs: progress.remainingMs };
    }
    this.summary = progress.summary;
    this.#changed.fire();
  }

  /** The lines a person sees: predicted first. */
  setVisible(lines: LineRange | null): void {
    if (lines?.start === this.#visible?.start && lines?.end === this.#visible?.end) return;
    this.#visible = lines;
    this.attribution.setVisible(lines);
    const { generation } = this.#link;
    if (this.running === null || generation === null) return;
    void this.#services.supervisor.notify(generation, 'predict/visible', { uri: this.uri, visible: lines });
  }

  view(lines: LineRange): Promise<View | null> {
    return this.#ask((generation) =>
      this.#services.supervisor.request('dataset/view', { uri: this.uri, lines }, { generation }),
    );
  }

  cards(position: Position, signal: AbortSignal): Promise<CardList | null> {
    return this.#ask((generation) =>
      this.#services.supervisor.request('dataset/cards', { uri: this.uri, position }, { signal, generation }),
    );
  }

  next(position: Position, direction: 'next' | 'previous'): Promise<NextFinding | null> {
    return this.#ask((generation) =>
      this.#services.supervisor.request('dataset/next', { uri: this.uri, position, direction }, { generation }),
    );
  }

  /** The document was edited: the worker reads the changed rows again, and predicts them once typing pauses. */
  async edited(event: vscode.TextDocumentChangeEvent): Promise<void> {
    if (event.contentChanges.length === 0) return;
    clearTimeout(this.#liveTimer);
    const isRead = await this.#link.edit(event);
    if (this.#isDisposed) return;
    if (this.info === null) {
      this.summary = null;
      this.findings.clear();
    }
    this.#changed.fire();
    if (!isRead) this.#later(reopenDelayMs, () => this.refresh());
    else this.#predictEdited();
  }

  /** Once typing pauses; a run that is under way takes along what is edited in time, the rest comes after it. */
  #predictEdited(): void {
    if (this.#scope === null || !isLivePredictionOn()) return;
    if (this.running !== null) this.#hasPendingEdits = true;
    else this.#later(livePredictionDelayMs, () => this.#run({ kind: 'edited' }));
  }

  /** What fails here was not asked for: it is said above the first line, not in a message. */
  #later(delayMs: number, work: () => Promise<unknown>): void {
    clearTimeout(this.#liveTimer);
    this.#liveTimer = setTimeout(async () => {
      try {
        if (!this.#isDisposed) await work();
      } catch (error) {
        this.#failure = error instanceof Error ? error.message : String(error);
        this.#changed.fire();
      }
    }, delayMs);
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#liveTimer);
    this.stop();
    this.#link.close();
    this.findings.dispose();
    this.attribution.dispose();
    this.robustness.dispose();
    this.#changed.dispose();
  }

  /** Null where there is nothing to be asked now: no dataset, or the worker is down (who draws will ask again). */
  async #ask<T>(ask: (generation: number) => Promise<T>): Promise<T | null> {
    try {
      const generation = await this.#link.ensureOpen();
      return generation === null ? null : await ask(generation);
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

function isModelFault(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === modelErrorCode;
}
