import type { ColumnCandidate, ColumnChoice } from '../../protocol/dataset';
import { aspectJson } from './aspect-json';
import { aspectLines } from './aspect-lines';
import { aspectTriples } from './aspect-triples';
import { aspectXml } from './aspect-xml';
import { brat } from './brat';
import { conllRelations } from './conll-relations';
import { MissingColumns, NotADataset } from './dataset';
import { delimited } from './delimited';
import { docRed } from './docred';
import { fastText } from './fasttext';
import { fewRel } from './fewrel';
import type { Format, Reading, Refusal, Sample } from './format';
import { jsonArray } from './json-array';
import { jsonColumns } from './json-columns';
import { jsonKeyedRows } from './json-keyed-rows';
import { jsonLabelLists } from './json-label-lists';
import { jsonLists } from './json-lists';
import { jsonObjects } from './json-objects';
import { jsonSplits } from './json-splits';
import { jsonWrapped } from './json-wrapped';
import { jsonLines } from './jsonl';
import { labelStudio } from './label-studio';
import { labelledLines } from './labelled-lines';
import { lineTexts } from './lines-format';
import { linkedEntities } from './linked-entities';
import { relationTriples } from './relation-triples';
import { sciErc } from './scierc';
import { semEval2010 } from './semeval2010';
import { spert } from './spert';
import { sstTrees } from './sst-trees';

/** Every format, asked in this order. A new one is a file and a row here. */
const formats: readonly Format[] = [
  brat,
  lineTexts,
  labelledLines,
  semEval2010,
  sstTrees,
  fastText,
  aspectLines,
  aspectTriples,
  aspectXml,
  conllRelations,
  fewRel,
  docRed,
  sciErc,
  labelStudio,
  linkedEntities,
  spert,
  relationTriples,
  aspectJson,
  jsonColumns,
  jsonSplits,
  jsonWrapped,
  jsonKeyedRows,
  jsonLabelLists,
  jsonLists,
  jsonObjects,
  jsonLines,
  jsonArray,
  delimited,
];

/** So sure that the formats behind need not be asked. */
const SURE = 0.9;

/**
 * How a sample is read, as the format says that is surest of it; else why it is no dataset. `refusal` null: no format has anything to
 * say of it.
 * @throws NotADataset if the sample has not the columns of `choice`.
 */
export function readingOf(sample: Sample, choice: ColumnChoice | null): Reading | Refusal {
  let best: Reading | null = null;
  let seen: readonly ColumnCandidate[] = [];
  let unfit: NotADataset | null = null;
  for (const format of formats) {
    let found: Reading | Refusal | null;
    try {
      found = format.detect(sample, choice);
    } catch (error) {
      // Another format may have the chosen columns.
      if (!(error instanceof NotADataset)) throw error;
      if (unfit === null || seesMore(error, unfit)) unfit = error;
      continue;
    }
    if (found === null) continue;
    if ('refusal' in found) {
      if (seen.length === 0) seen = found.candidates ?? [];
      if (found.refusal === null) continue;
      // A file with a format's shape is of none behind it.
      if (best === null) return { refusal: found.refusal, candidates: seen };
      break;
    }
    if (best === null || found.confidence > best.confidence) best = found;
    if (best.confidence >= SURE) break;
  }
  if (best === null && unfit !== null) throw unfit;
  return best ?? { refusal: null, candidates: seen };
}

/** Whether a format has more of the chosen columns than another one, or as many and all of its columns: it sees the file as the person does. */
function seesMore(one: NotADataset, other: NotADataset): boolean {
  if (!(one instanceof MissingColumns)) return false;
  if (!(other instanceof MissingColumns) || one.missing < other.missing) return true;
  return one.missing === other.missing && other.names.every((name) => one.names.includes(name));
}
