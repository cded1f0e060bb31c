import assert from 'node:assert/strict';
import path from 'node:path';
import { loadClassifier } from '../../../src/engine/models/classifier';
import { inputLengthOf } from '../../../src/engine/models/input-length';
import { readModelFolder } from '../../../src/engine/models/model-folder';
import { tokenBound } from '../../../src/engine/text/token-bound';
import { findingsWith } from '../datasets/checks/checking';
import { open } from '../datasets/opening';

declare const ASSAY_ROOT: string;

const folderOf = (name: string) => readModelFolder(path.join(ASSAY_ROOT, 'models', name));

describe('inputs that are longer than the model reads', () => {
  it('are told with the number of tokens and from where on they are cut, as the classifier cuts them', async () => {
    const folder = await folderOf('sentiment-minilm-sst2');
    const length = inputLengthOf(folder);
    const classifier = await loadClassifier(folder, { threads: 1 });
    try {
      for (const text of [
        'A fine film. '.repeat(400),
        `${'naïve café 🎬 '.repeat(400)}end`,
        '北京的电影很好看。'.repeat(120),
        'supercalifragilistic '.repeat(300),
      ]) {
        const document = open(`${JSON.stringify({ text, label: 1 })}\n${JSON.stringify({ text: 'Fine', label: 0 })}\n`);
        const [example] = document.examples;
        const encoded = classifier.encode(example!);
        const counted = length.count(example!);
        assert.equal(counted.tokens, encoded.tokenCount);
        const tokens = classifier.tokens(example!).filter(({ end }) => end !== null);
        assert.equal(counted.keptUnits, Math.max(...tokens.map(({ end }) => end ?? 0)));
        const found = findingsWith('assay/truncated-input', document, { model: length });
        assert.equal(found.length, 1);
        const { place, message } = found[0]!;
        assert.ok(place.part === 'text' && place.span.start === counted.keptUnits && place.span.end === text.length);
        assert.match(
          message,
          new RegExp(`is ${encoded.tokenCount} tokens long, of which .* reads ${folder.info.maxTokens}`),
        );
      }
    } finally {
      await classifier.dispose();
    }
  });

  it('tells the entity that is cut off, and counts the markers', async () => {
    const folder = await folderOf('relation-minilm-semeval2010');
    const length = inputLengthOf(folder);
    const row = (filler: number) => {
      const token = ['Ada', 'wrote', ...Array.from({ length: filler }, () => 'very'), 'London'];
      return { token, h: { pos: [0, 1] }, t: { pos: [token.length - 1, token.length] }, relation: 'Other' };
    };
    // [CLS] [SEP], four markers, three words: what is left for the filler.
    const room = folder.info.maxTokens - 2 - 4 - 3;
    const document = open(
      [row(3), row(room), row(room + 1), row(room + 40)].map((it) => JSON.stringify(it)).join('\n'),
    );
    const found = findingsWith('assay/truncated-entity', document, { model: length });
    assert.deepEqual(
      found.map(({ example }) => example.id),
      ['4'],
    );
    assert.match(found[0]!.message, /the tail “London” is cut off/);
    assert.deepEqual(
      findingsWith('assay/truncated-input', document, { model: length }).map(({ example }) => example.id),
      ['3'],
    );
  });

  it('are not tokenised where they are surely short', async () => {
    const length = inputLengthOf(await folderOf('sentiment-minilm-sst2'));
    // [CLS] [SEP]
    const room = length.maxTokens - 2;
    let counted = 0;
    const counting = {
      ...length,
      count: (...args: Parameters<typeof length.count>) => {
        counted += 1;
        return length.count(...args);
      },
    };
    const openTexts = (...texts: string[]) =>
      open(texts.map((text) => JSON.stringify({ text, label: 1 })).join('\n'), {
        task: 'sentiment',
        text: 'text',
        gold: 'label',
      });
    const document = openTexts(
      'Fine',
      'x'.repeat(room),
      'café '.repeat(room / 10),
      'x'.repeat(room + 1),
      'a '.repeat(room),
      '좋은 영화 '.repeat(room / 9),
    );
    findingsWith('assay/truncated-input', document, { model: counting });
    assert.equal(counted, 3);
    // The bound holds: a text of one-character words of that length is just not too long.
    const most = openTexts('!'.repeat(room));
    assert.equal(length.count(most.examples[0]!).tokens, length.maxTokens);
    assert.deepEqual(findingsWith('assay/truncated-input', most, { model: length }), []);
    // A tokenizer that decomposes syllables makes three tokens of one character.
    const [korean] = findingsWith('assay/truncated-input', openTexts('각각 '.repeat(room / 4)), { model: length });
    assert.match(korean!.message, /tokens long/);
  });

  it('no character of Unicode makes more tokens than it may (the tokenizer itself)', async () => {
    const length = inputLengthOf(await folderOf('sentiment-minilm-sst2'));
    const [example] = open('{"text": "A fine film", "label": 1}\n{"text": "Dull", "label": 0}\n').examples;
    const { mostTokens } = tokenBound('character');
    const copies = 4;
    for (let code = 0x21; code < 0x20000; code++) {
      if (code >= 0xd800 && code < 0xe000) continue;
      const text = String.fromCodePoint(code).repeat(copies);
      const tokens = length.count({ ...example!, text }).tokens - 2;
      assert.ok(tokens <= mostTokens(text), `U+${code.toString(16)}: ${tokens}`);
    }
  });
});
