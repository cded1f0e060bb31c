import type { Interval } from '../../protocol/prediction';

/** The 97.5 % quantile of the standard normal distribution. */
const z = 1.959963984540054;

/**
 * A proportion of independent trials with its 95 % Wilson score interval; null where there was no trial.
 * Both bounds stay within [0, 1] and the interval has a width even at 0 and 1.
 * Source: Wilson (1927), JASA 22:209-212; method 3 of Newcombe (1998), Statistics in Medicine 17:857-872.
 * Throws RangeError unless both are counts and `successes` is at most `trials`.
 */
export function wilsonInterval(successes: number, trials: number): Interval | null {
  if (!Number.isInteger(successes) || !Number.isInteger(trials) || successes < 0 || successes > trials) {
    throw new RangeError(`No proportion: ${successes} of ${trials}.`);
  }
  if (trials === 0) return null;
  // centre -+ half = (2np + z^2 -+ z sqrt(z^2 + 4npq)) / (2 (n + z^2))
  const failures = trials - successes;
  const half = z * Math.sqrt(z * z + (4 * successes * failures) / trials);
  const scale = 2 * (trials + z * z);
  return {
    value: successes / trials,
    // At the ends one bound is the end itself; rounding must not move it.
    low: successes === 0 ? 0 : (2 * successes + z * z - half) / scale,
    high: failures === 0 ? 1 : (2 * successes + z * z + half) / scale,
  };
}
