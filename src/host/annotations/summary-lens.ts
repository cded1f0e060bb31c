/** The summary above the first line, with links to act. */

import path from 'node:path';
import * as vscode from 'vscode';
import { methods } from '../../protocol/attribution';
import type { DatasetInfo } from '../../protocol/dataset';
import { pageAddress } from '../pages/page-uri';
import { verdictOf } from '../robustness/session-robustness';
import type { DatasetSession } from './session';
import type { Sessions } from './sessions';
import { count, grouped, problemParts, summaryLine } from './wording';

/**
 * VS Code waits for a pause before it asks for lenses again: told at every result it would never ask while a run goes on.
 */
const whileRunningMs = 1000;

export class SummaryLens implements vscode.CodeLensProvider {
  readonly #sessions: Sessions;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #subscription: vscode.Disposable;
  /** What was told last, a session. */
  readonly #told = new WeakMap<DatasetSession, string>();
  #toldMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
    this.#subscription = sessions.onDidChange((session) => this.#follow(session));
  }

  #follow(session: DatasetSession | null): void {
    if (session !== null) {
      const titles = titlesOf(session).join('\n');
      if (this.#told.get(session) === titles) return;
      this.#told.set(session, titles);
    }
    clearTimeout(this.#timer);
    const waitMs = session?.running == null ? 0 : this.#toldMs + whileRunningMs - Date.now();
    if (waitMs <= 0) this.#tell();
    else this.#timer = setTimeout(() => this.#tell(), waitMs);
  }

  #tell(): void {
    this.#toldMs = Date.now();
    this.#changed.fire();
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const session = this.#sessions.of(document);
    if (session === undefined) return [];
    const range = new vscode.Range(0, 0, 0, 0);
    const lens = (title: string, command = '', tooltip?: string) =>
      new vscode.CodeLens(range, { title, command, ...(tooltip === undefined ? {} : { tooltip }) });
    const lenses: vscode.CodeLens[] = [];
    const address = pageAddress(document.uri);
    if (address !== null) {
      const { index, pageCount } = address;
      lenses.push(lens(pageTitle(session, index + 1, pageCount), '', 'The figures are those of this page'));
      if (index > 0) lenses.push(lens('Previous Page', 'assay.previousPage', 'Show the examples before these'));
      if (index + 1 < pageCount) lenses.push(lens('Next Page', 'assay.nextPage', 'Show the examples behind these'));
      if (pageCount > 1) lenses.push(lens('Go to Page…', 'assay.goToPage', 'Show another page of this file'));
      if (pageCount > 1) {
        const all =
          'Duplicates, labels and splits are looked at within this page. `assay check FILE` looks at the whole file';
        lenses.push(lens('Findings of this page only', '', all));
      }
    }
    lenses.push(lens(`Assay: ${headline(session)}`));
    if ((session.summary?.wrongCount ?? 0) + session.findings.problemCount > 0) {
      lenses.push(lens('Next Finding', 'assay.nextFinding', 'Go to the next wrong prediction or data problem'));
    }
    if (session.info !== null) {
      const { isHeatOn, options, fallback } = session.attribution;
      if (!isHeatOn) lenses.push(lens('Show Heat', 'assay.toggleHeat', heatTooltip(session)));
      else {
        const method = methods[fallback === null ? options.method : 'occlusion'].name;
        lenses.push(lens(`Heat: ${method}`, 'assay.chooseMethod', fallback ?? heatTooltip(session)));
        lenses.push(lens('Hide Heat', 'assay.toggleHeat', 'Stop colouring the words'));
      }
      const { result } = session.robustness;
      lenses.push(
        result === null
          ? lens(
              'Test Robustness',
              'assay.testRobustness',
              'Change the examples in small ways, and see what breaks the model',
            )
          : lens(verdictOf(result.tests), 'assay.nextFailing', 'Go to the next example with a failing variant'),
      );
      if (session.modelFolder !== null) {
        lenses.push(
          lens(path.basename(session.modelFolder), 'assay.selectModel', 'Select another model for this task'),
        );
      }
      lenses.push(lens(columnsTitle(session), 'assay.chooseColumns', fileTooltip(session.info)));
    }
    return lenses;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#subscription.dispose();
    this.#changed.dispose();
  }
}

/** The legend. */
function heatTooltip({ attribution }: DatasetSession): string {
  const { name, isSigned } = methods[attribution.options.method];
  return isSigned
    ? `Colour the words by ${name}: blue speaks for the prediction, orange with a dotted line above against it`
    : `Colour the words by ${name}: the stronger, the more they count`;
}

function titlesOf(session: DatasetSession): string[] {
  const { isHeatOn, options, fallback } = session.attribution;
  return [
    `${isHeatOn} ${options.method} ${fallback}`,
    headline(session),
    session.robustness.result === null ? '' : verdictOf(session.robustness.result.tests),
    session.modelFolder ?? '',
    columnsTitle(session),
  ];
}

function headline(session: DatasetSession): string {
  if (session.problem !== null) return session.problem;
  if (session.info === null) return 'reading …';
  const { running, summary, info, findings } = session;
  if (summary !== null) return summaryLine(summary, info, findings.counts);
  const counted = count(info.exampleCount, 'example');
  const state = running === null ? `${counted}, not predicted yet` : `${counted}, predicting …`;
  return [state, ...problemParts(findings.counts)].join(' · ');
}

/** `Page 3 of 120 · 2,001–3,000 of 119,345`. */
function pageTitle(session: DatasetSession, number: number, pageCount: number): string {
  const page = `Page ${grouped(number)} of ${grouped(pageCount)}`;
  const { info } = session;
  if (info?.page === undefined) return page;
  const { firstExample, exampleCount } = info.page;
  const last = firstExample + info.exampleCount - 1;
  const shown = info.exampleCount === 0 ? 'no example' : `${grouped(firstExample)}–${grouped(last)}`;
  return `${page} · ${shown} of ${grouped(exampleCount)}`;
}

/** `text: sentence · gold: label`, so that a wrong guess is seen at once. */
function columnsTitle(session: DatasetSession): string {
  const columns = session.info?.columns;
  if (columns === undefined) return '';
  const parts = (['text', 'gold', 'head', 'tail'] as const)
    .filter((part) => columns[part] !== undefined)
    .map((part) => `${part}: ${columns[part]}`);
  return parts.length === 0 ? 'Columns' : parts.join(' · ');
}

/** The format, the encoding, and the other files of the dataset. */
function fileTooltip({ formatDetail, encoding, splits }: DatasetInfo): string {
  const others = splits.filter(({ isThis }) => !isThis).map(({ split, name }) => `${split} in ${name}`);
  const own = splits.find(({ isThis }) => isThis);
  const beside = own === undefined ? '' : `; the ${own.split} part of a dataset, beside it ${others.join(', ')}`;
  return `${formatDetail}, ${encoding}${beside}`;
}
