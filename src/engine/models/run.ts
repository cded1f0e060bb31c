/**
 * Classifies many examples: the urgent ones first, batches of like length filled by a token budget, identical inputs
 * asked once, what a cache knows not asked at all. The caller keeps the list of what is to be done; between two batches
 * it may change its mind.
 */
import { planBatches } from './batches';
import type { Classifier, EncodedInput } from './classifier';
import type { ClassifierInput } from './model-input';
import type { TokenBudget } from './token-budget';

/** Logits by input key. A cache may forget; it must never answer with another input's logits. */
export interface LogitsCache {
  get(key: string): Float32Array | undefined;
  set(key: string, logits: Float32Array): void;
}

export interface Work<T> {
  /**
   * The most urgent items that are still to be done, a window of them (more than a batch, so that like lengths meet);
   * empty when all is done. An item is offered again until it is `done` or `postponed`.
   */
  next(): readonly T[];
  inputOf(item: T): ClassifierInput;
  /** True: leave the rest of the window and ask `next` again (more urgent work has come). */
  isInterrupted?(): boolean;
  /** May refuse an encoded item (true): it must then no longer come from `next`. */
  postponed?(item: T, key: string): boolean;
  /** Awaited before the batch is run. */
  starting?(keys: readonly string[]): Promise<void>;
  /** After the batch has come through, before its items are `done`. */
  finished?(): void;
  done(item: T, result: { logits: Float32Array; encoded: EncodedInput; reused: boolean }): void;
}

export interface RunOptions {
  budget: TokenBudget;
  /** Names an input: same key, same logits. */
  keyOf(encoded: EncodedInput): string;
  cache?: LogitsCache;
  signal?: AbortSignal;
}

/** Longest time that encoding keeps the event loop, so that a person's requests are answered meanwhile. */
const encodeSliceMs = 8;

interface Group<T> {
  encoded: EncodedInput;
  key: string;
  items: T[];
}

/**
 * Runs until `work.next()` is empty or the signal aborts (no further batch starts then; the batch that runs cannot be
 * stopped, its results are delivered).
 */
export async function classifyAll<T>(classifier: Classifier, work: Work<T>, options: RunOptions): Promise<void> {
  const { budget, signal } = options;
  for (let window = work.next(); window.length > 0; window = work.next()) {
    const groups = await encodeWindow(classifier, work, window, options);
    const unasked: Group<T>[] = [];
    for (const group of groups) {
      const logits = options.cache?.get(group.key);
      if (logits === undefined) unasked.push(group);
      else for (const item of group.items) work.done(item, { logits, encoded: group.encoded, reused: true });
    }
    const plannedTokens = budget.tokens;
    const lengths = unasked.map((group) => group.encoded.ids.length);
    for (const batch of planBatches(lengths, plannedTokens)) {
      if (signal?.aborted) return;
      await runBatch(
        classifier,
        work,
        batch.map((index) => unasked[index]!),
        options,
      );
      // Batches planned on a wrong guess of the machine's speed are planned anew.
      const isBadlySized = budget.tokens > plannedTokens * 2 || budget.tokens * 2 < plannedTokens;
      if (isBadlySized || work.isInterrupted?.()) break;
    }
    if (signal?.aborted) return;
  }
}

async function runBatch<T>(
  classifier: Classifier,
  work: Work<T>,
  groups: Group<T>[],
  options: RunOptions,
): Promise<void> {
  await work.starting?.(groups.map((group) => group.key));
  const startedMs = performance.now();
  const rows = await classifier.run(groups.map((group) => group.encoded));
  work.finished?.();
  const longest = Math.max(...groups.map((group) => group.encoded.ids.length));
  options.budget.observe(longest * groups.length, performance.now() - startedMs);
  groups.forEach((group, row) => {
    const logits = rows[row]!;
    options.cache?.set(group.key, logits);
    group.items.forEach((item, index) => {
      work.done(item, { logits, encoded: group.encoded, reused: index > 0 });
    });
  });
}

/** Encodes a window in slices; items with the same input form one group. */
async function encodeWindow<T>(
  classifier: Classifier,
  work: Work<T>,
  window: readonly T[],
  options: RunOptions,
): Promise<Group<T>[]> {
  const groups = new Map<string, Group<T>>();
  let sliceStartMs = performance.now();
  for (const item of window) {
    const encoded = classifier.encode(work.inputOf(item));
    const key = options.keyOf(encoded);
    const known = groups.get(key);
    if (known !== undefined) known.items.push(item);
    else if (!work.postponed?.(item, key)) groups.set(key, { encoded, key, items: [item] });
    if (performance.now() - sliceStartMs > encodeSliceMs) {
      await new Promise((resolve) => setImmediate(resolve));
      sliceStartMs = performance.now();
    }
  }
  return [...groups.values()];
}
