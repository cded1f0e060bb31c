/** How a document's text gets to the worker: by its path where the file holds it, else in pieces. */
import * as vscode from 'vscode';
import type { OpenParams } from '../../protocol/worker';

/** Lines compared with the file on disk. */
const probeCount = 16;
/** Taken from the document and sent at once: some milliseconds of the host's time. */
const pieceLines = 2000;

/** Encodings that the reader decodes as VS Code does, by VS Code's names. */
const readableEncodings = new Set(['utf8', 'utf8bom', 'utf16le', 'utf16be']);

/** Null: the file on disk is not what the editor shows, or cannot be read by path. */
export function pathAndProbe(document: vscode.TextDocument): Pick<OpenParams, 'path' | 'probe' | 'encoding'> | null {
  if (document.uri.scheme !== 'file' || document.isDirty || !readableEncodings.has(document.encoding)) return null;
  return { path: document.uri.fsPath, probe: probeOf(document), encoding: document.encoding };
}

/** What stands in the document here and there. */
export function probeOf(document: vscode.TextDocument): NonNullable<OpenParams['probe']> {
  const lines = new Set<number>();
  for (let index = 0; index < probeCount; index++) {
    lines.add(Math.floor((index * (document.lineCount - 1)) / (probeCount - 1)));
  }
  return {
    lineCount: document.lineCount,
    lines: [...lines].map((line) => ({ line, text: document.lineAt(line).text })),
  };
}

/** The text in pieces; gives the event loop a turn between them. Throws DocumentChanged when an edit comes between. */
export async function* piecesOf(document: vscode.TextDocument): AsyncGenerator<string> {
  const version = document.version;
  for (let line = 0; line < document.lineCount; line += pieceLines) {
    if (document.version !== version) throw new DocumentChanged();
    yield document.getText(new vscode.Range(line, 0, line + pieceLines, 0));
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (document.version !== version) throw new DocumentChanged();
}

export class DocumentChanged extends Error {
  override readonly name = 'DocumentChanged';
}
