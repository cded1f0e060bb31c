/** **Test Robustness**: which small changes of the examples break the model; on the selected lines, the example at the cursor, a sample or all. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { TestScope } from '../../protocol/robustness';
import { fromPosition } from '../annotations/ranges';
import type { DatasetSession } from '../annotations/session';
import { count, grouped } from '../annotations/wording';
import type { App } from '../app';
import { chosenSuite } from '../robustness/chosen-suite';
import { type Tested, verdictOf } from '../robustness/session-robustness';
import { UserError } from '../user-error';
import { activeSession } from './active-session';
import { isPosition } from './explain-example';
import { nextFailing } from './next-failing';

/** More take minutes: a sample says nearly as much. */
const sampleSize = 200;

/** A link of the hover names the example that it stands with. */
export async function testRobustness(app: App, at?: unknown): Promise<void> {
  const { editor, session } = activeSession(app);
  const scope = isPosition(at) ? ({ kind: 'at', position: at } as const) : await chooseScope(editor, session);
  if (scope === null) return;
  const chosen = await chosenSuite(session.document.uri);
  const result = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: `Assay: testing ${path.basename(session.document.uri.path)}`,
      cancellable: true,
    },
    async (progress, token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => abort.abort());
      let reported = 0;
      const subscription = session.robustness.onDidChange(() => {
        const state = session.robustness.running;
        if (state === null || state.total === 0) return;
        const percent = (100 * state.done) / state.total;
        progress.report({
          message: `${grouped(state.done)} of ${count(state.total, 'example')}`,
          increment: percent - reported,
        });
        reported = percent;
      });
      try {
        return await session.robustness.run(chosen, scope, abort.signal);
      } finally {
        subscription.dispose();
      }
    },
  );
  if (result === null) return;
  if (result.exampleCount === 0) {
    throw new UserError(
      'No example stands there. Put the cursor on one, or select some, then run "Assay: Test Robustness" again.',
    );
  }
  app.log.info(reportOf(session, result));
  await say(app, result);
}

/** Null: the person thought better of it. */
async function chooseScope(editor: vscode.TextEditor, session: DatasetSession): Promise<TestScope | null> {
  const { selection } = editor;
  if (!selection.isEmpty) {
    return { kind: 'lines', lines: { start: selection.start.line, end: selection.end.line + 1 } };
  }
  const total = session.info?.exampleCount ?? 0;
  const items: (vscode.QuickPickItem & { scope: TestScope })[] = [
    ...(total > sampleSize
      ? [
          {
            label: `A sample of ${sampleSize} examples`,
            description: 'drawn at random',
            scope: { kind: 'sample', count: sampleSize } as const,
          },
        ]
      : []),
    { label: `All ${count(total, 'example')}`, scope: { kind: 'all' } },
    {
      label: 'The example at the cursor',
      description: `line ${selection.active.line + 1}`,
      scope: { kind: 'at', position: fromPosition(selection.active) },
    },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: 'Test Robustness',
    placeHolder: 'Which examples are changed? (Select lines beforehand to test just those.)',
  });
  return picked?.scope ?? null;
}

async function say(app: App, result: Tested): Promise<void> {
  const worst = result.tests
    .filter(({ passed }) => passed === false)
    .sort((a, b) => (b.failureRate?.value ?? 0) - (a.failureRate?.value ?? 0))
    .slice(0, 3)
    .map(({ name, failureRate }) => `${name} ${((failureRate?.value ?? 0) * 100).toFixed(0)} %`);
  const failing = `${grouped(result.failingCount)} of ${count(result.testedCount, 'example')} with a failing variant`;
  const message = `${verdictOf(result.tests)} (suite ${result.suite}); ${failing}${worst.length === 0 ? '' : `. Worst: ${worst.join(', ')}`}.`;
  const next = 'Next Failing Example';
  const log = 'Show All Tests';
  const buttons = result.failingCount > 0 ? [next, log] : [log];
  // Not awaited by the command: it is over, whether the message is read or not.
  void vscode.window.showInformationMessage(message, ...buttons).then((pressed) => {
    if (pressed === log) app.log.show();
    if (pressed === next) return nextFailing(app);
    return undefined;
  });
}

/** Every test on a line, as the command line writes it. */
function reportOf(session: DatasetSession, { tests, suite, testedCount, ms }: Tested): string {
  const lines = tests.map(({ id, passed, failureRate, examples, threshold, reason }) => {
    const sign = passed === null ? '–' : passed ? '✓' : '✗';
    if (failureRate === null) return `${sign} ${id}: not applicable (${reason ?? 'no example'})`;
    const percent = (share: number) => (100 * share).toFixed(1);
    const { value, low, high } = failureRate;
    return `${sign} ${id}: ${percent(value)} % fail [${percent(low)}–${percent(high)}] of ${examples} examples, at most ${percent(threshold)} % allowed`;
  });
  return [`${session.uri}: suite ${suite} on ${testedCount} examples, ${Math.round(ms)} ms`, ...lines].join('\n  ');
}
