import { createRandom, shuffled } from '../../statistics/random';

/**
 * One-permutation min-hash (Li, Owen and Zhang, "One Permutation Hashing", NIPS 2012): a shingle's hash says which bin it falls into, and of each
 * bin the least hash is kept, of that 16 bits (b-bit min-hash, Li and König, WWW 2010). Empty bins borrow from full ones, each bin
 * in a random order of its own, the same for every text (Shrivastava, "Optimal Densification for Fast and Accurate Minwise
 * Hashing", ICML 2017). The share of bins in which two sketches agree then estimates the Jaccard similarity of the sets.
 */

const BIN_BITS = 6;
export const SKETCH_BINS = 1 << BIN_BITS;
const EMPTY = 0xffffffff;

const least = new Uint32Array(SKETCH_BINS);

/** For each bin where it looks for a full one, one after the other. */
const lenders = Uint8Array.from(
  Array.from({ length: SKETCH_BINS }, (_, bin) => {
    const bins = Array.from({ length: SKETCH_BINS }, (_, other) => other);
    return shuffled(bins, createRandom(bin));
  }).flat(),
);

/** Writes the sketch of a set into `to`, from `offset` on. An empty set has none: zeros. */
export function writeSketch(shingles: Uint32Array, to: Uint16Array, offset: number): void {
  if (shingles.length === 0) {
    to.fill(0, offset, offset + SKETCH_BINS);
    return;
  }
  least.fill(EMPTY);
  for (let index = 0; index < shingles.length; index++) {
    const hash = shingles[index]!;
    const bin = hash >>> (32 - BIN_BITS);
    const rest = (hash << BIN_BITS) >>> BIN_BITS;
    if (rest < least[bin]!) least[bin] = rest;
  }
  for (let bin = 0; bin < SKETCH_BINS; bin++) {
    let value = least[bin]!;
    for (let attempt = bin * SKETCH_BINS; value === EMPTY; attempt++) value = least[lenders[attempt]!]!;
    to[offset + bin] = value;
  }
}

/** How a sketch is cut into keys: two sketches that agree in all bins of a band are looked at. */
export interface Banding {
  readonly bands: number;
  readonly binsPerBand: number;
}

/** Of pairs at the threshold, at least this share is to agree in a band. */
const WANTED_RECALL = 0.98;

/**
 * The longest bands (the fewest false candidates) with which pairs of a similarity s meet in at least one band with the wanted
 * probability, 1 - (1 - s^r)^b for b bands of r bins (Leskovec, Rajaraman and Ullman, "Mining of Massive Datasets", 3.4).
 */
export function bandingFor(threshold: number): Banding {
  for (let binsPerBand = SKETCH_BINS; binsPerBand > 1; binsPerBand--) {
    const bands = Math.floor(SKETCH_BINS / binsPerBand);
    if (1 - (1 - threshold ** binsPerBand) ** bands >= WANTED_RECALL) return { bands, binsPerBand };
  }
  return { bands: SKETCH_BINS, binsPerBand: 1 };
}

/** Fewest bins in which two sketches agree, if their sets are as similar as the threshold: three standard deviations below. */
export function leastAgreement(threshold: number, shingleCount: number): number {
  const independent = Math.max(1, Math.min(SKETCH_BINS, shingleCount / 2));
  const deviation = Math.sqrt((threshold * (1 - threshold)) / independent);
  return Math.floor(SKETCH_BINS * (threshold - 3 * deviation));
}
