import type { ColumnChoice } from '../../protocol/dataset';
import { lineEnd } from '../text/lines';
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
  jsonLines,
  jsonArray,
  delimited,
];

/** Reading looks no further than this into a document whose lines are shorter. */
export const SAMPLE_UNITS = 65_536;
/** Of a document whose first line is longer, it looks at that line alone, up to here. */
export const MAX_SAMPLE_UNITS = 1_000_000;

/** The whole lines among the first characters of a document. */
export function sampleOf(text: string, name = '', companions: readonly Companion[] = []): Sample {
  if (text.length <= SAMPLE_UNITS) return { text, complete: true, name, companions };
  const head = text.slice(0, SAMPLE_UNITS);
  const cut =
    Math.max(head.lastIndexOf('\n'), head.lastIndexOf('\r') === head.length - 1 ? -1 : head.lastIndexOf('\r')) + 1;
  if (cut > 0) return { text: head.slice(0, cut), complete: false, name, companions };
  return { text: text.slice(0, Math.min(lineEnd(text, 0), MAX_SAMPLE_UNITS)), complete: false, name, companions };
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
    // A file with a format's shape is of no other format.
    if ('refusal' in found) throw new NotADataset(found.refusal);
    if (best === null || found.confidence > best.confidence) best = found;
    if (best.confidence >= SURE) break;
  }
  if (best === null) throw new NotADataset(describeText(sample.text));
  return withLabelNames(best, sample);
}
