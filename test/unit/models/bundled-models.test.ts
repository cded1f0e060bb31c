import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { env, pipeline } from '@huggingface/transformers';
import fc from 'fast-check';
import { type Classifier, loadClassifier, predictionOf } from '../../../src/engine/models/classifier';
import { readModelFolder } from '../../../src/engine/models/model-folder';
import type { ClassifierInput } from '../../../src/engine/models/model-input';
import { assertCovered, assertSound, text } from '../text/alignment-checks';

declare const ASSAY_ROOT: string;

const dataFolder = process.env.ASSAY_DATA ?? path.join(ASSAY_ROOT, '../shared/data');
const bundled = (name: string): string => path.join(ASSAY_ROOT, 'models', name);
const shared = (name: string): string => path.join(ASSAY_ROOT, '../shared/models', name);

interface Evaluation {
  rows: number;
  accuracy: number;
  labels: string[];
  first_200_logits: number[][];
}

const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8'));
const evaluationOf = (folder: string): Evaluation => readJson(path.join(folder, 'eval.json'));

const plain = (text: string): ClassifierInput => ({ text, spans: null, mentions: null, types: null });

function sst2(file: string): ClassifierInput[] {
  const rows = readFileSync(file, 'utf8').trimEnd().split('\n').slice(1);
  return rows.map((row) => plain(row.slice(0, row.lastIndexOf('\t'))));
}

function semeval(file: string): ClassifierInput[] {
  return readFileSync(file, 'utf8')
    .split(/\r?\n/)
    .flatMap((line) => {
      const parts = /^\d+\t"(.*)<e1>(.*)<\/e1>(.*)<e2>(.*)<\/e2>(.*)"$/.exec(line);
      if (parts === null) return [];
      const [before, head, between, tail, after] = parts.slice(1) as [string, string, string, string, string];
      const headStart = before.length;
      const tailStart = headStart + head.length + between.length;
      const spans = {
        head: { start: headStart, end: headStart + head.length },
        tail: { start: tailStart, end: tailStart + tail.length },
      };
      return [{ ...plain(before + head + between + tail + after), spans }];
    });
}

type FewRelEntity = [name: string, id: string, mentions: number[][]];

function fewrel(file: string): ClassifierInput[] {
  const byRelation = readJson<Record<string, { tokens: string[]; h: FewRelEntity; t: FewRelEntity }[]>>(file);
  return Object.values(byRelation)
    .flat()
    .map(({ tokens, h, t }) => {
      const starts = tokens.map((_, index) => tokens.slice(0, index).join(' ').length + (index > 0 ? 1 : 0));
      const spansOf = (entity: FewRelEntity) =>
        entity[2].map((indices) => {
          const last = indices[indices.length - 1]!;
          return { start: starts[indices[0]!]!, end: starts[last]! + tokens[last]!.length };
        });
      const mentions = { head: spansOf(h), tail: spansOf(t) };
      return { ...plain(tokens.join(' ')), mentions, spans: { head: mentions.head[0]!, tail: mentions.tail[0]! } };
    });
}

async function logitsOf(classifier: Classifier, inputs: readonly ClassifierInput[]): Promise<Float32Array[]> {
  const rows: Float32Array[] = [];
  for (let start = 0; start < inputs.length; start += 20) {
    rows.push(...(await classifier.run(inputs.slice(start, start + 20).map((input) => classifier.encode(input)))));
  }
  return rows;
}

function largestDifference(ours: readonly Float32Array[], theirs: readonly (readonly number[])[]): number {
  assert.equal(ours.length, theirs.length);
  return Math.max(
    ...theirs.flatMap((row, index) => {
      assert.equal(ours[index]!.length, row.length);
      return row.map((value, column) => Math.abs(value - ours[index]![column]!));
    }),
  );
}

const references = [
  { folder: bundled('sentiment-minilm-sst2'), file: 'sst2/test.tsv', read: sst2 },
  { folder: bundled('relation-minilm-semeval2010'), file: 'semeval2010task8/TEST_FILE_FULL.TXT', read: semeval },
  { folder: shared('relation-minilm-wiki16'), file: 'fewrel/wiki16.test.json', read: fewrel },
];

describe('models with a reference', () => {
  for (const { folder, file, read } of references) {
    it(`${path.basename(folder)}: our logits are those of eval.json (first 200 rows of ${file})`, async function () {
      const data = path.join(dataFolder, file);
      for (const needed of [data, folder]) {
        if (!existsSync(needed)) {
          console.log(`      skipped: ${path.basename(needed)} is not on this machine`);
          this.skip();
        }
      }
      const evaluation = evaluationOf(folder);
      const inputs = read(data);
      assert.equal(inputs.length, evaluation.rows);
      const classifier = await loadClassifier(await readModelFolder(folder), { threads: 2 });
      try {
        assert.deepEqual(classifier.info.labels, evaluation.labels);
        const difference = largestDifference(
          await logitsOf(classifier, inputs.slice(0, 200)),
          evaluation.first_200_logits,
        );
        assert.ok(difference < 1e-3, `differ by ${difference}`);
      } finally {
        await classifier.dispose();
      }
    });
  }
});

