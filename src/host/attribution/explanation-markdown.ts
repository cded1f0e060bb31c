/** What the hover says of an explanation: the words for and against, whose label it is about, and how far to trust it. */
import * as vscode from 'vscode';
import { type Explanation, methods, type ScoredWord } from '../../protocol/attribution';
import { escapeMarkdown, shorten } from '../annotations/markdown';

const wordLength = 24;
const labelLength = 60;
/** Of the difference that the scores should have, and of the logit: beyond both more steps are advised. */
const tolerated = { share: 0.05, logit: 0.05 };

export function explanationMarkdown(explanation: Explanation): string {
  const { label, against, method, wordsFor, wordsAgainst } = explanation;
  const info = methods[method];
  const say = (text: string) => escapeMarkdown(shorten(text, labelLength));
  const what = against === null ? `**${say(label)}**` : `**${say(label)}** and not **${say(against)}**`;
  const lines = info.isSigned
    ? [
        `${swatch('for')} for ${what}: ${list(wordsFor)}`,
        ...(wordsAgainst.length === 0 ? [] : [`${swatch('against')} against: ${list(wordsAgainst)}`]),
      ]
    : [`${swatch('unsigned')} most looked at for ${what}: ${list(wordsFor)}`];
  const notes = [
    `*${info.name}*`,
    ...completenessNote(explanation),
    ...explanation.notes.map((note) => escapeMarkdown(note)),
  ];
  return [lines.join('  \n'), notes.join(' · ')].join('\n\n');
}

function list(words: readonly ScoredWord[]): string {
  if (words.length === 0) return 'no word';
  return words
    .map(({ text, score }) => `**${escapeMarkdown(shorten(text, wordLength))}** ${scoreText(score)}`)
    .join(', ');
}

/** Three digits that count, with its sign. */
export function scoreText(score: number): string {
  const size = Math.abs(score);
  const digits = size >= 0.995 ? 2 : Math.min(6, Math.max(2, 1 - Math.floor(Math.log10(size || 1))));
  return `${score < 0 ? '−' : '+'}${size.toFixed(digits)}`;
}

function completenessNote({ completeness }: Explanation): string[] {
  if (completeness === null) return [];
  const { sum, difference } = completeness;
  const gap = Math.abs(sum - difference);
  const exact = `the scores add up to ${scoreText(sum)} of ${scoreText(difference)}`;
  return gap <= tolerated.share * Math.abs(difference) + tolerated.logit
    ? [exact]
    : [`${exact}: not trustworthy, more steps are needed (setting assay.attribution.steps)`];
}

type Side = 'for' | 'against' | 'unsigned';

/** The legend, in the colours of the kind of theme (Markdown has no other way to show one). */
function swatch(side: Side): string {
  const light = [vscode.ColorThemeKind.Light, vscode.ColorThemeKind.HighContrastLight];
  const colours = light.includes(vscode.window.activeColorTheme.kind)
    ? { for: '#4d9dff', against: '#f0a04b', unsigned: '#45b8a8' }
    : { for: '#2b6fc2', against: '#b0661b', unsigned: '#1f8a7c' };
  const line = side === 'against' ? '<path d="M0 .5H10" stroke="#888" stroke-dasharray="2 1"/>' : '';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="12"><rect y="2" width="10" height="10" rx="2" fill="${colours[side]}"/>${line}</svg>`;
  return `![${side}](data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')})`;
}
