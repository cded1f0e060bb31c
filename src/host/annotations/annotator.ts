/** Draws what the worker says of the visible lines, and no others: on scrolling, edits, and as results come in. */
import * as vscode from 'vscode';
import { HeatDecorations } from '../attribution/heat-decorations';
import { Disposables } from '../disposable';
import { Decorations } from './decorations';
import { visibleLines } from './ranges';
import type { Sessions } from './sessions';

/** Lines drawn beyond the visible ones, so that a small scroll finds them done. */
const marginLines = 20;
/** Several causes within this time are one redraw. */
const coalesceMs = 16;

export class Annotator {
  readonly #sessions: Sessions;
  readonly #onError: (error: unknown) => void;
  readonly #decorations = new Decorations();
  readonly #heat = new HeatDecorations();
  readonly #disposables = new Disposables();
  readonly #timers = new Map<vscode.TextEditor, NodeJS.Timeout>();
  /** Editors with a view under way; true: something has changed meanwhile. */
  readonly #drawing = new Map<vscode.TextEditor, boolean>();
  readonly #drawn = new WeakSet<vscode.TextEditor>();

  constructor(sessions: Sessions, onError: (error: unknown) => void) {
    this.#sessions = sessions;
    this.#onError = onError;
    this.#disposables.add(this.#decorations);
    this.#disposables.add(this.#heat);
    this.#disposables.add(
      vscode.window.onDidChangeVisibleTextEditors((editors) => {
        for (const editor of editors) this.#schedule(editor);
      }),
    );
    this.#disposables.add(
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => this.#schedule(textEditor)),
    );
    this.#disposables.add(
      sessions.onDidChange((session) => {
        for (const editor of vscode.window.visibleTextEditors) {
          if (session === null || editor.document === session.document) this.#schedule(editor);
        }
      }),
    );
  }

  #schedule(editor: vscode.TextEditor): void {
    const session = this.#sessions.of(editor.document);
    if (session === undefined) {
      if (this.#drawn.delete(editor)) this.#clear(editor);
      return;
    }
    session.setVisible(visibleLines(editor, 0));
    if (this.#drawing.has(editor)) {
      this.#drawing.set(editor, true);
      return;
    }
    if (this.#timers.has(editor)) return;
    const timer = setTimeout(() => {
      this.#timers.delete(editor);
      this.#draw(editor).catch(this.#onError);
    }, coalesceMs);
    this.#timers.set(editor, timer);
  }

  async #draw(editor: vscode.TextEditor): Promise<void> {
    const session = this.#sessions.of(editor.document);
    const lines = visibleLines(editor, marginLines);
    if (session === undefined || lines === null) return;
    if (session.info === null) {
      this.#clear(editor);
      return;
    }
    this.#drawing.set(editor, false);
    try {
      const view = await session.view(lines);
      // An edit that the worker has not seen: its answer is under way and will draw.
      if (view === null || view.version !== editor.document.version || this.#sessions.of(editor.document) !== session)
        return;
      this.#decorations.draw(editor, lines, view);
      this.#heat.draw(editor, view.heats);
      this.#drawn.add(editor);
    } finally {
      const isStale = this.#drawing.get(editor);
      this.#drawing.delete(editor);
      if (isStale) this.#schedule(editor);
    }
  }

  #clear(editor: vscode.TextEditor): void {
    this.#decorations.clear(editor);
    this.#heat.clear(editor);
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#disposables.dispose();
  }
}
