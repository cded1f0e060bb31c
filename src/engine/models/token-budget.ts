/**
 * How many tokens (rows x longest row) a batch may hold. A batch that runs cannot be stopped, so where a person waits
 * its size is set by time: measured on each batch, aimed below the bound.
 */
export interface TokenBudget {
  readonly tokens: number;
  observe(paddedTokens: number, ms: number): void;
}

/** For runs that nobody waits at: the size where throughput has levelled off. */
export function fixedBudget(tokens: number): TokenBudget {
  return { tokens, observe: () => {} };
}

export interface CalibrationOptions {
  /** What a batch should take. */
  aimMs: number;
  /** Before anything was measured. */
  startTokens: number;
  minTokens: number;
  maxTokens: number;
}

/**
 * Follows the measured speed (exponential mean of milliseconds a token, newest weighed 0.3; slower batches weigh 0.6, so
 * that a busy machine shrinks the batches at once).
 */
export function calibratedBudget(options: CalibrationOptions): TokenBudget {
  let tokens = options.startTokens;
  let msPerToken: number | null = null;
  return {
    get tokens() {
      return tokens;
    },
    observe(paddedTokens, ms) {
      const measured = ms / Math.max(1, paddedTokens);
      const weight = msPerToken !== null && measured > msPerToken ? 0.6 : 0.3;
      msPerToken = msPerToken === null ? measured : msPerToken + weight * (measured - msPerToken);
      tokens = Math.round(Math.min(options.maxTokens, Math.max(options.minTokens, options.aimMs / msPerToken)));
    },
  };
}
