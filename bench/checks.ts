/** What all checks of a dataset cost: processor time a megabyte, and memory a row beyond the reader's. 1,000,000 rows. */
import v8 from 'node:v8';
import vm from 'node:vm';
import { DatasetChecks } from '../src/engine/datasets/checks/dataset-checks';
import type { OtherSplit } from '../src/engine/datasets/checks/file-check';
import { defaultCheckSettings } from '../src/engine/datasets/checks/settings';
import { SplitFacts } from '../src/engine/datasets/checks/split-facts';
import { DatasetDocument } from '../src/engine/datasets/document';
import { createRandom, type Random } from '../src/engine/statistics/random';
import { processorMs, tell, valueFigure } from './figures';
import { sentimentRows } from './sentences';

const rowCount = Number(process.env.ASSAY_BENCH_ROWS ?? 1_000_000);
const otherRows = rowCount / 10;
const rounds = 2;

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc') as () => void;

async function usedBytes(): Promise<number> {
  // Array buffers are given free in other threads, and after a turn.
  for (let turn = 0; turn < 3; turn++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

interface Row {
  text: string;
  label: string;
}

const joints = 'the of and to a in is it that was for on with as at by this but not from are had be'.split(' ');

/** 30,000 words that are used as words are: the n-th most frequent one 1/n as often as the first (Zipf). */
function vocabulary(random: Random): string[] {
  const words = new Set(joints);
  while (words.size < 30_000) {
    let word = '';
    for (let syllable = 1 + random.int(4); syllable > 0; syllable--) {
      word += `${'bcdfghklmnprstvw'[random.int(16)]}${'aeiou'[random.int(5)]}${random.int(2) === 0 ? 'nrslt'[random.int(5)] : ''}`;
    }
    words.add(word);
  }
  return [...words];
}

/** Sentences of 5 to 35 words; of a thousand 10 are copies, 10 are nearly copies, 10 have something else wrong. */
function proseRows(count: number, seed: number): Row[] {
  const random = createRandom(seed);
  const words = vocabulary(random);
  const word = () => words[Math.floor(words.length ** random.uniform()) - 1]!;
  const faults = ['<br />', ' &amp; ', '\u200b', ' cafÃ© ', '\ufffd'];
  const rows: Row[] = [];
  while (rows.length < count) {
    const label = random.int(2) === 0 ? 'positive' : 'negative';
    const kind = random.int(100);
    const before = rows.length === 0 ? null : rows[random.int(rows.length)]!;
    if (kind === 0 && before !== null) rows.push(before);
    else if (kind === 1 && before !== null) rows.push({ text: `${word()} ${before.text}`, label: before.label });
    else {
      const text = Array.from({ length: 5 + random.int(31) }, word).join(' ');
      rows.push({ text: kind === 2 ? text + faults[random.int(faults.length)] : text, label });
    }
  }
  return rows;
}

/** As JSON Lines, piece by piece: the rows are not kept beside the text. */
function writtenLines(rows: readonly Row[]): Buffer {
  const pieces: Buffer[] = [];
  for (let start = 0; start < rows.length; start += 10_000) {
    const lines = rows
      .slice(start, start + 10_000)
      .map(({ text, label }, at) => JSON.stringify({ id: start + at, text, label }));
    pieces.push(Buffer.from(`${lines.join('\n')}\n`));
  }
  return Buffer.concat(pieces);
}

interface Subject {
  document: DatasetDocument;
  megabytes: number;
  others: OtherSplit[];
}

/** Its own function: what it needs on the way is gone when memory is measured. */
function subject(rows: readonly Row[], other: readonly Row[]): Subject {
  const file = writtenLines(rows);
  const document = DatasetDocument.open({ name: 'rows.jsonl', bytes: file });
  const facts = new SplitFacts();
  const beside = other.length === 0 ? null : DatasetDocument.open({ name: 'other.jsonl', bytes: writtenLines(other) });
  for (const example of beside?.examples ?? []) facts.add(example, example.record.startLine);
  return {
    document,
    megabytes: file.length / 1e6,
    others: beside === null ? [] : [facts.finish('train', 'other.jsonl')],
  };
}

interface Run {
  ms: number;
  againMs: number;
  longestMs: number;
  bytesARow: number;
  findings: number;
}

async function runChecks({ document, others }: Subject): Promise<Run> {
  const checks = new DatasetChecks(document, defaultCheckSettings, { split: 'test', others });
  const before = await usedBytes();
  let longestMs = 0;
  const update = () => {
    let last = performance.now();
    for (const _ of checks.update()) {
      const now = performance.now();
      longestMs = Math.max(longestMs, now - last);
      last = now;
    }
  };
  const ms = await processorMs(update);
  const findings = checks.findings.length;
  const bytesARow = ((await usedBytes()) - before) / document.examples.length;
  return { ms, longestMs, findings, bytesARow, againMs: await processorMs(update) };
}

async function measure(name: string, checked: Subject): Promise<void> {
  const { document, megabytes } = checked;
  // What a document works out when it is first asked.
  if (document.info.exampleCount !== rowCount) throw new Error('Rows were lost');
  const runs: Run[] = [];
  // What was used to make the rows goes while the first one runs.
  await runChecks(checked);
  for (let round = 0; round < rounds; round++) runs.push(await runChecks(checked));
  const findings = runs[0]!.findings;
  if (findings === 0) throw new Error('Nothing was found');
  const note = { rows: rowCount, megabytes: Number(megabytes.toFixed(1)), findings };
  const figure = (what: string, unit: string, of: (run: Run) => number, more?: object) =>
    tell(valueFigure(`checks/${name}/${what}`, runs.map(of), unit, more));
  figure('speed', 'MB a second of processor time', ({ ms }) => megabytes / (ms / 1000), note);
  figure('memory', "bytes a row beyond the reader's, findings included", ({ bytesARow }) => bytesARow);
  figure('again', 'ms of processor time to weigh the file again, no row edited', ({ againMs }) => againMs);
  figure('slice', 'ms at most between two yields', ({ longestMs }) => longestMs);
}

async function main(): Promise<void> {
  await measure('prose', subject(proseRows(rowCount, 5), proseRows(otherRows, 6)));
  await measure('templates', subject(sentimentRows(rowCount, 7), []));
}

void main();
