import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { methodIds, methods } from '../../../src/protocol/attribution';
import { TemporaryFolders } from '../models/model-files';
import { run } from './run-in-process';

interface Scored {
  start: number | null;
  end: number | null;
  score: number;
}

interface ExplanationLine {
  id: string;
  text: string;
  method: string;
  class: string;
  against?: string;
  truncated: boolean;
  tokens: (Scored & { token: string })[];
  words: (Scored & { text: string })[];
}

const linesOf = (stdout: string): ExplanationLine[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ExplanationLine);

const sum = (scored: readonly Scored[]): number => scored.reduce((all, { score }) => all + score, 0);

describe('cli: explain', function () {
  this.timeout(120_000);

  const models = new TemporaryFolders();
  let folder: string;
  before(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'assay-explain-'));
  });
  after(() => {
    rmSync(folder, { recursive: true });
    models.remove();
  });

  function jsonl(rows: object[]): string {
    const file = path.join(folder, 'rows.jsonl');
    writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    return file;
  }

  const film = [
    { text: 'A wonderful film with a dreadful end.', label: 'positive' },
    { text: 'Dreadful, tedious and much too long.', label: 'negative' },
    { text: 'Wonderful actors.', label: 'positive' },
  ];

  async function explain(rows: object[], ...args: string[]): Promise<ExplanationLine[]> {
    const { code, stdout, stderr } = await run(['explain', jsonl(rows), ...args]);
    assert.equal(code, 0, stderr);
    return linesOf(stdout);
  }

  for (const method of methodIds) {
    it(`${method}: a line an example, a score a token and a word`, async () => {
      const lines = await explain(film, '--method', method, ...(method === 'ig' ? ['--steps', '8'] : []));
      assert.deepEqual(
        lines.map(({ text }) => text),
        film.map(({ text }) => text),
      );
      for (const line of lines) {
        assert.equal(line.method, method);
        assert.equal(line.tokens[0]!.token, '[CLS]');
        assert.equal(line.tokens.at(-1)!.token, '[SEP]');
        assert.equal(line.tokens[0]!.start, null);
        for (const { text, start, end } of line.words) assert.equal(line.text.slice(start!, end!), text);
        const ranged = line.tokens.filter(({ start }) => start !== null);
        assert.ok(
          Math.abs(sum(line.words) - sum(ranged)) <=
            1e-5 * Math.max(...ranged.map(({ score }) => Math.abs(score))) * 10,
        );
        assert.ok(line.tokens.some(({ score }) => score !== 0));
        if (!methods[method].isSigned) assert.ok(line.tokens.every(({ score }) => score >= 0));
      }
    });
  }

  it('ig knows which words speak for and against', async () => {
    const [mixed, bad] = await explain(film, '--method', 'ig', '--class', 'positive');
    const score = (line: ExplanationLine, word: string): number => line.words.find(({ text }) => text === word)!.score;
    assert.ok(score(mixed!, 'wonderful') > 0 && score(mixed!, 'dreadful') < 0);
    assert.ok(score(bad!, 'Dreadful') < 0 && score(bad!, 'tedious') < 0);
    assert.equal(bad!.class, 'positive');
  });

  it('ig tells what its scores should add up to, and how many do not', async () => {
    const { stdout, stderr } = await run(['explain', jsonl(film), '--method', 'ig', '--steps', '64']);
    for (const line of linesOf(stdout)) {
      const { total } = line as unknown as { total: number };
      assert.ok(Math.abs(sum(line.tokens) - total) <= 0.02 * Math.abs(total) + 0.01);
    }
    assert.doesNotMatch(stderr, /do not add up/);
    const coarse = await run(['explain', jsonl(film), '--method', 'ig', '--steps', '1']);
    assert.match(coarse.stderr, /explained by Integrated Gradients, 1 step\n/);
    assert.match(coarse.stderr, /3 whose scores do not add up to "total" .* take more steps than 1/);
  });

  it('ig in several runs is ig in one', async () => {
    const [many, one] = [
      await explain([film[0]!], '--method', 'ig', '--steps', '100'),
      await explain([film[0]!], '--method', 'ig', '--steps', '101'),
    ];
    for (const [at, { score }] of many[0]!.words.entries())
      assert.ok(Math.abs(score - one[0]!.words[at]!.score) < 0.02);
  });

  it('the prediction is explained, or the gold label, or one against another', async () => {
    const wrong = [{ text: 'Wonderful, delightful, superb.', label: 'negative' }, ...film];
    const classOf = async (...args: string[]) => (await explain(wrong, '--method', 'gxi', ...args))[0]!;
    assert.equal((await classOf()).class, 'positive');
    assert.equal((await classOf('--class', 'gold')).class, 'negative');
    const [one, other, both] = [
      await classOf('--class', 'positive'),
      await classOf('--class', 'negative'),
      await classOf('--against', 'negative'),
    ];
    assert.deepEqual([both.class, both.against], ['positive', 'negative']);
    const named = await classOf('--class', 'predicted', '--against', 'gold');
    assert.deepEqual([named.class, named.against], ['positive', 'negative']);
    for (const [at, { score }] of named.words.entries()) {
      assert.ok(Math.abs(score - both.words[at]!.score) < 1e-6);
    }
    for (const [at, { score }] of both.words.entries()) {
      assert.ok(Math.abs(score - (one.words[at]!.score - other.words[at]!.score)) < 1e-4);
    }
  });

  it('--line takes the example on that line, as the editor counts', async () => {
    const lines = await explain(film, '--method', 'gxi', '--line', '3');
    assert.deepEqual(
      lines.map(({ text }) => text),
      ['Wonderful actors.'],
    );
    const { code, stderr } = await run(['explain', jsonl(film), '--method', 'gxi', '--line', '4']);
    assert.equal(code, 3);
    assert.match(stderr, /no example on line 4/);
  });

  it('entity markers are tokens with a score and no place; words stand in the text', async () => {
    const { code, stdout, stderr } = await run([
      'explain',
      'samples/relations.semeval.txt',
      '--method',
      'gxi',
      '--line',
      '1',
    ]);
    assert.equal(code, 0, stderr);
    const [line] = linesOf(stdout);
    const markers = line!.tokens.filter(({ token }) => /^\[unused[0-3]\]$/.test(token));
    assert.equal(markers.length, 4);
    for (const { start, end, score } of markers) {
      assert.deepEqual([start, end], [null, null]);
      assert.notEqual(score, 0);
    }
    assert.ok(line!.words.every(({ text }) => !text.includes('unused')));
  });

  it('what the model does not read has no score, and the line says that there is more', async () => {
    const [line] = await explain([{ text: 'good '.repeat(700), label: 'positive' }, film[0]!], '--method', 'gxi');
    assert.equal(line!.truncated, true);
    assert.equal(line!.tokens.length, 512);
    assert.equal(line!.words.length, 510);
  });

  it('examples without a gold label are left out where it is asked for, and counted', async () => {
    const rows = [...film, { text: 'Nobody has judged this.', label: null }];
    const { code, stdout, stderr } = await run(['explain', jsonl(rows), '--method', 'gxi', '--class', 'gold']);
    assert.equal(code, 0, stderr);
    assert.equal(linesOf(stdout).length, 3);
    assert.match(stderr, /1 left out: it has no gold label that the model knows/);
  });

  it('a model without gradients is explained by occlusion, and the reason is said', async () => {
    // Its first logit is the sum of the ids: what a word adds is its id.
    const model = models.model();
    const rows = [
      { text: 'one two', label: 'negative' },
      { text: 'three', label: 'negative' },
    ];
    const { code, stdout, stderr } = await run([
      'explain',
      jsonl(rows),
      '--method',
      'ig',
      '--model',
      model,
      '--class',
      'negative',
      '--columns',
      'text=text,gold=label',
    ]);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /ig needs gradients, and there are none: .*occlusion instead/s);
    assert.deepEqual(
      linesOf(stdout).map(({ method, words }) => [method, words.map(({ score }) => score)]),
      [
        ['occlusion', [10, 20]],
        ['occlusion', [30]],
      ],
    );
  });

  for (const [args, message] of [
    [['--method', 'magic'], /--method is not "magic": ig, gxi, gs, gi, ig-diagnosere, occlusion/],
    [[], /name one with --method/],
    [['--method', 'ig', '--steps', '0'], /--steps is a number from 1 to 4096, not "0"/],
    [['--method', 'ig', '--line', 'two'], /--line is a number from 1, not "two"/],
    [['--method', 'ig', '--baseline', 'noise'], /--baseline is not "noise": zero, mask, pad/],
    [['--method', 'ig', '--class', 'gold', '--against', 'gold'], /both "gold": a label has no difference from itself/],
    [['--method', 'ig-diagnosere', '--against', 'positive'], /ig-diagnosere explains the loss of one label/],
    [['--method', 'gxi', '--steps', '8'], /--steps goes with --method ig only/],
  ] as const) {
    it(`${args.join(' ') || 'no method'}: says what to write instead`, async () => {
      const { code, stderr } = await run(['explain', 'samples/sentiment.jsonl', ...args]);
      assert.equal(code, 2);
      assert.match(stderr, message);
    });
  }

  it('a class that nobody has is refused with those that there are', async () => {
    const { code, stderr } = await run(['explain', jsonl(film), '--method', 'gxi', '--class', 'angry']);
    assert.equal(code, 3);
    assert.match(stderr, /no label "angry"\. It has: negative, positive/);
  });

  it('from a text of masks or padding, special tokens score nothing', async () => {
    for (const baseline of ['mask', 'pad']) {
      const [line] = await explain(film, '--method', 'ig', '--baseline', baseline, '--class', 'positive');
      assert.ok(line!.tokens.every(({ start, score }) => start !== null || score === 0));
    }
  });
});
