import type { ColumnChoice, Span } from '../../protocol/dataset';
import { plainMap } from '../text/offset-map';
import { listed } from './columns';
import { fixedReading, sampleRecords } from './fixed-places';
import { type Format, noProblems, problemAt, type Reading, type Row, type Sample, unreadable } from './format';
import { cutLine, isSpace, trimmed } from './line-records';

/** fastText: a line an example, `__label__x` (once or more), then the text. Of several labels the first is gold. */
export const fastText: Format = { id: 'fasttext', detect };

const PREFIX = '__label__';

function detect(sample: Sample, choice: ColumnChoice | null): Reading | null {
  if (!sample.text.includes(PREFIX)) return null;
  const rows = sampleRecords(sample, cutLine, (text, { start, end }) => readLine(text, start, end));
  // A line without example has a label and no text.
  const labelled = rows.filter(({ examples }) => examples.every((example) => example.goldField !== null)).length;
  if (rows.every((row) => row.examples.length === 0) || labelled < rows.length * 0.5) return null;
  const isMulti = rows.some((row) => row.examples.length > 0 && row.problems.length > 0);
  return fixedReading(
    {
      format: 'fasttext',
      confidence: 0.85 + (0.15 * labelled) / rows.length,
      detail: `fastText${isMulti ? ', several labels a line: the first is taken' : ''}`,
      columns: { text: 'text', gold: PREFIX },
      cut: cutLine,
      read: readLine,
    },
    rows,
    choice,
  );
}

function readLine(text: string, start: number, end: number): Row {
  const line = trimmed(text, start, end);
  const labels: Span[] = [];
  let at = line.start;
  while (text.startsWith(PREFIX, at) && at < line.end) {
    let stop = at;
    while (stop < line.end && !isSpace(text.charCodeAt(stop))) stop++;
    // Some files separate labels and text by a comma.
    const comma = text[stop - 1] === ',' ? 1 : 0;
    labels.push({ start: at - start, end: stop - comma - start });
    at = stop;
    while (at < line.end && isSpace(text.charCodeAt(at))) at++;
    if (text[at] === ',' && at + 1 < line.end && isSpace(text.charCodeAt(at + 1)))
      at = trimmed(text, at + 1, line.end).start;
  }
  if (at >= line.end) return unreadable('No text stands behind the label. The line is left out.', 0, line.end - start);
  const names = labels.map((label) => text.slice(start + label.start + PREFIX.length, start + label.end));
  const gold = labels[0] ?? null;
  const problems =
    labels.length < 2
      ? noProblems
      : [
          problemAt(
            'assay/multi-label',
            `The line has ${labels.length} labels (${listed(names)}); Assay compares with one: the first is taken.`,
            labels[0]!.start,
            labels.at(-1)!.end,
            'warning',
          ),
        ];
  const example = {
    id: null,
    text: text.slice(at, line.end),
    spans: null,
    mentions: null,
    types: null,
    gold: names[0] === undefined || names[0] === '' ? null : names[0],
    map: plainMap(line.end - at, at - start),
    textField: { start: at - start, end: line.end - start },
    goldField: gold,
  };
  return { examples: [example], problems };
}
