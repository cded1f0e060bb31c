/**
 * The card of an example. Two parts: what the dataset and the model say is untrusted Markdown, escaped; the actions are
 * trusted for our own commands only and hold our own words only.
 */
import * as vscode from 'vscode';
import type { Position } from '../../protocol/dataset';
import type { Card, CardList } from '../../protocol/view';
import { explanationMarkdown } from '../attribution/explanation-markdown';
import type { ExplainRequest } from '../commands/explain-example';
import { findingHover } from '../findings/finding-hover';
import { pageAddress } from '../pages/page-uri';
import { failuresMarkdown } from '../robustness/failures-markdown';
import { escapeMarkdown, shorten } from './markdown';
import { fromPosition } from './ranges';
import type { Sessions } from './sessions';
import { symbolOf } from './wording';

const barWidthPx = 200;
const labelLength = 60;

export class CardHover implements vscode.HoverProvider {
  readonly #sessions: Sessions;

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
  }

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.Hover | null> {
    const session = this.#sessions.of(document);
    if (session?.info == null) return null;
    const abort = new AbortController();
    const subscription = token.onCancellationRequested(() => abort.abort());
    try {
      const list = await session.cards(fromPosition(position), abort.signal);
      if (list === null || list.version !== document.version) return null;
      if (list.cards.length === 0 && list.findings.length === 0) return null;
      const said = problemsAt(document.uri, position);
      const context = { uri: session.uri, isReadOnly: pageAddress(document.uri) !== null };
      return new vscode.Hover([
        ...(list.cards.length === 0 ? [] : [dataOf(list)]),
        ...list.findings.flatMap((finding) => findingHover(finding, { ...context, isSaid: said.has(finding.message) })),
        actionsOf(list, fromPosition(position)),
      ]);
    } catch (error) {
      if (abort.signal.aborted) return null;
      throw error;
    } finally {
      subscription.dispose();
    }
  }
}

/** The messages of the problems that VS Code tells in the same hover. */
function problemsAt(uri: vscode.Uri, position: vscode.Position): Set<string> {
  const here = vscode.languages
    .getDiagnostics(uri)
    .filter(({ range, source }) => source === 'Assay' && range.contains(position));
  return new Set(here.map(({ message }) => message));
}

function dataOf(list: CardList): vscode.MarkdownString {
  const isOneOfMany = list.cards.length > 1;
  const parts = list.cards.map((card) => cardMarkdown(card, isOneOfMany));
  const markdown = new vscode.MarkdownString(parts.join('\n\n---\n\n'));
  markdown.isTrusted = false;
  markdown.supportHtml = false;
  return markdown;
}

function cardMarkdown(card: Card, isOneOfMany: boolean): string {
  const say = (text: string) => escapeMarkdown(shorten(text, labelLength));
  const line = `line ${card.range.startLine + 1}${isOneOfMany ? `, example ${say(card.id)}` : ''}`;
  const gold = card.gold === null ? 'no gold label' : `gold ${say(card.gold)}`;
  const alias = card.goldInModel === null ? '' : ` (${say(card.goldInModel)})`;
  if (card.prediction === null) {
    return `**Not predicted yet** · ${gold} · ${line}${entitiesMarkdown(card)}`;
  }
  const { prediction } = card;
  const title = `${symbolOf[card.state]} **${say(prediction.label)} ${prediction.probability.toFixed(2)}** · ${gold}${alias} · ${line}`;
  const rows = card.top.map(({ label, probability, isGold }) => {
    const bar = barImage(probability, label === prediction.label);
    return `| ${say(label)}${isGold ? ' *(gold)*' : ''} | ${bar} | ${twoDigits(probability)} |`;
  });
  if (card.rest.count > 0) {
    rows.push(
      `| *${card.rest.count} more* | ${barImage(card.rest.probability, false)} | ${twoDigits(card.rest.probability)} |`,
    );
  }
  const table = ['| | | |', '|:--|:--|--:|', ...rows].join('\n');
  const notes: string[] = [];
  if (card.state === 'unmatched' && card.gold !== null) {
    notes.push(`The model has no label “${say(card.gold)}”, so this example is not counted as right or wrong.`);
  }
  if (prediction.truncated) {
    notes.push(
      `The model reads ${prediction.maxTokens} tokens; this input has ${prediction.tokenCount}, its tail was not seen.`,
    );
  }
  const why = card.explanation === null ? [] : ['---', explanationMarkdown(card.explanation)];
  const broken = card.variants === null ? [] : ['---', failuresMarkdown(card.variants, card.failures)];
  return [title + entitiesMarkdown(card), table, ...notes, ...why, ...broken].join('\n\n');
}

