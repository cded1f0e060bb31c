import type { ColumnChoice } from '../../protocol/dataset';
import { lineEnd } from '../text/lines';
import { aspectJson } from './aspect-json';
import { aspectLines } from './aspect-lines';
import { aspectXml } from './aspect-xml';
import { brat } from './brat';
import type { Companion } from './companions';
import { conllRelations } from './conll-relations';
import { NotADataset } from './dataset';
import { delimited } from './delimited';
import { docRed } from './docred';
import { fastText } from './fasttext';
import { fewRel } from './fewrel';
import type { Format, Reading, Sample } from './format';
import { jsonArray } from './json-array';
import { jsonColumns } from './json-columns';
import { jsonLists } from './json-lists';
import { jsonWrapped } from './json-wrapped';
import { jsonLines } from './jsonl';
import { withLabelNames } from './label-names';
import { lineTexts } from './lines-format';
import { sciErc } from './scierc';
import { semEval2010 } from './semeval2010';
import { spert } from './spert';
import { sstTrees } from './sst-trees';
import { describeText } from './text-kinds';

/** Every format, asked in this order. A new one is a file and a row here. */
const formats: readonly Format[] = [
  brat,
  lineTexts,
  semEval2010,
  sstTrees,
  fastText,
  aspectLines,
  aspectXml,
  conllRelations,
  fewRel,
  docRed,
  sciErc,
  spert,
  aspectJson,
  jsonColumns,
  jsonWrapped,
  jsonLists,
  jsonLines,
  jsonArray,
  delimited,
];

/** Reading looks no further than this into a document whose lines are shorter. */
export const SAMPLE_UNITS = 65_536;
/** Of a document whose first line is longer, it looks at that line alone, up to here. */
export const MAX_SAMPLE_UNITS = 1_000_000;

/** The whole lines among the first characters of a document. */
export function sampleOf(whole: string, name = '', companions: readonly Companion[] = []): Sample {
  const text = sampleText(whole);
  return { text, complete: text.length === whole.length, whole, name, companions };
}

function sampleText(whole: string): string {
  if (whole.length <= SAMPLE_UNITS) return whole;
  const head = whole.slice(0, SAMPLE_UNITS);
  const cut =
    Math.max(head.lastIndexOf('\n'), head.lastIndexOf('\r') === head.length - 1 ? -1 : head.lastIndexOf('\r')) + 1;
  return cut > 0 ? head.slice(0, cut) : whole.slice(0, Math.min(lineEnd(whole, 0), MAX_SAMPLE_UNITS));
}

/** So sure that the formats behind need not be asked. */
const SURE = 0.9;

/**
 * How a document is to be read, by its content only.
 * @throws NotADataset with a message for the person: what the file looks like and what to do.
 */
export function detectReading(sample: Sample, choice: ColumnChoice | null): Reading {
  let best: Reading | null = null;
  for (const format of formats) {
    const found = format.detect(sample, choice);
    if (found === null) continue;
    if ('refusal' in found) {
      // A file with a format's shape is of none behind it.
      if (best === null) throw new NotADataset(found.refusal);
      break;
    }
    if (best === null || found.confidence > best.confidence) best = found;
    if (best.confidence >= SURE) break;
  }
  if (best === null) throw new NotADataset(describeText(sample.text));
  return withLabelNames(best, sample);
}
