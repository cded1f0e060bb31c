/** Between the protocol's ranges and VS Code's. */
import * as vscode from 'vscode';
import type { FileRange, LineRange, Position } from '../../protocol/dataset';

export function toRange(range: FileRange): vscode.Range {
  return new vscode.Range(range.startLine, range.startChar, range.endLine, range.endChar);
}

/** What is marked of a range: its first line, without the last character of that, since the wave would go on under the remark that hangs there. */
export function markedRange(document: vscode.TextDocument, range: FileRange): vscode.Range {
  const whole = toRange(range);
  const { start, end } = whole;
  if (start.line >= document.lineCount) return whole;
  const length = document.lineAt(start.line).text.trimEnd().length;
  if (whole.isSingleLine && end.character < length) return whole;
  const last = Math.max(start.character + 1, length - 1);
  return new vscode.Range(start, start.with({ character: last }));
}

export function fromRange(range: vscode.Range): FileRange {
  return {
    startLine: range.start.line,
    startChar: range.start.character,
    endLine: range.end.line,
    endChar: range.end.character,
  };
}

export function fromPosition(position: vscode.Position): Position {
  return { line: position.line, char: position.character };
}

/** The lines an editor shows, with `margin` more on both sides; null while it shows none. */
export function visibleLines(editor: vscode.TextEditor, margin: number): LineRange | null {
  const ranges = editor.visibleRanges;
  if (ranges.length === 0) return null;
  const start = Math.min(...ranges.map((range) => range.start.line));
  const end = Math.max(...ranges.map((range) => range.end.line)) + 1;
  return { start: Math.max(0, start - margin), end: Math.min(editor.document.lineCount, end + margin) };
}
