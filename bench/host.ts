/** The extension host while 50,000 lines are annotated: what Assay adds to it. Each round has a host of its own. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ratioFigure, tell, valueFigure } from './figures';
import type { Spans } from './host/cpu-spans';
import type { Delay, HostResult } from './host/result';
import { asJsonLines, sentimentRows } from './sentences';

declare const ASSAY_ROOT: string;

const rounds = 3;
const lineCount = 50_000;

type RunSuite = (options: {
  which: 'current' | 'oldest';
  folder: string;
  testFolder: string;
  env: Record<string, string>;
  show: (line: string) => void;
}) => Promise<{ failures: { title: string; error: string }[]; name: string }>;

async function measureRound(runSuite: RunSuite, round: number): Promise<HostResult> {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-host-'));
  try {
    const file = path.join(folder, 'reviews.jsonl');
    const resultFile = path.join(folder, 'result.json');
    writeFileSync(file, asJsonLines(sentimentRows(lineCount, 100 + round)));
    const { failures } = await runSuite({
      which: 'current',
      folder,
      testFolder: path.join(ASSAY_ROOT, 'out/bench/host'),
      env: {
        ASSAY_BENCH_FILE: file,
        ASSAY_BENCH_RESULT: resultFile,
        ASSAY_BENCH_SEED: String(1 + round),
        ...passedOn('ASSAY_BENCH_STRAIN_MS'),
        ...passedOn('ASSAY_BENCH_PROFILES'),
      },
      show: (line) => process.stderr.write(`host: ${line}\n`),
    });
    if (failures.length > 0 || !existsSync(resultFile)) {
      throw new Error(`Round ${round + 1} failed:\n${failures.map(({ error }) => error).join('\n')}`);
    }
    return JSON.parse(readFileSync(resultFile, 'utf8')) as HostResult;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function passedOn(name: string): Record<string, string> {
  const value = process.env[name];
  return value === undefined ? {} : { [name]: value };
}

function tellSpans(name: string, spans: Spans[]): void {
  tell(
    valueFigure(
      `host/longest-span/${name}`,
      spans.map(({ longest }) => longest[0]?.ms ?? 0),
      'ms',
      {
        shareOfTime: spans.map(({ share }) => share),
        runs: spans.map(({ longest }) => longest[0]?.ms ?? 0),
        profiledMs: spans.map(({ profiledMs }) => Math.round(profiledMs)),
        // The five longest of all rounds.
        longest: spans
          .flatMap(({ longest }) => longest)
          .sort((a, b) => b.ms - a.ms)
          .slice(0, 5),
      },
    ),
  );
}

/** Without what the thread waited for a processor. */
function tellSampledSpans(name: string, spans: Spans[]): void {
  const values = spans.map(({ longestSampledMs }) => longestSampledMs);
  tell(valueFigure(`host/longest-span/${name}/sampled`, values, 'ms', { runs: values }));
}

function tellDelays(name: string, rival: string, delays: Delay[], rivals: Delay[]): void {
  for (const figure of ['p50', 'p99', 'max'] as const) {
    const values = delays.map((delay) => delay[figure]);
    tell(
      valueFigure(`host/event-loop-delay/${name}/${figure}`, values, 'ms', {
        runs: values,
        [rival]: rivals.map((delay) => delay[figure]),
      }),
    );
  }
  // A turn of the loop is the delay and the timer's own millisecond; so no ratio is to nought.
  tell(
    ratioFigure(
      `host/event-loop-delay/${name}/p99-against`,
      delays.map((delay, round) => (delay.p99 + 1) / (rivals[round]!.p99 + 1)),
      `x ${rival} (time between two turns of a 1 ms timer)`,
      { waitedForProcessorMs: delays.map((delay) => delay.waitedMs), [rival]: rivals.map((delay) => delay.waitedMs) },
    ),
  );
}

async function main(): Promise<void> {
  const suite = pathToFileURL(path.join(ASSAY_ROOT, 'test/vscode/harness/suite.mjs')).href;
  const { runSuite } = (await import(suite)) as { runSuite: RunSuite };
  const results: HostResult[] = [];
  for (let round = 0; round < rounds; round++) {
    const result = await measureRound(runSuite, round);
    results.push(result);
    process.stderr.write(`host: round ${round + 1} of ${rounds}; ${result.headline}\n`);
  }
  for (const [name, phase] of [
    ['annotating', 'annotating'],
    ['opening-from-disk', 'openingFromDisk'],
    ['opening-unsaved', 'openingDirty'],
  ] as const) {
    const spans = results.map((result) => result.spans[phase]);
    tellSpans(name, spans);
    tellSampledSpans(name, spans);
  }
  tellDelays(
    'annotating',
    'the same strain without Assay',
    results.map(({ annotating }) => annotating),
    results.map(({ without }) => without),
  );
  tellDelays(
    'opening-unsaved',
    'an idle window',
    results.map(({ openingDirty }) => openingDirty),
    results.map(({ idle }) => idle),
  );
  tell(
    valueFigure(
      'host/key-typed/annotating',
      results.map(({ counts }) => counts.annotating.keyMs),
      'ms until the window has typed it',
      { 'the same strain without Assay': results.map(({ counts }) => counts.without.keyMs) },
    ),
  );
  const strains = results.map(({ counts }) => counts);
  process.stderr.write(`host: strain of ${results[0]!.strainMs} ms a phase: ${JSON.stringify(strains)}\n`);
}

main().then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
