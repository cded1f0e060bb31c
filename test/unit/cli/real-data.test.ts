import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { dataFolder, predictionLines, run } from './run-in-process';

declare const ASSAY_ROOT: string;

interface Evaluation {
  rows: number;
  accuracy: number;
  macroF1_official_9plus1?: number;
  predictions_sha256: string;
}

/** The figure that a line of the summary begins with. */
function figure(stderr: string, name: string): number {
  const match = new RegExp(`^${name} (\\d\\.\\d+)`, 'm').exec(stderr);
  assert.ok(match, stderr);
  return Number(match[1]);
}

function near(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) <= 0.002, `${actual}, not ${expected}`);
}

// The models' eval.json was written by other code (PyTorch and Python, ONNX Runtime for the logits).
describe("cli: predict gives the figures of the models' own evaluation", function () {
  this.timeout(600_000);

  for (const { file, model } of [
    { file: 'sst2/test.tsv', model: 'sentiment-minilm-sst2' },
    { file: 'semeval2010task8/TEST_FILE_FULL.TXT', model: 'relation-minilm-semeval2010' },
  ]) {
    it(`${model} on ${file}`, async function () {
      const source = path.join(dataFolder, file);
      if (!existsSync(source)) {
        console.log(`      skipped: there is no ${file} in ASSAY_DATA`);
        this.skip();
      }
      const evaluation = JSON.parse(
        readFileSync(path.join(ASSAY_ROOT, 'models', model, 'eval.json'), 'utf8'),
      ) as Evaluation;
      const { code, stdout, stderr } = await run(['predict', source]);
      assert.equal(code, 0, stderr);
      const lines = predictionLines(stdout);
      assert.equal(lines.length, evaluation.rows);
      near(figure(stderr, 'accuracy'), evaluation.accuracy);
      if (evaluation.macroF1_official_9plus1 !== undefined) {
        near(figure(stderr, 'macro-F1'), evaluation.macroF1_official_9plus1);
        assert.match(stderr, /official \(9\+1\)-way, directions merged/);
      }
      // Batching may move the last digits of a logit, and with it one prediction on the edge: told, not failed.
      const hash = createHash('sha256')
        .update(lines.map((line) => line.label).join('\n'))
        .digest('hex');
      if (hash !== evaluation.predictions_sha256) console.log('      a few predictions differ from eval.json');
    });
  }

  it('relation-minilm-wiki16 on fewrel/wiki16.test.json, whose relations are named beside it', async function () {
    const source = path.join(dataFolder, 'fewrel/wiki16.test.json');
    const folder = path.join(ASSAY_ROOT, '../shared/models/relation-minilm-wiki16');
    for (const needed of [source, folder]) {
      if (existsSync(needed)) continue;
      console.log(`      skipped: there is no ${path.basename(needed)}`);
      this.skip();
    }
    const { code, stdout, stderr } = await run(['predict', source, '--model', folder]);
    assert.equal(code, 0, stderr);
    const lines = predictionLines(stdout);
    assert.equal(lines.length, 2240);
    near(figure(stderr, 'accuracy'), 0.9134);
    assert.match(stderr, /2240 judged/);
    assert.equal(lines[0]!.gold, 'crosses');
  });
});
