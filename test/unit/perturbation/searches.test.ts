import assert from 'node:assert/strict';
import fc from 'fast-check';
import { dropTopWords } from '../../../src/engine/perturbation/counterfactual/drop-top-words';
import { minimalFlip } from '../../../src/engine/perturbation/counterfactual/minimal-flip';
import type { SearchPerturbation } from '../../../src/engine/perturbation/perturbation';
import { type ExampleOutcome, runSuite } from '../../../src/engine/perturbation/run-suite';
import type { Source } from '../../../src/engine/perturbation/source';
import { plainTest } from '../../../src/engine/perturbation/suite';
import { relation, sentiment } from './examples';
import { FakeClassifier } from './fake-classifier';

/** One outcome of a search; words are weighed by their weight. */
async function searched(
  search: SearchPerturbation,
  source: Source,
  weights: Record<string, number>,
  { gold = 'positive', values = {}, labels = ['negative', 'positive'], negative = null as string | null } = {},
): Promise<ExampleOutcome<Source>> {
  const model = new FakeClassifier(weights, labels, negative);
  const told: ExampleOutcome<Source>[] = [];
  const weigh = async (items: readonly { source: Source }[]) =>
    items.map(({ source: { text } }) =>
      [...text.matchAll(/\p{L}+/gu)].map(({ 0: word, index }) => ({
        start: index,
        end: index + word.length,
        score: weights[word.toLowerCase()] ?? 0,
      })),
    );
  const suite = { name: 'test', tests: [{ ...plainTest(search, 9), values }], mostAnExample: 40 };
  await runSuite([{ item: source, source, gold }], suite, model.tools({ weigh }), (outcomes) => {
    told.push(...outcomes);
  });
  return told[0]!;
}
const textsOf = ({ variants }: ExampleOutcome<Source>) => variants.map(({ variant }) => variant.text);

describe('perturbation: the fewest words that decide', () => {
  const weights = { fine: 2, lovely: 1.5, good: 1, dull: -3, bad: -1 };

  it('one word, if one is enough', async () => {
    const outcome = await searched(minimalFlip, sentiment('A fine film, if dull.'), { ...weights, fine: 4 });
    assert.deepEqual(textsOf(outcome), ['A film, if dull.']);
    assert.equal(outcome.variants[0]!.isFailure, true);
  });

  it('several, none of which can be put back', async () => {
    const outcome = await searched(minimalFlip, sentiment('Fine and good and lovely, bad too.'), weights);
    // 2 + 1 + 1.5 - 1: without fine and lovely nothing is left.
    assert.deepEqual(textsOf(outcome), ['and good and, bad too.']);
  });

  it('says so where a few words are not enough', async () => {
    const outcome = await searched(minimalFlip, sentiment('Fine, good and lovely.'), weights, { values: { most: 1 } });
    assert.equal(outcome.notApplicable, 'no 1 words or fewer were found that change the label');
  });

  it('the label changes, and does not if any word is put back (property, by trying all)', async () => {
    const vocabulary = ['fine', 'lovely', 'good', 'dull', 'bad', 'film'];
    const sum = (words: readonly string[]) => words.reduce((all, word) => all + (weights[word as 'fine'] ?? 0), 0);
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.constantFrom(...vocabulary), { minLength: 1 }), async (words) => {
        const outcome = await searched(minimalFlip, sentiment(words.join(' ')), weights, {
          values: { most: 6, budget: 500 },
        });
        const isPositive = (left: readonly string[]) => sum(left) > 0;
        const subsets = Array.from({ length: 2 ** words.length }, (_, bits) =>
          words.filter((__, at) => (bits >> at) % 2 === 1),
        );
        const canFlip = subsets.some((left) => isPositive(left) !== isPositive(words));
        if (outcome.variants.length === 0) return;
        assert.ok(canFlip);
        const left = outcome.variants[0]!.variant.text.split(' ').filter((word) => word !== '');
        assert.notEqual(isPositive(left), isPositive(words));
        for (const word of words.filter((one) => !left.includes(one))) {
          assert.equal(isPositive([...left, word]), isPositive(words), `${word} can be put back`);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('perturbation: without the words that count', () => {
  const weights = { married: 5, since: 0.5, the: 9, ada: 7 };
  const labels = ['none', 'spouse'];
  const source = relation('[h:Ada] is married to [t:Bo] since the war.', 'spouse');

  it('deletes them, but no stop words and no entities', async () => {
    const outcome = await searched(dropTopWords, source, weights, { gold: 'spouse', labels, negative: 'none' });
    assert.deepEqual(textsOf(outcome), ['Ada is to Bo since the war.']);
    const [{ variant, isFailure }] = outcome.variants as [ExampleOutcome<Source>['variants'][number]];
    assert.deepEqual([variant.text.slice(variant.spans!.tail.start, variant.spans!.tail.end), isFailure], ['Bo', true]);
  });

  it('only where the example is predicted rightly and has a relation', async () => {
    const options = { labels, negative: 'none' };
    const reasons = [
      await searched(dropTopWords, source, weights, { ...options, gold: 'none' }),
      await searched(dropTopWords, source, {}, { ...options, gold: 'none' }),
      await searched(dropTopWords, source, weights, { labels, gold: 'spouse' }),
    ].map(({ notApplicable }) => notApplicable);
    assert.deepEqual(reasons, [
      'it is not predicted rightly',
      'it has no relation already',
      'the model has no label for "no relation"',
    ]);
  });
});
