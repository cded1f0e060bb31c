/** The longest stretches of a CPU profile in which our code kept the thread. */

import type { Profiler, Runtime } from 'node:inspector';
import path from 'node:path';

export interface Span {
  ms: number;
  /** From the profile's start. */
  atMs: number;
  /**
   * What the samples vouch for, each for `vouchedMs` at most. Far less than `ms`: the thread, or the one that samples it, waited
   * for a processor.
   */
  sampledMs: number;
  /** Our outermost function. */
  entry: string;
  /** The functions with the most time of their own, falling. */
  heaviest: { function: string; ms: number }[];
}

export interface Spans {
  longest: Span[];
  /** The largest `sampledMs` of all spans. */
  longestSampledMs: number;
  /** Time in our code, a share of the profile. */
  share: number;
  profiledMs: number;
}

/** Five times the interval that is asked for. */
const vouchedMs = 1;
const listed = 5;
const heaviestListed = 4;

/**
 * A span is a run of consecutive samples that have one of our frames on the stack; garbage collection within counts as ours.
 * Two turns of the event loop with no sample between are one span, so the result is rather too long than too short.
 */
export function longestSpans(profile: Profiler.Profile, isOurs: (frame: Runtime.CallFrame) => boolean): Spans {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const entries = entriesOf(profile, isOurs);
  const samples = profile.samples ?? [];
  const deltasUs = profile.timeDeltas ?? [];
  /** When each sample was taken, and the profile's end. */
  const timesUs: number[] = [];
  let atUs = 0;
  for (let index = 0; index < samples.length; index++) {
    atUs += deltasUs[index]!;
    timesUs.push(atUs);
  }
  timesUs.push(Math.max(atUs, profile.endTime - profile.startTime));

  const isCollection = (id: number) => nodes.get(id)?.callFrame.functionName === '(garbage collector)';
  const spans: Span[] = [];
  let oursUs = 0;
  for (let from = 0; from < samples.length; from++) {
    const entry = entries.get(samples[from]!);
    if (entry === undefined) continue;
    let to = from + 1;
    for (let next = to; next < samples.length; next++) {
      if (entries.has(samples[next]!)) to = next + 1;
      else if (!isCollection(samples[next]!)) break;
    }
    const selfUs = new Map<string, number>();
    let sampledUs = 0;
    for (let index = from; index < to; index++) {
      const name = nameOf(nodes.get(samples[index]!)!);
      const us = timesUs[index + 1]! - timesUs[index]!;
      selfUs.set(name, (selfUs.get(name) ?? 0) + us);
      sampledUs += Math.min(us, vouchedMs * 1000);
    }
    oursUs += timesUs[to]! - timesUs[from]!;
    spans.push({
      ms: toMs(timesUs[to]! - timesUs[from]!),
      atMs: toMs(timesUs[from]!),
      sampledMs: toMs(sampledUs),
      entry,
      heaviest: [...selfUs]
        .sort((a, b) => b[1] - a[1])
        .slice(0, heaviestListed)
        .map(([name, us]) => ({ function: name, ms: toMs(us) })),
    });
    from = to - 1;
  }
  const profiledUs = timesUs.at(-1) ?? 0;
  return {
    longestSampledMs: spans.reduce((most, span) => Math.max(most, span.sampledMs), 0),
    longest: spans.sort((a, b) => b.ms - a.ms).slice(0, listed),
    share: profiledUs === 0 ? 0 : Number((oursUs / profiledUs).toFixed(4)),
    profiledMs: toMs(profiledUs),
  };
}

/** For each node with one of our frames on its stack: the outermost of them. */
function entriesOf(profile: Profiler.Profile, isOurs: (frame: Runtime.CallFrame) => boolean): Map<number, string> {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const entries = new Map<number, string>();
  const isChild = new Set(profile.nodes.flatMap((node) => node.children ?? []));
  const stack = profile.nodes
    .filter((node) => !isChild.has(node.id))
    .map((node) => ({ node, above: undefined as string | undefined }));
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const { node, above } = at;
    const entry = above ?? (isOurs(node.callFrame) ? nameOf(node) : undefined);
    if (entry !== undefined) entries.set(node.id, entry);
    for (const id of node.children ?? []) stack.push({ node: nodes.get(id)!, above: entry });
  }
  return entries;
}

function nameOf({ callFrame }: Profiler.ProfileNode): string {
  const { functionName, url, lineNumber } = callFrame;
  const name = functionName === '' ? '(anonymous)' : functionName;
  return url === '' ? name : `${name} ${path.basename(url)}:${lineNumber + 1}`;
}

function toMs(us: number): number {
  return Number((us / 1000).toFixed(2));
}
