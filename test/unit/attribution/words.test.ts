import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { scoreOf, wordsOf } from '../../../src/engine/attribution/words';
import { NotADataset } from '../../../src/engine/datasets/dataset';
import { DatasetDocument } from '../../../src/engine/datasets/document';
import { type Classifier, loadClassifier } from '../../../src/engine/models/classifier';
import { readModelFolder } from '../../../src/engine/models/model-folder';
import type { TokenAlignment } from '../../../src/engine/text/alignment';
import type { Task } from '../../../src/protocol/dataset';
import { bundledModelOfTask } from '../../../src/protocol/worker';
import { text as anyText } from '../text/alignment-checks';

declare const ASSAY_ROOT: string;

const data = process.env.ASSAY_DATA ?? path.join(ASSAY_ROOT, '../shared/data');
const samples = path.join(ASSAY_ROOT, 'samples');

const token = (start: number | null, end: number | null): TokenAlignment => ({ token: 't', id: 0, start, end });

const bracketOf: Record<string, string> = { LRB: '(', RRB: ')', LSB: '[', RSB: ']', LCB: '{', RCB: '}' };

/** What stands in the file, without the escapes of any format that Assay reads. */
function readings(raw: string): string[] {
  const found = [
    raw,
    raw.replaceAll('""', '"'),
    raw.replace(/-(LRB|RRB|LSB|RSB|LCB|RCB)-/g, (_, name: string) => bracketOf[name]!).replaceAll('\\/', '/'),
    raw.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => {
      return { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }[name]!;
    }),
  ];
  try {
    found.push(JSON.parse(`"${raw}"`));
  } catch {
    // No JSON: one of the others is it.
  }
  return found;
}

describe('attribution: the words of a text', () => {
  const classifiers = {} as Record<Task, Classifier>;

  before(async () => {
    for (const task of ['sentiment', 'relation'] as const) {
      const folder = await readModelFolder(path.join(ASSAY_ROOT, 'models', bundledModelOfTask[task]));
      classifiers[task] = await loadClassifier(folder, { threads: 1 });
    }
  });

  const partsOf = (text: string) =>
    wordsOf(text, classifiers.sentiment.tokens({ text, spans: null, mentions: null, types: null })).map((word) =>
      text.slice(word.start, word.end),
    );

  it('are what a reader calls words', () => {
    assert.deepEqual(partsOf("I don't like it, naïve-café!"), [
      'I',
      "don't",
      'like',
      'it',
      ',',
      'naïve',
      '-',
      'café',
      '!',
    ]);
    assert.deepEqual(partsOf('unbelievably 👩‍👩‍👧 good'), ['unbelievably', '👩‍👩‍👧', 'good']);
    assert.deepEqual(partsOf('it costs 3.50 €'), ['it', 'costs', '3.50', '€']);
  });

  it('of Chinese and Japanese are not whole sentences', () => {
    const words = partsOf('这部电影非常好看。');
    assert.equal(words.join(''), '这部电影非常好看。');
    assert.ok(words.length > 3 && words.includes('电影'), words.join(' '));
  });

  it('share no token: words that one token crosses are one', () => {
    const words = wordsOf('ab cd ef', [token(null, null), token(0, 1), token(1, 4), token(4, 5), token(6, 8)]);
    assert.deepEqual(words, [
      { start: 0, end: 5, tokens: [1, 2, 3] },
      { start: 6, end: 8, tokens: [4] },
    ]);
    assert.equal(scoreOf(words[0]!, [9, 1, 2, 4, 8]), 7);
  });

  it('are parted by entity markers', () => {
    const words = wordsOf('one bathtub', [
      token(0, 3),
      token(4, 8),
      token(null, null),
      token(8, 11),
      token(null, null),
    ]);
    assert.deepEqual(
      words.map(({ start, end }) => [start, end]),
      [
        [0, 3],
        [4, 8],
        [8, 11],
      ],
    );
  });

  it('end where the model has stopped reading', () => {
    assert.deepEqual(
      wordsOf('one two three', [token(0, 3), token(4, 7)]).map(({ end }) => end),
      [3, 7],
    );
  });

  it('of any text stand in order, cover all that is visible, and have each token once', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const tokens = classifiers.sentiment.tokens({ text, spans: null, mentions: null, types: null });
        const words = wordsOf(text, tokens);
        let reached = 0;
        for (const { start, end } of words) {
          assert.ok(start >= reached && end > start);
          assert.equal(text.slice(reached, start).trim(), '');
          reached = end;
        }
        const ranged = tokens.flatMap(({ start }, index) => (start === null ? [] : [index]));
        assert.deepEqual(
          words.flatMap((word) => word.tokens),
          ranged,
        );
        if (ranged.length > 0) assert.equal(text.slice(reached).trim(), '');
      }),
      { numRuns: 2000 },
    );
  });

  /** Every word of the examples, sliced from the document, is the word; how many there were. */
  function checkRanges(file: string, limit: number): number {
    const bytes = readFileSync(file);
    const document = DatasetDocument.open({ name: path.basename(file), bytes });
    const classifier = classifiers[document.info.columns.task];
    const step = Math.max(1, Math.floor(document.examples.length / limit));
    const chosen = document.examples.filter((_, index) => index % step === 0).slice(0, limit);
    let count = 0;
    for (const example of chosen) {
      for (const word of wordsOf(example.text, classifier.tokens(example))) {
        const range = document.fileRange(example, word);
        const from = document.lines.offset({ line: range.startLine, char: range.startChar });
        const to = document.lines.offset({ line: range.endLine, char: range.endChar });
        const wanted = example.text.slice(word.start, word.end);
        const raw = document.text.slice(from, to);
        // Aspect files have a placeholder where the text has the aspect.
        const isThere = raw === '$T$' || readings(raw).includes(wanted);
        assert.ok(isThere, `${path.basename(file)}, ${example.id}: ${raw} is not ${wanted}`);
        count++;
      }
    }
    return count;
  }

  it('stand in every sample where they say', () => {
    let files = 0;
    for (const name of readdirSync(samples)) {
      try {
        if (checkRanges(path.join(samples, name), Number.POSITIVE_INFINITY) > 0) files++;
      } catch (error) {
        if (!(error instanceof NotADataset)) throw error;
      }
    }
    assert.ok(files >= 20, `only ${files} samples were read`);
  });

  for (const file of ['sst2/dev.tsv', 'semeval2010task8/TEST_FILE_FULL.TXT']) {
    it(`stand where they say in 250 sentences of ${file}`, function () {
      if (!existsSync(path.join(data, file))) return this.skip();
      assert.ok(checkRanges(path.join(data, file), 250) > 2500);
    });
  }
});
