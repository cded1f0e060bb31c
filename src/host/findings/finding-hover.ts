/**
 * What the hover says of a finding: the message, untrusted since it quotes the data, and what can be done, trusted and in our own words only.
 */
import * as vscode from 'vscode';
import type { Severity } from '../../protocol/dataset';
import type { ListedFinding } from '../../protocol/findings';
import { escapeMarkdown, shorten } from '../annotations/markdown';
import { symbolOf } from '../annotations/wording';
import type { FindingRef } from './finding-ref';

const messageLength = 500;
/** Links to other places; the problems list has all. */
const relatedLinks = 3;

const symbolOfSeverity: Readonly<Record<Severity, string>> = {
  error: symbolOf.problem,
  warning: symbolOf.problem,
  information: '\u2139\uFE0E',
};

const enabledCommands = ['assay.fixFinding', 'assay.markReviewed', 'assay.showRelated', 'assay.explainFinding'];

export interface FindingHoverContext {
  /** Of the document. */
  uri: string;
  /** The document is a page of a file, which cannot be edited. */
  isReadOnly: boolean;
  /** VS Code says the message in the same hover, since it is one of the problems there. */
  isSaid: boolean;
}

export function findingHover(finding: ListedFinding, context: FindingHoverContext): vscode.MarkdownString[] {
  return context.isSaid ? [actionsOf(finding, context)] : [dataOf(finding), actionsOf(finding, context)];
}

function dataOf({ severity, message, code, related = [] }: ListedFinding): vscode.MarkdownString {
  const said = [`${symbolOfSeverity[severity]} ${escapeMarkdown(shorten(message, messageLength))} \`${code}\``];
  for (const place of related.slice(0, relatedLinks)) said.push(`- ${escapeMarkdown(shorten(place.message, 200))}`);
  if (related.length > relatedLinks) said.push(`- and ${related.length - relatedLinks} more`);
  const data = new vscode.MarkdownString(said.join('\n\n').replaceAll('\n\n- ', '\n- '));
  data.isTrusted = false;
  data.supportHtml = false;
  return data;
}

function actionsOf(finding: ListedFinding, { uri, isReadOnly, isSaid }: FindingHoverContext): vscode.MarkdownString {
  const { code, related = [] } = finding;
  const ref: FindingRef = { uri, id: finding.id };
  const links: string[] = [];
  if (finding.fix !== undefined && !isReadOnly) {
    links.push(link('Quick fix', 'assay.fixFinding', [ref], 'Make the change that mends it'));
  }
  if (finding.key !== undefined) {
    links.push(link('Mark as reviewed', 'assay.markReviewed', [ref], 'It is right as it is: do not tell it again'));
  }
  related.slice(0, relatedLinks).forEach(({ file, range }, index) => {
    const title = `${file === null ? 'Line' : 'There, line'} ${range.startLine + 1}`;
    links.push(link(title, 'assay.showRelated', [ref, index], 'Go to the other place'));
  });
  links.push(link('What is this?', 'assay.explainFinding', [code], 'What it means, how it is found, what to do'));
  if (finding.fix !== undefined && isReadOnly) links.push('a page cannot be edited: mend it in the file itself');
  if (isSaid) links.unshift(`\`${code}\``);
  const actions = new vscode.MarkdownString(links.join(' &nbsp;&nbsp; '));
  actions.isTrusted = { enabledCommands };
  return actions;
}

function link(title: string, command: string, args: unknown[], tooltip: string): string {
  return `[${title}](command:${command}?${encodeURIComponent(JSON.stringify(args))} "${tooltip}")`;
}
