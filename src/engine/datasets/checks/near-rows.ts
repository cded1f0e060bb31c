import type { RowFacts } from './row-facts';
import { bandingFor, leastAgreement } from './sketch';

/**
 * Which rows may be near duplicates: rows whose sketches agree in a band (locality-sensitive hashing, Indyk and Motwani, STOC 1998), compared by
 * their whole sketches before anyone reads their texts.
 *
 * Rows that were made from templates fill some buckets with thousands. Of a bucket only the rows that came last are looked at,
 * so that the work grows with the rows and not with their square; and the rows of crowded buckets are put into narrower ones besides, by
 * two bands together, in which those that are really alike meet again.
 */

/** Rows of a bucket that are looked at, from the last one back. */
const LOOKED_AT = 16;
/** Bands that are paired for crowded buckets. */
const PAIRED_BANDS = 12;
/** Comparisons of texts that may fail for a row before it is left alone: without a partner, and in search of a better one. */
const MAX_FAILURES = 24;
const MAX_FAILURES_PAIRED = 8;
/** Once a partner is found, one whose sketch agrees in so many bins less may still be more alike. */
const AGREEMENT_SLACK = 4;
/** Rows between two yields. */
const SLICE_ROWS = 1024;

/** Some rows, each by its slot in its facts, in order. */
export interface NearRows {
  readonly count: number;
  factsOf(row: number): RowFacts;
  slotOf(row: number): number;
  /** Whether a partner is looked for; rows that are neither asked for nor candidates take no part. */
  isAsked(row: number): boolean;
  /** Whether it may be the partner of a later row. */
  isCandidate(row: number): boolean;
  /** The exact similarity, by the texts; asked for the same row several times in a row. 0 if they are no pair, however alike. */
  similarity(row: number, earlier: number): number;
}

/** For each row the most similar one found among those before it. */
export interface NearPairs {
  /** -1: none. */
  readonly partner: Int32Array;
  readonly similarity: Float64Array;
}

export function* nearPairs(rows: NearRows, threshold: number): Generator<void, NearPairs> {
  const { count } = rows;
  const search = new Search(rows, threshold);
  const { bands, binsPerBand } = bandingFor(threshold);
  const crowded = new Uint32Array(count);
  const bandKey = (row: number, band: number) =>
    rows.factsOf(row).bandKey(rows.slotOf(row), band * binsPerBand, (band + 1) * binsPerBand);
  for (let band = 0; band < bands; band++) {
    const bit = band < PAIRED_BANDS ? 1 << band : 0;
    yield* search.bucket(
      (row) => bandKey(row, band),
      (row) => rows.isAsked(row) || rows.isCandidate(row),
      (row) => {
        crowded[row]! |= bit;
      },
    );
  }
  for (let band = 0; band < Math.min(bands, PAIRED_BANDS); band++) {
    for (let other = band + 1; other < Math.min(bands, PAIRED_BANDS); other++) {
      const both = (1 << band) | (1 << other);
      yield* search.bucket(
        (row) => (Math.imul(bandKey(row, band), 0x85ebca6b) ^ bandKey(row, other)) >>> 0,
        (row) => (crowded[row]! & both) === both,
        () => {},
      );
    }
  }
  return search.pairs;
}

class Search {
  readonly #rows: NearRows;
  readonly #threshold: number;
  readonly #partner: Int32Array;
  readonly #similarity: Float64Array;
  readonly #agreement: Uint8Array;
  readonly #failures: Uint8Array;
  /** Of one bucketing: the row that came last into a bucket, how many did, and for each row the one before it. */
  readonly #last: Int32Array;
  readonly #sizes: Uint16Array;
  readonly #before: Int32Array;
  readonly #bucketOf: Uint32Array;
  readonly #keys: Uint32Array;

  constructor(rows: NearRows, threshold: number) {
    const { count } = rows;
    this.#rows = rows;
    this.#threshold = threshold;
    this.#partner = new Int32Array(count).fill(-1);
    this.#similarity = new Float64Array(count);
    this.#agreement = new Uint8Array(count);
    this.#failures = new Uint8Array(count);
    const buckets = 2 ** Math.ceil(Math.log2(Math.max(2, count * 2)));
    this.#last = new Int32Array(buckets);
    this.#sizes = new Uint16Array(buckets);
    this.#before = new Int32Array(count);
    this.#bucketOf = new Uint32Array(count);
    this.#keys = new Uint32Array(count);
  }

  get pairs(): NearPairs {
    return { partner: this.#partner, similarity: this.#similarity };
  }

  /** Puts the rows that take part into buckets, and compares each with those that are there already. */
  *bucket(
    keyOf: (row: number) => number,
    takesPart: (row: number) => boolean,
    onCrowded: (row: number) => void,
  ): Generator<void, void> {
    const { count } = this.#rows;
    const mask = this.#last.length - 1;
    this.#last.fill(-1);
    this.#sizes.fill(0);
    let work = 0;
    let taken = 0;
    for (let row = 0; row < count; row++) {
      if (!takesPart(row)) continue;
      taken++;
      const key = keyOf(row);
      this.#keys[row] = key;
      let bucket = key & mask;
      while (this.#last[bucket] !== -1 && this.#keys[this.#last[bucket]!] !== key) bucket = (bucket + 1) & mask;
      this.#before[row] = this.#last[bucket]!;
      this.#bucketOf[row] = bucket;
      work += 1 + (this.#rows.isAsked(row) ? this.#compare(row) : 0);
      if (this.#rows.isCandidate(row)) {
        this.#last[bucket] = row;
        if (this.#sizes[bucket]! < 0xffff) this.#sizes[bucket]!++;
      }
      if (work >= SLICE_ROWS) {
        work = 0;
        yield;
      }
    }
    if (taken === 0) return;
    for (let row = 0; row < count; row++) {
      if (takesPart(row) && this.#sizes[this.#bucketOf[row]!]! > LOOKED_AT) onCrowded(row);
    }
  }

  /** Compares a row with those of its bucket before it; how much work it was, in looks into a bucket. */
  #compare(row: number): number {
    const rows = this.#rows;
    const facts = rows.factsOf(row);
    const slot = rows.slotOf(row);
    const count = facts.shingleCount(slot);
    let looks = 0;
    let work = 0;
    for (let other = this.#before[row]!; other !== -1 && looks < LOOKED_AT; other = this.#before[other]!) {
      looks++;
      const best = this.#partner[row]!;
      if (other === best || this.#failures[row]! >= (best === -1 ? MAX_FAILURES : MAX_FAILURES_PAIRED)) continue;
      const otherFacts = rows.factsOf(other);
      const otherSlot = rows.slotOf(other);
      const otherCount = otherFacts.shingleCount(otherSlot);
      // No two sets are more alike than their sizes.
      const most = Math.min(count, otherCount) / Math.max(count, otherCount);
      if (most < this.#threshold || most < this.#similarity[row]!) continue;
      const agreement = facts.agreement(slot, otherSlot, otherFacts);
      const least = leastAgreement(this.#threshold, Math.min(count, otherCount));
      if (agreement < Math.max(least, this.#agreement[row]! - AGREEMENT_SLACK)) continue;
      const similarity = rows.similarity(row, other);
      work += 8;
      if (best === -1 ? similarity >= this.#threshold : similarity > this.#similarity[row]!) {
        this.#partner[row] = other;
        this.#similarity[row] = similarity;
        this.#agreement[row] = agreement;
      } else {
        this.#failures[row]!++;
      }
    }
    return work + looks;
  }
}
