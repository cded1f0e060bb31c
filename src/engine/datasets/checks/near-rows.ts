import { Buckets } from './buckets';
import { mixedPair } from './normalised';
import type { RowFacts } from './row-facts';
import { bandingFor, ESTIMATE_SLACK } from './sketch';

/**
 * Which rows may be near duplicates: rows whose sketches agree in a band (locality-sensitive hashing, Indyk and Motwani, STOC 1998), compared by
 * their whole sketches before anyone reads their texts.
 *
 * Rows that were made from templates fill some buckets with thousands. Of a bucket only the rows that came last are looked at,
 * so that the work grows with the rows and not with their square; and the rows of crowded buckets are put into narrower ones besides, by
 * two bands together, in which those that are really alike meet again.
 */

/** Rows of a bucket that are looked at, from the last one back: all of a small one, and a few of one that holds more. */
const LOOKED_AT = 16;
const LOOKED_AT_CROWDED = 4;
/** Bands that are paired for crowded buckets. */
const PAIRED_BANDS = 12;
/** Comparisons of texts that may fail for a row before it is left alone: without a partner, and in search of a better one. */
const MAX_FAILURES = 24;
const MAX_FAILURES_PAIRED = 8;
/** After so many, only what looks more alike is compared. */
const FREE_FAILURES = 3;
/** Once a partner is found, one whose estimate is so much lower may still be more alike. */
const PAIRED_SLACK = 0.06;
/** Looks at rows between two yields; comparing texts counts as one for every few words of them. */
const SLICE_WORK = 4096;
const WORDS_A_LOOK = 4;
/** Rows between two yields, of work that takes a fraction of a microsecond a row. */
const SLICE_ROWS = 32_768;

/** Some rows, each by its slot in its facts, in order. */
export interface NearRows {
  readonly count: number;
  factsOf(row: number): RowFacts;
  slotOf(row: number): number;
  /** Whether a partner is looked for; rows that are neither asked for nor candidates take no part. */
  isAsked(row: number): boolean;
  /** Whether it may be the partner of a later row. Rows that may not stand behind all that may. */
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
  const all = yield* rowsWhere(count, (row) => rows.isAsked(row) || rows.isCandidate(row));
  const keyOf = (row: number, band: number) =>
    rows.factsOf(row).bandKey(rows.slotOf(row), band * binsPerBand, (band + 1) * binsPerBand);
  /** Bit by bit, in which bands' buckets a row is one of too many. */
  const crowded = new Uint16Array(count);
  for (let band = 0; band < bands; band++) {
    const bit = band < PAIRED_BANDS ? 1 << band : 0;
    yield* search.bucket(
      all,
      (at) => keyOf(all[at]!, band),
      (row) => {
        crowded[row]! |= bit;
      },
    );
  }
  const rest = yield* rowsWhere(count, (row) => (crowded[row]! & (crowded[row]! - 1)) !== 0);
  const paired = Math.min(bands, PAIRED_BANDS);
  const keys: Uint32Array[] = [];
  for (let band = 0; band < paired; band++) {
    const ofBand = new Uint32Array(rest.length);
    for (let at = 0; at < rest.length; at++) {
      ofBand[at] = Math.imul(keyOf(rest[at]!, band), 0x85ebca6b);
      if (at % SLICE_ROWS === SLICE_ROWS - 1) yield;
    }
    keys.push(ofBand);
  }
  for (let band = 0; band < paired; band++) {
    for (let other = band + 1; other < paired; other++) {
      const both = (1 << band) | (1 << other);
      const places = yield* rowsWhere(rest.length, (at) => (crowded[rest[at]!]! & both) === both);
      const members = new Int32Array(places.length);
      for (let at = 0; at < places.length; at++) members[at] = rest[places[at]!]!;
      yield;
      yield* search.bucket(members, (at) => mixedPair(keys[band]![places[at]!]!, keys[other]![places[at]!]!), null);
    }
  }
  return search.pairs;
}

