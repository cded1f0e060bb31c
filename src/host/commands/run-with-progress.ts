/** Runs the model over a dataset; when that takes longer than a moment, a notification counts along and can cancel. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { LineRange } from '../../protocol/dataset';
import type { RunResult } from '../../protocol/worker';
import type { DatasetSession } from '../annotations/session';
import { remaining } from '../annotations/wording';
import type { App } from '../app';
import { askForLabels } from './ask-for-labels';

/** A run shorter than this shows no notification: it would only flash. */
const momentMs = 1500;

/** Null when it was cancelled. */
export async function runWithProgress(
  app: App,
  session: DatasetSession,
  lines: LineRange | null,
): Promise<RunResult | null> {
  const abort = new AbortController();
  const running = session.run(lines, abort.signal);
  const isShort = await Promise.race([
    running.then(
      () => true,
      () => true,
    ),
    new Promise<false>((resolve) => setTimeout(resolve, momentMs, false)),
  ]);
  if (!isShort) await showProgress(session, running, abort);
  const result = await running;
  if (result === null) return null;
  app.log.info(
    `${session.uri}: ${result.classifiedCount} classified, ${result.reusedCount} reused, ${Math.round(result.ms)} ms, ${result.model.name}`,
  );
  if (!result.labels.sure) void askForLabels(app, session, result).catch((error) => app.log.error(error));
  return result;
}

async function showProgress(session: DatasetSession, running: Promise<unknown>, abort: AbortController): Promise<void> {
  await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: `Assay: predicting ${path.basename(session.document.uri.path)}`,
      cancellable: true,
    },
    async (progress, token) => {
      token.onCancellationRequested(() => abort.abort());
      let reported = 0;
      const update = () => {
        const state = session.running;
        if (state === null || state.total === 0) return;
        const percent = (100 * state.done) / state.total;
        const left = state.remainingMs === null ? '' : ` · ${remaining(state.remainingMs)}`;
        progress.report({
          message: `${state.done.toLocaleString('en-US')} of ${state.total.toLocaleString('en-US')}${left}`,
          increment: Math.max(0, percent - reported),
        });
        reported = Math.max(reported, percent);
      };
      const subscription = session.onDidChange(update);
      update();
      await running.then(
        () => {},
        () => {},
      );
      subscription.dispose();
    },
  );
}
