import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import fc from 'fast-check';
import { coverText, createAligner } from '../../../src/engine/text/alignment';
import { byteLevelBpe, fallbackBpe, suffixBpe, unigram } from '../../fixtures/tokenizers/build';
import { assertCovered, assertSound, isRanged, text } from './alignment-checks';

declare const ASSAY_ROOT: string;

const readJson = (file: string): object => JSON.parse(readFileSync(file, 'utf8'));

interface Case {
  name: string;
  json: object;
  config: Record<string, unknown>;
}

const sentimentJson = readJson(path.join(ASSAY_ROOT, 'models/sentiment-minilm-sst2/tokenizer.json'));
const relationJson = readJson(path.join(ASSAY_ROOT, 'models/relation-minilm-semeval2010/tokenizer.json'));

const cases: Case[] = [
  { name: 'WordPiece, lower-casing', json: sentimentJson, config: {} },
  {
    name: 'WordPiece, cased, accents kept',
    json: {
      ...sentimentJson,
      normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, lowercase: false },
    },
    config: {},
  },
  { name: 'WordPiece with markers', json: relationJson, config: {} },
  { name: 'byte-level BPE', json: byteLevelBpe({ prefixSpace: false }), config: {} },
  { name: 'byte-level BPE, space before', json: byteLevelBpe({ prefixSpace: true }), config: {} },
  { name: 'BPE with bytes for unknown characters', json: fallbackBpe({ allBytes: true }), config: {} },
  { name: 'BPE with some bytes missing', json: fallbackBpe({ allBytes: false }), config: {} },
  { name: 'BPE with a mark at the end of words', json: suffixBpe(), config: {} },
  { name: 'Unigram', json: unigram({ prependScheme: 'always' }), config: {} },
  { name: 'Unigram, mark before the first only', json: unigram({ prependScheme: 'first' }), config: {} },
  {
    name: 'Unigram, spaces removed, lower-cased by the configuration',
    json: unigram({ prependScheme: 'never' }),
    config: { remove_space: true, do_lowercase_and_remove_accent: true },
  },
];

/** What each token stands for, special tokens left out. */
function parts(json: object, source: string, config: Record<string, unknown> = {}): string[] {
  const aligned = coverText(source, createAligner(new Tokenizer(json, config), config)(source));
  return aligned.filter(isRanged).map(({ token, start, end }) => `${token} = ${source.slice(start, end)}`);
}

