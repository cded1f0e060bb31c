/** What the editor draws and says of the lines it asks for. */
import type { Example } from '../engine/datasets/dataset';
import type { LineRange, Position, Span } from '../protocol/dataset';
import type { Card, CardList, ExampleView, NextFinding, View } from '../protocol/view';
import { isProblem, type Listed } from './finding-list';
import type { OpenDataset } from './open-dataset';

/** Labels that a card lists at most, and the probability below which one is listed only to fill up three. */
const topCount = 5;
const leastCount = 3;
const listedProbability = 0.005;
/** Cards of one row (documents hold several examples). */
const cardLimit = 8;

export function viewOf(dataset: OpenDataset, lines: LineRange): View {
  const { document, findings } = dataset;
  const { from, to } = document.examplesBetween(lines.start, lines.end);
  return {
    version: dataset.version,
    examples: document.examples.slice(from, to).map((example) => exampleView(dataset, example)),
    heats: dataset.explanations.heats(document, document.examples.slice(from, to)),
    findings: findings
      .on(lines)
      .filter(isProblem)
      .map((listed) => findings.placed(listed)),
  };
}

function exampleView(dataset: OpenDataset, example: Example): ExampleView {
  const { document } = dataset;
  const field = document.fieldRange(example, example.textField);
  const spans = mentionsOf(example);
  return {
    state: dataset.stateOf(example),
    range: document.recordRange(example),
    detailsAt: { line: field.endLine, char: field.endChar },
    heads: spans.heads.map((span) => document.fileRange(example, span)),
    tails: spans.tails.map((span) => document.fileRange(example, span)),
    gold: example.gold,
    prediction: headlineOf(dataset, example),
    variants: dataset.robustness.countsOf(example),
  };
}

/** Every mention of the entities, or the aspect, drawn as a head; empty spans (masked entities) cannot be drawn. */
function mentionsOf(example: Example): { heads: Span[]; tails: Span[] } {
  const head = example.spans?.head ?? example.aspect;
  const heads = example.mentions?.head ?? (head ? [head] : []);
  const tails = example.mentions?.tail ?? (example.spans ? [example.spans.tail] : []);
  const isDrawn = (span: Span) => span.end > span.start;
  return { heads: heads.filter(isDrawn), tails: tails.filter(isDrawn) };
}

function headlineOf(dataset: OpenDataset, example: Example): ExampleView['prediction'] {
  const result = dataset.resultOf(example);
  if (result === undefined) return null;
  return { label: result.label, probability: Math.max(...result.probabilities), truncated: result.truncated };
}

export function cardsAt(dataset: OpenDataset, position: Position): CardList {
  const { findings } = dataset;
  return {
    version: dataset.version,
    cards: examplesAt(dataset, position)
      .slice(0, cardLimit)
      .map((example) => cardOf(dataset, example)),
    findings: findings.on({ start: position.line, end: position.line + 1 }).map((listed) => findings.placed(listed)),
  };
}

/** The examples of a line: those whose text is at the position first. */
export function examplesAt({ document }: OpenDataset, position: Position): Example[] {
  const { from, to } = document.examplesBetween(position.line, position.line + 1);
  const offset = document.lines.offset(position);
  const holds = (example: Example) => {
    const start = example.record.start + example.textField.start;
    return offset >= start && offset <= example.record.start + example.textField.end;
  };
  const examples = document.examples.slice(from, to);
  return [...examples.filter(holds), ...examples.filter((example) => !holds(example))];
}

function cardOf(dataset: OpenDataset, example: Example): Card {
  const result = dataset.resultOf(example);
  const goldInModel = dataset.goldInModel(example);
  const labels = dataset.model?.labels ?? [];
  const ranked = result
    ? labels
        .map((label, index) => ({ label, probability: result.probabilities[index]!, isGold: label === goldInModel }))
        .sort((a, b) => b.probability - a.probability)
    : [];
  const top = ranked.filter(
    (row, rank) => row.isGold || rank < leastCount || (rank < topCount && row.probability >= listedProbability),
  );
  const left = ranked.filter((row) => !top.includes(row));
  return {
    id: example.id,
    task: dataset.document.info.columns.task,
    state: dataset.stateOf(example),
    range: dataset.document.recordRange(example),
    gold: example.gold,
    goldInModel: goldInModel === example.gold ? null : goldInModel,
    entities: example.spans
      ? { head: sliceOf(example, example.spans.head), tail: sliceOf(example, example.spans.tail) }
      : null,
    prediction: result
      ? {
          label: result.label,
          probability: Math.max(...result.probabilities),
          truncated: result.truncated,
          tokenCount: result.tokenCount,
          maxTokens: dataset.model?.maxTokens ?? 0,
        }
      : null,
    top,
    explanation: dataset.explanations.of(example),
    variants: dataset.robustness.countsOf(example),
    failures: dataset.robustness.failuresOf(example),
    rest: { count: left.length, probability: left.reduce((sum, row) => sum + row.probability, 0) },
  };
}

function sliceOf(example: Example, span: Span): string {
  return example.text.slice(span.start, span.end);
}

/** A place to stop at: the text of an example, or a row that holds none. */
interface Stop {
  /** Of the document. */
  offset: number;
  example: Example | null;
  findings: Listed[];
}

/**
 * Wrong predictions, and what is wrong with the data (errors and warnings), in file order; at the end it goes on at the beginning. An example
 * is one stop, whatever is wrong with it.
 */
export function nextFinding(
  dataset: OpenDataset,
  position: Position,
  direction: 'next' | 'previous',
): NextFinding | null {
  const { document, findings } = dataset;
  const stops = stopsOf(dataset);
  if (stops.length === 0) return null;
  const at = document.lines.offset(position);
  let index =
    direction === 'next'
      ? stops.findIndex(({ offset }) => offset > at)
      : stops.findLastIndex(({ offset }) => offset < at);
  if (index < 0) index = direction === 'next' ? 0 : stops.length - 1;
  const { example, findings: found } = stops[index]!;
  const placed = found.map((listed) => findings.placed(listed));
  const messages = placed.map(({ message }) => message);
  if (example !== null && dataset.stateOf(example) === 'wrong') messages.unshift(messageOf(dataset, example));
  const range = example === null ? placed[0]!.range : document.fieldRange(example, example.textField);
  return { range, message: messages.join(' · '), ordinal: index + 1, total: stops.length };
}

function stopsOf(dataset: OpenDataset): Stop[] {
  const { document, findings } = dataset;
  const ofExample = new Map<Example, Listed[]>();
  const stops: Stop[] = [];
  for (const listed of findings.open) {
    if (!isProblem(listed)) continue;
    const { example } = listed;
    if (example === null) stops.push({ offset: findings.offsetOf(listed), example, findings: [listed] });
    else ofExample.set(example, [...(ofExample.get(example) ?? []), listed]);
  }
  for (const example of document.examples) {
    const found = ofExample.get(example);
    if (found === undefined && dataset.stateOf(example) !== 'wrong') continue;
    stops.push({ offset: example.record.start + example.textField.start, example, findings: found ?? [] });
  }
  return stops.sort((a, b) => a.offset - b.offset);
}

function messageOf(dataset: OpenDataset, example: Example): string {
  const result = dataset.resultOf(example)!;
  return `${result.label} ${Math.max(...result.probabilities).toFixed(2)}, gold ${example.gold}`;
}
