import type { ColumnCandidate, ColumnChoice } from '../../protocol/dataset';
import { plainMap } from '../text/offset-map';
import { shortened } from './entities';
import { fixedReading, sampleRecords } from './fixed-places';
import { type Format, noProblems, type Reading, type Row, type Sample } from './format';
import { cutLine, trimmed } from './line-records';
import { textKind } from './text-kinds';

/**
 * One text a line, its label in the file's name (`pos.txt`, `rt-polarity.neg`) or nowhere. Any text has lines: without being chosen,
 * only lines of sentences in a file whose name tells their label are taken for a dataset, and never surely.
 */
export const lineTexts: Format = { id: 'lines', detect };

/** The columns, for Choose Columns: the line, and the label that the file's name tells. */
export const LINE = '#line';
const NAME = '#name';

const CONFIDENCE = 0.4;

function detect(sample: Sample, choice: ColumnChoice | null): Reading | null {
  const label = labelOfName(sample.name ?? '');
  if (choice === null ? label === null || !holdsSentences(sample) : choice.text !== LINE) return null;
  const gold = choice === null || choice.gold === NAME ? label : null;
  const read = lineReader(gold);
  const rows = sampleRecords(sample, cutLine, (text, { start, end }) => read(text, start, end));
  // A name that tells none, chosen: the lines are read without label.
  const isNamed = gold !== null || choice?.gold === NAME;
  return fixedReading(
    {
      format: 'lines',
      confidence: CONFIDENCE,
      detail: gold === null ? 'a text a line, without labels' : `a text a line, all "${gold}" as the file's name says`,
      columns: { text: LINE, ...(isNamed ? { gold: NAME } : {}) },
      key: JSON.stringify(gold),
      cut: cutLine,
      read,
    },
    rows,
    choice,
  );
}

/** What a person may choose of a text that no format recognises: its lines, where they may be texts. */
export function lineCandidates(text: string): ColumnCandidate[] {
  const kind = textKind(text);
  if (text.trim() === '' || (kind !== 'prose' && kind !== 'plain text')) return [];
  const lines = text.split(/\r\n|\r|\n/, 100).filter((line) => line.trim() !== '');
  return [{ name: LINE, examples: lines.slice(0, 3).map((line) => shortened(line.trim())) }];
}

function lineReader(gold: string | null): (text: string, start: number, end: number) => Row {
  return (text, start, end) => {
    const line = trimmed(text, start, end);
    const example = {
      id: null,
      text: text.slice(line.start, line.end),
      spans: null,
      mentions: null,
      types: null,
      gold,
      map: plainMap(line.end - line.start, line.start - start),
      textField: { start: line.start - start, end: line.end - start },
      goldField: null,
    };
    return { examples: [example], problems: noProblems };
  };
}

const nameLabels = new Set(['positive', 'pos', 'negative', 'neg', 'neutral', 'neu']);
/** What files of plain text end in; others (`.py`, `.md`) say that they are something else. */
const textEndings = new Set(['txt', 'text', 'raw', 'sent', 'sents', 'train', 'dev', 'test', 'valid', 'val']);

/** The one label that a file's name holds, as it is written there: `train.negative.txt` -> `negative`. */
function labelOfName(path: string): string | null {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  const ending = /\.([^.]*)$/.exec(name)?.[1]?.toLowerCase();
  if (ending !== undefined && !textEndings.has(ending) && !nameLabels.has(ending)) return null;
  const found = new Set(name.split(/[^\p{L}\p{N}]+/u).filter((word) => nameLabels.has(word.toLowerCase())));
  return found.size === 1 ? [...found][0]! : null;
}

/** Whether each line may be a text of its own: sentences, not code, settings, lists of words, or paragraphs broken into lines. */
function holdsSentences({ text }: Sample): boolean {
  if (text.trim() === '' || textKind(text) !== 'prose') return false;
  const lines = text.trim().split(/\r\n|\r|\n/, 500);
  const filled = lines.filter((line) => line.trim() !== '');
  if (filled.length < 2 || filled.length < lines.length * 0.8) return false;
  const lengths = filled.map((line) => line.trimEnd().length);
  const longest = Math.max(...lengths);
  const full = lengths.filter((length) => length >= longest * 0.75).length;
  return full < filled.length * 0.7 || filled.length < 8;
}
