import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { at, open, refusal, rows, sample, written } from './opening';

describe('datasets: fastText', () => {
  it('reads labels and texts', () => {
    const document = open(
      '__label__pos  A good film \n\n__label__neg\tso, bad\n__label__2 , Title: fine\nno label here\n__label__neg x\n',
    );
    assert.equal(document.info.format, 'fasttext');
    assert.deepEqual(rows(document), [
      ['A good film', 'pos'],
      ['so, bad', 'neg'],
      ['Title: fine', '2'],
      ['no label here', null],
      ['x', 'neg'],
    ]);
    assert.deepEqual(document.findings, []);
    const [first] = document.examples;
    assert.equal(at(document, document.fieldRange(first!, first!.goldField!)), '__label__pos');
    assert.equal(at(document, document.fieldRange(first!, first!.textField)), 'A good film');
    assert.equal(written(document, first!, { start: 2, end: 6 }), 'good');
  });

  it('takes the first of several labels and says so', () => {
    const document = open('__label__a __label__b, __label__c the text\n__label__b another\n');
    assert.deepEqual(rows(document), [
      ['the text', 'a'],
      ['another', 'b'],
    ]);
    assert.match(document.info.formatDetail, /several labels a line: the first is taken/);
    const [finding] = document.findings;
    assert.equal(document.findings.length, 1);
    assert.equal(finding!.code, 'assay/multi-label');
    assert.equal(finding!.severity, 'warning');
    assert.match(finding!.message, /3 labels \("a", "b", "c"\)/);
    assert.equal(at(document, finding!.range), '__label__a __label__b, __label__c');
  });

  it('leaves out a label without a text', () => {
    const document = open('__label__a the text\n__label__b\n__label__b another\n');
    assert.equal(document.examples.length, 2);
    assert.match(document.findings[0]!.message, /No text stands behind the label/);
    assert.equal(document.findings[0]!.range.startLine, 1);
  });

  it('reads the sample', () => {
    const document = sample('sentiment.fasttext.txt');
    assert.equal(document.info.format, 'fasttext');
    assert.equal(document.examples.length, 48);
    assert.deepEqual(document.findings, []);
    assert.deepEqual(document.info.labels.map(({ label }) => label).sort(), ['negative', 'positive']);
    for (const example of document.examples)
      assert.equal(written(document, example, { start: 0, end: example.text.length }), example.text);
  });

  it('does not take a text that only speaks of it for one', () => {
    assert.match(
      refusal('# Train\n\nEach line has __label__x and then words.\nOther lines follow.\nAnd more of them.\n'),
      /^This looks like/,
    );
  });

  it('any labels and texts (property)', () => {
    const line = fc.record({
      labels: fc.array(fc.stringMatching(/^[a-z0-9é_-]{1,8}$/), { minLength: 1, maxLength: 3 }),
      text: fc
        .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
        .map((text) => `w${text.replace(/[\r\n]/g, ' ')}w`),
    });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), fc.constantFrom('\n', '\r\n', '\r'), (lines, end) => {
        const text = lines.map(({ labels, text: each }) =>
          [...labels.map((label) => `__label__${label}`), each].join(' '),
        );
        const document = open(text.join(end));
        assert.deepEqual(
          rows(document),
          lines.map(({ labels, text: each }) => [each, labels[0]!]),
        );
        assert.equal(document.findings.length, lines.filter(({ labels }) => labels.length > 1).length);
      }),
      { numRuns: 1000 },
    );
  });
});