describe('alignment of tokens and text', () => {
  for (const { name, json, config } of cases) {
    it(`${name}: the tokenizer's own ids; ranges in order, inside, and over all but white space`, () => {
      const tokenizer = new Tokenizer(json, config);
      const align = createAligner(tokenizer, config);
      fc.assert(
        fc.property(text, (source) => {
          const aligned = align(source);
          assert.deepEqual(
            aligned.map((token) => token.id),
            tokenizer.encode(source).ids,
          );
          assertSound(source, aligned);
          const covered = coverText(source, aligned);
          assertSound(source, covered);
          assertCovered(source, covered);
        }),
        { numRuns: 1500 },
      );
    });
  }

  it('WordPiece: what a token stands for is its piece, once lower-cased and without accents', () => {
    const align = createAligner(new Tokenizer(sentimentJson, {}), {});
    const added = new Set(['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]']);
    const bare = (part: string): string =>
      part
        .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\ufffd]/gu, '')
        .toLowerCase()
        .normalize('NFD')
        .replace(/\p{Mn}|\s/gu, '')
        // At the end of a word and within it one letter has two forms.
        .replaceAll('ς', 'σ');
    fc.assert(
      fc.property(text, (source) => {
        const tokens = coverText(source, align(source)).filter(isRanged);
        tokens.forEach(({ token, start, end }, index) => {
          if (added.has(token)) return;
          const part = bare(source.slice(start, end));
          const piece = bare(token.replace(/^##/, ''));
          const isShared = (tokens[index - 1]?.end ?? 0) > start || (tokens[index + 1]?.start ?? source.length) < end;
          // A syllable block whose letters became several tokens: each is in it.
          assert.ok(isShared ? part.includes(piece) : part === piece, `${token} stands for ${JSON.stringify(part)}`);
        });
      }),
      { numRuns: 3000 },
    );
  });

  it('byte-level BPE: the bytes of a token are among the bytes of what it stands for', () => {
    const tokenizer = new Tokenizer(byteLevelBpe({ prefixSpace: false }), {});
    const align = createAligner(tokenizer, {});
    const added = new Set(['<s>', '</s>', '<pad>', '<unk>', '<mask>', '[E1]', '[/E1]']);
    fc.assert(
      fc.property(text, (source) => {
        for (const { token, id, start, end } of align(source).filter(isRanged)) {
          if (added.has(token)) continue;
          // A lone surrogate has the bytes of U+FFFD.
          const bytes = Buffer.from(source.slice(start, end)).toString('latin1');
          const own = Array.from(token, (character) => String.fromCharCode(byteOf(character))).join('');
          const visible = own.replace(/^[ \t\n\r]+(?=[^ \t\n\r])|(?<=[^ \t\n\r])[ \t\n\r]+$/g, '');
          assert.ok(bytes.includes(visible) || /^\s+$/.test(source.slice(start, end)), `${token} (${id})`);
        }
      }),
      { numRuns: 1500 },
    );
  });

  it('WordPiece, by example', () => {
    assert.deepEqual(parts(sentimentJson, 'Crème brûlée!'), [
      'cr = Cr',
      '##eme = ème',
      'br = br',
      '##ule = ûlé',
      '##e = e',
      '! = !',
    ]);
    assert.deepEqual(parts(sentimentJson, 'e\u0301tude'), ['et = e\u0301t', '##ude = ude']);
    assert.deepEqual(parts(sentimentJson, 'so 👩‍👩‍👧‍👦 nice'), ['so = so', '[UNK] = 👩‍👩‍👧‍👦', 'nice = nice']);
    assert.deepEqual(parts(sentimentJson, '中文ok'), ['中 = 中', '文 = 文', 'ok = ok']);
    assert.deepEqual(parts(sentimentJson, 'a\u200db\u200d \u200bc'), ['ab = a\u200db\u200d', 'c = \u200bc']);
    assert.deepEqual(parts(sentimentJson, 'See [SEP] there'), ['see = See', '[SEP] = [SEP]', 'there = there']);
    assert.deepEqual(parts(sentimentJson, `${'x'.repeat(101)} y`), [`[UNK] = ${'x'.repeat(101)}`, 'y = y']);
    assert.deepEqual(parts(sentimentJson, ' \t '), []);
    assert.deepEqual(parts(sentimentJson, '\u200b'), []);
  });

  it('byte-level BPE, by example', () => {
    const json = byteLevelBpe({ prefixSpace: false });
    assert.deepEqual(parts(json, 'hello the café'), ['hello = hello', 'Ġthe = the', 'Ġcaf = caf', 'Ã = é', '© = é']);
    assert.deepEqual(parts(json, ' of 😀'), ['Ġof = of', 'Ġ =  ', 'ðŁĺ = 😀', 'Ģ = 😀']);
    assert.deepEqual(parts(json, 'the <mask> x'), ['t = t', 'he = he', '<mask> = <mask>', 'Ġ =  ', 'x = x']);
  });

  it('BPE over characters, by example', () => {
    const json = fallbackBpe({ allBytes: true });
    assert.deepEqual(parts(json, 'the ß'), ['▁the = the', '▁ =  ', '<0xC3> = ß', '<0x9F> = ß']);
    assert.deepEqual(parts(fallbackBpe({ allBytes: false }), 'ab ßß'), ['a = a', 'b = b', '▁ =  ', '<unk> = ßß']);
    assert.deepEqual(parts(suffixBpe(), "The cat's 12"), [
      'the</w> = The',
      'c = c',
      'a = a',
      't</w> = t',
      "<unk> = '",
      's</w> = s',
      '<unk> = 1',
      '<unk> = 2',
    ]);
  });

  it('Unigram, by example', () => {
    const json = unigram({ prependScheme: 'always' });
    assert.deepEqual(parts(json, 'the  bridge'), ['▁the = the', '▁bridge = bridge']);
    assert.deepEqual(parts(json, '(①ing…'), ['▁( = (', '1 = ①', 'ing = ing', '... = …']);
    assert.deepEqual(parts(json, '한국 the'), ['한국 = 한국', '▁the = the']);
  });
});

/** The byte that a character of GPT-2's alphabet stands for. */
function byteOf(character: string): number {
  const code = character.charCodeAt(0);
  if (code < 256) return code;
  const hidden = [...Array(33).keys(), ...Array.from({ length: 34 }, (_, index) => 127 + index), 173];
  return hidden[code - 256]!;
}
