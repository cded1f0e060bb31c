/** How fast the readers are, against the fastest thing that reads the same bytes; and what a keystroke costs. */
import Papa from 'papaparse';
import { DatasetDocument } from '../src/engine/datasets/document';
import { createRandom } from '../src/engine/statistics/random';
import { processorMs, ratioFigure, tell, valueFigure } from './figures';
import { asCsv, asJsonArray, asJsonLines, asSemEval, asTokenLines, relationRows, sentimentRows } from './sentences';

const rowCount = 50_000;
const rounds = 11;
const editsARound = 40;

interface Reader {
  name: string;
  text: string;
  rival: string;
  /** Reads the same text with no offsets and no checks. Returns how many rows it found. */
  readBare(text: string): number;
}

const sentiment = sentimentRows(rowCount, 1);
const relation = relationRows(rowCount, 2);
const jsonLines = asJsonLines(sentiment);

const parseLines = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line)).length;

const readers: Reader[] = [
  { name: 'jsonl', text: jsonLines, rival: 'JSON.parse of every line', readBare: parseLines },
  { name: 'jsonl-tokens', text: asTokenLines(relation), rival: 'JSON.parse of every line', readBare: parseLines },
  {
    name: 'json',
    text: asJsonArray(sentiment),
    rival: 'JSON.parse of the file',
    readBare: (text) => (JSON.parse(text) as unknown[]).length,
  },
  {
    name: 'csv',
    text: asCsv(sentiment),
    rival: 'PapaParse with header',
    readBare: (text) => Papa.parse(text, { header: true, skipEmptyLines: true }).data.length,
  },
  {
    name: 'semeval2010',
    text: asSemEval(relation),
    rival: 'one regular expression over the file',
    readBare: (text) =>
      [...text.matchAll(/^\d+\t"(.*?)<e1>(.*?)<\/e1>(.*?)<e2>(.*?)<\/e2>(.*)"\n(.*)\n/gm)].map((match) => match.slice())
        .length,
  },
];

async function measureReader({ name, text, rival, readBare }: Reader): Promise<void> {
  const megabytes = Buffer.byteLength(text) / 1e6;
  const ratios: number[] = [];
  const speeds: number[] = [];
  for (let round = -1; round < rounds; round++) {
    let found = 0;
    const ourMs = await processorMs(() => {
      const document = DatasetDocument.open({ name, text });
      found = document.info.exampleCount;
    });
    const bareMs = await processorMs(() => {
      if (readBare(text) !== rowCount) throw new Error(`${rival} did not read all rows of ${name}`);
    });
    if (found !== rowCount) throw new Error(`${found} examples of ${rowCount} were read from ${name}`);
    // The first round warms up.
    if (round < 0) continue;
    ratios.push(ourMs / bareMs);
    speeds.push(megabytes / (ourMs / 1000));
  }
  tell(ratioFigure(`readers/${name}`, ratios, `x the processor time of ${rival}`));
  tell(
    valueFigure(`readers/${name}/speed`, speeds, 'MB a second of processor time', {
      megabytes: Number(megabytes.toFixed(1)),
    }),
  );
}

/** One character typed into the text of a random row of a file of 50,000. */
async function measureEdits(): Promise<void> {
  const random = createRandom(3);
  const document = DatasetDocument.open({ name: 'jsonl', text: jsonLines });
  const applied: number[] = [];
  const described: number[] = [];
  const appliedMs: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const openMs = await processorMs(() => DatasetDocument.open({ name: 'jsonl', text: jsonLines }).info);
    const edit = () => {
      const line = random.int(rowCount);
      const range = { startLine: line, startChar: 20, endLine: line, endChar: 20 };
      document.applyEdits([{ range, text: 'x' }]);
    };
    const applyMs = await processorMs(() => {
      for (let count = 0; count < editsARound; count++) edit();
    });
    const describedMs = await processorMs(() => {
      for (let count = 0; count < editsARound; count++) {
        edit();
        if (document.info.exampleCount !== rowCount) throw new Error('An edit has lost examples');
      }
    });
    if (round < 0) continue;
    applied.push(applyMs / editsARound / openMs);
    described.push(describedMs / editsARound / openMs);
    appliedMs.push(applyMs / editsARound);
  }
  tell(ratioFigure('readers/edit', applied, 'x opening the file'));
  tell(ratioFigure('readers/edit-and-describe', described, 'x opening the file'));
  tell(valueFigure('readers/edit/time', appliedMs, 'ms of processor time'));
}

async function main(): Promise<void> {
  for (const reader of readers) await measureReader(reader);
  await measureEdits();
}

void main();
