import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ModelError, readModelFolder } from '../../../src/engine/models/model-folder';
import { type Files, soundFiles, TemporaryFolders, wordTokenizer } from './model-files';
import { externalBias, tinyOnnx } from './tiny-onnx';

const folders = new TemporaryFolders();
const sha256 = (...parts: Buffer[]): string => createHash('sha256').update(Buffer.concat(parts)).digest('hex');
const read = (changes: Record<string, Files[string] | null> = {}) => readModelFolder(folders.model(changes));
const relationLabels = { id2label: { 0: 'Other', 1: 'Cause-Effect(e1,e2)' } };

function tokenizerWith(...contents: string[]): object {
  const added = contents.map((content, index) => ({ id: 100 + index, content, special: true }));
  return { ...wordTokenizer, added_tokens: [...wordTokenizer.added_tokens, ...added] };
}

describe('a model folder', () => {
  afterEach(() => folders.remove());

  it('is read whole', async () => {
    const folder = folders.model();
    const model = await readModelFolder(folder);
    assert.deepEqual(model.info, {
      name: path.basename(folder),
      folder,
      task: 'sentiment',
      labels: ['negative', 'positive'],
      negativeLabel: null,
      hash: sha256(soundFiles['onnx/model.onnx'] as Buffer),
      dtype: 'fp32',
      maxTokens: 8,
    });
    assert.deepEqual([model.markers, model.markersInferred, model.padTokenId], [null, false, 0]);
  });

  it('may have the labels in any order of keys, and a byte order mark before the JSON', async () => {
    const text = `\ufeff${JSON.stringify({ id2label: { 10: 'k', ...Object.fromEntries([...'abcdefghij'].map((label, id) => [id, label])) } })}`;
    assert.deepEqual((await read({ 'config.json': text })).info.labels, [...'abcdefghijk']);
  });

  it('may leave the two usual labels out', async () => {
    assert.deepEqual((await read({ 'config.json': {} })).info.labels, ['LABEL_0', 'LABEL_1']);
    assert.deepEqual((await read({ 'config.json': { num_labels: 3 } })).info.labels, ['LABEL_0', 'LABEL_1', 'LABEL_2']);
  });

  it('prefers the quantised model, and one in onnx/', async () => {
    const onnx = tinyOnnx();
    const chosen = async (...names: string[]): Promise<[string, string]> => {
      const files = Object.fromEntries(names.map((name) => [name, onnx]));
      const { onnxFile, info } = await read({ 'onnx/model.onnx': null, ...files });
      return [path.relative(info.folder, onnxFile).replaceAll(path.sep, '/'), info.dtype];
    };
    assert.deepEqual(await chosen('onnx/model.onnx', 'onnx/model_quantized.onnx'), [
      'onnx/model_quantized.onnx',
      'int8',
    ]);
    assert.deepEqual(await chosen('onnx/model_fp16.onnx', 'model.onnx'), ['onnx/model_fp16.onnx', 'fp16']);
    assert.deepEqual(await chosen('model.onnx'), ['model.onnx', 'fp32']);
    assert.deepEqual(await chosen('model_int8.onnx', 'model_q4.onnx'), ['model_int8.onnx', 'int8']);
    assert.deepEqual(await chosen('onnx/model_q4.onnx', 'onnx/decoder.onnx'), ['onnx/model_q4.onnx', 'q4']);
  });

  it('reads as many tokens as both files allow', async () => {
    const maxTokens = async (config: object, tokenizerConfig: object | null): Promise<number> =>
      (await read({ 'config.json': config, 'tokenizer_config.json': tokenizerConfig })).info.maxTokens;
    assert.equal(await maxTokens({ max_position_embeddings: 512 }, { model_max_length: 128 }), 128);
    assert.equal(await maxTokens({ max_position_embeddings: 512 }, { model_max_length: 1e30 }), 512);
    assert.equal(await maxTokens({ max_position_embeddings: 514, model_type: 'roberta', pad_token_id: 1 }, null), 512);
    assert.equal(await maxTokens({}, null), 512);
  });

  it('takes the padding id from config.json, else from the tokenizer', async () => {
    assert.equal((await read({ 'config.json': { pad_token_id: 7 } })).padTokenId, 7);
    const byName = { 'config.json': {}, 'tokenizer_config.json': { pad_token: '[SEP]' } };
    assert.equal((await read(byName)).padTokenId, 2);
    assert.equal(
      (await read({ ...byName, 'tokenizer_config.json': { pad_token: { content: '[CLS]' } } })).padTokenId,
      1,
    );
  });

  describe('of a relation model', () => {
    const assay = { task: 'relation', entities: { head: ['@', '@'], tail: ['#', '#'] } };

    it('says in assay.json how entities are written', async () => {
      const model = await read({
        'config.json': relationLabels,
        'assay.json': { ...assay, negativeLabel: 'Other', mentions: 'first' },
      });
      assert.deepEqual(
        [model.info.task, model.info.negativeLabel, model.markersInferred],
        ['relation', 'Other', false],
      );
      assert.deepEqual(model.markers, {
        head: { kind: 'markers', open: '@', close: '@' },
        tail: { kind: 'markers', open: '#', close: '#' },
        mentions: 'first',
      });
      const closest = await read({ 'assay.json': assay });
      assert.deepEqual([closest.markers?.mentions, closest.info.negativeLabel], ['closest', null]);
    });

    it('may name a preset or masks', async () => {
      const { markers } = await read({ 'assay.json': { task: 'relation', entities: 'typed-markers-punctuation' } });
      assert.deepEqual(markers?.head, { kind: 'markers', open: '@ * {type} *', close: '@' });
      const masked = await read({ 'assay.json': { task: 'relation', entities: { head: 'SUBJ', tail: 'OBJ' } } });
      assert.deepEqual(masked.markers?.tail, { kind: 'mask', mask: 'OBJ' });
    });

    it('shows its markers among the added tokens', async () => {
      const shown: [tokens: string[], head: string[], tail: string[]][] = [
        [
          ['[E1]', '[/E1]', '[E2]', '[/E2]'],
          ['[E1]', '[/E1]'],
          ['[E2]', '[/E2]'],
        ],
        [
          ['</e2>', '<e1>', '</e1>', '<e2>'],
          ['<e1>', '</e1>'],
          ['<e2>', '</e2>'],
        ],
        [
          ['[unused3]', '[unused0]', '[unused2]', '[unused1]'],
          ['[unused0]', '[unused1]'],
          ['[unused2]', '[unused3]'],
        ],
        [
          ['[E1_START]', '[E1_END]', '[E2_START]', '[E2_END]'],
          ['[E1_START]', '[E1_END]'],
          ['[E2_START]', '[E2_END]'],
        ],
        [
          ['<subj>', '</subj>', '<obj>', '</obj>'],
          ['<subj>', '</subj>'],
          ['<obj>', '</obj>'],
        ],
      ];
      for (const [tokens, head, tail] of shown) {
        const model = await read({ 'tokenizer.json': tokenizerWith(...tokens) });
        assert.deepEqual([model.info.task, model.markersInferred], ['relation', true]);
        assert.deepEqual(model.markers, {
          head: { kind: 'markers', open: head[0], close: head[1] },
          tail: { kind: 'markers', open: tail[0], close: tail[1] },
          mentions: 'closest',
        });
      }
    });

    it('shows by its labels that it is one, though not how entities are written', async () => {
      const model = await read({ 'config.json': relationLabels, 'tokenizer.json': tokenizerWith('[E1]', '[/E1]') });
      assert.deepEqual([model.info.task, model.info.negativeLabel, model.markersInferred], ['relation', 'Other', true]);
      assert.deepEqual(model.markers, { head: { kind: 'none' }, tail: { kind: 'none' }, mentions: 'closest' });
      assert.equal((await read({ 'config.json': { id2label: { 0: 'per:title', 1: 'x' } } })).info.task, 'relation');
    });

    it('may leave out of assay.json what the tokenizer shows', async () => {
      const model = await read({
        'assay.json': { task: 'relation' },
        'tokenizer.json': tokenizerWith('[E1]', '[/E1]', '[E2]', '[/E2]'),
      });
      assert.deepEqual(
        [model.markersInferred, model.markers?.head],
        [true, { kind: 'markers', open: '[E1]', close: '[/E1]' }],
      );
    });
  });

  describe('with weights outside the ONNX file', () => {
    it('counts them into the hash', async () => {
      const onnx = tinyOnnx({ externalBias: 'model.onnx_data' });
      const model = await read({ 'onnx/model.onnx': onnx, 'onnx/model.onnx_data': externalBias });
      assert.deepEqual(model.externalData, [path.join(model.info.folder, 'onnx', 'model.onnx_data')]);
      assert.equal(model.info.hash, sha256(onnx, externalBias));
    });

    it('says which file is missing', async () => {
      await assert.rejects(
        read({ 'onnx/model.onnx': tinyOnnx({ externalBias: 'model.onnx_data' }) }),
        /"model\.onnx_data", which is missing/,
      );
    });

    it('refuses those outside the folder, by path or by link', async () => {
      const outside = mkdtempSync(path.join(os.tmpdir(), 'assay-outside-'));
      try {
        const secret = path.join(outside, 'secret');
        writeFileSync(secret, externalBias);
        for (const location of [secret, `../../${path.basename(outside)}/secret`]) {
          await assert.rejects(read({ 'onnx/model.onnx': tinyOnnx({ externalBias: location }) }), /outside its folder/);
        }
        // Windows lets only some people make links.
        if (process.platform === 'win32') return;
        const folder = folders.model({ 'onnx/model.onnx': tinyOnnx({ externalBias: 'link' }) });
        symlinkSync(secret, path.join(folder, 'onnx', 'link'));
        await assert.rejects(readModelFolder(folder), /outside its folder/);
      } finally {
        rmSync(outside, { recursive: true, force: true });
      }
    });
  });

  describe('is refused', () => {
    const assay = (changes: object): Record<string, Files[string]> => ({
      'assay.json': { task: 'relation', entities: { head: ['@', '@'], tail: ['#', '#'] }, ...changes },
    });
    const refused: [name: string, changes: Record<string, Files[string] | null>, message: RegExp][] = [
      ['without config.json', { 'config.json': null }, /config\.json is missing/],
      ['without tokenizer.json', { 'tokenizer.json': null }, /tokenizer\.json is missing/],
      ['without an ONNX file', { 'onnx/model.onnx': null }, /no ONNX model: expected onnx\/model_quantized\.onnx/],
      ['with broken JSON', { 'config.json': '{"id2label": ' }, /config\.json is not valid JSON/],
      ['with another JSON value', { 'config.json': '[1]' }, /config\.json must hold one JSON object/],
      ['with a tokenizer that is none', { 'tokenizer.json': {} }, /tokenizer\.json has no "model"/],
      [
        'with an ONNX file that is none',
        { 'onnx/model.onnx': 'version https://git-lfs.github.com/spec/v1' },
        /not an ONNX file, or is damaged/,
      ],
      ['with half an ONNX file', { 'onnx/model.onnx': tinyOnnx().subarray(0, 100) }, /not an ONNX file, or is damaged/],
      [
        'where several labels may hold',
        { 'config.json': { problem_type: 'multi_label_classification' } },
        /multi-label model/,
      ],
      ['where it gives a number', { 'config.json': { num_labels: 1 } }, /gives a number/],
      ['with a label twice', { 'config.json': { id2label: { 0: 'a', 1: 'a' } } }, /label "a" twice/],
      ['with a gap in the ids', { 'config.json': { id2label: { 0: 'a', 2: 'b' } } }, /must name each of the ids/],
      [
        'with labels that are no strings',
        { 'config.json': { id2label: { 0: 'a', 1: 7 } } },
        /must name each of the ids/,
      ],
      ['with an unknown task', assay({ task: 'translation' }), /assay\.json: "task" must be/],
      [
        'with half a marker',
        assay({ entities: { head: ['@'], tail: ['#', '#'] } }),
        /"entities\.head" must be the two strings/,
      ],
      ['with no tail', assay({ entities: { head: ['@', '@'] } }), /"entities\.tail"/],
      ['with an unknown preset', assay({ entities: 'toString' }), /no known way of writing entities \("toString"\)/],
      ['with an unknown choice of mentions', assay({ mentions: 'last' }), /"mentions" must be/],
      [
        'with a negative label that the model lacks',
        assay({ negativeLabel: 'NA' }),
        /"NA", which is not among the labels/,
      ],
    ];
    for (const [name, changes, message] of refused) {
      it(name, async () => {
        await assert.rejects(read(changes), (error) => {
          assert.ok(error instanceof ModelError, String(error));
          assert.match(error.message, message);
          return true;
        });
      });
    }

    it('where it is no folder', async () => {
      await assert.rejects(readModelFolder(path.join(folders.model(), 'config.json')), /is not a folder/);
    });
  });
});
