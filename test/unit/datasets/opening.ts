import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Example, NotADataset } from '../../../src/engine/datasets/dataset';
import { DatasetDocument } from '../../../src/engine/datasets/document';
import type { ColumnChoice, FileRange, Span } from '../../../src/protocol/dataset';

declare const ASSAY_ROOT: string;

/** A file of samples/, by its bytes. */
export function sample(name: string): DatasetDocument {
  return DatasetDocument.open({ name, bytes: readFileSync(path.join(ASSAY_ROOT, 'samples', name)) });
}

/** A file of samples/ with others of it beside it. */
export function sampleWith(name: string, ...beside: string[]): DatasetDocument {
  const read = (file: string) => readFileSync(path.join(ASSAY_ROOT, 'samples', file));
  const companions = beside.map((file) => ({ name: file, text: read(file).toString() }));
  return DatasetDocument.open({ name, bytes: read(name), companions });
}

/** A text with files beside it. */
export function openBeside(
  text: string,
  name: string,
  companions: { name: string; text: string; chosen?: boolean }[],
): DatasetDocument {
  return DatasetDocument.open({ name, text, companions });
}

export function open(text: string, choice?: ColumnChoice): DatasetDocument {
  return DatasetDocument.open(choice === undefined ? { name: 'file', text } : { name: 'file', text, choice });
}

/** What stands in the document at a range. */
export function at(document: DatasetDocument, range: FileRange): string {
  return document.text.slice(
    document.lines.offset({ line: range.startLine, char: range.startChar }),
    document.lines.offset({ line: range.endLine, char: range.endChar }),
  );
}

/** What stands in the document for a span of an example's text. */
export function written(document: DatasetDocument, example: Example, span: Span): string {
  return at(document, document.fileRange(example, span));
}

export function spanTexts(example: Example): { head: string; tail: string } | null {
  const { spans, text } = example;
  if (spans === null) return null;
  return { head: text.slice(spans.head.start, spans.head.end), tail: text.slice(spans.tail.start, spans.tail.end) };
}

/** The aspect that an example's label is about. */
export function aspectText({ aspect, text }: Example): string | null {
  return aspect === null ? null : text.slice(aspect.start, aspect.end);
}

/** What all mentions of the entities are; null where each has one. */
export function mentionTexts(example: Example): { head: string[]; tail: string[] } | null {
  const { mentions, text } = example;
  const texts = (spans: Span[]) => spans.map(({ start, end }) => text.slice(start, end));
  return mentions === null ? null : { head: texts(mentions.head), tail: texts(mentions.tail) };
}

/** The message that a text is refused with. */
export function refusal(text: string | Uint8Array, name = 'file'): string {
  let message: string | null = null;
  try {
    DatasetDocument.open(typeof text === 'string' ? { name, text } : { name, bytes: text });
  } catch (error) {
    assert.ok(error instanceof NotADataset, `not NotADataset but ${String(error)}`);
    message = error.message;
  }
  assert.notEqual(message, null, 'the text was taken for a dataset');
  return message!;
}

/** Texts and labels of a document's examples. */
export function rows(document: DatasetDocument): [string, string | null][] {
  return document.examples.map(({ text, gold }) => [text, gold]);
}

export function jsonl(...values: unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}
