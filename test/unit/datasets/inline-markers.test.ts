import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { at, jsonl, open, rows, sampleWith, spanTexts, written } from './opening';

describe('datasets: entities marked in the text', () => {
  for (const [name, marked] of [
    ['XML-like', '<e1>Ada</e1> met <e2>Bo Li</e2>.'],
    ['in capitals', '<E1>Ada</E1> met <E2>Bo Li</E2>.'],
    ['brackets', '[E1]Ada[/E1] met [E2]Bo Li[/E2].'],
    ['set off by spaces', '[E1] Ada [/E1] met [E2] Bo Li [/E2].'],
    ['by their role', '<head>Ada</head> met <tail>Bo Li</tail>.'],
    ['@ and #', '@ Ada @ met # Bo Li #.'],
    ['@ and #, close', '@Ada@ met #Bo Li#.'],
    ['$ and #', '$ Ada $ met # Bo Li #.'],
  ] as const) {
    it(`takes the markers out: ${name}`, () => {
      const other = marked.replace('met', 'saw');
      for (const text of [
        jsonl({ text: marked, label: 'met' }, { text: other, label: 'saw' }),
        `label\ttext\nmet\t${marked}\nsaw\t${other}\n`,
      ]) {
        const document = open(text);
        assert.equal(document.info.columns.task, 'relation');
        assert.match(document.info.formatDetail, /entities marked/);
        assert.deepEqual(rows(document), [
          ['Ada met Bo Li.', 'met'],
          ['Ada saw Bo Li.', 'saw'],
        ]);
        const [first] = document.examples;
        assert.deepEqual(spanTexts(first!), { head: 'Ada', tail: 'Bo Li' });
        assert.equal(written(document, first!, first!.spans!.head), 'Ada');
        assert.equal(written(document, first!, first!.spans!.tail), 'Bo Li');
        assert.deepEqual(document.findings, []);
      }
    });
  }

  it('allows the tail before the head, and maps through escapes', () => {
    const document = open(
      '{"text":"\\u003ce2\\u003eB\\u00e9\\u003c/e2\\u003e saw \\"<e1>\\ud83d\\ude00</e1>\\"","label":"saw"}\n'.repeat(
        2,
      ),
    );
    const [first] = document.examples;
    assert.equal(first!.text, 'Bé saw "😀"');
    assert.deepEqual(spanTexts(first!), { head: '😀', tail: 'Bé' });
    assert.equal(written(document, first!, first!.spans!.tail), 'B\\u00e9');
    assert.equal(written(document, first!, first!.spans!.head), '\\ud83d\\ude00');
    const doubled = open('text,label\n"<e1>A</e1> ""saw"" <e2>B</e2>",x\n"<e1>C</e1> met <e2>D</e2>",y\n');
    assert.equal(doubled.examples[0]!.text, 'A "saw" B');
    assert.equal(written(doubled, doubled.examples[0]!, { start: 2, end: 7 }), '""saw""');
  });

  it('reads lists of words with markers among them', () => {
    const document = open(jsonl({ tokens: ['[E1]', 'Ada', '[/E1]', 'met', '[E2]', 'Bo', '[/E2]'], relation: 'met' }));
    assert.deepEqual(rows(document), [['Ada met Bo', 'met']]);
    assert.deepEqual(spanTexts(document.examples[0]!), { head: 'Ada', tail: 'Bo' });
  });

  it('says which text is not marked as the others are', () => {
    const good = Array.from({ length: 60 }, (_, index) => ({ text: `<e1>a${index}</e1> of <e2>b</e2>`, label: 'r' }));
    const document = open(
      jsonl(
        ...good,
        { text: '<e1>a</e1> alone', label: 'r' },
        { text: '<e1>a</e1> <e1>b</e1> <e2>c</e2>', label: 'r' },
      ),
    );
    assert.equal(document.examples.length, 60);
    assert.deepEqual(
      document.findings.map(({ range, message }) => [range.startLine, message]),
      [60, 61].map((line) => [
        line,
        'The text has not exactly one <e1> … </e1> and one <e2> … </e2>, as the others do. The row is left out.',
      ]),
    );
    assert.equal(at(document, document.findings[0]!.range), '"<e1>a</e1> alone"');
  });

  it('allows one row without markers in a small file', () => {
    const marked = Array.from({ length: 3 }, (_, index) => ({ text: `<e1>a${index}</e1> of <e2>b</e2>`, label: 'r' }));
    const document = open(jsonl(...marked, { text: 'a of b', label: 'r' }));
    assert.equal(document.examples.length, 3);
    assert.equal(document.findings.length, 1);
    const signs = marked.map(({ text, label }) => ({
      text: text.replace(/<.?e1>/g, '@').replace(/<.?e2>/g, '#'),
      label,
    }));
    assert.equal(open(jsonl(...signs, { text: 'a of b', label: 'r' })).info.columns.task, 'sentiment');
  });

  for (const [first, ...others] of [
    ['<e1>', '</e1>', '<e2>', '</e2>'],
    ['[E1]', '[/E1]', '[E2]', '[/E2]'],
    ['@', '@', '#', '#'],
  ] as const) {
    it(`leaves out each row with a damaged marker where most are whole: ${first}`, () => {
      const [second, third, last] = others;
      const marked = Array.from({ length: 22 }, (_, row) => {
        const text = `Row ${row} says ${first} Ann ${second} lives in ${third} Rome ${last} today.`;
        // The first and the last row among them, each with another marker lost.
        if (row === 0) return { text: text.replace(` ${first}`, ''), label: 'lives' };
        return { text: row === 21 ? text.replace(` ${last}`, '') : text, label: row % 2 === 0 ? 'lives' : 'works' };
      });
      const tsv = `text\tlabel\n${marked.map(({ text, label }) => `${text}\t${label}\n`).join('')}`;
      for (const [text, lines] of [
        [tsv, [1, 22]],
        [jsonl(...marked), [0, 21]],
        [JSON.stringify(marked, null, 1), [2, 86]],
      ] as const) {
        const document = open(text);
        assert.equal(document.info.columns.task, 'relation');
        assert.equal(document.examples.length, 20);
        assert.ok(document.info.confidence <= 0.91);
        assert.deepEqual(
          document.findings.map(({ code, range }) => [code, range.startLine]),
          lines.map((line) => ['assay/markers', line]),
        );
      }
    });
  }

  it('reads types behind the signs, and no blank as a part of an entity', () => {
    const rowsOf = ['lives in', 'works in'].map((verb) => ({
      text: `Here @ * person * Ann Li @ ${verb} # ^ city ^ Rome #.`,
      label: verb.slice(0, 5),
    }));
    const tsv = `text\tlabel\n${rowsOf.map(({ text, label }) => `${text}\t${label}\n`).join('')}`;
    for (const text of [jsonl(...rowsOf), tsv, tsv.replaceAll(' * ', '*').replaceAll(' ^ ', '^')]) {
      const [first] = open(text).examples;
      assert.equal(first!.text, 'Here Ann Li lives in Rome.');
      assert.deepEqual(spanTexts(first!), { head: 'Ann Li', tail: 'Rome' });
      assert.deepEqual(first!.types, { head: 'person', tail: 'city' });
      assert.equal(written(open(text), first!, first!.spans!.tail), 'Rome');
    }
    const joined = open(jsonl({ text: 'a<e1> B </e1>c and <e2>D</e2>', label: 'x' }));
    assert.equal(joined.examples[0]!.text, 'a B c and D');
    assert.deepEqual(spanTexts(joined.examples[0]!), { head: 'B', tail: 'D' });
    const starred = open(jsonl({ text: '<e1>*not* A</e1> and <e2>D</e2>', label: 'x' }));
    assert.deepEqual(spanTexts(starred.examples[0]!), { head: '*not* A', tail: 'D' });
  });

  it('takes nothing for markers that is not nearly everywhere', () => {
    const texts = ['mail me @ home or @ work # 1 # 2', 'a fine film', 'a dull film', '<e1>good</e1> and <e2>bad</e2>'];
    const document = open(jsonl(...texts.map((text, index) => ({ text, label: index % 2 ? 'pos' : 'neg' }))));
    assert.equal(document.info.columns.task, 'sentiment');
    assert.deepEqual(
      document.examples.map(({ text }) => text),
      texts,
    );
    const turned = open(jsonl({ text: 'a @ b # c @ d #', label: 'x' }, { text: '@ b # c @ d #', label: 'y' }));
    assert.equal(turned.info.columns.task, 'sentiment');
  });

  it('leaves them in where a person says that it is sentiment, and reads the remembered choice alike', () => {
    const text = jsonl(
      { text: '<e1>A</e1> is <e2>B</e2>', label: 'x' },
      { text: '<e1>C</e1> is <e2>D</e2>', label: 'y' },
    );
    assert.equal(
      open(text, { task: 'sentiment', text: 'text', gold: 'label' }).examples[0]!.text,
      '<e1>A</e1> is <e2>B</e2>',
    );
    const detected = open(text);
    assert.deepEqual(rows(open(text, detected.info.columns)), rows(detected));
  });

  it('prefers the markers to columns with the words', () => {
    const document = open(
      jsonl(
        { text: 'A <e2>A</e2> is <e1>B</e1>', e1: 'B', e2: 'A', label: 'x' },
        { text: '<e2>C</e2> is <e1>C</e1>', e1: 'C', e2: 'C', label: 'y' },
      ),
    );
    assert.deepEqual(document.examples[0]!.spans, { head: { start: 7, end: 8 }, tail: { start: 2, end: 3 } });
  });

  it('reads the sample', () => {
    const document = sampleWith('relations.marked.tsv');
    assert.equal(document.examples.length, 22);
    assert.deepEqual(document.findings, []);
    const lines = document.text.trimEnd().split('\n').slice(1);
    for (const [index, example] of document.examples.entries()) {
      const [sentence, label] = lines[index]!.split('\t');
      assert.equal(example.text, sentence!.replace(/\[E[12]\] | \[\/E[12]\]/g, ''));
      assert.deepEqual(spanTexts(example), {
        head: /\[E1\] (.*) \[\/E1\]/.exec(sentence!)![1],
        tail: /\[E2\] (.*) \[\/E2\]/.exec(sentence!)![1],
      });
      assert.equal(example.gold, label);
    }
  });

  it('reads any sentence with any entities (property)', () => {
    const part = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '"', '\\', ',', '\n', '<', '['), maxLength: 6 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(part, part, part, part, part, fc.boolean()), { minLength: 1, maxLength: 4 }),
        fc.constantFrom(['<e1>', '</e1>', '<e2>', '</e2>'], ['[E1]', '[/E1]', '[E2]', '[/E2]']),
        fc.boolean(),
        (drawn, [open1, close1, open2, close2], isCsv) => {
          const texts = drawn.map(([before, head, between, tail, after, turned]) => {
            const first = `${open1}${head}${close1}`;
            const second = `${open2}${tail}${close2}`;
            return before + (turned ? second + between + first : first + between + second) + after;
          });
          const document = open(
            isCsv
              ? `text,label\n${texts.map((text) => `"${text.replaceAll('"', '""')}",r\n`).join('')}`
              : jsonl(...texts.map((text) => ({ text, label: 'r' }))),
          );
          assert.deepEqual(document.findings, []);
          assert.equal(document.examples.length, drawn.length);
          for (const [index, example] of document.examples.entries()) {
            const [before, head, between, tail, after, turned] = drawn[index]!;
            const [first, second] = turned ? [tail, head] : [head, tail];
            assert.equal(example.text, before + first + between + second + after);
            assert.deepEqual(spanTexts(example), { head, tail });
            const raw = written(document, example, example.spans!.head);
            assert.equal(isCsv ? raw.replaceAll('""', '"') : JSON.parse(`"${raw}"`), head);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
