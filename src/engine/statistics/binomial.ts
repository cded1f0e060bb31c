import type { Random } from './random';

/** Where inversion gives way to rejection, in expected successes. */
const smallMean = 10;

/** A draw from the binomial distribution: successes in `trials`, each with probability `p`. Constant time for any count. */
export function drawBinomial(random: Random, trials: number, p: number): number {
  if (trials === 0 || p <= 0) return 0;
  if (p >= 1) return trials;
  if (p > 0.5) return trials - drawBinomial(random, trials, 1 - p);
  return trials * p < smallMean ? byInversion(random, trials, p) : byRejection(random, trials, p);
}

/** Sums the probabilities of 0, 1, 2 … until they exceed a uniform number. p <= 0.5, small mean. */
function byInversion(random: Random, trials: number, p: number): number {
  const odds = p / (1 - p);
  const none = (1 - p) ** trials;
  for (;;) {
    let rest = random.uniform();
    let probability = none;
    for (let successes = 0; successes <= trials; successes++) {
      if (rest < probability) return successes;
      rest -= probability;
      probability *= ((trials - successes) / (successes + 1)) * odds;
    }
    // Rounding left a sliver beyond the last value: draw again.
  }
}

/**
 * Algorithm BTRS, transformed rejection with squeeze, of Hörmann (1993), "The generation of binomial random variates",
 * Journal of Statistical Computation and Simulation 46:101-110. p <= 0.5, trials * p >= 10.
 */
function byRejection(random: Random, trials: number, p: number): number {
  const deviation = Math.sqrt(trials * p * (1 - p));
  const b = 1.15 + 2.53 * deviation;
  const a = -0.0873 + 0.0248 * b + 0.01 * p;
  const centre = trials * p + 0.5;
  const odds = p / (1 - p);
  const alpha = (2.83 + 5.1 / b) * deviation;
  const squeeze = 0.92 - 4.2 / b;
  const mode = Math.floor((trials + 1) * p);
  for (;;) {
    const u = random.uniform() - 0.5;
    const v = random.uniform();
    const edge = 0.5 - Math.abs(u);
    const k = Math.floor(((2 * a) / edge + b) * u + centre);
    if (edge >= 0.07 && v <= squeeze) return k;
    if (!(k >= 0 && k <= trials)) continue;
    // log of the ratio of the probabilities of k and of the mode
    const logRatio =
      (mode + 0.5) * Math.log((mode + 1) / (odds * (trials - mode + 1))) +
      (trials + 1) * Math.log((trials - mode + 1) / (trials - k + 1)) +
      (k + 0.5) * Math.log((odds * (trials - k + 1)) / (k + 1)) +
      (stirlingRest(mode) + stirlingRest(trials - mode) - stirlingRest(k) - stirlingRest(trials - k));
    if (Math.log((v * alpha) / (a / (edge * edge) + b)) <= logRatio) return k;
  }
}

/** ln k! - [ln sqrt(2 pi) + (k + 1/2) ln(k + 1) - (k + 1)], for k = 0 … 9. */
const smallRests = smallFactorials().map(
  (factorial, k) => Math.log(factorial) - (0.5 * Math.log(2 * Math.PI) + (k + 0.5) * Math.log(k + 1) - (k + 1)),
);

function smallFactorials(): number[] {
  const factorials = [1];
  for (let k = 1; k < 10; k++) factorials.push((factorials[k - 1] as number) * k);
  return factorials;
}

/** What Stirling's formula leaves of ln k!: exact below 10, a series (error below 1e-10) above. */
function stirlingRest(k: number): number {
  if (k < smallRests.length) return smallRests[k] as number;
  const n = k + 1;
  const square = n * n;
  return (1 / 12 - (1 / 360 - 1 / 1260 / square) / square) / n;
}
