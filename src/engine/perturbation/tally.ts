/** What a test says of a whole dataset. */
import type { Interval } from '../../protocol/prediction';
import { bootstrapMean } from '../statistics/bootstrap-mean';
import { wilsonInterval } from '../statistics/wilson';
import type { ExampleOutcome } from './run-suite';
import type { SuiteTest } from './suite';

export interface TestTally {
  readonly test: SuiteTest;
  /** Examples with one kept variant or more: what the figures are over. */
  readonly examples: number;
  readonly variants: number;
  readonly failing: number;
  /** Variants whose predicted label is another one than the source's. */
  readonly flips: number;
  /** Equal to their source, or to another variant of it. */
  readonly dropped: number;
  /** Examples without a variant, by the reason; the most frequent first. */
  readonly notApplicable: readonly { readonly reason: string; readonly count: number }[];
  /**
   * Failing variants of an example by its kept ones, mean over the examples: a proportion of independent examples (Wilson) where each has one
   * variant, else with a bootstrap over the examples. Null: no example has a variant.
   */
  readonly failureRate: Interval | null;
  /**
   * Share of right predictions on the examples that have a variant and a known gold label, and, of the same examples, on their variants (mean
   * over the examples). Null where there is none, or where another label is expected than the gold one.
   */
  readonly accuracy: { readonly examples: number; readonly source: Interval; readonly variants: Interval } | null;
  /** The failure rate is not above the threshold. Null: no example has a variant. */
  readonly passed: boolean | null;
}

/** Adds up the outcomes of one test, in any number of steps. */
export class Tallying {
  readonly test: SuiteTest;
  readonly #rates: number[] = [];
  readonly #reasons = new Map<string, number>();
  readonly #variantAccuracies: number[] = [];
  #right = 0;
  #variants = 0;
  #failing = 0;
  #flips = 0;
  #dropped = 0;
  #mostVariants = 0;

  constructor(test: SuiteTest) {
    this.test = test;
  }

  add<T>({ variants, dropped, notApplicable, prediction, gold }: ExampleOutcome<T>): void {
    this.#dropped += dropped;
    if (variants.length === 0) {
      const reason = notApplicable ?? 'all variants are equal to the example';
      this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1);
      return;
    }
    const failing = variants.filter(({ isFailure }) => isFailure).length;
    this.#rates.push(failing / variants.length);
    this.#variants += variants.length;
    this.#mostVariants = Math.max(this.#mostVariants, variants.length);
    this.#failing += failing;
    this.#flips += variants.filter((one) => one.prediction.label !== prediction.label).length;
    if (gold === null || !keepsGold(this.test)) return;
    if (prediction.label === gold) this.#right += 1;
    this.#variantAccuracies.push(variants.filter((one) => one.prediction.label === gold).length / variants.length);
  }

  result(seed: number): TestTally {
    const examples = this.#rates.length;
    const isSingle = this.#mostVariants <= 1;
    const mean = (values: readonly number[]): Interval | null =>
      isSingle
        ? wilsonInterval(
            values.reduce((sum, value) => sum + value, 0),
            values.length,
          )
        : bootstrapMean(values, { seed });
    const failureRate = mean(this.#rates);
    const source = wilsonInterval(this.#right, this.#variantAccuracies.length);
    const variants = mean(this.#variantAccuracies);
    return {
      test: this.test,
      examples,
      variants: this.#variants,
      failing: this.#failing,
      flips: this.#flips,
      dropped: this.#dropped,
      notApplicable: [...this.#reasons]
        .map(([reason, count]) => ({ reason, count }))
        .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1)),
      failureRate,
      accuracy:
        source === null || variants === null ? null : { examples: this.#variantAccuracies.length, source, variants },
      passed: failureRate === null ? null : failureRate.value <= this.test.threshold,
    };
  }
}

/** Whether the gold label of the example is that of its variants too. */
function keepsGold({ expectation }: SuiteTest): boolean {
  return expectation.kind === 'label-stays';
}
