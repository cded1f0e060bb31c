import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { NotADataset } from '../../../src/engine/datasets/dataset';
import { DatasetDocument } from '../../../src/engine/datasets/document';
import { at, open } from './opening';

/** Opens anything; null if it is no dataset. Every range must lie in the document, every example's text at its place. */
function probe(source: { text?: string; bytes?: Uint8Array }): DatasetDocument | null {
  let document: DatasetDocument;
  try {
    document = DatasetDocument.open({ name: 'any', ...source });
  } catch (error) {
    assert.ok(error instanceof NotADataset, String(error));
    assert.ok(error.message.length > 20);
    return null;
  }
  let line = 0;
  for (const example of document.examples) {
    const range = document.recordRange(example);
    assert.ok(range.startLine >= line && range.endLine < document.lines.lineCount);
    line = range.startLine;
    assert.ok(at(document, range).includes(at(document, document.fieldRange(example, example.textField))));
    const all = document.fileRange(example, { start: 0, end: example.text.length });
    assert.ok(at(document, document.fieldRange(example, example.textField)).includes(at(document, all)));
    assert.equal(example.map.textLength, example.text.length);
    for (const span of [example.spans?.head, example.spans?.tail, example.aspect ?? undefined]) {
      if (span === undefined) continue;
      assert.ok(span.start >= 0 && span.start <= span.end && span.end <= example.text.length);
    }
    const { from, to } = document.examplesBetween(range.startLine, range.startLine + 1);
    assert.ok(document.examples.slice(from, to).includes(example));
  }
  for (const { range, message } of document.findings) {
    assert.ok(range.startLine <= range.endLine && range.endLine < document.lines.lineCount && message.length > 10);
  }
  return document;
}

const shards = [
  '{',
  '}',
  '[',
  ']',
  '"',
  '""',
  ',',
  ':',
  '\n',
  '\r\n',
  '\r',
  '\t',
  ' ',
  '\\',
  '\\u',
  '\\ud83d',
  'text',
  'label',
  '"text":',
  '"label":',
  'e1',
  '<e1>',
  '</e1>',
  '<e2>',
  '</e2>',
  '1\t"',
  '\ufeff',
  '😀',
  '\ud83d',
  '\0',
  'film is good',
  '__proto__',
  'null',
  '-1',
  '1e',
  '"token":["a"]',
  '"h":{"pos":[0,1]}',
  '"h":["a","Q1",[[0]]]',
  '"relations":[',
  '"P1":[',
  "\t['met']\t[0]",
  '[1,2]',
  '(3 ',
  '(2 film)',
  '-LRB-',
  '__label__x ',
  '$T$',
  '-1\n',
  '<sentence id="1">',
  '</sentence>',
  '<text>',
  '</text>',
  '<aspectTerm term="film" polarity="p" from="0" to="4"/>',
  '&amp;',
  '&',
  '<![CDATA[',
  '"data":[',
  '"words":["film"]',
  '"aspects":[{"from":0,"to":1,"polarity":"p"}]',
  '["film is good","pos"]',
];

