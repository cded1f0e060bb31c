import assert from 'node:assert/strict';
import { openMemoryCache } from '../../../src/engine/models/logits-cache';
import { ownPerturbation } from '../../../src/engine/perturbation/own/own-perturbation';
import type { SearchPerturbation } from '../../../src/engine/perturbation/perturbation';
import { type ExampleOutcome, runSuite } from '../../../src/engine/perturbation/run-suite';
import { plainTest, type Suite, type SuiteTest } from '../../../src/engine/perturbation/suite';
import { Tallying } from '../../../src/engine/perturbation/tally';
import type { Expectation } from '../../../src/protocol/perturbation';
import { sentiment } from './examples';
import { FakeClassifier } from './fake-classifier';

const weights = { good: 2, fine: 1, bad: -2, dull: -1, not: -3 };
const replacing = (words: string[], by: string[], expectation: Expectation = { kind: 'label-stays' }) =>
  ownPerturbation({
    id: words.join('-'),
    name: words.join(' '),
    description: '',
    tasks: ['sentiment'],
    parts: ['context'],
    expectation,
    replace: [{ kind: 'words', words, by }],
  });
const suiteOf = (...tests: SuiteTest[]): Suite => ({ name: 'test', tests, mostAnExample: 40 });

const subjects = ['A good film.', 'A bad film.', 'Good and good again, dull too.', 'Nothing here.', 'A fine film.'].map(
  (text) => ({ item: text, source: sentiment(text), gold: 'positive' as string | null }),
);

async function outcomesOf(suite: Suite, tools: ReturnType<FakeClassifier['tools']>, rows = subjects) {
  const outcomes: ExampleOutcome<string>[] = [];
  await runSuite(rows, suite, tools, (told) => {
    outcomes.push(...told);
  });
  return outcomes;
}

