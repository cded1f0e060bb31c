import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { catalogue } from '../../../src/engine/datasets/checks/catalogue';
import { crashCode } from '../../../src/worker/finding-list';

declare const ASSAY_ROOT: string;

const folder = path.join(ASSAY_ROOT, 'docs/findings');
const codes = Object.keys(catalogue);
const nameOf = (code: string) => code.replace('assay/', '');

describe('what is said of each kind of finding', () => {
  it('each code has a page, and no page is of none', () => {
    const pages = readdirSync(folder).sort();
    assert.deepEqual(pages, [...codes, crashCode].map((code) => `${nameOf(code)}.md`).sort());
  });

  for (const [code, { severity, title }] of Object.entries(catalogue)) {
    it(`the page of ${code} says what it is, how it is found, why it matters, what to do and how to silence it`, () => {
      const text = readFileSync(path.join(folder, `${nameOf(code)}.md`), 'utf8');
      const [heading, , line] = text.split('\n');
      assert.equal(heading, `# ${title}`);
      assert.ok(line?.startsWith(`\`${code}\` · ${severity}`), line);
      const sections = [...text.matchAll(/^## (.*)$/gm)].map(([, name]) => name);
      assert.deepEqual(sections, [
        'What it means',
        'How it is found',
        'Why it matters',
        'What to do',
        'How to silence it',
      ]);
      assert.ok(text.includes(`"assay.checks.disabled": ["${code}"]`));
      assert.ok(text.includes(`--disable ${nameOf(code)}`));
      for (const [, other] of text.matchAll(/`(assay\/[a-z-]+)`/g)) assert.ok(codes.includes(other!), other);
    });
  }

  it('the settings offer each code, with its title and severity', () => {
    const { contributes } = JSON.parse(readFileSync(path.join(ASSAY_ROOT, 'package.json'), 'utf8'));
    const { enum: offered, enumDescriptions } = contributes.configuration.properties['assay.checks.disabled'].items;
    assert.deepEqual(offered, codes);
    assert.deepEqual(
      enumDescriptions,
      Object.values(catalogue).map(({ title, severity }) => `${title} (${severity})`),
    );
  });
});
