import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

declare const ASSAY_ROOT: string;

// The command imports `vscode`, which there is not here: its table is read as text.
const source = readFileSync(path.join(ASSAY_ROOT, 'src/host/commands/open-sample.ts'), 'utf8');

describe('Open Sample', () => {
  it('offers every sample, and only what is there', () => {
    const offered = new Set([...source.matchAll(/file: '([^']+)'/g)].map((match) => match[1]!));
    const companions = new Set([...source.matchAll(/companions: \['([^']+)'\]/g)].map((match) => match[1]!));
    for (const file of [...offered, ...companions]) assert.ok(existsSync(path.join(ASSAY_ROOT, 'samples', file)), file);
    const forgotten = readdirSync(path.join(ASSAY_ROOT, 'samples')).filter(
      (file) => !offered.has(file) && !companions.has(file) && file !== 'README.md',
    );
    // The other half of sentences whose label is their file's name, and further layouts of the same reviews.
    assert.deepEqual(forgotten, ['reviews.neg', 'sentiment.pairs.json', 'sentiment.pandas.json'].sort());
  });
});