/** Written for this test. */
const sentences = [
  'A warm, funny and quietly brave film that earns every one of its tears.',
  'The second hour drags, and nobody on the screen seems to want to be there.',
  'I laughed twice.',
  'Not bad at all, though I would not sit through it again.',
  'terrible',
  '“Un café, s’il vous plaît” is the best line – and it is a naïve one…',
  'Loved it 😀😀 — 10/10 👩‍👩‍👧‍👦',
  '这部电影很好看 but the subtitles were awful',
  'It cost $200m (!!) and looks like it was shot in a car park; the sound is worse.',
  'The plot, such as it is, concerns a dog, a lighthouse and an unpaid bill, and it never once makes you care about any of them.',
  "You won't believe how dull the chase scenes aren't.",
  'x',
  'An unpronounceable aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaah of joy.',
  'So long a sentence that it pads the others: '.repeat(12),
];

describe('the text-classification pipeline of transformers.js', () => {
  async function compare(texts: readonly string[]): Promise<void> {
    env.allowRemoteModels = false;
    env.localModelPath = path.join(ASSAY_ROOT, 'models');
    const classify = await pipeline('text-classification', 'sentiment-minilm-sst2', { dtype: 'q8', device: 'cpu' });
    const classifier = await loadClassifier(await readModelFolder(bundled('sentiment-minilm-sst2')), { threads: 2 });
    try {
      const { labels } = classifier.info;
      const rows = await logitsOf(classifier, texts.map(plain));
      for (const [index, text] of texts.entries()) {
        const theirs = (await classify(text, { top_k: labels.length })) as { label: string; score: number }[];
        const ours = predictionOf(rows[index]!, labels, false);
        assert.equal(theirs.length, labels.length);
        assert.equal(ours.label, theirs[0]!.label, text);
        for (const { label, score } of theirs) {
          const probability = ours.probabilities[labels.indexOf(label)]!;
          assert.ok(Math.abs(probability - score) < 1e-4, `${text}: ${label} ${probability}, theirs ${score}`);
        }
      }
    } finally {
      await classifier.dispose();
      await classify.dispose();
    }
  }

  it('gives the same probabilities on sentences of our own', () => compare(sentences));

  it('gives the same probabilities on 200 sentences of SST-2', async function () {
    const file = path.join(dataFolder, 'sst2/test.tsv');
    if (!existsSync(file)) {
      console.log('      skipped: SST-2 is not on this machine');
      this.skip();
    }
    await compare(
      sst2(file)
        .slice(300, 500)
        .map(({ text }) => text),
    );
  });
});

describe('bundled models', () => {
  it('relation-minilm-semeval2010: tokens of marked text have their ranges in the text as it was', async () => {
    const classifier = await loadClassifier(await readModelFolder(bundled('relation-minilm-semeval2010')), {
      threads: 1,
    });
    const offsets = fc.tuple(fc.nat(60), fc.nat(60)).map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) }));
    try {
      fc.assert(
        fc.property(text, offsets, offsets, (source, head, tail) => {
          const input = { ...plain(source), spans: { head, tail } };
          const tokens = classifier.tokens(input);
          assert.deepEqual(
            tokens.map((token) => token.id),
            Array.from(classifier.encode(input).ids),
          );
          assertSound(source, tokens);
          assertCovered(source, tokens);
          const unplaced = tokens.filter((token) => token.start === null).map((token) => token.token);
          for (const marker of ['[CLS]', '[unused0]', '[unused1]', '[unused2]', '[unused3]', '[SEP]']) {
            assert.ok(unplaced.includes(marker), `${marker} has a range in the text`);
          }
          assert.equal(unplaced.length, 6);
        }),
        { numRuns: 1000 },
      );
    } finally {
      await classifier.dispose();
    }
  });

  for (const name of ['sentiment-minilm-sst2', 'relation-minilm-semeval2010']) {
    it(`${name}: the card states hash, size and figures of the files`, () => {
      const card = readFileSync(path.join(bundled(name), 'README.md'), 'utf8');
      const onnx = readFileSync(path.join(bundled(name), 'onnx/model_quantized.onnx'));
      assert.ok(card.includes(createHash('sha256').update(onnx).digest('hex')), 'sha256');
      assert.ok(card.includes(onnx.length.toLocaleString('en')), 'size');
      const { accuracy, rows } = evaluationOf(bundled(name));
      assert.ok(card.includes(String(accuracy)) && card.includes(rows.toLocaleString('en')), 'accuracy and rows');
      assert.match(card, /license: apache-2\.0/);
    });
  }
});
