import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { run } from './run-in-process';

interface TestLine {
  test: string;
  family: string;
  passed: boolean | null;
  threshold: number;
  failureRate: { value: number; low: number; high: number } | null;
  examples: number;
  variants: number;
  failing: number;
  notApplicable: { reason: string; count: number }[];
  failures: {
    id: string;
    line: number;
    text: string;
    before: { label: string };
    after: { label: string };
    edits: { source: object; variant: { start: number; end: number } }[];
  }[];
}

describe('cli: test and perturb', function () {
  this.timeout(120_000);

  let folder: string;
  const at = (name: string) => path.join(folder, name);
  const file = (name: string, content: string) => {
    writeFileSync(at(name), content);
    return at(name);
  };
  const rows = (texts: string[]) => texts.map((text) => `${JSON.stringify({ text, label: 'positive' })}\n`).join('');
  before(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'assay-test-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const test = async (...args: string[]) => {
    const result = await run(['test', ...args, '--no-cache']);
    const lines = result.stdout
      .trimEnd()
      .split('\n')
      .filter((line) => line !== '');
    return { ...result, tests: lines.map((line) => JSON.parse(line) as TestLine) };
  };

  it('a row a test, with failing variants; the same seed gives the same bytes', async () => {
    const first = await test('samples/sentiment.jsonl', '--sample', '12', '--seed', '3');
    assert.ok(first.tests.length > 15);
    for (const one of first.tests) {
      assert.equal(one.passed, one.failureRate === null ? null : one.failureRate.value <= one.threshold);
      assert.equal(one.failures.length, one.failing);
      assert.equal(one.examples + one.notApplicable.reduce((sum, { count }) => sum + count, 0), 12);
      for (const failure of one.failures) {
        for (const { variant } of failure.edits) assert.ok(variant.end <= failure.text.length);
      }
    }
    assert.equal(first.code, first.tests.some(({ passed }) => passed === false) ? 1 : 0);
    const again = await test('samples/sentiment.jsonl', '--sample', '12', '--seed', '3');
    assert.equal(again.stdout, first.stdout);
    assert.notEqual((await test('samples/sentiment.jsonl', '--sample', '12', '--seed', '4')).stdout, first.stdout);
  });

  it('a suite of a file, with an own perturbation that breaks the model', async () => {
    const data = file('films.jsonl', rows(['A lovely film.', 'A wonderful, lovely story.']));
    const suite = file(
      'suite.json',
      JSON.stringify({
        version: 1,
        perturbations: [{ id: 'spite', replace: [{ words: ['lovely'], by: ['horrible'] }] }],
      }),
    );
    const { code, tests, stderr } = await test(data, '--suite', suite);
    assert.equal(code, 1);
    assert.deepEqual(
      tests.map(({ test: id, family, examples, variants }) => [id, family, examples, variants]),
      [['spite', 'own', 2, 2]],
    );
    assert.equal(tests[0]!.failures[0]!.text, 'A horrible film.');
    assert.deepEqual([tests[0]!.failures[0]!.line, tests[0]!.failures[0]!.after.label], [1, 'negative']);
    assert.match(stderr, /✗ spite: (?:50|100)\.0 % fail/);
  });

  it('searches run where they are asked for', async () => {
    const data = file('films.jsonl', rows(['A lovely film.']));
    const { tests } = await test(data, '--only', 'minimal-flip');
    assert.deepEqual(
      tests.map(({ test: id }) => id),
      ['minimal-flip'],
    );
    assert.equal(tests[0]!.examples + tests[0]!.notApplicable.length, 1);
  });

  it('what is kept on disk is not asked again', async () => {
    const data = file('films.jsonl', rows(['A lovely film.', 'A fine one.']));
    const args = ['test', data, '--only', 'typos', '--cache', at('cache')];
    const [first, second] = [await run(args), await run(args)];
    assert.equal(second.stdout, first.stdout);
  });

  it('perturb prints the variants of a line', async () => {
    const { code, stdout } = await run([
      'perturb',
      'samples/relations.jsonl',
      '--line',
      '1',
      '--name',
      'roles-exchanged',
      '--no-cache',
    ]);
    assert.equal(code, 0);
    const variant = JSON.parse(stdout) as { id: string; spans: { head: object; tail: object }; failure: boolean };
    assert.equal(typeof variant.failure, 'boolean');
    assert.notDeepEqual(variant.spans.head, variant.spans.tail);
  });

  for (const [args, code, message] of [
    [['test', 'samples/sentiment.jsonl', '--only', 'nonsense'], 2, /no perturbation "nonsense"/],
    [['test', 'samples/sentiment.jsonl', '--sample', '0'], 2, /--sample is a whole number, 1 or more/],
    [['test', 'samples/sentiment.jsonl', '--only', 'entity'], 2, /"entity" is for relation examples/],
    [
      ['test', 'samples/sentiment.jsonl', '--suite', 'package.json'],
      3,
      /package\.json: the file: "name" is not known here/,
    ],
    [['test', 'samples/sentiment.jsonl', '--suite', 'no.json'], 3, /no\.json/],
    [['perturb', 'samples/sentiment.jsonl', '--line', '1'], 2, /name one with --name: .*typos/],
    [['perturb', 'samples/sentiment.jsonl', '--name', 'typos'], 2, /say the line/],
    [['perturb', 'samples/sentiment.jsonl', '--name', 'typos', '--line', '9999'], 3, /no example on line 9999/],
  ] as const) {
    it(`${args.join(' ')}: says what is wrong`, async () => {
      const result = await run([...args]);
      assert.equal(result.code, code, result.stderr);
      assert.match(result.stderr, message);
    });
  }
});
