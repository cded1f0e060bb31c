import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { aspectText, at, open, refusal, rows, sample, written } from './opening';

const two = 'The $T$ was warm .\nbread\n1\nOur $T$ left , and $T$ did not come back .\nwaiter\n-1\n';

describe('datasets: aspects in three lines', () => {
  it('puts the aspect into the sentence and marks it', () => {
    const document = open(two);
    assert.equal(document.info.format, 'aspect-lines');
    assert.deepEqual(document.info.columns, { task: 'sentiment', text: 'sentence', gold: 'polarity' });
    assert.deepEqual(rows(document), [
      ['The bread was warm .', '1'],
      ['Our waiter left , and waiter did not come back .', '-1'],
    ]);
    assert.deepEqual(document.examples.map(aspectText), ['bread', 'waiter']);
    assert.deepEqual(document.findings, []);
    const [first, second] = document.examples;
    assert.deepEqual(first!.aspect, { start: 4, end: 9 });
    assert.equal(written(document, first!, first!.aspect!), '$T$');
    assert.equal(written(document, second!, { start: 11, end: 28 }), 'left , and $T$');
    assert.equal(at(document, document.fieldRange(second!, second!.goldField!)), '-1');
    assert.deepEqual(document.recordRange(second!), { startLine: 3, startChar: 0, endLine: 5, endChar: 2 });
  });

  it('reads the sample', () => {
    const document = sample('aspects.lines.txt');
    assert.equal(document.info.format, 'aspect-lines');
    assert.equal(document.examples.length, 24);
    assert.deepEqual(document.findings, []);
    const lines = document.text.trimEnd().split('\n');
    for (const [index, example] of document.examples.entries()) {
      assert.equal(aspectText(example), lines[index * 3 + 1]);
      assert.equal(example.gold, lines[index * 3 + 2]);
      assert.equal(example.text, lines[index * 3]!.replaceAll('$T$', lines[index * 3 + 1]!));
    }
  });

  it('a line too many or too few breaks one record alone', () => {
    const document = open(`${two}stray\n${two}A $T$ without .\nlabel\n\nA $T$ without aspect\n\nalone\n\n${two}`);
    assert.equal(document.examples.length, 7);
    assert.deepEqual(
      document.findings.map(({ severity, message, range }) => [severity, message.slice(0, 28), range.startLine]),
      [
        ['error', 'Behind the polarity a senten', 6],
        ['warning', 'The line with the polarity i', 14],
        ['error', 'The line with the aspect is ', 16],
        ['error', 'A sentence with $T$ in the p', 18],
      ],
    );
    assert.equal(document.examples[4]!.gold, null);
  });

  it('takes no other text with $T$ for one', () => {
    assert.match(refusal('cost = $T$ + 1\nprint(cost)\nreturn cost\nmore($T$)\n'), /^This looks like/);
  });

  it('any sentences and aspects (property)', () => {
    const words = fc.stringMatching(/^[a-zé😀"' ,$]{0,12}$/u).map((text) => `w${text}w`);
    const item = fc.record({ before: words, after: words, aspect: words, gold: fc.constantFrom('-1', '0', '1') });
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 6 }), fc.constantFrom('\n', '\r\n', '\r'), (items, end) => {
        const text = items.map(({ before, after, aspect, gold }) => [`${before} $T$ ${after}`, aspect, gold].join(end));
        const document = open(text.join(end));
        assert.deepEqual(
          rows(document),
          items.map(({ before, after, aspect, gold }) => [`${before} ${aspect} ${after}`, gold]),
        );
        assert.deepEqual(
          document.examples.map(aspectText),
          items.map(({ aspect }) => aspect),
        );
        for (const example of document.examples) assert.equal(written(document, example, example.aspect!), '$T$');
      }),
      { numRuns: 1000 },
    );
  });
});
