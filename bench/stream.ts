/** How fast a file that no editor can hold is read record by record, and in what memory: 1,000,000 rows, about 200 MB. */

import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withFile } from '../src/engine/datasets/byte-source';
import { indexPages } from '../src/engine/datasets/page-index';
import { median, tell, timed, valueFigure } from './figures';
import { sentimentRows } from './sentences';

const rowCount = 1_000_000;
/** Rows that are made once and written again and again, each with a number of its own. */
const distinctRows = 20_000;
const rounds = 3;
const pagesRead = 20;

async function writeRows(file: string, format: 'jsonl' | 'json'): Promise<void> {
  const rows = sentimentRows(distinctRows, 4, 4);
  const stream = createWriteStream(file, { highWaterMark: 1 << 20 });
  if (format === 'json') stream.write('[');
  for (let start = 0; start < rowCount; start += distinctRows) {
    const lines = rows.map(({ text, label }, index) =>
      JSON.stringify({ id: `row-${start + index}`, text: `${start + index}. ${text}`, label }),
    );
    const isLast = start + distinctRows >= rowCount;
    const piece = format === 'jsonl' ? `${lines.join('\n')}\n` : `${lines.join(', ')}${isLast ? ']' : ', '}`;
    if (!stream.write(piece)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'close');
}

async function measure(name: string, file: string): Promise<void> {
  const speeds: number[] = [];
  const cpuSpeeds: number[] = [];
  const pageMs: number[] = [];
  let peakMb = 0;
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, process.memoryUsage.rss() / 1e6);
  }, 20);
  let megabytes = 0;
  for (let round = 0; round < rounds; round++) {
    await withFile(file, async (source) => {
      megabytes = source.size / 1e6;
      const startedMs = performance.now();
      const cpu = process.cpuUsage();
      const paged = await indexPages(source, { name: path.basename(file) });
      speeds.push(megabytes / ((performance.now() - startedMs) / 1000));
      const { user, system } = process.cpuUsage(cpu);
      cpuSpeeds.push(megabytes / ((user + system) / 1e6));
      const { exampleCount, pageCount, findingCount } = paged.info;
      if (exampleCount !== rowCount || findingCount !== 0)
        throw new Error(`${exampleCount} of ${rowCount} rows were read`);
      const each: number[] = [];
      for (let read = 0; read < pagesRead; read++) {
        const index = Math.floor((read * (pageCount - 1)) / (pagesRead - 1));
        each.push(await timed(() => paged.readPage(source, index)));
      }
      pageMs.push(median(each));
    });
  }
  clearInterval(watch);
  tell(
    valueFigure(`stream/${name}/speed`, speeds, 'MB/s', { megabytes: Number(megabytes.toFixed(1)), rows: rowCount }),
  );
  tell(valueFigure(`stream/${name}/cpu`, cpuSpeeds, 'MB a second of processor time'));
  tell(valueFigure(`stream/${name}/page`, pageMs, 'ms a page of 1,000'));
  tell(valueFigure(`stream/${name}/resident`, [peakMb], 'MB at most'));
}

async function main(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-bench-'));
  try {
    for (const format of ['jsonl', 'json'] as const) {
      const file = path.join(folder, `rows.${format}`);
      await writeRows(file, format);
      await measure(format === 'jsonl' ? 'jsonl' : 'json-one-line', file);
      rmSync(file);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

void main();
