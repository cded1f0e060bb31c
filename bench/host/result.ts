/** What a round inside the extension host found; it crosses to the benchmark's own process as JSON. */
import type { Spans } from './cpu-spans';
import type { StrainCounts } from './strain';

export interface Delay {
  /** How much later than asked a timer of 1 ms came, in milliseconds. */
  p50: number;
  p99: number;
  max: number;
  /** In all of the phase, how long the thread was ready to run and had no processor; null where the system does not tell. */
  waitedMs: number | null;
}

export interface HostResult {
  lineCount: number;
  strainMs: number;
  counts: { without: StrainCounts; annotating: StrainCounts };
  without: Delay;
  annotating: Delay;
  idle: Delay;
  openingDirty: Delay;
  spans: { annotating: Spans; openingFromDisk: Spans; openingDirty: Spans };
  /** Examples predicted when the strain ended: it must not have outlasted the run. */
  headline: string;
}
