/** The decorations of a dataset's lines: what is drawn where. Colours are contributed, so that a theme may change them. */
import * as vscode from 'vscode';
import type { Finding, LineRange } from '../../protocol/dataset';
import type { ExampleView, View } from '../../protocol/view';
import { shorten } from './markdown';
import { toRange } from './ranges';
import { shortProbability, symbolOf, worstFirst } from './wording';

const colour = {
  right: new vscode.ThemeColor('assay.rightForeground'),
  wrong: new vscode.ThemeColor('assay.wrongForeground'),
  problem: new vscode.ThemeColor('assay.problemForeground'),
  dim: new vscode.ThemeColor('assay.detailsForeground'),
  head: new vscode.ThemeColor('assay.headBorder'),
  tail: new vscode.ThemeColor('assay.tailBorder'),
};

const colourOfState: Readonly<Record<ExampleView['state'], vscode.ThemeColor>> = {
  right: colour.right,
  wrong: colour.wrong,
  problem: colour.problem,
  unmatched: colour.problem,
  unlabelled: colour.dim,
  pending: colour.dim,
};

/** Lines longer than this are not drawn to their end by VS Code: their details stand in the hover only. */
const drawnLineLength = 10_000;
/** A message of the reader is cut here; the hover has it whole. */
const messageLength = 160;

export class Decorations {
  readonly #badge = vscode.window.createTextEditorDecorationType({
    before: { width: '5ch', margin: '0 1ch 0 0' },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  readonly #details = vscode.window.createTextEditorDecorationType({
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  readonly #head = entityType('solid', colour.head);
  readonly #tail = entityType('dashed', colour.tail);
  readonly #all = [this.#badge, this.#details, this.#head, this.#tail];

