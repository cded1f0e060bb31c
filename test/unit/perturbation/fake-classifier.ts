/** A classifier of weighted words: what it must answer can be told by hand. */
import type { Classifier, EncodedInput } from '../../../src/engine/models/classifier';
import { hashOfIds } from '../../../src/engine/models/logits-cache';
import { fixedBudget } from '../../../src/engine/models/token-budget';
import type { SuiteTools } from '../../../src/engine/perturbation/run-suite';

/** Tokens are words; the logit of the second label is the sum of the weights, of all others 0. Counts what it was asked. */
export class FakeClassifier implements Classifier {
  readonly info;
  readonly padTokenId = 0;
  readonly maskTokenId = null;
  readonly maskToken = null;
  readonly asked: string[] = [];
  readonly #weights: Readonly<Record<string, number>>;
  readonly #texts = new Map<string, string>();

  constructor(
    weights: Readonly<Record<string, number>>,
    labels = ['negative', 'positive'],
    negativeLabel: string | null = null,
  ) {
    this.#weights = weights;
    this.info = {
      name: 'fake',
      folder: '',
      task: 'sentiment' as const,
      labels,
      negativeLabel,
      hash: 'f'.repeat(64),
      dtype: 'fp32',
      maxTokens: 512,
    };
  }

  encode({ text }: { text: string }): EncodedInput {
    const ids = Int32Array.from(Buffer.from(text));
    this.#texts.set(hashOfIds(ids), text);
    return { ids, truncated: false, tokenCount: ids.length };
  }

  async run(batch: readonly { ids: Int32Array }[]): Promise<Float32Array[]> {
    return batch.map(({ ids }) => {
      const text = this.#texts.get(hashOfIds(ids))!;
      this.asked.push(text);
      const sum = (text.toLowerCase().match(/[\p{L}']+/gu) ?? []).reduce(
        (all, word) => all + (this.#weights[word] ?? 0),
        0,
      );
      return Float32Array.from(this.info.labels, (_, label) => (label === 1 ? sum : 0));
    });
  }

  tokens(): [] {
    return [];
  }

  async dispose(): Promise<void> {}

  tools(more: Partial<SuiteTools> = {}): SuiteTools {
    return {
      classifier: this,
      pool: null,
      seed: 1,
      weigh: null,
      windowSize: 2,
      budget: fixedBudget(256),
      keyOf: ({ ids }) => hashOfIds(ids),
      ...more,
    };
  }
}
