/**
 * The heat on the words: five strengths for and five against, in colours that a theme may change. What speaks against has a line above as
 * well, so that nobody depends on the colour.
 */
import * as vscode from 'vscode';
import type { Heat, HeatWord } from '../../protocol/attribution';
import { toRange } from '../annotations/ranges';

const strengths = [1, 2, 3, 4, 5] as const;

export class HeatDecorations {
  readonly #for = strengths.map((strength) => heatType(`assay.heatFor${strength}`));
  readonly #against = strengths.map((strength) => heatType(`assay.heatAgainst${strength}`, 'overline dotted 1px'));
  readonly #unsigned = strengths.map((strength) => heatType(`assay.heatUnsigned${strength}`));
  readonly #unread = vscode.window.createTextEditorDecorationType({
    opacity: '0.55',
    fontStyle: 'italic',
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  #isDrawn = new WeakSet<vscode.TextEditor>();

  draw(editor: vscode.TextEditor, heats: readonly Heat[]): void {
    // Sixteen calls for nothing would be made at every scroll.
    if (heats.length === 0 && !this.#isDrawn.has(editor)) return;
    if (heats.length === 0) this.#isDrawn.delete(editor);
    else this.#isDrawn.add(editor);
    const signed = heats.filter(({ isSigned }) => isSigned).flatMap(({ words }) => words);
    const unsigned = heats.filter(({ isSigned }) => !isSigned).flatMap(({ words }) => words);
    for (const [index, strength] of strengths.entries()) {
      editor.setDecorations(this.#for[index]!, rangesOf(signed, strength));
      editor.setDecorations(this.#against[index]!, rangesOf(signed, -strength));
      editor.setDecorations(this.#unsigned[index]!, rangesOf(unsigned, strength));
    }
    editor.setDecorations(
      this.#unread,
      heats.flatMap(({ unread }) => (unread === null ? [] : [toRange(unread)])),
    );
  }

  clear(editor: vscode.TextEditor): void {
    this.draw(editor, []);
  }

  dispose(): void {
    for (const type of [...this.#for, ...this.#against, ...this.#unsigned, this.#unread]) type.dispose();
  }
}

function rangesOf(words: readonly HeatWord[], strength: number): vscode.Range[] {
  return words.filter((word) => word.strength === strength).map(({ range }) => toRange(range));
}

function heatType(color: string, textDecoration?: string): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor(color),
    borderRadius: '2px',
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
    ...(textDecoration === undefined ? {} : { textDecoration }),
  });
}
