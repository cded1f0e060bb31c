/** Against PyTorch and the papers' own code: test/fixtures/golden-tiny2. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { explainAll } from '../../../src/engine/attribution/explain';
import type { MethodOptions, TokenScores } from '../../../src/engine/attribution/method';
import { methodOf } from '../../../src/engine/attribution/methods';
import { subjectOf, type Target } from '../../../src/engine/attribution/subject';
import { type Classifier, loadClassifier } from '../../../src/engine/models/classifier';
import { type GradientModel, loadGradientModel } from '../../../src/engine/models/gradient-model';
import { readModelFolder } from '../../../src/engine/models/model-folder';
import { fixedBudget } from '../../../src/engine/models/token-budget';
import type { MethodId } from '../../../src/protocol/attribution';

declare const ASSAY_ROOT: string;

interface Sequence {
  inputIds: number[];
  tokenTypeIds: number[];
  logits: number[];
  explainedClass: number;
  gs: number[];
  gi: number[];
  gradEmbeddingOutput: number[][];
  igWord32: { tokenSums: number[]; logit: number; logitAtBaseline: number };
  diagnoseRe: { gold: number; rawL1: number[] };
}

const folder = path.join(ASSAY_ROOT, 'test/fixtures/golden-tiny2');
const golden = JSON.parse(readFileSync(path.join(folder, 'golden.json'), 'utf8')) as { sequences: Sequence[] };
/** Pairs of sentences are not what Assay feeds. */
const sequences = golden.sequences.filter(({ tokenTypeIds }) => tokenTypeIds.every((type) => type === 0));

function near(found: ArrayLike<number>, wanted: readonly number[], what: string): void {
  assert.equal(found.length, wanted.length, what);
  const largest = Math.max(...wanted.map(Math.abs));
  for (const [at, value] of wanted.entries()) {
    const error = Math.abs(found[at]! - value) / largest;
    assert.ok(error <= 1e-4, `${what}[${at}] is ${found[at]}, not ${value} (${error} of the largest)`);
  }
}

describe('attribution: golden values of PyTorch', () => {
  let classifier: Classifier;
  let gradients: GradientModel;

  before(async () => {
    const model = await readModelFolder(folder);
    classifier = await loadClassifier(model, { threads: 1 });
    gradients = await loadGradientModel(model, { threads: 1 });
  });

  after(async () => {
    await classifier.dispose();
    await gradients.dispose();
  });

  /** All sequences in one go: batches of several lengths. */
  async function explain(
    method: MethodId,
    targetOf: (sequence: Sequence) => Target,
    options: MethodOptions = { steps: 32, baseline: 'zero' },
  ): Promise<Map<Sequence, TokenScores>> {
    const found = new Map<Sequence, TokenScores>();
    await explainAll(
      sequences,
      (sequence) => {
        const text = sequence.inputIds
          .slice(1, -1)
          .map((id) => `w${id}`)
          .join(' ');
        const subject = subjectOf(classifier, { text, spans: null, mentions: null, types: null });
        assert.deepEqual([...subject.ids], sequence.inputIds);
        return { subject, target: targetOf(sequence) };
      },
      { run: methodOf[method], options },
      { classifier, gradients, budgets: { gradients: fixedBudget(200), logits: fixedBudget(200) } },
      (sequence, scores) => {
        found.set(sequence, scores);
      },
    );
    assert.equal(found.size, sequences.length);
    return found;
  }

  const explainedClass = ({ explainedClass }: Sequence): Target => ({ label: explainedClass, against: null });

  it('there are six single sentences', () => {
    assert.equal(sequences.length, 6);
  });

  for (const method of ['gs', 'gi'] as const) {
    it(`${method} of Wu and Ong, within 1e-4 of the largest`, async () => {
      for (const [sequence, { scores, logits }] of await explain(method, explainedClass)) {
        near(scores, sequence[method], method);
        for (const [at, value] of sequence.logits.entries()) assert.ok(Math.abs(logits[at]! - value) < 1e-5);
      }
    });
  }

  it('ig, 32 midpoints from no words, within 1e-4 of the largest; and the sum that it should have', async () => {
    for (const [sequence, { scores, total }] of await explain('ig', explainedClass)) {
      const { tokenSums, logit, logitAtBaseline } = sequence.igWord32;
      near(scores, tokenSums, 'ig');
      assert.ok(Math.abs(total! - (logit - logitAtBaseline)) < 1e-5);
    }
  });

  it('ig of DiagnoseRE, within 1e-4 of the largest', async () => {
    for (const [sequence, { scores }] of await explain('ig-diagnosere', ({ diagnoseRe }) => ({
      label: diagnoseRe.gold,
      against: null,
    }))) {
      near(scores, sequence.diagnoseRe.rawL1, 'ig-diagnosere');
    }
  });

  it('the difference of two classes has the difference of their scores', async () => {
    for (const method of ['ig', 'gxi', 'occlusion'] as const) {
      const [one, other, both] = [
        await explain(method, () => ({ label: 0, against: null })),
        await explain(method, () => ({ label: 2, against: null })),
        await explain(method, () => ({ label: 0, against: 2 })),
      ];
      for (const sequence of sequences) {
        const wanted = one.get(sequence)!.scores.map((score, at) => score - other.get(sequence)!.scores[at]!);
        near(both.get(sequence)!.scores, [...wanted], method);
      }
    }
  });

  it('occlusion deletes the word where there is no mask: the logit it loses', async () => {
    for (const [sequence, { scores }] of await explain('occlusion', explainedClass)) {
      const { inputIds, explainedClass: label } = sequence;
      const runs = await classifier.run(
        inputIds.map((_, hidden) => ({ ids: Int32Array.from(inputIds.filter((_, at) => at !== hidden)) })),
      );
      const wanted = inputIds.map((_, at) => {
        const isSpecial = at === 0 || at === inputIds.length - 1;
        return isSpecial ? 0 : sequence.logits[label]! - runs[at]![label]!;
      });
      near(scores, wanted, 'occlusion');
    }
  });
});