describe('datasets: any text', () => {
  it('is read or refused, without a crash (property)', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => void probe({ text })),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...shards), { maxLength: 40 }),
        (parts) => void probe({ text: parts.join('') }),
      ),
      { numRuns: 3000 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void probe({ bytes })),
      { numRuns: 500 },
    );
  });

  it('is read or refused behind rows of each format too (property)', () => {
    const heads = [
      '{"text":"good film","label":"pos"}\n{"text":"bad film","label":"neg"}\n',
      '[{"text":"good film","label":"pos"},\n{"text":"bad film","label":"neg"},\n',
      'text,label\ngood film,pos\nbad film,neg\n',
      'sentence\tlabel\ngood film\t1\nbad film\t0\n',
      '1\t"a <e1>b</e1> <e2>c</e2>"\nOther\n\n',
      '(3 (2 a) (4 film))\n(1 (2 b) (0 film))\n',
      '__label__x a film\n__label__y b film\n',
      'a $T$ here\nfilm\n1\nb $T$ here\nfilm\n-1\n',
      '<sentences><sentence id="0"><text>film</text><aspectTerms><aspectTerm term="film" polarity="p" from="0" to="4"/></aspectTerms></sentence>\n',
      '[{"words":["a","film"],"aspects":[{"from":1,"to":2,"polarity":"p"}]},\n{"words":["b"],"aspects":[]},\n',
      '{"data":[{"text":"good film","label":"pos"},\n{"text":"bad film","label":"neg"},\n',
      '{"text":["good film","bad film"],"label":["pos","neg"],"x":[',
      '[["a good film","pos"],\n["a bad film","neg"],\n',
      '{"P1":[{"tokens":["Ada","met","Bo"],"h":["ada","Q1",[[0]]],"t":["bo","Q2",[[2]]]}],"P2":[',
      '[{"sents":[["Ada","met","Bo"]],"vertexSet":[[{"pos":[0,1],"sent_id":0}],[{"pos":[2,3],"sent_id":0}]],"labels":[{"r":"P1","h":0,"t":1}]},\n',
      '{"sentences":[["Ada","met","Bo"]],"ner":[[]],"relations":[[[0,0,2,2,"met"]]]}\n',
      '[{"tokens":["Ada","met"],"entities":[{"type":"P","start":0,"end":1}],"relations":[{"type":"met","head":0,"tail":0}]},\n',
      "#doc 1\n0\tAda\tB-P\t['met']\t[1]\n1\tBo\tB-P\t['N']\t[1]\n",
      'text,label\n<e1>Ada</e1> met <e2>Bo</e2>,met\n<e1>Cy</e1> saw <e2>Di</e2>,saw\n',
    ];
    let opened = 0;
    fc.assert(
      fc.property(fc.constantFrom(...heads), fc.array(fc.constantFrom(...shards), { maxLength: 25 }), (head, parts) => {
        if (probe({ text: head + parts.join('') }) !== null) opened++;
      }),
      { numRuns: 6000 },
    );
    assert.ok(opened > 3000, `only ${opened} were read`);
  });

  it('cut at any place still gives every row that ends before (property)', () => {
    const good = [
      Array.from({ length: 6 }, (_, index) => `{"text":"the film ${index} is fine","label":"${index % 2}"}\n`),
      [
        '[',
        ...Array.from({ length: 6 }, (_, index) => `{"text":"the film ${index} is fine","label":"${index % 2}"},\n`),
      ],
      ['text,label\n', ...Array.from({ length: 6 }, (_, index) => `"the ""film"" ${index} is\nfine",${index % 2}\n`)],
      Array.from({ length: 6 }, (_, index) => `${index}\t"the <e1>film</e1> ${index} is <e2>fine</e2>"\nOther\n\n`),
      Array.from({ length: 6 }, (_, index) => `(${index % 5} (2 the) (3 (2 film) (2 ${index}x)))\n`),
      Array.from({ length: 6 }, (_, index) => `__label__${index % 2} the film ${index} is fine\n`),
      Array.from({ length: 6 }, (_, index) => `the $T$ ${index} is fine\nfilm\n${(index % 3) - 1}\n`),
      [
        '<sentences>\n',
        ...Array.from(
          { length: 6 },
          (_, index) =>
            `<sentence id="${index}"><text>the film ${index} &amp; all</text><aspectTerms><aspectTerm term="film" polarity="p" from="4" to="8"/></aspectTerms></sentence>\n`,
        ),
      ],
      [
        '[',
        ...Array.from(
          { length: 6 },
          (_, index) =>
            `{"words":["the","film","${index}"],"aspects":[{"from":1,"to":2,"polarity":"${index % 2}"}]},\n`,
        ),
      ],
      [
        '{"data":[',
        ...Array.from({ length: 6 }, (_, index) => `{"text":"the film ${index} is fine","label":"${index % 2}"},\n`),
      ],
      ['[', ...Array.from({ length: 6 }, (_, index) => `["the film ${index} is fine","${index % 2}"],\n`)],
      [
        `{"text":[${Array.from({ length: 6 }, (_, index) => `"the film ${index} is fine"`).join()}],"label":[`,
        ...Array.from({ length: 6 }, (_, index) => `"${index % 2}",`),
      ],
      [
        '{"P1": [',
        ...Array.from(
          { length: 6 },
          (_, index) =>
            `{"tokens":["Ada","met","Bo${index}"],"h":["ada","Q1",[[0]]],"t":["bo","Q2",[[2]]]}${index === 2 ? '],"P2":[' : ','}\n`,
        ),
      ],
      [
        '[',
        ...Array.from(
          { length: 6 },
          (_, index) =>
            `{"sents":[["Ada","met"],["Bo${index}"]],"vertexSet":[[{"pos":[0,1],"sent_id":0}],[{"pos":[0,1],"sent_id":1}]],"labels":[{"r":"met","h":0,"t":1}]},\n`,
        ),
      ],
      Array.from(
        { length: 6 },
        (_, index) => `{"sentences":[["Ada","met"],["Bo${index}"]],"ner":[[],[]],"relations":[[[0,0,2,2,"met"]],[]]}\n`,
      ),
      [
        '[',
        ...Array.from(
          { length: 6 },
          (_, index) =>
            `{"tokens":["Ada","${index}"],"entities":[{"type":"P","start":0,"end":1}],"relations":[{"type":"met","head":0,"tail":0}]}, `,
        ),
      ],
      Array.from(
        { length: 6 },
        (_, index) => `#doc ${index}\n0\tAda${index}\tB-P\t['met']\t[1]\n1\tBo\tB-P\t['N']\t[1]\n`,
      ),
      ['text,label\n', ...Array.from({ length: 6 }, (_, index) => `"<e1>Ada</e1>, ${index} <e2>Bo</e2>",met\n`)],
    ];
    for (const parts of good) {
      const text = parts.join('');
      const rowEnds = parts.map((_, index) => parts.slice(0, index + 1).join('').length).slice(parts.length - 6);
      for (let cut = rowEnds[2]!; cut <= text.length; cut++) {
        const whole = rowEnds.filter((end) => end <= cut).length;
        const document = open(text.slice(0, cut));
        assert.ok(
          document.examples.length >= whole,
          `${whole} rows end before ${cut}, ${document.examples.length} are read`,
        );
        assert.deepEqual(
          document.examples.slice(0, whole).map(({ text: each }) => each),
          open(text)
            .examples.slice(0, whole)
            .map(({ text: each }) => each),
        );
      }
    }
  });

  /** Texts on which a reader that looks ahead for each row, or back, would take minutes. */
  const hard: [name: string, text: string][] = [
    ['rows of unclosed quotes', `text,label\n${'"a,b\n'.repeat(60_000)}`],
    ['rows of doubled quotes behind an unclosed one', `text,label\n"a\n${'x,""\n'.repeat(60_000)}`],
    ['rows without delimiter', `text,label\n${'good film,1\n'.repeat(100)}${'a b\n'.repeat(60_000)}`],
    [
      'broken elements on one line',
      `[{"text":"a b","label":"x"},{"text":"c d","label":"y"}${',{"text":bad}'.repeat(30_000)}]`,
    ],
    [
      'broken elements on lines',
      `[{"text":"a b","label":"x"},{"text":"c d","label":"y"}${',\n{"text":"bad'.repeat(30_000)}]`,
    ],
    ['unclosed elements', `[{"text":"a b","label":"x"},{"text":"c d","label":"y"},${'{"a":['.repeat(60_000)}`],
    [
      'sentences without markers',
      `1\t"a <e1>b</e1> <e2>c</e2>"\nOther\n\n`.repeat(120) + '2\t"no markers"\nOther\n\n'.repeat(30_000),
    ],
    [
      'a row of 10 MB',
      `{"text":"a b","label":"x"}\n{"text":"${'a '.repeat(5_000_000)}","label":"y"}\n{"text":"c d","label":"x"}\n`,
    ],
    ['blank lines', `{"text":"a b","label":"x"}\n${'\n'.repeat(500_000)}{"text":"c d","label":"y"}`],
    ['unclosed trees', `(3 (2 a) (2 film))\n(1 (2 b) (2 film))\n${'(1 '.repeat(300_000)}`],
    ['trees over many lines', `(3 (2 a) (2 film))\n(1 (2 b) (2 film))\n(1\n${' (1 a)\n'.repeat(100_000)})`],
    ['labels without end', `__label__x a film\n__label__y b film\n${'__label__z '.repeat(60_000)}`],
    ['aspects without sentences', `a $T$\nfilm\n1\nb $T$\nfilm\n0\n${'film\n1\n'.repeat(60_000)}`],
    ['aspects without aspects', `${'a $T$\nfilm\n1\n'.repeat(100)}${'film $T$\n'.repeat(60_000)}`],
    [
      'one sentence of many entities',
      `<s>${'<sentence><text>a</text><aspectTerm term="a" from="0" to="1"/></sentence>'.repeat(2)}<sentence><text>${'&amp;'.repeat(200_000)}</text></sentence>`,
    ],
    [
      'an object of broken rows',
      `{"data":[{"text":"a b","label":"x"},{"text":"c d","label":"y"}${',\n{"text":"bad'.repeat(30_000)}]}`,
    ],
    [
      'columns that are cut off',
      `{"text":["a b","c d"${',"e f"'.repeat(100_000)}],"label":["x","y"${',"x"'.repeat(50_000)}`,
    ],
    ['backslashes', `{"text":"a b","label":"x"}\n{"text":"${'\\\\'.repeat(300_000)}","label":"y"}`],
  ];
  for (const [name, text] of hard) {
    it(`ends in time: ${name}`, function () {
      this.timeout(20_000);
      assert.ok(open(text).examples.length >= 2);
    });
  }
});
