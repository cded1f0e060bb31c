export interface VisibleLine {
  /** 1-based, as the margin shows it; undefined for the continuation of a wrapped line. */
  number: number | undefined;
  /** The document's own text, as far as the editor renders it. */
  text: string;
  /** Texts that decorations draw before the line's first character, and behind it, each from left to right. */
  before: string[];
  after: string[];
}

export interface StatusBarItem {
  /** `PUBLISHER.EXTENSION.ITEM` for an extension's item. */
  id: string;
  text: string;
  /** What a screen reader is told. */
  label: string;
}

export function readLines(editorSelector: string): VisibleLine[];
export function findText(what: { editorSelector: string; line: number; text: string }): { x: number; y: number } | null;
export function readStatusBar(items: unknown[]): StatusBarItem[];
export function readLabels(rows: unknown[]): string[];
export function readColours(editorSelector: string): string[];
export function copyText(text: string): Promise<void>;
