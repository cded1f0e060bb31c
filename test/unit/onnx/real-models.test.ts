/** The bundled models, and one more where it is there: gradients against finite differences. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { modelSchema } from '../../../src/engine/onnx/messages';
import { readModel } from '../../../src/engine/onnx/model';
import { encode } from '../../../src/engine/onnx/wire';
import { compareWithDifferences, differentiated, feedsFor, seedOf } from './differences';
import { sessionOf } from './little-models';

declare const ASSAY_ROOT: string;

/** [CLS] and [SEP] of BERT's vocabulary, its first four unused tokens (entity markers), and words. */
const rows = [
  [101, 1996, 1, 5896, 2, 2003, 1037, 3, 2204, 4, 3185, 102],
  [101, 2023, 1, 4845, 2, 2001, 2081, 2011, 3, 2632, 4, 102],
];

for (const [file, labels] of [
  ['models/sentiment-minilm-sst2', 2],
  ['models/relation-minilm-semeval2010', 19],
  ['../shared/models/relation-minilm-wiki16', 16],
] as const) {
  describe(`onnx: ${path.basename(file)}`, () => {
    const onnxFile = path.join(ASSAY_ROOT, file, 'onnx/model_quantized.onnx');

    before(function () {
      if (existsSync(onnxFile)) return;
      this.test!.parent!.title += ' (skipped: the model is not there)';
      this.skip();
    });

    it('is written again byte by byte as it was read', () => {
      const bytes = readFileSync(onnxFile);
      assert.equal(Buffer.compare(encode(modelSchema, readModel(bytes)), bytes), 0);
    });

    it('has the same logits, and the slopes of finite differences', async () => {
      const bytes = readFileSync(onnxFile);
      const plain = await sessionOf(bytes, false);
      const { logits } = await plain.run(feedsFor(plain, rows));
      const mine = await differentiated(readModel(bytes), labels);
      assert.deepEqual(mine.parts.notes, []);
      const results = await mine.run(rows, mine.embed(rows), seedOf(2, labels, 1));
      for (const [at, value] of (logits!.data as Float32Array).entries()) {
        assert.ok(Math.abs(results.logits[at]! - value) < 1e-4, `logit ${at}: ${results.logits[at]}, not ${value}`);
      }
      await compareWithDifferences(mine, rows, { label: 1, step: 1 / 64, count: 24 });
    });
  });
}
