import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createRandom, shuffled, xoshiro128 } from '../../../src/engine/statistics/random';

describe('statistics: seeded randomness', () => {
  it('gives the reference numbers of xoshiro128**', () => {
    const random = xoshiro128(1, 2, 3, 4);
    assert.deepEqual(
      Array.from({ length: 6 }, () => random.uint32()),
      [11520, 0, 5927040, 70819200, 2031721883, 1637235492],
    );
    assert.equal(xoshiro128(0x964d4a0c, 0xd40ab895, 0xad7fdecb, 0x3006f0f0).uint32(), 0xf1391922);
  });

  it('seeds its state by SplitMix64', () => {
    // SplitMix64 of 1234567 begins 6457827717110365317, 3203168211198807973.
    const [first, second] = [6457827717110365317n, 3203168211198807973n];
    const expected = xoshiro128(
      Number(first & 0xffffffffn),
      Number(first >> 32n),
      Number(second & 0xffffffffn),
      Number(second >> 32n),
    );
    const random = createRandom(1234567);
    for (let index = 0; index < 10; index++) assert.equal(random.uint32(), expected.uint32());
  });

  it('draws the same numbers from a seed on every machine', () => {
    const random = createRandom(42);
    assert.deepEqual(
      Array.from({ length: 3 }, () => random.uniform()),
      [0.4137016681565887, 0.003983993377814743, 0.6500837027638867],
    );
  });

  it('draws every integer below the bound equally often', () => {
    const random = createRandom(3);
    const bound = 7;
    const draws = 70_000;
    const seen = new Array<number>(bound).fill(0);
    for (let draw = 0; draw < draws; draw++) {
      const value = random.int(bound);
      seen[value] = (seen[value] ?? 0) + 1;
    }
    const expected = draws / bound;
    const chiSquare = seen.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    assert.ok(chiSquare < 22.5, `chi-square ${chiSquare} on 6 degrees of freedom (p = 0.001)`);
  });

  it('draws again rather than favour small numbers', () => {
    // With the bound 3 * 2^30 the top quarter of the words is refused; a plain remainder would give values below 2^30 twice as often.
    const random = createRandom(5);
    const draws = 20_000;
    let small = 0;
    for (let draw = 0; draw < draws; draw++) if (random.int(3 * 2 ** 30) < 2 ** 30) small++;
    assert.ok(Math.abs(small / draws - 1 / 3) < 0.015, String(small / draws));
  });

  it('stays below the bound and refuses bounds and seeds that are none', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 2 ** 31 - 1 }), (seed, bound) => {
        const value = createRandom(seed).int(bound);
        return Number.isInteger(value) && 0 <= value && value < bound;
      }),
    );
    const random = createRandom(0);
    for (const bound of [0, -1, 1.5, 2 ** 32 + 1, Number.NaN]) assert.throws(() => random.int(bound), RangeError);
    for (const seed of [-1, 0.5, Number.NaN]) assert.throws(() => createRandom(seed), RangeError);
  });

  it('shuffles into each order equally often, and copies', () => {
    const random = createRandom(11);
    const items = ['a', 'b', 'c'];
    const seen = new Map<string, number>();
    for (let round = 0; round < 12_000; round++) {
      const order = shuffled(items, random).join('');
      seen.set(order, (seen.get(order) ?? 0) + 1);
    }
    assert.deepEqual(items, ['a', 'b', 'c']);
    assert.equal(seen.size, 6);
    const chiSquare = [...seen.values()].reduce((sum, count) => sum + (count - 2000) ** 2 / 2000, 0);
    assert.ok(chiSquare < 20.5, `chi-square ${chiSquare} on 5 degrees of freedom (p = 0.001)`);
  });
});
