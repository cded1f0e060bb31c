/** A person in a hurry: scrolls a file all over and types into it. The same seed does the same. */
import * as vscode from 'vscode';
import { createRandom } from '../../src/engine/statistics/random';
import { median } from '../figures';
import { asJsonLines, sentimentRows } from '../sentences';

export interface StrainCounts {
  scrolls: number;
  keys: number;
  pastes: number;
  undos: number;
  /** Median time from asking for a key until the window has typed it. */
  keyMs: number;
}

const scrollEveryMs = 40;
const keyEveryMs = 90;
/** Of the keys, one in so many is a paste of several lines instead, undone by the next but one. */
const pasteEvery = 16;
const pastedLines = 25;
/** Behind the quote that opens the text of a row: `{"text":"`. */
const textStart = 9;

export async function strain(editor: vscode.TextEditor, seed: number, durationMs: number): Promise<StrainCounts> {
  const random = createRandom(seed);
  const counts: StrainCounts = { scrolls: 0, keys: 0, pastes: 0, undos: 0, keyMs: 0 };
  const keyMs: number[] = [];
  const endMs = performance.now() + durationMs;
  const scrolling = setInterval(() => {
    const line = random.int(editor.document.lineCount);
    editor.revealRange(new vscode.Range(line, 0, line, 0), vscode.TextEditorRevealType.InCenter);
    counts.scrolls++;
  }, scrollEveryMs);
  try {
    for (let stroke = 1; performance.now() < endMs; stroke++) {
      const line = randomVisibleLine(editor, random.int(1000) / 1000);
      if (stroke % pasteEvery === 0) {
        editor.selection = caret(line, 0);
        await vscode.commands.executeCommand('paste', { text: asJsonLines(sentimentRows(pastedLines, seed + stroke)) });
        counts.pastes++;
      } else if (stroke % pasteEvery === 2 && counts.pastes > counts.undos) {
        await vscode.commands.executeCommand('undo');
        counts.undos++;
      } else {
        editor.selection = caret(line, textStart + random.int(20));
        const askedMs = performance.now();
        await vscode.commands.executeCommand('type', { text: 'x' });
        keyMs.push(performance.now() - askedMs);
        counts.keys++;
      }
      await new Promise((resolve) => setTimeout(resolve, keyEveryMs));
    }
  } finally {
    clearInterval(scrolling);
  }
  if (keyMs.length > 0) counts.keyMs = Number(median(keyMs).toFixed(1));
  return counts;
}

function caret(line: number, character: number): vscode.Selection {
  return new vscode.Selection(line, character, line, character);
}

function randomVisibleLine(editor: vscode.TextEditor, at: number): number {
  const { start, end } = editor.visibleRanges[0] ?? new vscode.Range(0, 0, 0, 0);
  return Math.floor(start.line + at * (end.line - start.line));
}
