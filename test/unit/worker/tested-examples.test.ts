import assert from 'node:assert/strict';
import type { Example } from '../../../src/engine/datasets/dataset';
import { DatasetDocument } from '../../../src/engine/datasets/document';
import { ownPerturbation } from '../../../src/engine/perturbation/own/own-perturbation';
import type { ExampleOutcome } from '../../../src/engine/perturbation/run-suite';
import { plainTest } from '../../../src/engine/perturbation/suite';
import { makeVariants } from '../../../src/engine/perturbation/variants';
import type { Prediction } from '../../../src/protocol/prediction';
import { TestedExamples } from '../../../src/worker/tested-examples';

const prediction = (label: string): Prediction => ({
  label,
  probabilities: Float32Array.of(0.25, 0.75),
  logits: Float32Array.of(0, 1),
  truncated: false,
});

function outcomeOf(example: Example, words: string[], by: string[], fails: boolean): ExampleOutcome<Example> {
  const perturbation = ownPerturbation({
    id: 'words',
    name: 'Words',
    description: '',
    tasks: ['sentiment'],
    parts: ['context'],
    expectation: { kind: 'label-stays' },
    replace: [{ kind: 'words', words, by }],
  });
  const { variants, dropped, notApplicable } = makeVariants(perturbation, example, {
    seed: 1,
    parts: null,
    values: {},
    most: 99,
    pool: null,
  });
  return {
    item: example,
    test: plainTest(perturbation, 99),
    prediction: prediction('positive'),
    gold: null,
    dropped,
    notApplicable,
    variants: variants.map((variant) => ({ variant, prediction: prediction('negative'), isFailure: fails })),
  };
}

describe('worker: examples that were tested', () => {
  const text = `Long ago, in a small town by the sea, a film of mine was shown to nobody at all, so they say${'!'.repeat(40)}`;
  const { examples } = DatasetDocument.open({
    name: 'x.jsonl',
    text: `${JSON.stringify({ text, label: 'positive' })}\n`.repeat(2),
  });
  const example = examples[0]!;

  it('are counted; the first failing variants are kept with what was changed, and whole words around it', () => {
    const tested = new TestedExamples();
    assert.equal(tested.countsOf(example), null);
    tested.set(example, [
      outcomeOf(example, ['film'], ['movie', 'picture'], true),
      outcomeOf(example, ['town'], ['village'], false),
    ]);
    assert.deepEqual(tested.countsOf(example), { variants: 3, failing: 2 });
    const [first] = tested.failuresOf(example);
    assert.deepEqual(first, {
      test: 'Words',
      label: 'negative',
      probability: 0.75,
      pieces: [
        { kind: 'same', text: '…' },
        { kind: 'same', text: 'a small town by the sea, a ' },
        { kind: 'removed', text: 'film' },
        { kind: 'added', text: 'movie' },
        { kind: 'same', text: ' of mine was shown to nobody' },
      ],
    });
    assert.equal(tested.countsOf(examples[1]!), null);
    tested.clear();
    assert.equal(tested.countsOf(example), null);
  });

  it('keep six failing variants, however many there are', () => {
    const tested = new TestedExamples();
    const many = Array.from({ length: 20 }, (_, index) => `thing ${index}`);
    tested.set(example, [outcomeOf(example, ['film'], many, true)]);
    assert.deepEqual([tested.countsOf(example)?.failing, tested.failuresOf(example).length], [20, 6]);
  });
});
