/** The bundled models on real sentences: what Integrated Gradients promises, and what stands at every range. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { explainAll } from '../../../src/engine/attribution/explain';
import type { TokenScores } from '../../../src/engine/attribution/method';
import { methodOf } from '../../../src/engine/attribution/methods';
import { subjectOf } from '../../../src/engine/attribution/subject';
import { DatasetDocument } from '../../../src/engine/datasets/document';
import { loadClassifier } from '../../../src/engine/models/classifier';
import { loadGradientModel } from '../../../src/engine/models/gradient-model';
import { readModelFolder } from '../../../src/engine/models/model-folder';
import { fixedBudget } from '../../../src/engine/models/token-budget';

declare const ASSAY_ROOT: string;

const data = process.env.ASSAY_DATA ?? path.join(ASSAY_ROOT, '../shared/data');
const sentenceCount = 100;
const steps = 64;

for (const [model, file] of [
  ['sentiment-minilm-sst2', 'sst2/dev.tsv'],
  ['relation-minilm-semeval2010', 'semeval2010task8/TEST_FILE_FULL.TXT'],
] as const) {
  describe(`attribution: ${model}`, () => {
    const place = path.join(data, file);

    before(function () {
      if (existsSync(place)) return;
      this.test!.parent!.title += ' (skipped: the data is not there)';
      this.skip();
    });

    // Minutes on a machine that does other things too.
    it(`ig adds up to the change of the logit, within 0.02 of it + 0.01, on 95 % of ${sentenceCount} sentences`, async function () {
      this.timeout(600_000);
      const folder = await readModelFolder(path.join(ASSAY_ROOT, 'models', model));
      const classifier = await loadClassifier(folder, { threads: 2 });
      const gradients = await loadGradientModel(folder, { threads: 2 });
      const { examples } = DatasetDocument.open({ name: path.basename(file), bytes: readFileSync(place) });
      // Spread over the file.
      const chosen = Array.from({ length: sentenceCount }, (_, at) => {
        return examples[Math.floor((at * examples.length) / sentenceCount)]!;
      });
      const found: TokenScores[] = [];
      const budgets = { gradients: fixedBudget(2048), logits: fixedBudget(1024) };
      const rows = await classifier.run(chosen.map((example) => classifier.encode(example)));
      await explainAll(
        chosen.map((example, at) => ({ example, label: rows[at]!.indexOf(Math.max(...rows[at]!)) })),
        ({ example, label }) => ({ subject: subjectOf(classifier, example), target: { label, against: null } }),
        { run: methodOf.ig, options: { steps, baseline: 'zero' } },
        { classifier, gradients, budgets },
        (_, scores) => {
          found.push(scores);
        },
      );
      assert.equal(found.length, sentenceCount);
      const gaps = found.map(({ scores, total }) => {
        const sum = scores.reduce((all, score) => all + score, 0);
        return { gap: Math.abs(sum - total!), allowed: 0.02 * Math.abs(total!) + 0.01 };
      });
      const far = gaps.filter(({ gap, allowed }) => gap > allowed);
      assert.ok(far.length <= 0.05 * sentenceCount, `${far.length} too far: ${far.map(({ gap }) => gap.toFixed(3))}`);
      await classifier.dispose();
      await gradients.dispose();
    });
  });
}
