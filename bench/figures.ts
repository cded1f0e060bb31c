/** How a figure is told: one JSON line each, the median of its runs with the least and the largest of them. */
import { writeSync } from 'node:fs';

export interface Figure {
  name: string;
  unit: string;
  /** Exactly one of the two: a quotient of two measurements of this run, or a measurement. */
  ratio?: number;
  value?: number;
  /** Least and largest of the runs. */
  low: number;
  high: number;
  runs: number;
  /** What else belongs to it. */
  note?: unknown;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** `what` names the quotient's unit, e.g. `x one example a run`. */
export function ratioFigure(name: string, ratios: readonly number[], unit: string, note?: unknown): Figure {
  return { name, ratio: rounded(median(ratios)), ...rest(ratios, unit, note) };
}

export function valueFigure(name: string, values: readonly number[], unit: string, note?: unknown): Figure {
  return { name, value: rounded(median(values)), ...rest(values, unit, note) };
}

function rest(values: readonly number[], unit: string, note: unknown) {
  const spread = { low: rounded(Math.min(...values)), high: rounded(Math.max(...values)), runs: values.length };
  return { unit, ...spread, ...(note === undefined ? {} : { note }) };
}

/** Three digits. */
function rounded(value: number): number {
  return Number(value.toPrecision(3));
}

/** Written at once: a benchmark that fails later has said what it knew. */
export function tell(figure: Figure): void {
  writeSync(1, `${JSON.stringify(figure)}\n`);
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => unknown): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

/**
 * Processor time that `work` takes, garbage collection in other threads included. On a machine that does something else besides, it
 * is steadier than the time that passes.
 */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
