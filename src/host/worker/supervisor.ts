/**
 * Keeps one worker: starts it when something is asked, restarts it when it dies, stops it when it is idle. The worker is
 * crash-only, so a restart is also how a changed model or a changed setting takes effect. Nothing here knows of VS Code.
 */
import type { WorkerNotices, WorkerOptions, WorkerRequests } from '../../protocol/worker';
import { type Blame, blameAfterCrash, blameAfterSuccess, noBlame } from './blame';
import { afterCrash, type CrashHistory, crashLimit, crashWindowMs, noCrashes } from './restart-policy';
import { Cancelled, type Exit, type NoticeHandlers, WorkerLost, WorkerProcess } from './worker-process';

/** The worker crashed too often and stays down until a person restarts it. */
export class WorkerBroken extends Error {
  override readonly name = 'WorkerBroken';
}

export interface SupervisorEvents {
  /** The worker died; `willRestart` says what happens next. */
  crashed(how: string, willRestart: boolean): void;
  progress: NoticeHandlers['predict/progress'];
  attributionProgress: NoticeHandlers['attribution/progress'];
  robustnessProgress: NoticeHandlers['robustness/progress'];
  findingsChanged: NoticeHandlers['findings/changed'];
  pagesProgress: NoticeHandlers['pages/progress'];
  log: NoticeHandlers['log'];
}

export interface SupervisorOptions {
  script: string;
  /** Read at each start. */
  workerOptions(): WorkerOptions;
  /** After this long without a request the process is stopped, and its memory given back. */
  idleMs: number;
}

interface Started {
  process: WorkerProcess;
  /** Counts the processes: whoever told a process something tells the next one again. */
  generation: number;
}

export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #events: SupervisorEvents;
  #current: Promise<Started> | null = null;
  #generation = 0;
  #crashes: CrashHistory = noCrashes;
  #isBroken = false;
  #isDisposed = false;
  #openRequests = 0;
  #idleTimer: NodeJS.Timeout | undefined;
  /** Which inputs are suspected of killing the worker, a dataset. */
  readonly #blame = new Map<string, Blame>();

  constructor(options: SupervisorOptions, events: SupervisorEvents) {
    this.#options = options;
    this.#events = events;
  }

  blameOf(uri: string): Blame {
    return this.#blame.get(uri) ?? noBlame;
  }

  /** The running process, started if need be. Throws WorkerBroken after too many crashes. */
  async ensure(): Promise<Started> {
    if (this.#isDisposed) throw new Cancelled('Assay is shutting down');
    if (this.#isBroken) {
      throw new WorkerBroken(
        `The background process crashed ${crashLimit} times within ${crashWindowMs / 60_000} minutes and was stopped. See the log, then run "Assay: Restart Worker".`,
      );
    }
    this.#current ??= this.#start();
    return this.#current;
  }

  /**
   * `generation`: only the process of that generation is asked, no other is started for it; where it has gone the request
   * rejects with WorkerLost. What a request refers to (an open dataset) is known to one process only.
   */
  async request<K extends keyof WorkerRequests>(
    method: K,
    params: WorkerRequests[K]['params'],
    { signal, generation }: { signal?: AbortSignal; generation?: number } = {},
  ): Promise<WorkerRequests[K]['result']> {
    if (generation !== undefined && this.#current === null) throw new WorkerLost(`The worker has ended (${method})`);
    const { process, generation: current } = await this.ensure();
    if (generation !== undefined && generation !== current) throw new WorkerLost(`The worker has ended (${method})`);
    this.#openRequests++;
    clearTimeout(this.#idleTimer);
    try {
      return await process.request(method, params, signal);
    } finally {
      this.#openRequests--;
      this.#watchIdleness();
    }
  }

  /** To the process of `generation` only: a later one would not understand. */
  async notify<K extends keyof WorkerNotices>(generation: number, method: K, notice: WorkerNotices[K]): Promise<void> {
    const started = await this.#current?.catch(() => null);
    if (started?.generation === generation) started.process.notify(method, notice);
  }

  /** Ends the process; the next request starts another. Forgets all crashes. */
  async restart(): Promise<void> {
    this.#crashes = noCrashes;
    this.#isBroken = false;
    this.#blame.clear();
    await this.#stop();
  }

  dispose(): void {
    this.#isDisposed = true;
    void this.#stop();
  }

  async #start(): Promise<Started> {
    const generation = ++this.#generation;
    const process = new WorkerProcess(this.#options.script, {
      notices: {
        'predict/progress': this.#events.progress,
        'findings/changed': this.#events.findingsChanged,
        'attribution/progress': this.#events.attributionProgress,
        'robustness/progress': this.#events.robustnessProgress,
        'pages/progress': this.#events.pagesProgress,
        log: this.#events.log,
      },
      batchFinished: ({ uri, keys }) => this.#blame.set(uri, blameAfterSuccess(this.blameOf(uri), keys)),
      output: (message) => this.#events.log({ level: 'warn', message: message.trimEnd() }),
    });
    process.exited.then((exit) => this.#onExit(generation, exit));
    this.#events.log({ level: 'info', message: `Worker ${process.pid} started` });
    try {
      await process.request('initialize', this.#options.workerOptions());
    } catch (error) {
      process.kill();
      throw error;
    }
    this.#watchIdleness();
    return { process, generation };
  }

  #onExit(generation: number, { how, inFlight }: Exit): void {
    // An end that we asked for has already taken the process out of #current.
    if (this.#current === null || generation !== this.#generation) return;
    this.#current = null;
    const { blame, isExplained } = blameAfterCrash(
      inFlight === null ? noBlame : this.blameOf(inFlight.uri),
      inFlight?.keys ?? null,
    );
    if (inFlight !== null) this.#blame.set(inFlight.uri, blame);
    const { history, action } = afterCrash(this.#crashes, Date.now(), isExplained);
    this.#crashes = history;
    this.#isBroken = action === 'stop';
    this.#events.log({ level: 'error', message: `The worker ended unexpectedly (${how})` });
    this.#events.crashed(how, action === 'restart');
  }

  async #stop(): Promise<void> {
    const current = this.#current;
    this.#current = null;
    clearTimeout(this.#idleTimer);
    const started = await current?.catch(() => null);
    started?.process.kill();
    await started?.process.exited;
  }

  #watchIdleness(): void {
    clearTimeout(this.#idleTimer);
    if (this.#openRequests > 0) return;
    this.#idleTimer = setTimeout(() => {
      this.#events.log({ level: 'info', message: 'Worker stopped: nothing to do' });
      void this.#stop();
    }, this.#options.idleMs);
    this.#idleTimer.unref();
  }
}