  #wrapped = new WeakMap<vscode.TextDocument, boolean>();
  readonly #subscription = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('editor.wordWrap')) this.#wrapped = new WeakMap();
  });

  draw(editor: vscode.TextEditor, lines: LineRange, view: View): void {
    const { document } = editor;
    const details: vscode.DecorationOptions[] = [];
    // VS Code wraps lines without counting what decorations add: details would push text out of sight.
    const examples = this.#isWrapped(document) ? [] : view.examples;
    for (const example of examples) {
      const { line, char } = example.detailsAt;
      if (example.prediction === null || !isDrawn(document, line)) continue;
      const { verdict, remark } = detailsOf(example, example.prediction);
      const color = example.state === 'right' ? colour.dim : colourOfState[example.state];
      details.push(hung(line, char, verdict, color, remark));
    }
    for (const [line, findings] of findingsByLine(document, view)) {
      if (!isDrawn(document, line)) continue;
      details.push(hung(line, document.lineAt(line).text.length, remarkOf(findings), colour.problem, ''));
    }
    editor.setDecorations(this.#badge, badges(document, lines, view));
    editor.setDecorations(this.#details, details);
    editor.setDecorations(
      this.#head,
      view.examples.flatMap((example) => example.heads.map(toRange)),
    );
    editor.setDecorations(
      this.#tail,
      view.examples.flatMap((example) => example.tails.map(toRange)),
    );
  }

  /** Settings are slow to read, and every drawing asks. */
  #isWrapped(document: vscode.TextDocument): boolean {
    let isWrapped = this.#wrapped.get(document);
    if (isWrapped === undefined) {
      isWrapped = vscode.workspace.getConfiguration('editor', document).get<string>('wordWrap', 'off') !== 'off';
      this.#wrapped.set(document, isWrapped);
    }
    return isWrapped;
  }

  clear(editor: vscode.TextEditor): void {
    for (const type of this.#all) editor.setDecorations(type, []);
  }

  dispose(): void {
    this.#subscription.dispose();
    for (const type of this.#all) type.dispose();
  }
}

function isDrawn(document: vscode.TextDocument, line: number): boolean {
  return line < document.lineCount && document.lineAt(line).text.length <= drawnLineLength;
}

/**
 * The verdict and a quieter remark behind a place of a line. Both hang on one empty range, as its `before` and its
 * `after`: two decorations at one place would stand in any order.
 */
function hung(
  line: number,
  char: number,
  verdict: string,
  color: vscode.ThemeColor,
  remark: string,
): vscode.DecorationOptions {
  return {
    range: new vscode.Range(line, char, line, char),
    renderOptions: {
      before: { contentText: verdict, color, margin: '0 0 0 2ch' },
      after: { contentText: remark, color: colour.dim, margin: '0 1ch 0 0' },
    },
  };
}

function entityType(style: 'solid' | 'dashed', color: vscode.ThemeColor) {
  return vscode.window.createTextEditorDecorationType({
    borderStyle: style,
    borderWidth: '0 0 2px 0',
    borderColor: color,
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
}

function findingsByLine(document: vscode.TextDocument, view: View): Map<number, Finding[]> {
  const byLine = new Map<number, Finding[]>();
  for (const finding of view.findings) {
    const line = Math.min(finding.range.startLine, document.lineCount - 1);
    const others = byLine.get(line);
    if (others === undefined) byLine.set(line, [finding]);
    else others.push(finding);
  }
  return byLine;
}

/** Of an error the reason, since nothing else can be said of its row; else the codes, so that the line stays calm. */
function remarkOf(findings: readonly Finding[]): string {
  const error = findings.find(({ severity }) => severity === 'error');
  const codes = [...new Set(findings.map(({ code }) => code))].join(', ');
  const reason = error === undefined ? codes : `${shorten(error.message, messageLength)} (${codes})`;
  return `${symbolOf.problem} ${reason}`;
}

/** The verdict, and what is said beside it in a quieter colour. */
function detailsOf(
  { gold, state, variants }: ExampleView,
  prediction: NonNullable<ExampleView['prediction']>,
): { verdict: string; remark: string } {
  const verdict = `${symbolOf[state]} ${prediction.label} ${shortProbability(prediction.probability)}`;
  let remark = '';
  if (state === 'wrong') remark += ` · gold ${gold}`;
  if (state === 'unmatched') remark += ` · gold ${gold} (unknown to the model)`;
  if (prediction.truncated) remark += ' · truncated';
  if (variants !== null && variants.failing > 0)
    remark += ` · ${variants.failing} of ${variants.variants} variants fail`;
  return { verdict, remark };
}

/** One badge a line, blank where no example begins, so that all lines stay aligned. */
function badges(document: vscode.TextDocument, lines: LineRange, view: View): vscode.DecorationOptions[] {
  const examplesOfLine = new Map<number, ExampleView[]>();
  for (const example of view.examples) {
    const others = examplesOfLine.get(example.range.startLine);
    if (others === undefined) examplesOfLine.set(example.range.startLine, [example]);
    else others.push(example);
  }
  const problemLines = new Set(view.findings.map(({ range }) => badgeLine(view.examples, range.startLine)));
  const options: vscode.DecorationOptions[] = [];
  for (let line = lines.start; line < Math.min(lines.end, document.lineCount); line++) {
    const examples = examplesOfLine.get(line) ?? [];
    const { text, color } = badgeOf(examples, problemLines.has(line));
    options.push({
      range: new vscode.Range(line, 0, line, 0),
      renderOptions: { before: { contentText: text, color } },
    });
  }
  return options;
}

/** A row of several lines has its badge on the first, wherever in it something is wrong. */
function badgeLine(examples: readonly ExampleView[], line: number): number {
  const around = examples.find(({ range }) => range.startLine <= line && line <= range.endLine);
  return around?.range.startLine ?? line;
}

/** A figure space: blank, but as wide as a digit. */
const blank = '\u2007';

function badgeOf(examples: ExampleView[], hasProblem: boolean): { text: string; color: vscode.ThemeColor } {
  if (examples.length === 0)
    return hasProblem ? { text: symbolOf.problem, color: colour.problem } : { text: blank, color: colour.dim };
  const states = examples.map((example) => example.state);
  const worst = hasProblem ? 'problem' : (worstFirst.find((state) => states.includes(state)) ?? 'pending');
  const color = colourOfState[worst];
  if (examples.length > 1)
    return { text: `${symbolOf[worst]}×${examples.length > 99 ? '99+' : examples.length}`, color };
  const probability = examples[0]?.prediction?.probability;
  return {
    text: probability === undefined ? symbolOf[worst] : `${symbolOf[worst]} ${shortProbability(probability)}`,
    color,
  };
}
