import type { ColumnChoice } from '../../protocol/dataset';
import { afterLineBreak, lineEnd } from '../text/lines';
import { SAMPLE_ROWS, type SampleRow } from './columns';
import type { Cut, Format, Place, Reading, Refusal, Sample } from './format';
import { jsonRows } from './json-rows';
import { sampleJsonRow } from './json-sample';
import { JsonError, OPEN_LIST, OPEN_OBJECT, skipMark, skipSpace, valueEnd } from './json-scanner';

/** JSON Lines: an object a line. Blank lines are skipped. */
export const jsonLines: Format = { id: 'jsonl', detect };

function detect(sample: Sample, choice: ColumnChoice | null): Reading | Refusal | null {
  const rows: SampleRow[] = [];
  let lists = 0;
  let lines = 0;
  for (let start = 0; start < sample.text.length && lines < SAMPLE_ROWS; ) {
    const end = lineEnd(sample.text, start);
    const at = skipMark(sample.text, start, end);
    start = afterLineBreak(sample.text, end);
    if (at === end) continue;
    lines++;
    try {
      const first = sample.text.charCodeAt(at);
      if (first === OPEN_OBJECT) {
        const { row, end: rowEnd } = sampleJsonRow(sample.text, at, end);
        if (skipSpace(sample.text, rowEnd, end) === end) rows.push(row);
      } else if (first === OPEN_LIST && valueEnd(sample.text, at, end) <= end) {
        lists++;
      }
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
    }
  }
  if (lists >= 2 && lists > lines / 2) {
    return {
      refusal:
        'Each line is a JSON list, not an object: this looks like scores or tokens that a program wrote. Assay reads JSON Lines whose rows name their parts, such as {"text": …, "label": …}.',
    };
  }
  if (rows.length === 0 || rows.length < lines / 2) return null;
  const found = jsonRows(rows, choice, rows.length === 1 ? 'one JSON object' : 'JSON Lines');
  if ('refusal' in found) return found;
  const { confidence, columns, candidates, detail, key, read } = found;
  return {
    format: 'jsonl',
    confidence,
    detail: `JSON Lines, ${detail}`,
    columns,
    candidates,
    key: `jsonl ${key}`,
    begin: () => ({ offset: 0, state: '' }),
    cut: cutLine,
    read,
  };
}

/** The next line that is not blank. */
function cutLine(text: string, place: Place): Cut | null {
  let start = place.offset;
  while (start < text.length) {
    const end = lineEnd(text, start);
    const next = afterLineBreak(text, end);
    if (skipSpace(text, start, end) < end) {
      return { start, end, next: { offset: next, state: '' }, looked: next, problem: null };
    }
    start = next;
  }
  return null;
}
