import type { ColumnChoice, Span } from '../../protocol/dataset';
import { type EntityFault, placeOffsets, shortened, wholeNumber } from './entities';
import { fixedReading, sampleRecords } from './fixed-places';
import {
  type Cut,
  type Format,
  noProblems,
  type Place,
  type Problem,
  problemAt,
  type ReadExample,
  type Reading,
  type Row,
  type Sample,
  unreadable,
} from './format';
import { skipMark } from './json-scanner';
import { attributePlace, elementText, parseElement, type XmlElement } from './xml-element';

/**
 * SemEval-2014 Task 4 (Pontiki et al. 2014), and its successors of 2015 and 2016: `<sentence id><text>…</text>` with `<aspectTerm term
 * polarity from to/>` (2015: `<Opinion target polarity from to/>`, `NULL` for a target that is not named) and `<aspectCategory category
 * polarity/>`. One example an aspect; a category has no place in the text. `from` and `to` count code points, end exclusive.
 */
export const aspectXml: Format = { id: 'semeval2014-xml', detect };

function detect(sample: Sample, choice: ColumnChoice | null): Reading | null {
  const { text } = sample;
  if (text[skipMark(text, 0, text.length)] !== '<') return null;
  if (!/<sentence[\s>]/.test(text) || !/<text[\s>]/.test(text)) return null;
  const isAspectFile = /<(?:aspectTerm|aspectCategory|Opinion)[\s>/]/.test(text);
  const read = sentenceReader(!isAspectFile);
  const rows = sampleRecords(sample, cutSentence, (whole, { start, end }) => read(whole, start, end));
  const good = rows.filter((row) => row.problems.length === 0).length;
  const isEmpty = rows.every((row) => row.examples.length === 0);
  if (isEmpty || good < rows.length / 2) return null;
  return fixedReading(
    {
      format: 'semeval2014-xml',
      confidence: 0.9 + (0.1 * good) / rows.length,
      detail: isAspectFile ? 'SemEval-2014 aspects (XML)' : 'SemEval-2014 sentences (XML), without aspects',
      columns: { text: 'text', gold: 'polarity', id: 'id' },
      key: String(isAspectFile),
      cut: cutSentence,
      read,
    },
    rows,
    choice,
  );
}

/** The first of the two ends a sentence that is not closed. */
const border = /<sentence(?=[\s>/])|<\/sentence\s*>/g;

function cutSentence(text: string, place: Place): Cut | null {
  border.lastIndex = place.offset;
  let first = border.exec(text);
  while (first?.[0].startsWith('</')) first = border.exec(text);
  if (first === null) return null;
  const start = first.index;
  const second = border.exec(text);
  // Borders that are looked at end with a character that tells them.
  if (second === null)
    return { start, end: trimEnd(text, start, text.length), next: at(text.length), looked: text.length, problem: null };
  if (second[0].startsWith('</')) {
    const end = border.lastIndex;
    return { start, end, next: at(end), looked: end, problem: null };
  }
  const looked = Math.min(second.index + second[0].length + 1, text.length);
  return { start, end: trimEnd(text, start, second.index), next: at(second.index), looked, problem: null };
}

function at(offset: number): Place {
  return { offset, state: '' };
}

function trimEnd(text: string, start: number, end: number): number {
  let stop = end;
  while (stop > start + 1 && /\s/.test(text[stop - 1]!)) stop--;
  return stop;
}

/** `bare`: no sentence of the file has aspects, so each is an example. */
function sentenceReader(bare: boolean): (text: string, start: number, end: number) => Row {
  return (text, start, end) => readSentence(text.slice(start, end), bare);
}

interface Sentence {
  raw: string;
  id: string | null;
  content: ReturnType<typeof elementText>;
  textField: Span;
}

function readSentence(raw: string, bare: boolean): Row {
  const element = parseElement(raw);
  if ('fault' in element) {
    const where = Math.max(0, Math.min(element.at, raw.length) - 1);
    return unreadable(`Not valid XML: ${element.fault}. The sentence is left out.`, where, where + 1);
  }
  const id = element.attributes.get('id') ?? null;
  const body = element.children.find((child) => child.name === 'text');
  if (body === undefined)
    return unreadable('The sentence has no <text>. It is left out.', element.tag.start, element.tag.end);
  const content = elementText(raw.slice(body.content.start, body.content.end), body.content.start);
  const sentence: Sentence = { raw, id, content, textField: body.content };
  const examples: ReadExample[] = [];
  const problems: Problem[] = [];
  for (const aspect of aspectsOf(element)) {
    const read = readAspect(sentence, aspect, problems);
    if (read !== null) examples.push(read);
  }
  if (bare) examples.push(exampleOf(sentence, null, null, null));
  if (id !== null && examples.length > 1)
    for (const [index, example] of examples.entries()) example.id = `${id}#${index + 1}`;
  return { examples, problems: problems.length === 0 ? noProblems : problems };
}

/** The elements that say an aspect, in the order of the file. */
function aspectsOf(element: XmlElement): XmlElement[] {
  return element.children.flatMap((child) =>
    child.name === 'aspectTerm' || child.name === 'aspectCategory' || child.name === 'Opinion'
      ? [child]
      : aspectsOf(child),
  );
}

function readAspect(sentence: Sentence, aspect: XmlElement, problems: Problem[]): ReadExample | null {
  const { raw, content } = sentence;
  const gold = aspect.attributes.get('polarity') ?? null;
  const goldField = attributePlace(raw, aspect.tag, 'polarity');
  const term = aspect.attributes.get('term') ?? aspect.attributes.get('target');
  if (aspect.name === 'aspectCategory' || term === undefined || (aspect.name === 'Opinion' && term === 'NULL'))
    return exampleOf(sentence, null, gold, goldField);
  const [from, to] = (['from', 'to'] as const).map((name) => wholeNumber(aspect.attributes.get(name) ?? ''));
  const span: Span | EntityFault<'aspect'> | null =
    from == null || to == null ? null : placeOffsets(content.text, null, 'aspect', { start: from, end: to });
  if (span === null || 'role' in span) {
    const message = span?.message ?? '"from" and "to" of the aspect must be whole numbers.';
    problems.push(
      problemAt(
        span?.code ?? 'assay/unreadable-row',
        `${message} The aspect is left out.`,
        aspect.tag.start,
        aspect.tag.end,
      ),
    );
    return null;
  }
  const found = content.text.slice(span.start, span.end);
  if (found !== term) {
    problems.push(
      problemAt(
        'assay/entity-not-found',
        `At ${from} to ${to} the text says "${shortened(found)}", not the aspect "${shortened(term)}". It is read as the numbers say.`,
        aspect.tag.start,
        aspect.tag.end,
        'warning',
      ),
    );
  }
  return exampleOf(sentence, span, gold, goldField);
}

function exampleOf(sentence: Sentence, aspect: Span | null, gold: string | null, goldField: Span | null): ReadExample {
  const { id, content, textField } = sentence;
  return {
    id,
    text: content.text,
    spans: null,
    aspect,
    mentions: null,
    types: null,
    gold,
    map: content.map,
    textField,
    goldField,
  };
}
