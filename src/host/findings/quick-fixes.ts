/** The light bulb: the change that mends a finding, all of its kind in the file, and the judgement that it is right as it is. */
import * as vscode from 'vscode';
import type { ListedFinding } from '../../protocol/findings';
import { fromRange, toRange } from '../annotations/ranges';
import type { Sessions } from '../annotations/sessions';
import { count } from '../annotations/wording';
import { pageAddress } from '../pages/page-uri';
import type { FindingRef } from './finding-ref';

export class QuickFixes implements vscode.CodeActionProvider {
  /**
   * "All of its kind" is no `source.fixAll`: VS Code runs those by itself when a file is saved, where a person has said so for all languages,
   * and rows of a dataset are not removed unasked.
   */
  static readonly metadata: vscode.CodeActionProviderMetadata = {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  };
  readonly #sessions: Sessions;

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
  }

  async provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    context: vscode.CodeActionContext,
  ): Promise<vscode.CodeAction[]> {
    const session = this.#sessions.of(document);
    if (session === undefined || (context.only !== undefined && !context.only.contains(vscode.CodeActionKind.QuickFix)))
      return [];
    const window = await session.findings.on(fromRange(range));
    if (window === null || window.version !== document.version) return [];
    const here = window.findings.filter((finding) => toRange(finding.range).intersection(range) !== undefined);
    const isPage = pageAddress(document.uri) !== null;
    const fixable = isPage ? [] : here.filter(({ fix }) => fix !== undefined);
    const kinds = fixable.length === 0 ? [] : ((await session.findings.kinds())?.kinds ?? []);
    const problemOf = ({ message }: ListedFinding) =>
      context.diagnostics.filter((problem) => problem.source === 'Assay' && problem.message === message);
    const refOf = ({ id }: ListedFinding): FindingRef => ({ uri: session.uri, id });

    const fixes = fixable.map((finding) => {
      const action = actionOf(finding.fix!, problemOf(finding), 'assay.fixFinding', refOf(finding));
      action.isPreferred = fixable.length === 1;
      return action;
    });
    const all = [...new Set(fixable.map(({ code }) => code))].flatMap((code) => {
      const kind = kinds.find((each) => each.code === code);
      if (kind === undefined || kind.fixableCount < 2) return [];
      const problems = fixable.filter((finding) => finding.code === code).flatMap(problemOf);
      const title = `Fix all of this kind in the file (${code}, ${count(kind.fixableCount, 'finding')})`;
      return [actionOf(title, problems, 'assay.fixAllFindings', { uri: session.uri, code })];
    });
    const reviews = here
      .filter(({ key }) => key !== undefined)
      .map((finding) =>
        actionOf(`Mark as Reviewed (${finding.code})`, problemOf(finding), 'assay.markReviewed', refOf(finding)),
      );
    return [...fixes, ...all, ...reviews];
  }
}

function actionOf(title: string, problems: vscode.Diagnostic[], command: string, argument: unknown): vscode.CodeAction {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.diagnostics = problems;
  action.command = { command, title, arguments: [argument] };
  return action;
}
