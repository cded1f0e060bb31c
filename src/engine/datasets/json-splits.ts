import type { ColumnChoice } from '../../protocol/dataset';
import { isSurelyLabelled, SAMPLE_ROWS } from './columns';
import type { Format, Reading, Sample } from './format';
import { addFirstKey, shapeKey, shapeOf } from './json-array';
import { beginKeyedLists, keyedListCutter } from './json-keyed-lists';
import { visitOpenMembers } from './json-open-members';
import { sampledShape } from './json-row-starts';
import { jsonRows } from './json-rows';
import { jsonFields, sampleJsonRow } from './json-sample';
import { JsonError, OPEN_LIST, OPEN_OBJECT, skipMark } from './json-scanner';
import type { SampleRow } from './sample-row';
import { namesSplit } from './splits';

/** The splits of a dataset in one JSON object, `{"train": [{…}, …], "test": [{…}, …]}`: all of them are read. */
export const jsonSplits: Format = { id: 'json', detect };

const splitLists = { title: 'split', holdsRows: namesSplit, without: () => null };

function detect(sample: Sample, choice: ColumnChoice | null): Reading | null {
  const { text } = sample;
  const opening = skipMark(text, 0, text.length);
  if (text.charCodeAt(opening) !== OPEN_OBJECT) return null;
  const keys: string[] = [];
  // The last member of a part may be cut off: its key is seen.
  const fault = visitOpenMembers(text, opening, (key, start) => {
    if (namesSplit(key) && text.charCodeAt(start) === OPEN_LIST) keys.push(key);
    return true;
  });
  if (keys.length === 0 || (keys.length === 1 && sample.complete && fault === null)) return null;
  const rows: SampleRow[] = [];
  const firstKeys = new Set<string>();
  const cutRow = keyedListCutter({ ...splitLists, shape: sampledShape(text, opening) });
  for (let place = beginKeyedLists(text); rows.length < SAMPLE_ROWS; ) {
    const cut = cutRow(text, place);
    if (cut === null || (!sample.complete && cut.looked >= text.length)) break;
    place = cut.next;
    if (cut.start === cut.end) continue;
    try {
      if (text.charCodeAt(cut.start) !== OPEN_OBJECT) continue;
      rows.push(sampleJsonRow(text, cut.start, cut.end).row);
      addFirstKey(firstKeys, text, cut.start);
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
    }
  }
  if (rows.length === 0) return null;
  const found = jsonRows(rows, choice, 'rows');
  if ('refusal' in found || (choice === null && !isSurelyLabelled(found.columns, rows))) return null;
  const { confidence, columns, candidates, detail, key, read } = found;
  const shape = shapeOf(firstKeys, columns, rows);
  return {
    format: 'json',
    confidence,
    detail: `JSON, the rows of all splits (${keys.map((name) => `"${name}"`).join(', ')}${sample.complete ? '' : ', …'}), ${detail}`,
    columns,
    candidates,
    key: JSON.stringify(['splits', shapeKey(shape), key]),
    begin: beginKeyedLists,
    cut: keyedListCutter({ ...splitLists, shape }),
    read,
    fields: jsonFields,
  };
}
