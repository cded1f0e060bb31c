import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { run } from './run-in-process';

declare const ASSAY_ROOT: string;

describe('cli: verbs', () => {
  it('prints its version and its help on stdout', async () => {
    const manifest = JSON.parse(readFileSync(path.join(ASSAY_ROOT, 'package.json'), 'utf8')) as { version: string };
    assert.deepEqual(await run(['--version']), { code: 0, stdout: `${manifest.version}\n`, stderr: '' });
    for (const args of [['--help'], ['-h'], ['help']]) {
      const { code, stdout, stderr } = await run(args);
      assert.equal(code, 0);
      assert.equal(stderr, '');
      assert.match(stdout, /Usage: assay VERB/);
      assert.match(stdout, /^ {2}predict {2}\S/m);
      assert.match(stdout, /^ {2}read {5}\S/m);
    }
    for (const args of [
      ['predict', '--help'],
      ['predict', 'x.csv', '-h'],
      ['help', 'predict'],
    ]) {
      const { code, stdout } = await run(args);
      assert.equal(code, 0);
      assert.match(stdout, /Usage: assay predict FILE/);
    }
  });

  it('answers a wrong command line with exit code 2, what is wrong, and nothing on stdout', async () => {
    for (const [args, message] of [
      [[], /no verb given/],
      [['predcit', 'x'], /"predcit" is no verb\. The verbs: check, explain, perturb, predict/],
      [['help', 'constructor'], /"constructor" is no verb/],
      [['--loud'], /"--loud" is no verb/],
      [['predict'], /name the dataset file/],
      [['predict', 'a.csv', 'b.csv'], /one file at a time; b\.csv is too much/],
      [['predict', 'a.csv', '--quiet'], /Unknown option '--quiet'/],
      [['predict', 'a.csv', '--model'], /--model/],
      [['predict', 'a.csv', '--format', 'csv'], /--format is jsonl, not "csv"/],
      [['predict', 'a.csv', '--columns', 'text'], /"text" is not PART=COLUMN/],
    ] as const) {
      const { code, stdout, stderr } = await run([...args]);
      assert.equal(code, 2, args.join(' '));
      assert.equal(stdout, '');
      assert.match(stderr, message);
      assert.match(stderr, /^assay: /);
    }
  });
});
