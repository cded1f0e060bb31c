/**
 * Runs inside the extension host, next to Assay, and writes one JSON object: how long Assay keeps the thread while a file of
 * 50,000 lines is opened, annotated, scrolled and edited, and how late the event loop is then and without Assay.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type Profiler, type Runtime, Session } from 'node:inspector/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import * as vscode from 'vscode';
import { longestSpans, type Spans } from './cpu-spans';
import type { Delay, HostResult } from './result';
import { strain } from './strain';

const file = process.env.ASSAY_BENCH_FILE ?? '';
const resultFile = process.env.ASSAY_BENCH_RESULT ?? '';
const seed = Number(process.env.ASSAY_BENCH_SEED ?? 1);
const strainMs = Number(process.env.ASSAY_BENCH_STRAIN_MS ?? 10_000);
const samplingUs = 200;

/** The extension itself, and Node's reading of the messages of a child, which comes before our first frame: the worker is the only one. */
const isOurs = ({ url, functionName }: Runtime.CallFrame) =>
  /[\\/]dist[\\/]extension\.js$/.test(url) || functionName === 'channel.onread';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function withDelay<T>(work: () => Promise<T>): Promise<[Delay, T]> {
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  const waitedMs = processorWaitMs();
  histogram.enable();
  const result = await work();
  histogram.disable();
  // Each entry is the whole time between two turns of a timer of 1 ms.
  const late = (ns: number) => Number(Math.max(0, ns / 1e6 - 1).toFixed(3));
  const delay = { p50: late(histogram.percentile(50)), p99: late(histogram.percentile(99)), max: late(histogram.max) };
  const waitedAfterMs = processorWaitMs();
  const waited = waitedMs === null || waitedAfterMs === null ? null : Number((waitedAfterMs - waitedMs).toFixed(1));
  return [{ ...delay, waitedMs: waited }, result];
}

/** How long this thread has been ready to run without a processor, in all its life; null where the system does not tell. */
function processorWaitMs(): number | null {
  const file = `/proc/self/task/${process.pid}/schedstat`;
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[1]) / 1e6 : null;
}

async function spansOf(work: () => Promise<unknown>): Promise<Spans> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: samplingUs });
  await session.post('Profiler.start');
  await work();
  const { profile } = (await session.post('Profiler.stop')) as { profile: Profiler.Profile };
  session.disconnect();
  if (process.env.ASSAY_BENCH_PROFILES !== undefined) {
    writeFileSync(`${process.env.ASSAY_BENCH_PROFILES}-${Date.now()}.cpuprofile`, JSON.stringify(profile));
  }
  return longestSpans(profile, isOurs);
}

async function headline(): Promise<string> {
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
    'vscode.executeCodeLensProvider',
    vscode.Uri.file(file),
    20,
  );
  return lenses.map((lens) => lens.command?.title ?? '').find((title) => title.startsWith('Assay:')) ?? '';
}

/** Starts the command; resolves when the file was read, which is long before the command ends. */
async function startDiagnosing(): Promise<void> {
  void vscode.commands.executeCommand('assay.diagnoseDataset');
  for (let tries = 0; tries < 600; tries++) {
    if (/examples/.test(await headline())) return;
    await pause(100);
  }
  throw new Error(`The file was not read: ${await headline()}`);
}

async function stopDiagnosing(): Promise<void> {
  await vscode.commands.executeCommand('assay.clear');
  await pause(3000);
}

describe('the host under strain', () => {
  it('is measured', async function () {
    this.timeout(0);
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false });
    if (vscode.extensions.getExtension('assay.assay')?.isActive !== false) throw new Error('Assay is active already');
    await pause(4000);

    const [idle] = await withDelay(() => pause(3000));
    const [without, countsWithout] = await withDelay(() => strain(editor, seed, strainMs));
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await pause(3000);
    if (editor.document.isDirty) throw new Error('The edits were not reverted');

    const openingFromDisk = await spansOf(startDiagnosing);
    await pause(2000);
    const [annotating, counts] = await withDelay(() => strain(editor, seed, strainMs));
    const annotatingSpans = await spansOf(() => strain(editor, seed + 1, strainMs));
    const headlineAfter = await headline();
    await stopDiagnosing();

    if (!editor.document.isDirty) throw new Error('The document was to have edits that are not saved');
    const openingDirtySpans = await spansOf(startDiagnosing);
    await stopDiagnosing();
    const [openingDirty] = await withDelay(startDiagnosing);
    await stopDiagnosing();

    const result: HostResult = {
      lineCount: editor.document.lineCount,
      strainMs,
      counts: { without: countsWithout, annotating: counts },
      without,
      annotating,
      idle,
      openingDirty,
      spans: { annotating: annotatingSpans, openingFromDisk, openingDirty: openingDirtySpans },
      headline: headlineAfter,
    };
    writeFileSync(resultFile, JSON.stringify(result));
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });
});
