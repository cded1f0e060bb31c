import type { ColumnChoice } from '../../protocol/dataset';
import { plainMap } from '../text/offset-map';
import { fixedReading, sampleRecords } from './fixed-places';
import { type Format, noProblems, type Reading, type Row, type Sample, unreadable } from './format';
import { cutLine, trimmed } from './line-records';

/**
 * A text and its label a line, with nothing but a sign between them: `text@neutral` (Financial PhraseBank), `DESC:manner text` (TREC),
 * `0 text`. Many texts have such signs: nearly all lines must be so, and the labels few.
 */
export const labelledLines: Format = { id: 'lines', detect };

interface Shape {
  readonly name: string;
  readonly confidence: number;
  /** Groups: `text` and `label`. */
  readonly pattern: RegExp;
  readonly minLines: number;
  /** The labels are words that are nothing else. */
  readonly isWord: boolean;
  /** Labels that count up number the lines. */
  readonly isNumber: boolean;
}

const shapes: readonly Shape[] = [
  {
    name: 'text@label',
    confidence: 0.9,
    pattern: /^(?<text>.*\S)\s*@(?<label>positive|negative|neutral)$/d,
    minLines: 2,
    isWord: true,
    isNumber: false,
  },
  {
    name: 'LABEL:kind text',
    confidence: 0.8,
    pattern: /^(?<label>[A-Z]{2,6}:[a-z]+) (?<text>\S.*\s.*)$/d,
    minLines: 3,
    isWord: false,
    isNumber: false,
  },
  {
    name: 'number text',
    confidence: 0.5,
    pattern: /^(?<label>\d) (?<text>\S*\p{L}.*)$/du,
    minLines: 4,
    isWord: false,
    isNumber: true,
  },
];

/** A longer line is no text with its label: documents of one line are of other formats. */
const MAX_LINE_UNITS = 100_000;
const MATCHING_SHARE = 0.95;
/** Of the lines so many may begin with a number one above that of the line before. */
const COUNTING_SHARE = 0.5;

function detect(sample: Sample, choice: ColumnChoice | null): Reading | null {
  for (const shape of shapes) {
    const read = lineReader(shape);
    const rows = sampleRecords(sample, cutLine, (text, { start, end }) => read(text, start, end));
    const labels = rows.flatMap(({ examples }) => examples.map(({ gold }) => gold!));
    if (labels.length < shape.minLines || labels.length < rows.length * MATCHING_SHARE) continue;
    const distinct = new Set(labels).size;
    if (!shape.isWord && distinct === labels.length && labels.length > shape.minLines) continue;
    if (shape.isNumber && (distinct < 2 || distinct === labels.length || counts(labels))) continue;
    return fixedReading(
      {
        format: 'lines',
        confidence: shape.confidence,
        detail: `a text and its label a line (${shape.name})`,
        columns: { text: 'text', gold: 'label' },
        key: shape.name,
        cut: cutLine,
        read,
      },
      rows,
      choice,
    );
  }
  return null;
}

function counts(labels: readonly string[]): boolean {
  const steps = labels.filter((label, index) => index > 0 && Number(label) === Number(labels[index - 1]) + 1).length;
  return steps > labels.length * COUNTING_SHARE;
}

function lineReader({ name, pattern }: Shape): (text: string, start: number, end: number) => Row {
  return (text, start, end) => {
    const line = trimmed(text, start, end);
    const isLong = line.end - line.start > MAX_LINE_UNITS;
    const found = isLong ? undefined : pattern.exec(text.slice(line.start, line.end))?.indices?.groups;
    const from = line.start - start;
    if (found === undefined) {
      return unreadable(`The line is not “${name}” as the others are. It is left out.`, from, line.end - start);
    }
    const field = (group: 'text' | 'label') => {
      const [first, last] = found[group]!;
      return { start: from + first, end: from + last };
    };
    const textField = field('text');
    const goldField = field('label');
    const example = {
      id: null,
      text: text.slice(start + textField.start, start + textField.end),
      spans: null,
      mentions: null,
      types: null,
      gold: text.slice(start + goldField.start, start + goldField.end),
      map: plainMap(textField.end - textField.start, textField.start),
      textField,
      goldField,
    };
    return { examples: [example], problems: noProblems };
  };
}
