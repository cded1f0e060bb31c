import type { ColumnChoice, Span } from '../../protocol/dataset';
import { plainMap } from '../text/offset-map';
import { fixedReading, sampleRecords } from './fixed-places';
import {
  type Format,
  noProblems,
  type Problem,
  problemAt,
  type ReadExample,
  type Reading,
  type Refusal,
  type Row,
  type Sample,
  unreadable,
} from './format';
import { cutLine, trimmed } from './line-records';

/**
 * Aspects with their opinions, a sentence a line (ASTE, Peng et al. 2020): `But the staff was horrible .####[([2], [4], 'NEG')]`, the words
 * of the aspect, of the opinion, and the polarity. One example an aspect.
 */
export const aspectTriples: Format = { id: 'aspect-lines', detect };

const SEPARATOR = '####';
const triple = /\(\s*\[\s*(\d+(?:\s*,\s*\d+)*)\s*\]\s*,\s*\[[\d\s,]*\]\s*,\s*(['"])([^'"]+)\2\s*\)/g;

function detect(sample: Sample, choice: ColumnChoice | null): Reading | Refusal | null {
  if (!sample.text.includes(SEPARATOR)) return null;
  const lines: string[] = [];
  const rows = sampleRecords(sample, cutLine, (text, { start, end }) => {
    lines.push(text.slice(start, end));
    return readLine(text, start, end);
  });
  const good = rows.filter(({ examples }) => examples.length > 0).length;
  if (good < rows.length * 0.5 || good === 0) {
    const quadruples = lines.filter((line) => /####\s*\[\s*[[(]\s*['"]/.test(line)).length;
    if (quadruples < lines.length * 0.5 || quadruples === 0) return null;
    return {
      refusal:
        "This looks like sentences with what is said of them in words, a list of each behind #### (ASQP, ACOS, TASD): it does not say where the aspects stand, nor which word is the label. Assay reads such lines with places (ASTE): sentence####[([2], [4], 'NEG')]. Or save the sentences and their labels as JSON Lines or CSV.",
    };
  }
  return fixedReading(
    {
      format: 'aspect-lines',
      confidence: 0.8 + (0.2 * good) / rows.length,
      detail: 'a sentence and its aspects a line (ASTE)',
      columns: { text: 'sentence', gold: 'polarity' },
      key: 'triples',
      cut: cutLine,
      read: readLine,
    },
    rows,
    choice,
  );
}

function readLine(text: string, start: number, end: number): Row {
  const line = trimmed(text, start, end);
  const written = text.slice(line.start, line.end);
  const cut = written.lastIndexOf(SEPARATOR);
  const list = cut + SEPARATOR.length;
  const said = written.slice(list);
  if (cut === -1 || !/^\s*\[[\s,]*\]\s*$/.test(said.replace(triple, ''))) {
    return unreadable(
      "A sentence, #### and the list of its aspects should stand here: sentence####[([2], [4], 'NEG')]. The line is left out.",
      line.start - start,
      line.end - start,
    );
  }
  const field = trimmed(text, line.start, line.start + cut);
  const content = text.slice(field.start, field.end);
  const words = [...content.matchAll(/\S+/g)].map(({ index, 0: word }) => ({ start: index, end: index + word.length }));
  const offset = line.start - start + list;
  const examples: ReadExample[] = [];
  const problems: Problem[] = [];
  const seen = new Set<string>();
  for (const { index, 0: all, 1: numbers, 3: polarity } of said.matchAll(triple)) {
    const places = numbers!.split(',').map(Number);
    const aspect = aspectOf(words, places);
    if (aspect === null) {
      const message = `The aspect stands at word ${Math.max(...places)}, the sentence has ${words.length} words (counted from 0). It is left out.`;
      problems.push(problemAt('assay/span-out-of-bounds', message, offset + index, offset + index + all.length));
      continue;
    }
    // An aspect with two opinions is listed twice.
    const key = `${aspect.start} ${aspect.end} ${polarity}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const gold = offset + index + all.lastIndexOf(polarity!);
    examples.push({
      id: null,
      text: content,
      spans: null,
      aspect,
      mentions: null,
      types: null,
      gold: polarity!,
      map: plainMap(content.length, field.start - start),
      textField: { start: field.start - start, end: field.end - start },
      goldField: { start: gold, end: gold + polarity!.length },
    });
  }
  return { examples, problems: problems.length === 0 ? noProblems : problems };
}

function aspectOf(words: readonly Span[], places: readonly number[]): Span | null {
  const first = words[Math.min(...places)];
  const last = words[Math.max(...places)];
  return first === undefined || last === undefined ? null : { start: first.start, end: last.end };
}