function entitiesMarkdown(card: Card): string {
  if (card.entities === null) return '';
  const say = (text: string) => (text === '' ? '*(empty)*' : `**${escapeMarkdown(shorten(text, labelLength))}**`);
  return `\n\nhead ${say(card.entities.head)} · tail ${say(card.entities.tail)}`;
}

/** `position`: where the example is that is asked about. */
function actionsOf(list: CardList, position: Position): vscode.MarkdownString {
  const link = (title: string, command: string, tooltip: string, args: unknown[] = []) => {
    const query = args.length === 0 ? '' : `?${encodeURIComponent(JSON.stringify(args))}`;
    return `[${title}](command:${command}${query} "${tooltip}")`;
  };
  const explain = (title: string, request: ExplainRequest, tooltip: string) =>
    link(title, 'assay.explainExample', tooltip, [request, position]);
  const links = [
    ...explainLinks(list.cards[0], explain),
    ...(list.cards[0]?.prediction == null
      ? []
      : [
          link(
            'Test robustness',
            'assay.testRobustness',
            'Change this example in small ways, and see what breaks the model',
            [position],
          ),
        ]),
    link('Next finding', 'assay.nextFinding', 'Go to the next wrong prediction or data problem'),
    link(
      'Choose columns',
      'assay.chooseColumns',
      'Correct which columns hold the text, the gold label and the entities',
    ),
    link('Select model', 'assay.selectModel', 'Use another model for this task'),
  ];
  if (list.cards.some((card) => card.prediction === null)) {
    links.unshift(link('Predict', 'assay.predict', 'Run the model on this dataset'));
  }
  const markdown = new vscode.MarkdownString(links.join(' &nbsp;&nbsp; '));
  markdown.isTrusted = {
    enabledCommands: [
      'assay.nextFinding',
      'assay.chooseColumns',
      'assay.selectModel',
      'assay.predict',
      'assay.explainExample',
      'assay.testRobustness',
      'assay.chooseMethod',
    ],
  };
  return markdown;
}

function explainLinks(
  card: Card | undefined,
  explain: (title: string, request: ExplainRequest, tooltip: string) => string,
): string[] {
  if (card?.prediction == null) return [];
  const links = [
    card.state === 'wrong'
      ? explain(
          'Why not the gold label?',
          'contrast',
          'Which words speak for the prediction and not for the gold label',
        )
      : explain(
          'Why not the next likely?',
          'contrast',
          'Which words speak for the prediction and not for the next likely label',
        ),
    explain('Another class…', 'ask', 'Choose the label to explain'),
  ];
  if (card.explanation === null) links.unshift(explain('Explain', 'predicted', 'Which words speak for the prediction'));
  return links;
}

/** Two digits, but never a nought that is none. */
function twoDigits(probability: number): string {
  return probability > 0 && probability < 0.005 ? '&lt; 0.01' : probability.toFixed(2);
}

/** A bar as an image: Markdown has no other way to draw one. Its colours are read against both backgrounds. */
function barImage(probability: number, isPredicted: boolean): string {
  const width = Math.max(1, Math.round(probability * barWidthPx));
  const fill = isPredicted ? barColour() : '#8a8f98';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${barWidthPx}" height="9"><rect width="${width}" height="9" rx="1" fill="${fill}"/></svg>`;
  const percent = `${(probability * 100).toFixed(0)} %`;
  return `![${percent}](data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')})`;
}

function barColour(): string {
  const kind = vscode.window.activeColorTheme.kind;
  if (kind === vscode.ColorThemeKind.HighContrast) return '#4dc4ff';
  if (kind === vscode.ColorThemeKind.HighContrastLight) return '#0f4a85';
  return kind === vscode.ColorThemeKind.Light ? '#1a85ff' : '#3794ff';
}
