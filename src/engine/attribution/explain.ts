/**
 * Drives methods over examples: what several of them ask is put into batches by the token budget, between which the thread is free and the
 * work may be given up.
 */
import { planBatches } from '../models/batches';
import type { Classifier } from '../models/classifier';
import type { GradientModel, GradientResult, GradientRow } from '../models/gradient-model';
import type { TokenBudget } from '../models/token-budget';
import type { Answer, Ask, Method, MethodOptions, ModelFacts, TokenScores } from './method';
import type { Subject, Target } from './subject';

export interface Explained {
  subject: Subject;
  target: Target;
}

export interface ExplainTools {
  classifier: Classifier;
  /** Null where the graph has none: then only methods that need none may be asked. */
  gradients: GradientModel | null;
  /** Tokens of a batch with gradients, and of one without. */
  budgets: { gradients: TokenBudget; logits: TokenBudget };
  signal?: AbortSignal;
  /** Awaited before each batch. */
  starting?(): Promise<void>;
}

/** What is under way for one example. */
interface Running<T> {
  item: T;
  steps: Generator<Ask, TokenScores, Answer>;
  ask: Ask;
}

/**
 * Explains items in their order, as many at a time as fill a batch. Each is `done` as soon as it is known. Ends early where the signal aborts.
 */
export async function explainAll<T>(
  items: readonly T[],
  of: (item: T) => Explained,
  method: { run: Method; options: MethodOptions },
  tools: ExplainTools,
  done: (item: T, scores: TokenScores) => void | Promise<void>,
): Promise<void> {
  const facts = factsOf(tools);
  const advance = async (item: T, steps: Running<T>['steps'], answer: Answer | null): Promise<Running<T>[]> => {
    const next = answer === null ? steps.next() : steps.next(answer);
    if (next.done !== true) return [{ item, steps, ask: next.value }];
    await done(item, next.value);
    return [];
  };
  let running: Running<T>[] = [];
  for (let from = 0; from < items.length || running.length > 0; ) {
    while (from < items.length && !fillsBatch(running, tools)) {
      const item = items[from++]!;
      const { subject, target } = of(item);
      running.push(...(await advance(item, method.run(subject, target, facts, method.options), null)));
    }
    const answers = await answerAll(
      running.map(({ ask }) => ask),
      tools,
    );
    if (answers === null) return;
    const others: Running<T>[] = [];
    for (const [index, { item, steps }] of running.entries())
      others.push(...(await advance(item, steps, answers[index]!)));
    running = others;
  }
}

function factsOf({ classifier, gradients }: ExplainTools): ModelFacts {
  return {
    labels: classifier.info.labels.length,
    width: gradients?.width ?? 0,
    embed(ids) {
      if (gradients === null) throw new Error('a method asked for embeddings of a model without gradients');
      return gradients.embed(ids);
    },
    padTokenId: classifier.padTokenId,
    maskTokenId: classifier.maskTokenId,
  };
}

function fillsBatch<T>(running: readonly Running<T>[], { budgets }: ExplainTools): boolean {
  const tokens = running.reduce((sum, { ask }) => sum + idsIn(ask).reduce((all, ids) => all + ids.length, 0), 0);
  return running.length > 0 && tokens >= budgets[running[0]!.ask.kind].tokens;
}

const idsIn = (ask: Ask): readonly Int32Array[] =>
  ask.kind === 'gradients' ? ask.rows.map(({ ids }) => ids) : ask.inputs;

/** Null: given up. */
async function answerAll(asks: readonly Ask[], tools: ExplainTools): Promise<Answer[] | null> {
  const { gradients, classifier, budgets } = tools;
  const answers = asks.map((): { gradients: GradientResult[]; logits: Float32Array[] } => ({
    gradients: [],
    logits: [],
  }));
  const rows: { ask: number; at: number; row: GradientRow }[] = [];
  const inputs: { ask: number; at: number; ids: Int32Array }[] = [];
  for (const [ask, asked] of asks.entries()) {
    if (asked.kind === 'gradients') rows.push(...asked.rows.map((row, at) => ({ ask, at, row })));
    else inputs.push(...asked.inputs.map((ids, at) => ({ ask, at, ids })));
  }
  const go = await inBatches(
    rows,
    ({ row }) => row.ids.length,
    budgets.gradients,
    tools,
    async (batch) => {
      const results = await gradients!.run(batch.map(({ row }) => row));
      for (const [index, { ask, at }] of batch.entries()) answers[ask]!.gradients[at] = results[index]!;
    },
  );
  if (!go) return null;
  const isDone = await inBatches(
    inputs,
    ({ ids }) => ids.length,
    budgets.logits,
    tools,
    async (batch) => {
      const results = await classifier.run(batch);
      for (const [index, { ask, at }] of batch.entries()) answers[ask]!.logits[at] = results[index]!;
    },
  );
  return isDone ? answers : null;
}

/** False: given up before the end. */
async function inBatches<R>(
  rows: readonly R[],
  lengthOf: (row: R) => number,
  budget: TokenBudget,
  { signal, starting }: ExplainTools,
  run: (batch: R[]) => Promise<void>,
): Promise<boolean> {
  for (let left = rows; left.length > 0; ) {
    // One batch is planned at a time: the budget learns from each.
    const [first] = planBatches(left.map(lengthOf), budget.tokens);
    const batch = first!.map((index) => left[index]!);
    await starting?.();
    if (signal?.aborted) return false;
    const startedMs = performance.now();
    await run(batch);
    budget.observe(Math.max(...batch.map(lengthOf)) * batch.length, performance.now() - startedMs);
    const taken = new Set(first);
    left = left.filter((_, index) => !taken.has(index));
  }
  return true;
}