describe('perturbation: a suite is run', () => {
  const test = plainTest(replacing(['good', 'fine'], ['dull', 'great', 'good']), 8);

  it('makes the variants of every example, asks once, and judges them', async () => {
    const model = new FakeClassifier(weights);
    const outcomes = await outcomesOf(suiteOf(test), model.tools());
    assert.deepEqual(
      outcomes.map(({ item, variants, dropped, notApplicable }) => ({
        item,
        variants: variants.map(({ variant, isFailure }) => `${isFailure ? '✗' : '✓'} ${variant.text}`),
        dropped,
        notApplicable,
      })),
      [
        { item: 'A good film.', variants: ['✗ A dull film.', '✗ A great film.'], dropped: 1, notApplicable: null },
        {
          item: 'A bad film.',
          variants: [],
          dropped: 0,
          notApplicable: 'none of its words and patterns is in the text',
        },
        {
          item: 'Good and good again, dull too.',
          variants: ['✗ Dull and dull again, dull too.', '✗ Great and great again, dull too.'],
          dropped: 1,
          notApplicable: null,
        },
        {
          item: 'Nothing here.',
          variants: [],
          dropped: 0,
          notApplicable: 'none of its words and patterns is in the text',
        },
        {
          item: 'A fine film.',
          variants: ['✗ A dull film.', '✗ A great film.', '✓ A good film.'],
          dropped: 0,
          notApplicable: null,
        },
      ],
    );
  });

  it('adds up: rates over examples, not over variants', async () => {
    const tally = new Tallying(test);
    for (const outcome of await outcomesOf(suiteOf(test), new FakeClassifier(weights).tools())) tally.add(outcome);
    const result = tally.result(1);
    assert.deepEqual(
      { ...result, test: null, failureRate: result.failureRate?.value, accuracy: null },
      {
        test: null,
        examples: 3,
        variants: 7,
        failing: 6,
        flips: 6,
        dropped: 2,
        notApplicable: [{ reason: 'none of its words and patterns is in the text', count: 2 }],
        failureRate: (1 + 1 + 2 / 3) / 3,
        accuracy: null,
        passed: false,
      },
    );
    assert.equal(result.accuracy?.source.value, 1);
    assert.ok(Math.abs(result.accuracy!.variants.value - 1 / 9) < 1e-12);
  });

  it('one variant an example is a proportion of independent ones, with the interval of Wilson', async () => {
    const single = plainTest(replacing(['good', 'fine'], ['dull']), 8);
    const tally = new Tallying(single);
    for (const outcome of await outcomesOf(suiteOf(single), new FakeClassifier(weights).tools())) tally.add(outcome);
    const { value, low, high } = tally.result(1).failureRate!;
    // 3 of 3; the lower bound is n / (n + z²).
    assert.deepEqual(
      [value, Number(low.toFixed(6)), high],
      [1, Number((3 / (3 + 1.959963984540054 ** 2)).toFixed(6)), 1],
    );
  });

  it('asks nothing that a cache knows, so a stopped run goes on and a second one asks nothing', async () => {
    const cache = openMemoryCache();
    const stop = new AbortController();
    const first = new FakeClassifier(weights);
    const told: string[] = [];
    await runSuite(subjects, suiteOf(test), first.tools({ cache, signal: stop.signal, windowSize: 1 }), (outcomes) => {
      told.push(...outcomes.map(({ item }) => item));
      if (told.length === 2) stop.abort();
    });
    assert.deepEqual(told, ['A good film.', 'A bad film.']);
    const second = new FakeClassifier(weights);
    await outcomesOf(suiteOf(test), second.tools({ cache }));
    assert.deepEqual(
      second.asked.filter((text) => first.asked.includes(text)),
      [],
    );
    const third = new FakeClassifier(weights);
    await outcomesOf(suiteOf(test), third.tools({ cache }));
    assert.deepEqual(third.asked, []);
  });

  it('the same seed gives the same choice, alone or among others', async () => {
    const few = { ...test, most: 1 };
    const chosen = async (rows: typeof subjects, seed: number) =>
      (await outcomesOf(suiteOf(few), new FakeClassifier(weights).tools({ seed }), rows)).map(({ variants }) =>
        variants.map(({ variant }) => variant.text),
      );
    const all = await chosen(subjects, 3);
    assert.deepEqual(await chosen(subjects.slice(4), 3), [all[4]]);
    const seeds = await Promise.all(Array.from({ length: 12 }, (_, seed) => chosen(subjects, seed)));
    assert.ok(new Set(seeds.map((one) => JSON.stringify(one))).size > 1);
  });

  it('gives no example more variants than the suite allows', async () => {
    const twice = { ...test, id: 'again' };
    const outcomes = await outcomesOf(
      { ...suiteOf(test, twice), mostAnExample: 4 },
      new FakeClassifier(weights).tools(),
    );
    assert.deepEqual(
      outcomes.filter(({ item }) => item === 'A fine film.').map(({ variants }) => variants.length),
      [3, 1],
    );
  });

  it('says what cannot be judged, and what is not in the slice', async () => {
    const rising: SuiteTest = { ...test, id: 'rising', expectation: { kind: 'gold-not-rising', tolerance: 0 } };
    const negative: SuiteTest = { ...test, id: 'negative', expectation: { kind: 'negative' } };
    const sliced: SuiteTest = { ...test, id: 'sliced', slice: { kind: 'word', word: 'FINE' } };
    const rows = [{ ...subjects[0]!, gold: null }, subjects[4]!];
    const outcomes = await outcomesOf(suiteOf(rising, negative, sliced), new FakeClassifier(weights).tools(), rows);
    assert.deepEqual(
      outcomes.map(({ notApplicable, variants }) => notApplicable ?? variants.map(({ isFailure }) => isFailure)),
      [
        'it has no gold label that the model knows',
        'the model has no label for "no relation"',
        'it is not in the slice',
        // Dull and great are less likely positive than fine, good is more likely so.
        [false, false, true],
        'the model has no label for "no relation"',
        [true, true, false],
      ],
    );
  });

  it('drives searches: what several ask is answered together, words are weighed once an example', async () => {
    let weighed = 0;
    const search: SearchPerturbation = {
      kind: 'search',
      id: 'without-top-word',
      family: 'counterfactual',
      name: '',
      description: '',
      tasks: ['sentiment'],
      parts: ['context'],
      expectation: { kind: 'label-becomes', label: null },
      options: [],
      *search(source, { regions }) {
        const { words } = yield { kind: 'words' };
        const top = [...words].sort((a, b) => b.score - a.score)[0];
        if (top === undefined) return { reason: 'it has no word' };
        const variant = {
          ...source,
          text: source.text.slice(0, top.start) + source.text.slice(top.end),
          mentions: null,
          edits: [],
        };
        const { probabilities } = yield { kind: 'predictions', variants: [variant] };
        assert.equal(probabilities.length, 1);
        assert.equal(regions.length, 1);
        return [variant];
      },
    };
    const model = new FakeClassifier(weights);
    const outcomes = await outcomesOf(
      suiteOf(plainTest(search, 1), { ...plainTest(search, 1), id: 'again' }),
      model.tools({
        weigh: async (items) => {
          weighed += items.length;
          return items.map(({ source, predicted }) =>
            [...source.text.matchAll(/\p{L}+/gu)].map((match) => ({
              start: match.index,
              end: match.index + match[0].length,
              score: (weights[match[0].toLowerCase() as 'good'] ?? 0) * (predicted === 1 ? 1 : -1),
            })),
          );
        },
      }),
    );
    assert.equal(weighed, subjects.length);
    assert.deepEqual(
      outcomes
        .filter((_, index) => index % 2 === 0)
        .map(({ variants }) => variants.map(({ variant, isFailure }) => [variant.text, isFailure])),
      [
        [['A  film.', false]],
        [['A  film.', true]],
        [[' and good again, dull too.', true]],
        [[' here.', true]],
        [['A  film.', false]],
      ],
    );
  });
});
