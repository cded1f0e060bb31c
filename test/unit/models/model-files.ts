/** Model folders written for a test. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { tinyOnnx } from './tiny-onnx';

export type Files = Record<string, string | Buffer | object>;

/** A vocabulary of words, with [CLS] and [SEP] around each text. */
export const wordTokenizer = {
  version: '1.0',
  added_tokens: ['[PAD]', '[CLS]', '[SEP]'].map((content, id) => ({ id, content, special: true, normalized: false })),
  normalizer: null,
  pre_tokenizer: { type: 'WhitespaceSplit' },
  post_processor: { type: 'BertProcessing', cls: ['[CLS]', 1], sep: ['[SEP]', 2] },
  decoder: null,
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    vocab: { '[PAD]': 0, '[CLS]': 1, '[SEP]': 2, '[UNK]': 3, one: 10, two: 20, three: 30, '[unused7]': 40, '@': 50 },
  },
};

/** A sentiment model of which nothing is wrong. */
export const soundFiles: Files = {
  'config.json': { id2label: { 0: 'negative', 1: 'positive' }, max_position_embeddings: 8, pad_token_id: 0 },
  'tokenizer.json': wordTokenizer,
  'tokenizer_config.json': { model_max_length: 512 },
  'onnx/model.onnx': tinyOnnx(),
};

/** Makes folders and removes them after the test. */
export class TemporaryFolders {
  readonly #made: string[] = [];

  /** `soundFiles` with some changed; null leaves one out. */
  model(changes: Record<string, Files[string] | null> = {}): string {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'assay-model-'));
    this.#made.push(folder);
    for (const [name, content] of Object.entries({ ...soundFiles, ...changes })) {
      if (content === null) continue;
      const file = path.join(folder, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content));
    }
    return folder;
  }

  remove(): void {
    for (const folder of this.#made.splice(0)) rmSync(folder, { recursive: true, force: true });
  }
}