/** The numbers below `count` that a condition holds for, ascending. */
function* rowsWhere(count: number, holds: (row: number) => boolean): Generator<void, Int32Array> {
  const found = new Int32Array(count);
  let length = 0;
  for (let row = 0; row < count; row++) {
    if (holds(row)) found[length++] = row;
    if (row % SLICE_ROWS === SLICE_ROWS - 1) yield;
  }
  return found.subarray(0, length);
}

class Search {
  readonly #rows: NearRows;
  readonly #threshold: number;
  readonly #partner: Int32Array;
  readonly #similarity: Float64Array;
  readonly #estimate: Float32Array;
  readonly #failures: Uint8Array;
  readonly #buckets: Buckets;

  constructor(rows: NearRows, threshold: number) {
    const { count } = rows;
    this.#rows = rows;
    this.#threshold = threshold;
    this.#partner = new Int32Array(count).fill(-1);
    this.#similarity = new Float64Array(count);
    this.#estimate = new Float32Array(count);
    this.#failures = new Uint8Array(count);
    this.#buckets = new Buckets(count);
  }

  get pairs(): NearPairs {
    return { partner: this.#partner, similarity: this.#similarity };
  }

  /** Puts rows into buckets by their keys (`keyAt`: of the row at a place), and compares each with those before it in its bucket. */
  *bucket(
    members: Int32Array,
    keyAt: (place: number) => number,
    onCrowded: ((row: number) => void) | null,
  ): Generator<void, void> {
    const { keys, rows } = yield* this.#buckets.fill(members, keyAt);
    let work = 0;
    for (let start = 0; start < members.length; ) {
      let end = start + 1;
      while (end < members.length && keys[end] === keys[start]) end++;
      const isCrowded = end - start > LOOKED_AT;
      let last = start - 1;
      for (let at = start; at < end && end - start > 1; at++) {
        const row = rows[at]!;
        if (isCrowded) onCrowded?.(row);
        if (this.#rows.isAsked(row)) {
          work += this.#compare(row, rows, start, last, isCrowded ? LOOKED_AT_CROWDED : LOOKED_AT);
        }
        if (this.#rows.isCandidate(row)) last = at;
        if (++work >= SLICE_WORK) {
          work = 0;
          yield;
        }
      }
      start = end;
      if (++work >= SLICE_WORK) {
        work = 0;
        yield;
      }
    }
  }

  /** Compares a row with the candidates before it in its bucket, [start, last] of `bucketed`, the last ones first; how much work it was, in looks. */
  #compare(row: number, bucketed: Int32Array, start: number, last: number, most: number): number {
    const rows = this.#rows;
    const facts = rows.factsOf(row);
    const slot = rows.slotOf(row);
    const count = facts.shingleCount(slot);
    let looks = 0;
    let work = 0;
    for (let place = last; place >= start && looks < most; place--) {
      const other = bucketed[place]!;
      looks++;
      const best = this.#partner[row]!;
      if (other === best || this.#failures[row]! >= (best === -1 ? MAX_FAILURES : MAX_FAILURES_PAIRED)) continue;
      const otherFacts = rows.factsOf(other);
      const otherSlot = rows.slotOf(other);
      const otherCount = otherFacts.shingleCount(otherSlot);
      // No two sets are more alike than their sizes.
      const bound = Math.min(count, otherCount) / Math.max(count, otherCount);
      if (bound < this.#threshold || bound < this.#similarity[row]!) continue;
      const slack = this.#failures[row]! < FREE_FAILURES ? ESTIMATE_SLACK : ESTIMATE_SLACK / 2;
      const least = Math.max(this.#threshold - slack, this.#estimate[row]! - PAIRED_SLACK);
      const estimate = facts.estimate(slot, otherSlot, otherFacts, least);
      if (estimate < least) continue;
      const similarity = rows.similarity(row, other);
      work += (count + otherCount) / WORDS_A_LOOK;
      if (best === -1 ? similarity >= this.#threshold : similarity > this.#similarity[row]!) {
        this.#partner[row] = other;
        this.#similarity[row] = similarity;
        this.#estimate[row] = estimate;
      } else {
        this.#failures[row]!++;
      }
    }
    return work + looks;
  }
}
