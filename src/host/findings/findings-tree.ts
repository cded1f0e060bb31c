/**
 * The findings of all open datasets in the side bar: file, kind, finding. What is unfolded is asked from the worker in portions; of 100,000
 * findings none stands here that is not shown.
 */
import path from 'node:path';
import * as vscode from 'vscode';
import type { Severity } from '../../protocol/dataset';
import type { FindingGroup, FindingKind, ListedFinding } from '../../protocol/findings';
import { shorten } from '../annotations/markdown';
import { markedRange } from '../annotations/ranges';
import type { DatasetSession } from '../annotations/session';
import type { Sessions } from '../annotations/sessions';
import { count, grouped } from '../annotations/wording';
import { Disposables } from '../disposable';
import { pageAddress } from '../pages/page-uri';
import type { FindingRef } from './finding-ref';

/** Findings of a kind that are listed at first, and with each "more". */
const portion = 200;
const messageLength = 160;
/** Several changes within this time are one redrawing. */
const coalesceMs = 250;

export interface FileNode {
  type: 'file';
  session: DatasetSession;
}

export interface GroupNode {
  type: 'group';
  session: DatasetSession;
  group: FindingGroup;
  /** Null: those that were reviewed, of any kind. */
  kind: FindingKind | null;
  count: number;
}

/** A command that is given a node takes it as the reference that it is. */
export interface FindingNode extends FindingRef {
  type: 'finding';
  session: DatasetSession;
  finding: ListedFinding;
  isReviewed: boolean;
}

export interface MoreNode {
  type: 'more';
  parent: GroupNode;
  left: number;
}

export type Node = FileNode | GroupNode | FindingNode | MoreNode;

export class FindingsTree implements vscode.TreeDataProvider<Node> {
  readonly #sessions: Sessions;
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<Node | undefined>());
  readonly onDidChangeTreeData = this.#changed.event;
  /** How many findings of a group are listed, by its name. */
  readonly #listed = new Map<string, number>();
  readonly #view: vscode.TreeView<Node>;
  #timer: NodeJS.Timeout | undefined;

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
    this.#view = this.#disposables.add(
      vscode.window.createTreeView('assay.findings', {
        treeDataProvider: this,
        showCollapseAll: true,
        canSelectMany: true,
      }),
    );
    this.#disposables.add(
      sessions.onDidChangeFindings((session) => {
        if (session === null) this.#forgetClosed();
        this.#setBadge();
        this.#timer ??= setTimeout(() => {
          this.#timer = undefined;
          this.#changed.fire(undefined);
        }, coalesceMs);
      }),
    );
  }

  showMore({ parent }: MoreNode): void {
    const name = groupName(parent);
    this.#listed.set(name, (this.#listed.get(name) ?? portion) + portion);
    this.#changed.fire(parent);
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node === undefined) return this.#sessions.all.map((session) => ({ type: 'file', session }));
    if (node.type === 'file') return groupsOf(node.session);
    if (node.type === 'group') return this.#findingsOf(node);
    return [];
  }

  async #findingsOf(parent: GroupNode): Promise<Node[]> {
    const { session, group } = parent;
    const listed = this.#listed.get(groupName(parent)) ?? portion;
    const window = await session.findings.window(group, 0, listed);
    if (window === null) return [];
    const isReviewed = group.kind === 'reviewed';
    const nodes: Node[] = window.findings.map((finding) => ({
      type: 'finding',
      uri: session.uri,
      id: finding.id,
      session,
      finding,
      isReviewed,
    }));
    const left = window.total - window.findings.length;
    if (left > 0) nodes.push({ type: 'more', parent, left });
    return nodes;
  }

  getTreeItem(node: Node): vscode.TreeItem {
    if (node.type === 'file') return fileItem(node);
    if (node.type === 'group') return groupItem(node);
    if (node.type === 'more') return moreItem(node);
    return findingItem(node);
  }

  #setBadge(): void {
    const problems = this.#sessions.all.reduce((sum, { findings }) => sum + findings.problemCount, 0);
    this.#view.badge = { value: problems, tooltip: count(problems, 'data problem') };
  }

  #forgetClosed(): void {
    for (const name of this.#listed.keys()) {
      const { uri } = JSON.parse(name) as { uri: string };
      if (this.#sessions.byUri(uri) === undefined) this.#listed.delete(name);
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#disposables.dispose();
  }
}

