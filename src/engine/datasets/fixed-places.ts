import type { ColumnChoice } from '../../protocol/dataset';
import { checkChoice } from './columns';
import { shortened } from './entities';
import type { Cut, Place, ReadExample, Reading, Row, Sample } from './format';

/** Formats whose parts have fixed places: there are no columns to tell apart. */
export interface FixedPlaces extends Pick<Reading, 'format' | 'confidence' | 'detail' | 'cut' | 'read'> {
  /** Text, gold and id, as they are called to the person. */
  columns: { text: string; gold?: string; id?: string };
  /** Sets apart two ways of reading the format. */
  key?: string;
  begin?(text: string): Place;
}

/** Records that detection looks at. */
const SAMPLE_RECORDS = 100;

/** The first records of a sample, without the last one where it may be cut off; all of one that holds no other. */
export function sampleRecords(
  sample: Sample,
  cut: Reading['cut'],
  read: (text: string, cut: Cut, state: string) => Row,
  from: Place = { offset: 0, state: '' },
): Row[] {
  const rows: Row[] = [];
  for (let place = from; rows.length < SAMPLE_RECORDS; ) {
    const found = cut(sample.text, place);
    if (found === null || (rows.length > 0 && !sample.complete && found.looked >= sample.text.length)) break;
    if (found.end > found.start) rows.push(read(sample.text, found, place.state));
    place = found.next;
  }
  return rows;
}

/** @throws NotADataset if `choice` names a part that the format does not have. */
export function fixedReading(places: FixedPlaces, rows: readonly Row[], choice: ColumnChoice | null): Reading {
  const { format, confidence, detail, cut, read } = places;
  const columns: ColumnChoice = { task: 'sentiment', ...places.columns };
  if (choice !== null) checkChoice(choice, Object.values(places.columns));
  const examples = rows.flatMap((row) => row.examples);
  const values = (of: (example: ReadExample) => string | null) => {
    const found = new Set<string>();
    for (const example of examples) {
      const value = of(example);
      if (value !== null) found.add(shortened(value));
      if (found.size === 3) break;
    }
    return [...found];
  };
  const candidates = [{ name: places.columns.text, examples: values((example) => example.text) }];
  if (places.columns.gold !== undefined)
    candidates.push({ name: places.columns.gold, examples: values((example) => example.gold) });
  return {
    format,
    confidence: choice === null ? Math.round(confidence * 100) / 100 : 1,
    detail,
    columns,
    candidates,
    key: `${format} ${places.key ?? ''}`,
    begin: places.begin ?? (() => ({ offset: 0, state: '' })),
    cut,
    read,
  };
}
