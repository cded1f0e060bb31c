import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { open, rows, spanTexts, written } from './opening';

/** A list of words as Python's repr writes it. */
function repr(words: readonly string[]): string {
  const one = (word: string) => {
    const quote = word.includes("'") && !word.includes('"') ? '"' : "'";
    return quote + word.replace(/\\/g, '\\\\').replaceAll(quote, `\\${quote}`) + quote;
  };
  return `[${words.map(one).join(', ')}]`;
}

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

describe('datasets: cells that hold a list of words', () => {
  it('are read as their words', () => {
    const document = open(
      `tokens,label\n"['a', 'fine', 'film']",pos\n"['a', ""bad's"", 'film', ',']",neg\n['so' 'so'],pos\n`,
    );
    assert.equal(document.info.formatDetail, 'CSV, header, lists of words');
    assert.deepEqual(document.info.columns, { task: 'sentiment', text: 'tokens', gold: 'label' });
    assert.deepEqual(rows(document), [
      ['a fine film', 'pos'],
      ["a bad's film ,", 'neg'],
      ['so so', 'pos'],
    ]);
    const [first, second] = document.examples;
    assert.equal(written(document, first!, { start: 2, end: 6 }), 'fine');
    assert.equal(written(document, second!, { start: 2, end: 7 }), "bad's");
    assert.deepEqual(document.findings, []);
  });

  it('are told where one is none, and read where a person says that they are the text', () => {
    const text = `tokens\tlabel\n['a', 'fine', 'film']\tpos\n['a', 'bad'\tneg\n['so', 'so']\tpos\n`;
    const document = open(text);
    assert.equal(document.examples.length, 2);
    assert.deepEqual(
      document.findings.map(({ code, range }) => [code, range.startLine]),
      [['assay/unreadable-row', 2]],
    );
    const chosen = open(text.replace('tokens', 'spalte'), { task: 'sentiment', text: 'spalte', gold: 'label' });
    assert.deepEqual(rows(chosen), rows(document));
  });

  it('count entities in words, the ends as TACRED names them', () => {
    const document = open(
      `token,subj_start,subj_end,obj_start,obj_end,relation\n"['Ada', 'Lo', 'lives', 'in', 'Rome']",0,1,4,4,lives\n"['In', 'Oslo', 'Bo', 'works']",2,2,1,1,works\n`,
    );
    assert.deepEqual(document.examples.map(spanTexts), [
      { head: 'Ada Lo', tail: 'Rome' },
      { head: 'Bo', tail: 'Oslo' },
    ]);
  });

  it('give any words back, each where it stands (property)', () => {
    const word = fc.string({
      unit: fc.constantFrom('a', 'é', '😀', "'", '"', '\\', ',', '[', ']', '#'),
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(fc.array(fc.array(word, { minLength: 1, maxLength: 5 }), { minLength: 2, maxLength: 4 }), (lists) => {
        const document = open(`tokens,label\n${lists.map((words) => `${quoted(repr(words))},x\n`).join('')}`);
        assert.deepEqual(
          rows(document),
          lists.map((words) => [words.join(' '), 'x']),
        );
        for (const [row, example] of document.examples.entries()) {
          let start = 0;
          for (const each of lists[row]!) {
            const raw = written(document, example, { start, end: start + each.length });
            // The backslash before an escaped character is no part of the text, so that it may be missing at the start.
            const said = [raw, `\\${raw}`].map((part) => part.replaceAll('""', '"').replace(/\\(['"\\])/g, '$1'));
            assert.ok(said.includes(each) || raw === each, `${raw} for ${each}`);
            start += each.length + 1;
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
