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

export type NoticeHandlers = { [K in keyof HostNotices]: (notice: HostNotices[K]) => void };

export interface Exit {
  /** For people: `exit code 1`, `SIGKILL`. */
  how: string;
}

export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #connection: MessageConnection;
  readonly #lost: AbortController = new AbortController();
  /** Resolves when the process has ended, for whatever reason. */
  readonly exited: Promise<Exit>;

  constructor(script: string, handlers: NoticeHandlers, onOutput: (text: string) => void) {
    this.#child = fork(script, [], {
      // The extension host's own flags (its inspector's port) are not the worker's.
      execArgv: [],
      serialization: 'advanced',
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#child.stdout?.setEncoding('utf8').on('data', onOutput);
    this.#child.stderr?.setEncoding('utf8').on('data', onOutput);
    this.#connection = createMessageConnection(new IPCMessageReader(this.#child), new IPCMessageWriter(this.#child));
    for (const name of Object.keys(handlers) as (keyof HostNotices)[]) {
      this.#connection.onNotification(name, handlers[name] as (notice: unknown) => void);
    }
    // A write to a dead process fails before its exit is known; the exit is what is acted on.
    this.#connection.onError(() => {});
    this.#connection.listen();
    this.exited = new Promise((resolve) => {
      const end = (how: string) => {
        this.#lost.abort();
        this.#connection.dispose();
        resolve({ how });
      };
      this.#child.once('error', (error) => end(error.message));
      this.#child.once('exit', (code, signal) => end(signal ?? `exit code ${code}`));
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
