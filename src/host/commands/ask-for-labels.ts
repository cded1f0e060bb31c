/** Which label of the model is meant by a label of the dataset: asked once where it is not plain, and remembered. */
import * as vscode from 'vscode';
import type { RunResult } from '../../protocol/worker';
import type { DatasetSession } from '../annotations/session';
import type { App } from '../app';
import { datasetUri } from '../pages/page-uri';

const none = 'None of these';

export async function askForLabels(app: App, session: DatasetSession, { labels, model }: RunResult): Promise<void> {
  const { document } = session;
  const file = datasetUri(document.uri);
  if (app.memory.labelsOf(file, model.folder).length > 0) return;
  const guessed = labels.pairs.filter((pair) => pair.model !== null);
  const message =
    guessed.length === 0
      ? `None of this dataset's labels is a label of ${model.name}, so nothing can be right or wrong.`
      : `Assay guessed what the labels mean: ${guessed
          .slice(0, 4)
          .map((pair) => `${pair.dataset} is ${pair.model}`)
          .join(', ')}${guessed.length > 4 ? ', …' : ''}.`;
  const answer = await vscode.window.showWarningMessage(
    message,
    ...(guessed.length === 0 ? [] : ['That Is Right']),
    'Match Labels…',
    ...(guessed.length === 0 ? ['Select Model…'] : []),
  );
  if (answer === 'Select Model…') {
    await vscode.commands.executeCommand('assay.selectModel');
    return;
  }
  let pairs: [string, string | null][];
  if (answer === 'That Is Right') pairs = labels.pairs.map((pair) => [pair.dataset, pair.model]);
  else if (answer === 'Match Labels…') {
    const chosen = await matchByHand({ labels, model });
    if (chosen === null) return;
    pairs = chosen;
  } else return;
  await app.memory.setLabels(file, model.folder, pairs);
  if (app.sessions.of(document) === session) await session.run(null);
}

/** One question a label, the guess first; null when the person gives up. */
async function matchByHand({
  labels,
  model,
}: Pick<RunResult, 'labels' | 'model'>): Promise<[string, string | null][] | null> {
  const pairs: [string, string | null][] = [];
  for (const [index, pair] of labels.pairs.entries()) {
    const order = [
      ...(pair.model === null ? [] : [pair.model]),
      ...model.labels.filter((label) => label !== pair.model),
    ];
    const picked = await vscode.window.showQuickPick([...order, none], {
      title: `Match Labels (${index + 1}/${labels.pairs.length})`,
      placeHolder: `Which label of ${model.name} is “${pair.dataset}” (${pair.count} examples)?`,
      ignoreFocusOut: true,
    });
    if (picked === undefined) return null;
    pairs.push([pair.dataset, picked === none ? null : picked]);
  }
  return pairs;
}
