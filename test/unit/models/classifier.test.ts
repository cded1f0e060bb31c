import assert from 'node:assert/strict';
import { type Classifier, loadClassifier, predictionOf } from '../../../src/engine/models/classifier';
import { ModelError, readModelFolder } from '../../../src/engine/models/model-folder';
import type { ClassifierInput } from '../../../src/engine/models/model-input';
import { type Files, TemporaryFolders } from './model-files';
import { externalBias, tinyOnnx } from './tiny-onnx';

const folders = new TemporaryFolders();
const plain = (text: string): ClassifierInput => ({ text, spans: null, mentions: null, types: null });

describe('a classifier', () => {
  let opened: Classifier[] = [];

  async function load(changes: Record<string, Files[string] | null> = {}): Promise<Classifier> {
    const classifier = await loadClassifier(await readModelFolder(folders.model(changes)), { threads: 1 });
    opened.push(classifier);
    return classifier;
  }

  afterEach(async () => {
    for (const classifier of opened) await classifier.dispose();
    opened = [];
    folders.remove();
  });

  it('gives each row its own logits, whatever is padded', async () => {
    const classifier = await load();
    const inputs = ['one', 'one two three three', '', 'two'].map((text) => classifier.encode(plain(text)));
    assert.deepEqual(Array.from(inputs[1]!.ids), [1, 10, 20, 30, 30, 2]);
    const sums = [13.5, 93.5, 3.5, 23.5];
    assert.deepEqual(
      (await classifier.run(inputs)).map((row) => Array.from(row)),
      sums.map((sum) => [sum, -sum]),
    );
    assert.deepEqual(await classifier.run([]), []);
  });

  it('pads with the id that config.json names', async () => {
    const classifier = await load({
      'config.json': { id2label: { 0: 'a', 1: 'b' }, pad_token_id: 1000 },
      'onnx/model.onnx': tinyOnnx({ inputs: ['input_ids'] }),
    });
    const rows = await classifier.run(['one', 'one two'].map((text) => classifier.encode(plain(text))));
    assert.deepEqual(
      rows.map((row) => row[0]),
      [1013.5, 33.5],
    );
  });

  it('feeds only the inputs that the model declares, of the type that it declares', async () => {
    for (const inputs of [['input_ids'], ['input_ids', 'attention_mask', 'token_type_ids']]) {
      for (const inputType of ['int32', 'int64'] as const) {
        const classifier = await load({ 'onnx/model.onnx': tinyOnnx({ inputs, inputType }) });
        const [row] = await classifier.run([classifier.encode(plain('one two'))]);
        assert.deepEqual(Array.from(row!), [33.5, -33.5]);
      }
    }
  });

  it('reads half and double precision logits', async () => {
    for (const outputType of ['float16', 'float64'] as const) {
      const classifier = await load({ 'onnx/model.onnx': tinyOnnx({ outputType }) });
      const [row] = await classifier.run([classifier.encode(plain('one two'))]);
      assert.ok(row instanceof Float32Array);
      assert.deepEqual(Array.from(row), [33.5, -33.5]);
    }
  });

  it('reads weights in a file beside the model', async () => {
    const classifier = await load({
      'onnx/model.onnx': tinyOnnx({ externalBias: 'model.onnx_data' }),
      'onnx/model.onnx_data': externalBias,
    });
    assert.equal((await classifier.run([classifier.encode(plain('one'))]))[0]![0], 13.5);
  });

  it('cuts what is too long, keeps the special tokens, and says so', async () => {
    const classifier = await load();
    assert.equal(classifier.info.maxTokens, 8);
    const fits = classifier.encode(plain('one two one two one two'));
    assert.deepEqual([fits.truncated, fits.tokenCount, fits.ids.length], [false, 8, 8]);
    const long = classifier.encode(plain('one two one two one two three'));
    assert.deepEqual([long.truncated, long.tokenCount], [true, 9]);
    assert.deepEqual(Array.from(long.ids), [1, 10, 20, 10, 20, 10, 20, 2]);
  });

  it('tells the tokens of exactly the ids that it encodes, cut or not', async () => {
    const classifier = await load();
    for (const text of ['one two', 'one two one two one two three', '', 'what is\u200b one']) {
      const tokens = classifier.tokens(plain(text));
      assert.deepEqual(
        tokens.map((token) => token.id),
        Array.from(classifier.encode(plain(text)).ids),
      );
      assert.deepEqual([tokens[0]!.start, tokens[tokens.length - 1]!.end], [null, null]);
    }
    const spans = classifier.tokens(plain('one  oops two')).map(({ token, start, end }) => [token, start, end]);
    assert.deepEqual(spans, [
      ['[CLS]', null, null],
      ['one', 0, 3],
      ['[UNK]', 5, 9],
      ['two', 10, 13],
      ['[SEP]', null, null],
    ]);
  });

  describe('of relations', () => {
    const relation = (entities: object): Files => ({
      'config.json': { id2label: { 0: 'Other', 1: 'Cause' }, pad_token_id: 0 },
      'assay.json': { task: 'relation', entities },
    });
    const spans = { head: { start: 0, end: 3 }, tail: { start: 8, end: 11 } };

    it('marks the entities; markers have no place in the text', async () => {
      const classifier = await load(relation({ head: ['@', '@'], tail: ['[unused7]', '[unused7]'] }));
      const input = { ...plain('two one two'), spans };
      const tokens = classifier.tokens(input).map(({ token, start, end }) => [token, start, end]);
      assert.deepEqual(tokens, [
        ['[CLS]', null, null],
        ['@', null, null],
        ['two', 0, 3],
        ['@', null, null],
        ['one', 4, 7],
        ['[unused7]', null, null],
        ['two', 8, 11],
        ['[unused7]', null, null],
        ['[SEP]', null, null],
      ]);
      assert.deepEqual(Array.from(classifier.encode(input).ids), [1, 50, 20, 50, 10, 40, 20, 40, 2]);
    });

    it('keeps a marker of the vocabulary whole though it was not added to the tokenizer', async () => {
      const tokenizer = (await readModelFolder(folders.model())).tokenizer.json;
      const classifier = await load({
        ...relation({ head: ['[unused7]', '[unused7]'], tail: ['@', '@'] }),
        'tokenizer.json': { ...tokenizer, pre_tokenizer: { type: 'BertPreTokenizer' } },
      });
      assert.deepEqual(
        Array.from(classifier.encode({ ...plain('two one two'), spans }).ids),
        [1, 40, 20, 40, 10, 50, 20, 50, 2],
      );
    });

    it('a mask stands for the entity', async () => {
      const classifier = await load(relation({ head: '[unused7]', tail: '@' }));
      const tokens = classifier
        .tokens({ ...plain('two one two'), spans })
        .map(({ token, start, end }) => [token, start, end]);
      assert.deepEqual(tokens.slice(1, 4), [
        ['[unused7]', 0, 3],
        ['one', 4, 7],
        ['@', 8, 11],
      ]);
    });

    it('refuses an example without entities', async () => {
      const classifier = await load(relation({ head: ['@', '@'], tail: ['@', '@'] }));
      assert.throws(() => classifier.encode(plain('one')), ModelError);
    });
  });

  describe('refuses', () => {
    const refused: [name: string, changes: Record<string, Files[string] | null>, message: RegExp][] = [
      [
        'more labels than logits',
        { 'config.json': { id2label: { 0: 'a', 1: 'b', 2: 'c' } } },
        /2, but config\.json names 3 labels/,
      ],
      [
        'an input that nobody feeds',
        { 'onnx/model.onnx': tinyOnnx({ inputs: ['input_ids', 'pixel_values'] }) },
        /"pixel_values"/,
      ],
      [
        'inputs that are no integers',
        { 'onnx/model.onnx': tinyOnnx({ inputType: 'float32' }) },
        /"input_ids" \(float32\)/,
      ],
      [
        'a model without input_ids',
        { 'onnx/model.onnx': tinyOnnx({ inputs: ['attention_mask'] }) },
        /no input "input_ids"/,
      ],
      [
        'a model without logits',
        { 'onnx/model.onnx': tinyOnnx({ output: 'last_hidden_state' }) },
        /no output "logits" but last_hidden_state/,
      ],
      [
        'a graph that ONNX Runtime does not know',
        { 'onnx/model.onnx': Buffer.from([8, 7]) },
        /cannot be loaded by ONNX Runtime/,
      ],
      [
        'a tokenizer of an unknown kind',
        { 'tokenizer.json': { model: { type: 'Mystery' } } },
        /tokenizer in tokenizer\.json cannot be used/,
      ],
    ];
    for (const [name, changes, message] of refused) {
      it(name, async () => {
        await assert.rejects(load(changes), (error) => error instanceof ModelError && message.test(error.message));
      });
    }

    it('a number of logits that only a run shows to be wrong', async () => {
      const classifier = await load({ 'onnx/model.onnx': tinyOnnx({ openColumns: true }) });
      await assert.rejects(classifier.run([classifier.encode(plain('one'))]), /1 x 3, but config\.json names 2 labels/);
    });
  });
});

describe('a prediction', () => {
  it('is the softmax, also of logits too large to be raised to a power', () => {
    const labels = ['a', 'b', 'c'];
    const close = (actual: Float32Array, expected: number[]): void => {
      for (const [index, value] of expected.entries()) assert.ok(Math.abs(actual[index]! - value) < 1e-6, `${actual}`);
    };
    const small = predictionOf(Float32Array.of(0, Math.log(2), Math.log(5)), labels, false);
    close(small.probabilities, [1 / 8, 2 / 8, 5 / 8]);
    assert.equal(small.label, 'c');
    const large = predictionOf(Float32Array.of(1000, 1001, -1000), labels, true);
    close(large.probabilities, [1 / (1 + Math.E), Math.E / (1 + Math.E), 0]);
    assert.deepEqual([large.label, large.truncated], ['b', true]);
    assert.equal(predictionOf(Float32Array.of(1, 1, 1), labels, false).label, 'a');
  });
});
