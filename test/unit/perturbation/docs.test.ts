import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expectationText } from '../../../src/engine/perturbation/expectations';
import { parseSuite } from '../../../src/engine/perturbation/suite-file';
import { perturbations } from '../../../src/engine/perturbation/table';

declare const ASSAY_ROOT: string;

describe('perturbation: its page', () => {
  const page = readFileSync(path.join(ASSAY_ROOT, 'docs/perturbations.md'), 'utf8');

  it('has a row a perturbation, with what is expected and its options', () => {
    for (const { id, expectation, options } of perturbations) {
      const row = page.split('\n').find((line) => line.startsWith(`| \`${id}\` |`));
      assert.ok(row?.includes(expectationText(expectation)), id);
      for (const { name, standard } of options) assert.ok(row!.includes(`\`${name}\` (${standard})`), `${id}: ${name}`);
    }
  });

  it('shows a suite that can be read', () => {
    const example = /\n( {4}\{\n(?: {4}.*\n)+)/.exec(page)![1]!;
    const suite = parseSuite(example, perturbations, 'sentiment');
    assert.ok(
      suite.tests.some(({ id }) => id === 'swap-in-negations') && suite.tests.some(({ id }) => id === 'minutes'),
    );
  });
});