async function groupsOf(session: DatasetSession): Promise<Node[]> {
  const known = await session.findings.kinds();
  if (known === null) return [];
  const nodes = known.kinds.map(
    (kind): GroupNode => ({
      type: 'group',
      session,
      group: { kind: 'code', code: kind.code },
      kind,
      count: kind.count,
    }),
  );
  if (known.reviewedCount > 0) {
    nodes.push({ type: 'group', session, group: { kind: 'reviewed' }, kind: null, count: known.reviewedCount });
  }
  return nodes;
}

function groupName({ session, group }: GroupNode): string {
  return JSON.stringify({ uri: session.uri, group });
}

function fileItem({ session }: FileNode): vscode.TreeItem {
  const { findings, document } = session;
  const item = new vscode.TreeItem(path.posix.basename(document.uri.path), vscode.TreeItemCollapsibleState.Expanded);
  const { counts, isChecking } = findings;
  const parts: string[] = [];
  if (findings.problemCount > 0) parts.push(count(findings.problemCount, 'data problem'));
  if (counts.information > 0) parts.push(count(counts.information, 'remark'));
  if (isChecking) parts.push('checking …');
  else if (parts.length === 0) parts.push('no findings');
  item.id = session.uri;
  item.description = parts.join(' · ');
  item.resourceUri = document.uri;
  item.iconPath = vscode.ThemeIcon.File;
  item.contextValue = 'file';
  item.tooltip = vscode.workspace.asRelativePath(document.uri);
  item.accessibilityInformation = { label: `${item.label}: ${parts.join(', ')}` };
  return item;
}

function groupItem(node: GroupNode): vscode.TreeItem {
  const { kind } = node;
  const title = kind?.title ?? 'Reviewed';
  const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = groupName(node);
  item.description = grouped(node.count);
  item.iconPath = kind === null ? new vscode.ThemeIcon('pass') : iconOf[kind.severity];
  const isFixable = kind !== null && kind.fixableCount > 0 && !isPage(node.session);
  item.contextValue = kind === null ? 'reviewedGroup' : isFixable ? 'kind fix' : 'kind';
  item.tooltip = kind === null ? 'Findings that were judged: they are not told elsewhere' : `${title} (${kind.code})`;
  const severity = kind === null ? '' : `, ${kind.severity}`;
  item.accessibilityInformation = { label: `${title}${severity}, ${count(node.count, 'finding')}` };
  return item;
}

const iconOf: Readonly<Record<Severity, vscode.ThemeIcon>> = {
  error: new vscode.ThemeIcon('error', new vscode.ThemeColor('problemsErrorIcon.foreground')),
  warning: new vscode.ThemeIcon('warning', new vscode.ThemeColor('problemsWarningIcon.foreground')),
  information: new vscode.ThemeIcon('info', new vscode.ThemeColor('problemsInfoIcon.foreground')),
};

/** Pages cannot be edited. */
function isPage({ document }: DatasetSession): boolean {
  return pageAddress(document.uri) !== null;
}

function findingItem({ session, finding, isReviewed }: FindingNode): vscode.TreeItem {
  const { code, key, fix, message, range, severity } = finding;
  const line = `Line ${grouped(range.startLine + 1)}`;
  const item = new vscode.TreeItem(line);
  item.id = `${session.uri}#${finding.id}`;
  item.description = shorten(message, messageLength);
  // As text: a string is not read as Markdown here.
  item.tooltip = isReviewed ? `${message}\n${code}, reviewed` : `${message}\n${code}`;
  const may = [...(fix === undefined || isPage(session) ? [] : ['fix']), ...(key === undefined ? [] : ['review'])];
  item.contextValue = isReviewed ? 'reviewed' : ['finding', ...may].join(' ');
  item.command = {
    command: 'vscode.open',
    title: 'Show',
    arguments: [
      session.document.uri,
      { selection: markedRange(session.document, range) } satisfies vscode.TextDocumentShowOptions,
    ],
  };
  item.accessibilityInformation = { label: `${line}, ${isReviewed ? 'reviewed' : severity}: ${message}` };
  return item;
}

function moreItem(node: MoreNode): vscode.TreeItem {
  const item = new vscode.TreeItem(`${grouped(node.left)} more…`);
  item.id = `${groupName(node.parent)}#more`;
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.command = { command: 'assay.showMoreFindings', title: 'Show More', arguments: [node] };
  item.accessibilityInformation = {
    label: `Show ${grouped(Math.min(portion, node.left))} more of ${grouped(node.left)}`,
  };
  return item;
}
