/** One background process and the RPC to it, from start to exit. Nothing here knows of VS Code. */
import { type ChildProcess, fork } from 'node:child_process';
import {
  CancellationTokenSource,
  createMessageConnection,
  IPCMessageReader,
  IPCMessageWriter,
  type MessageConnection,
} from 'vscode-jsonrpc/node';
import type { HostNotices, WorkerNotices, WorkerRequests } from '../../protocol/worker';

/** The process ended while a request was open. Whoever asked may ask again once it has been restarted. */
export class WorkerLost extends Error {
  override readonly name = 'WorkerLost';
}

/** The request was cancelled by its signal. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/** Where a batch begins and ends is read below the RPC. */
export type NoticeHandlers = {
  [K in Exclude<keyof HostNotices, keyof BatchNotices>]: (notice: HostNotices[K]) => void;
};
type BatchNotices = Pick<HostNotices, 'batch/starting' | 'batch/finished'>;

export type Batch = HostNotices['batch/starting'];

export interface Exit {
  /** For people: `exit code 1`, `SIGKILL`. */
  how: string;
  /** The batch that was being run. */
  inFlight: Batch | null;
}

export interface ProcessEvents {
  notices: NoticeHandlers;
  /** A batch has come through. */
  batchFinished(batch: Batch): void;
  /** What the process writes to its standard streams. */
  output(text: string): void;
}

export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #connection: MessageConnection;
  readonly #lost: AbortController = new AbortController();
  /** Resolves when the process has ended, for whatever reason. */
  readonly exited: Promise<Exit>;

  constructor(script: string, events: ProcessEvents) {
    this.#child = fork(script, [], {
      // The extension host's own flags (its inspector's port) are not the worker's.
      execArgv: [],
      serialization: 'advanced',
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#child.stdout?.setEncoding('utf8').on('data', events.output);
    this.#child.stderr?.setEncoding('utf8').on('data', events.output);
    this.#connection = createMessageConnection(new IPCMessageReader(this.#child), new IPCMessageWriter(this.#child));
    for (const name of Object.keys(events.notices) as (keyof NoticeHandlers)[]) {
      this.#connection.onNotification(name, events.notices[name] as (notice: unknown) => void);
    }
    // A write to a dead process fails before its exit is known; the exit is what is acted on.
    this.#connection.onError(() => {});
    this.#connection.listen();
    let inFlight: Batch | null = null;
    // The RPC hands on one message a turn and drops the rest at an exit, when just the last one is wanted.
    this.#child.on('message', ({ method, params }: { method?: string; params?: unknown }) => {
      if (method === 'batch/starting') inFlight = params as Batch;
      else if (method === 'batch/finished' && inFlight !== null) {
        events.batchFinished(inFlight);
        inFlight = null;
      }
    });
    this.exited = new Promise((resolve) => {
      const end = (how: string) => {
        this.#lost.abort();
        this.#connection.dispose();
        resolve({ how, inFlight });
      };
      this.#child.once('error', (error) => end(error.message));
      this.#child.once('exit', (code, signal) => {
        const how = signal ?? `exit code ${code}`;
        // What was sent before the end may still be on the channel.
        if (this.#child.connected) this.#child.once('disconnect', () => end(how));
        else end(how);
      });
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Rejects with WorkerLost when the process ends first, with Cancelled when `signal` aborts. */
  async request<K extends keyof WorkerRequests>(
    method: K,
    params: WorkerRequests[K]['params'],
    signal?: AbortSignal,
  ): Promise<WorkerRequests[K]['result']> {
    if (this.#lost.signal.aborted) throw new WorkerLost(`The worker has ended (${method})`);
    if (signal?.aborted) throw new Cancelled(method);
    const source = new CancellationTokenSource();
    const cancel = () => source.cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    // vscode-jsonrpc leaves requests pending for ever when the other side dies.
    let rejectLost = () => {};
    const lost = new Promise<never>((_, reject) => {
      rejectLost = () => reject(new WorkerLost(`The worker ended during ${method}`));
      this.#lost.signal.addEventListener('abort', rejectLost, { once: true });
    });
    try {
      const answer = this.#connection.sendRequest<WorkerRequests[K]['result']>(method, params, source.token);
      answer.catch(() => {});
      return await Promise.race([answer, lost]);
    } catch (error) {
      if (signal?.aborted && !(error instanceof WorkerLost)) throw new Cancelled(method);
      if (this.#lost.signal.aborted) throw new WorkerLost(`The worker ended during ${method}`);
      throw error;
    } finally {
      signal?.removeEventListener('abort', cancel);
      this.#lost.signal.removeEventListener('abort', rejectLost);
      source.dispose();
    }
  }

  notify<K extends keyof WorkerNotices>(method: K, notice: WorkerNotices[K]): void {
    if (this.#lost.signal.aborted) return;
    this.#connection.sendNotification(method, notice).catch(() => {});
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}
