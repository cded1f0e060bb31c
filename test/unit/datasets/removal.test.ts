import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { at, open, rows } from './opening';

/** Sound and damaged rows, and how a file is made of them. */
const kinds: Readonly<Record<string, { rows: string[]; build: (rows: readonly string[]) => string }>> = {
  'CSV with stray quotes': {
    rows: [
      'good film,pos',
      '"bad, ""so"" bad",neg',
      '"over\ntwo lines",pos',
      'he said "hi",neg',
      '"stray,neg',
      'a,b,c',
      '',
      'x "y"",pos',
      'end",neg',
    ],
    build: (all) => `text,label\nfirst one,pos\n${all.join('\n')}\n`,
  },
  'JSON Lines': {
    rows: [
      '{"text":"good","label":"pos"}',
      '{"text":"a","label":"b"} {"text":"c","label":"d"}',
      '{"text": bad}',
      '',
      '  {"text":"spaced","label":"n"}  ',
    ],
    build: (all) => `${all.join('\r\n')}\r\n`,
  },
  'JSON list with comments and missing commas': {
    rows: [
      '{"text":"good","label":"pos"}',
      '{"text":"x","label":"y"}',
      '{"text": bad}',
      '7',
      '/* note */ {"text":"c","label":"y"}',
      '{"text":"e","label":"y"} // e',
      '{"text":"m","label":"n"} {"text":"m2","label":"n"}',
    ],
    build: (all) => `[\n${all.join(',\n')}\n]\n`,
  },
};

describe('datasets: removing rows', () => {
  for (const [name, { rows: pool, build }] of Object.entries(kinds)) {
    it(`takes nothing else with it, in damaged files too: ${name} (property)`, () => {
      let removed = 0;
      fc.assert(
        fc.property(fc.array(fc.constantFrom(...pool), { minLength: 2, maxLength: 8 }), fc.nat(), (drawn, pick) => {
          const text = build(drawn);
          const choice = { task: 'sentiment', text: 'text', gold: 'label' } as const;
          let document: ReturnType<typeof open>;
          try {
            document = open(text, choice);
          } catch {
            // Without a sound row it is no dataset.
            return;
          }
          const before = rows(document);
          const { formatDetail } = document.info;
          if (before.length === 0) return;
          const row = pick % before.length;
          const range = document.removalOf(document.examples[row]!);
          if (range === null) return;
          const problems = document.findings.length;
          document.applyEdits([{ range, text: '' }]);
          // With less of it, a damaged file may look like another format.
          if (document.info.formatDetail !== formatDetail) return;
          removed++;
          assert.deepEqual(rows(document), before.toSpliced(row, 1));
          assert.ok(document.findings.length <= problems);
        }),
        { numRuns: Number(process.env.ASSAY_PROPERTY_RUNS ?? 1000) },
      );
      assert.ok(removed > 0);
    });
  }

  it('a row whose quote keeps a stray one from being closed stays', () => {
    const document = open('text,label\nfirst one,pos\n"stray,neg\nhe said "hi",neg\nend",neg\nlast one,pos\n');
    assert.deepEqual(
      rows(document).map(([text]) => text),
      ['first one', '"stray', 'he said "hi"', 'end"', 'last one'],
    );
    assert.deepEqual(
      document.examples.map((example) => document.removalOf(example) === null),
      // The stray one itself is a row with a problem.
      [false, true, true, false, false],
    );
  });

  it('the byte-order mark of a file stays', () => {
    const row = (text: string) => `{"text":"${text}","label":"a"}\n`;
    const document = open(`\ufeff${row('one film')}${row('two films')}`);
    assert.equal(at(document, document.removalOf(document.examples[0]!)!), row('one film'));
  });
});
