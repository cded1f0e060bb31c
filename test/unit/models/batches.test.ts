import assert from 'node:assert/strict';
import fc from 'fast-check';
import { planBatches } from '../../../src/engine/models/batches';

describe('batches', () => {
  it('hold each input once, like lengths together, within the budget', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(600), { maxLength: 80 }), fc.integer({ min: 1, max: 3000 }), (counts, budget) => {
        const batches = planBatches(counts, budget);
        const order = batches.flat();
        assert.deepEqual(
          [...order].sort((a, b) => a - b),
          counts.map((_, index) => index),
        );
        assert.deepEqual(
          order.map((index) => counts[index]!),
          [...counts].sort((a, b) => a - b),
        );
        for (const [index, batch] of batches.entries()) {
          const padded = batch.length * Math.max(...batch.map((row) => counts[row]!));
          assert.ok(batch.length === 1 || padded <= budget, `${padded} tokens in a batch, ${budget} allowed`);
          const next = batches[index + 1]?.[0];
          if (next !== undefined)
            assert.ok((batch.length + 1) * counts[next]! > budget, 'one more row would have fitted');
        }
      }),
    );
  });
});
