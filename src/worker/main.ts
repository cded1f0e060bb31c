/** The background process: serves the engine over JSON-RPC to the host that forked it, and ends with it. */
import {
  createMessageConnection,
  ErrorCodes,
  IPCMessageReader,
  IPCMessageWriter,
  ResponseError,
} from 'vscode-jsonrpc/node';
import { ModelError } from '../engine/models/model-error';
import { type HostNotices, modelErrorCode, type WorkerNotices, type WorkerRequests } from '../protocol/worker';
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
    } catch (error) {
      // Thrown as it is, the library would put its own words before the message.
      const code = error instanceof ModelError ? modelErrorCode : ErrorCodes.InternalError;
      throw new ResponseError(code, error instanceof Error ? error.message : String(error));
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
