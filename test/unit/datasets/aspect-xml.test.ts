import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { aspectText, at, open, refusal, rows, sample, written } from './opening';

const head = '<?xml version="1.0"?>\n<sentences>\n';
const bread = `<sentence id="7">
  <text>Warm bread &amp; cold butter</text>
  <aspectTerms>
    <aspectTerm term="bread" polarity="positive" from="5" to="10"/>
    <aspectTerm term="bread &amp; cold" polarity='conflict' from="5" to="17"></aspectTerm>
  </aspectTerms>
  <aspectCategories><aspectCategory category="food" polarity="positive"/></aspectCategories>
</sentence>
`;
const none = '<sentence id="8"><text>We left.</text></sentence>\n';

describe('datasets: aspect XML', () => {
  it('gives an example for each aspect, its term marked through references', () => {
    const document = open(`${head}${bread}${none}</sentences>\n`);
    assert.equal(document.info.format, 'semeval2014-xml');
    assert.deepEqual(document.findings, []);
    assert.equal(document.info.unreadableCount, 0);
    const text = 'Warm bread & cold butter';
    assert.deepEqual(
      document.examples.map((example) => [example.id, example.text, example.gold, aspectText(example)]),
      [
        ['7#1', text, 'positive', 'bread'],
        ['7#2', text, 'conflict', 'bread & cold'],
        ['7#3', text, 'positive', null],
      ],
    );
    const [first, second, third] = document.examples;
    assert.equal(written(document, first!, first!.aspect!), 'bread');
    assert.equal(written(document, second!, second!.aspect!), 'bread &amp; cold');
    assert.equal(at(document, document.fieldRange(second!, second!.goldField!)), "'conflict'");
    assert.equal(at(document, document.fieldRange(third!, third!.goldField!)), '"positive"');
    assert.equal(at(document, document.fieldRange(first!, first!.textField)), 'Warm bread &amp; cold butter');
    assert.equal(at(document, document.recordRange(first!)), bread.trimEnd());
  });

  it('reads the sample', () => {
    const document = sample('aspects.xml');
    assert.equal(document.info.format, 'semeval2014-xml');
    assert.deepEqual(document.findings, []);
    const source = document.text;
    const count = (pattern: RegExp) => source.match(pattern)?.length ?? 0;
    assert.equal(document.examples.length, count(/<aspectTerm /g) + count(/<aspectCategory /g));
    const terms = [...source.matchAll(/<aspectTerm term="([^"]*)" polarity="(\w+)"/g)];
    assert.deepEqual(
      document.examples.flatMap((example) =>
        example.aspect === null ? [] : [[written(document, example, example.aspect), example.gold]],
      ),
      terms.map(([, term, polarity]) => [term!.replaceAll('&quot;', '"'), polarity]),
    );
    assert.ok(terms.length > 20);
    assert.deepEqual(document.info.labels.map(({ label }) => label).sort(), [
      'conflict',
      'negative',
      'neutral',
      'positive',
    ]);
  });

  it('reads the opinions of 2015, and sentences without any aspects', () => {
    const opinions = open(
      `${head}<sentence id="a"><text>Fine soup 😀 and ham</text><Opinions><Opinion target="ham" category="FOOD#QUALITY" polarity="positive" from="16" to="19"/><Opinion target="NULL" category="X" polarity="negative" from="0" to="0"/></Opinions></sentence>`,
    );
    assert.deepEqual(
      opinions.examples.map((example) => [example.gold, aspectText(example)]),
      [
        ['positive', 'ham'],
        ['negative', null],
      ],
    );
    const bare = open(`${head}${none}<sentence id="9"><text>Fine.</text></sentence></sentences>`);
    assert.deepEqual(rows(bare), [
      ['We left.', null],
      ['Fine.', null],
    ]);
    assert.match(bare.info.formatDetail, /without aspects/);
  });

  it('says what is wrong with a sentence or aspect, and reads the others', () => {
    const broken: [string, RegExp, number][] = [
      [bread.replace('</text>', ''), /^Not valid XML: .*The sentence is left out/, 0],
      [bread.replace('&amp;', '&nbsp;'), /^Not valid XML: undefined entity/, 0],
      [bread.replace('</sentence>', ''), /^Not valid XML: /, 0],
      [`<sentence>${'<a>'.repeat(30_000)}${'</a>'.repeat(30_000)}</sentence>`, /nested too deep/, 0],
      ['<sentence id="3"><aspectTerms/></sentence>', /has no <text>/, 0],
      [
        bread.replace('to="10"', 'to="99"'),
        /aspect ends at character 99, the text has 24 characters\. The aspect is left/,
        2,
      ],
      [bread.replace('to="10"', 'to="x"'), /must be whole numbers/, 2],
      [bread.replace('from="5"', 'from="6"'), /the text says "read", not the aspect "bread"/, 3],
    ];
    for (const [sentence, says, count] of broken) {
      const document = open(`${head}${bread}${sentence}\n${bread}</sentences>`);
      assert.equal(document.findings.length, 1, sentence.slice(0, 300));
      assert.match(document.findings[0]!.message, says);
      assert.equal(document.examples.length, 3 + count + 3, sentence.slice(0, 300));
      const { startLine, endLine } = document.findings[0]!.range;
      assert.ok(startLine >= 10 && endLine <= 18, `${startLine} to ${endLine}`);
    }
  });

  it('ends in time where no sentence is closed', () => {
    const document = open(`${head}${bread.repeat(120)}${'<sentence id="1"><text>'.repeat(30_000)}`);
    assert.equal(document.examples.length, 360);
    assert.equal(document.findings.length, 30_000);
  });

  it('takes no other XML for one', () => {
    assert.match(refusal('<?xml version="1.0"?>\n<feed><entry><text>a b</text></entry></feed>\n'), /an XML file/);
    assert.match(refusal('<!doctype html>\n<html><body>hi</body></html>'), /HTML/);
    assert.match(refusal('<doc><sentence>He said <b>it</b></sentence></doc>'), /an XML file/);
  });

  it('any texts, however they are escaped (property)', () => {
    const piece = fc.constantFrom(
      ['&', '&amp;'],
      ['<', '&lt;'],
      ['>', '>'],
      ['"', '"'],
      ["'", '&apos;'],
      ['é', '&#233;'],
      ['😀', '&#x1F600;'],
      ['😀', '😀'],
      ['\n', '\r\n'],
      ['\n', '\n'],
      ['<&', '<![CDATA[<&]]>'],
      ['', '<!-- <b> -->'],
      ['film', 'film'],
      [' ', ' '],
    );
    const sentence = fc.record({
      before: fc.array(piece),
      term: fc.array(piece, { minLength: 1 }),
      after: fc.array(piece),
    });
    const plain = (pieces: readonly (readonly string[])[]) => pieces.map(([text]) => text).join('');
    const raw = (pieces: readonly (readonly string[])[]) => pieces.map(([, text]) => text).join('');
    const points = (text: string) => [...text].length;
    fc.assert(
      fc.property(fc.array(sentence, { minLength: 1, maxLength: 4 }), (sentences) => {
        const text = sentences.map(({ before, term, after }) => {
          const from = points(plain(before));
          const value = plain(term)
            .replaceAll('&', '&amp;')
            .replaceAll('<', '&lt;')
            .replaceAll('"', '&quot;')
            .replaceAll('\n', '&#10;');
          return `<sentence id="x"><text>${raw(before)}${raw(term)}${raw(after)}</text><aspectTerms><aspectTerm term="${value}" polarity="p" from="${from}" to="${from + points(plain(term))}"/></aspectTerms></sentence>`;
        });
        const document = open(`<sentences>${text.join('\n')}</sentences>`);
        assert.deepEqual(document.findings, []);
        assert.deepEqual(
          document.examples.map((example) => [example.text, aspectText(example)]),
          sentences.map(({ before, term, after }) => [plain([...before, ...term, ...after]), plain(term)]),
        );
        for (const [index, example] of document.examples.entries()) {
          const { term } = sentences[index]!;
          // Comments, and the borders of a CDATA section, belong to no text: at an end they are not in the range.
          if ([term[0]!, term.at(-1)!].every(([, escaped]) => !escaped!.startsWith('<!')))
            assert.equal(written(document, example, example.aspect!), raw(term));
        }
      }),
      { numRuns: 1000 },
    );
  });
});
