/** The background process: serves the engine over JSON-RPC to the host that forked it, and ends with it. */
import { createMessageConnection, IPCMessageReader, IPCMessageWriter } from 'vscode-jsonrpc/node';
import type { HostNotices, WorkerNotices, WorkerRequests } from '../protocol/worker';
import { Service } from './service';

const connection = createMessageConnection(new IPCMessageReader(process), new IPCMessageWriter(process));

const service = new Service(<K extends keyof HostNotices>(method: K, notice: HostNotices[K]) =>
  connection.sendNotification(method, notice),
);

/** Cancellation crosses the wire as a token; inside it is an AbortSignal, as everywhere else. */
for (const method of Object.keys(service.requests) as (keyof WorkerRequests)[]) {
  connection.onRequest(method, async (params, token) => {
    const abort = new AbortController();
    const subscription = token.onCancellationRequested(() => abort.abort());
    try {
      const serve = service.requests[method] as (params: unknown, signal: AbortSignal) => unknown;
      return await serve(params, abort.signal);
    } finally {
      subscription.dispose();
    }
  });
}
for (const method of Object.keys(service.notices) as (keyof WorkerNotices)[]) {
  connection.onNotification(method, service.notices[method] as (notice: unknown) => void);
}

process.on('message', () => service.onMessage());
// The host is gone, however it went.
process.on('disconnect', () => process.exit(0));
connection.listen();
