import * as fc from 'fast-check';
import type { DatasetDocument } from '../../../src/engine/datasets/document';
import { LineIndex } from '../../../src/engine/text/lines';
import type { TextChange } from '../../../src/protocol/dataset';

/** All that a document says, to compare two of them. */
export function snapshot(document: DatasetDocument) {
  return {
    text: document.text,
    info: document.info,
    findings: document.findings,
    examples: document.examples.map((example) => ({
      ...example,
      record: { start: example.record.start, startLine: example.record.startLine },
      lines: document.recordRange(example),
    })),
    lineCount: document.lines.lineCount,
  };
}

/** Changes of one edit, in offsets of the text before; they do not overlap. */
export type Edit = { start: number; end: number; text: string }[];

export function toChanges(text: string, edit: Edit): TextChange[] {
  const lines = LineIndex.of(text);
  return edit.map((change) => {
    const start = lines.position(change.start);
    const end = lines.position(change.end);
    return {
      range: { startLine: start.line, startChar: start.char, endLine: end.line, endChar: end.char },
      text: change.text,
    };
  });
}

export function edited(text: string, edit: Edit): string {
  let result = text;
  for (const change of [...edit].sort((a, b) => b.start - a.start || b.end - a.end))
    result = result.slice(0, change.start) + change.text + result.slice(change.end);
  return result;
}

/** An offset that a position can name: not within \r\n. */
function settled(text: string, offset: number): number {
  return text[offset] === '\n' && text[offset - 1] === '\r' ? offset - 1 : offset;
}

/** Places and fragments of an edit: where in the text as a share of it, how much is deleted, what is inserted. */
export const changes = (fragments: readonly string[]) =>
  fc.array(
    fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      deleted: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 90 })),
      inserted: fc.constantFrom(...fragments),
    }),
    { minLength: 1, maxLength: 3 },
  );

export function placed(text: string, drawn: readonly { at: number; deleted: number; inserted: string }[]): Edit {
  const edit: Edit = [];
  for (const { at: share, deleted, inserted } of [...drawn].sort((a, b) => a.at - b.at)) {
    const start = settled(text, Math.max(edit.at(-1)?.end ?? 0, Math.floor(share * text.length)));
    const end = Math.max(start, settled(text, Math.min(text.length, start + deleted)));
    const previous = edit.at(-1);
    // Two insertions at one place are one to VS Code.
    if (previous === undefined || start > previous.end) edit.push({ start, end, text: inserted });
  }
  return edit;
}
