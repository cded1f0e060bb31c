/** Seeded randomness: the same seed gives the same numbers on every machine, so that a report can be made again. */
export interface Random {
  /** Uniform over the integers 0 … 2^32 - 1. */
  uint32(): number;
  /** Uniform in [0, 1), with 53 random bits. */
  uniform(): number;
  /** Uniform over the integers 0 … bound - 1; every one equally likely. Throws RangeError unless 1 <= bound <= 2^32. */
  int(bound: number): number;
}

/**
 * xoshiro128** 1.1 (Blackman and Vigna, ACM TOMS 47:4, 2021), its state drawn from the seed by SplitMix64, as its authors
 * advise. `seed` is a safe integer, 0 or more.
 */
export function createRandom(seed: number): Random {
  if (!Number.isSafeInteger(seed) || seed < 0) throw new RangeError(`A seed is an integer, 0 or more, not ${seed}.`);
  const [first, second] = splitMix64(BigInt(seed));
  return xoshiro128(
    Number(first & 0xffffffffn),
    Number(first >> 32n),
    Number(second & 0xffffffffn),
    Number(second >> 32n),
  );
}

/** The generator on a given state of four 32-bit words, not all 0. */
export function xoshiro128(word0: number, word1: number, word2: number, word3: number): Random {
  let s0 = word0 | 0;
  let s1 = word1 | 0;
  let s2 = word2 | 0;
  let s3 = word3 | 0;
  const uint32 = (): number => {
    const result = Math.imul(rotateLeft(Math.imul(s1, 5), 7), 9) >>> 0;
    const shifted = s1 << 9;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= shifted;
    s3 = rotateLeft(s3, 11);
    return result;
  };
  return {
    uint32,
    uniform: () => ((uint32() >>> 5) * 2 ** 26 + (uint32() >>> 6)) / 2 ** 53,
    int(bound) {
      if (!Number.isInteger(bound) || bound < 1 || bound > 2 ** 32) {
        throw new RangeError(`No integer below ${bound} can be drawn.`);
      }
      // Numbers beyond the last full multiple of the bound would favour the small remainders: draw again.
      const limit = 2 ** 32 - (2 ** 32 % bound);
      let drawn = uint32();
      while (drawn >= limit) drawn = uint32();
      return drawn % bound;
    },
  };
}

/** A shuffled copy (Fisher and Yates): every order equally likely. */
export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const result = [...items];
  for (let last = result.length - 1; last > 0; last--) {
    const other = random.int(last + 1);
    const item = result[last] as T;
    result[last] = result[other] as T;
    result[other] = item;
  }
  return result;
}

function rotateLeft(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

/** The first two outputs of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). */
function splitMix64(seed: bigint): [bigint, bigint] {
  const increment = 0x9e3779b97f4a7c15n;
  const mix = (state: bigint): bigint => {
    let word = BigInt.asUintN(64, state);
    word = BigInt.asUintN(64, (word ^ (word >> 30n)) * 0xbf58476d1ce4e5b9n);
    word = BigInt.asUintN(64, (word ^ (word >> 27n)) * 0x94d049bb133111ebn);
    return word ^ (word >> 31n);
  };
  return [mix(seed + increment), mix(seed + 2n * increment)];
}
