import { createRandom, shuffled } from '../../statistics/random';

/**
 * One-permutation min-hash (Li, Owen and Zhang, "One Permutation Hashing", NIPS 2012): a shingle's hash says which bin it falls into, and of each
 * bin the least hash is kept, of that 16 bits (b-bit min-hash, Li and König, WWW 2010). Empty bins borrow from full ones, each bin
 * in a random order of its own, the same for every text (Shrivastava, "Optimal Densification for Fast and Accurate Minwise
 * Hashing", ICML 2017). So any bin agrees in two sketches with the probability of the sets' Jaccard similarity, which is what bands need. The estimate of
 * the similarity looks at full bins only, as Li, Owen and Zhang do: of small sets it is nearly exact.
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

/**
 * Writes the sketch of a set into `to`, from `offset` on, and into `full`, from `fullOffset` on, two words that say which bins are full of
 * themselves. An empty set has none: zeros.
 */
export function writeSketch(
  shingles: Uint32Array,
  to: Uint16Array,
  offset: number,
  full: Uint32Array,
  fullOffset: number,
): void {
  full.fill(0, fullOffset, fullOffset + 2);
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
    if (value !== EMPTY) full[fullOffset + (bin >> 5)]! |= 1 << (bin & 31);
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

/** How far the estimate may lie below the similarity: more than three standard deviations of 64 draws at 0.8, and of small sets that share a few bins. */
export const ESTIMATE_SLACK = 0.17;

/** How many bits of a 32-bit word are set. */
export function bitCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
