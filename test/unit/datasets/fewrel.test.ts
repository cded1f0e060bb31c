import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { at, mentionTexts, open, openBeside, rows, sampleWith, spanTexts, written } from './opening';

const ada = {
  tokens: ['Ada', 'met', 'Bo', 'and', 'Ada', 'left'],
  h: ['ada', 'Q1', [[0], [4]]],
  t: ['bo', 'Q2', [[2]]],
};
const names = { name: 'pid2name.json', text: JSON.stringify({ P1: ['met', 'came upon'], P2: 'left' }) };

describe('datasets: FewRel', () => {
  it('reads rows, their mentions, and the key as the label', () => {
    const document = open(JSON.stringify({ P1: [ada], P2: [], P3: [{ ...ada, h: ['bo', 'Q2', [[2, 3]]] }] }));
    assert.equal(document.info.format, 'fewrel');
    assert.deepEqual(rows(document), [
      ['Ada met Bo and Ada left', 'P1'],
      ['Ada met Bo and Ada left', 'P3'],
    ]);
    const [first, second] = document.examples;
    assert.deepEqual(spanTexts(first!), { head: 'Ada', tail: 'Bo' });
    assert.deepEqual(mentionTexts(first!), { head: ['Ada', 'Ada'], tail: ['Bo'] });
    assert.deepEqual(spanTexts(second!), { head: 'Bo and', tail: 'Bo' });
    assert.equal(second!.mentions, null);
    assert.equal(first!.goldField, null);
    assert.equal(at(document, document.fieldRange(first!, first!.textField)), JSON.stringify(ada.tokens));
    assert.equal(at(document, document.recordRange(first!)), JSON.stringify(ada));
    assert.deepEqual(document.findings, []);
    assert.equal(document.info.unreadableCount, 0);
  });

  it('names the labels by a file beside it', () => {
    const document = openBeside(JSON.stringify({ P1: [ada, ada], P2: [ada], P9: [ada] }), 'train.json', [names]);
    assert.deepEqual(
      document.examples.map(({ gold }) => gold),
      ['met', 'met', 'left', 'P9'],
    );
    assert.deepEqual(document.info.labels, [
      { label: 'met', count: 2, id: 'P1' },
      { label: 'left', count: 1, id: 'P2' },
      { label: 'P9', count: 1 },
    ]);
    assert.match(document.info.formatDetail, /labels named in pid2name\.json/);
  });

  it('takes a mention with gaps from its first to its last word', () => {
    const document = open(JSON.stringify({ P1: [{ ...ada, h: ['x', 'Q', [[4, 0]]] }] }));
    assert.deepEqual(spanTexts(document.examples[0]!), { head: 'Ada met Bo and Ada', tail: 'Bo' });
  });

  it('reads the sample', () => {
    const document = sampleWith('relations.fewrel.json', 'pid2name.json');
    assert.equal(document.info.format, 'fewrel');
    assert.equal(document.examples.length, 26);
    assert.deepEqual(document.findings, []);
    assert.deepEqual(document.info.labels.map(({ label, count }) => [label, count]).slice(0, 2), [
      ['Component-Whole(e1,e2)', 5],
      ['Message-Topic(e1,e2)', 5],
    ]);
    const parsed = JSON.parse(document.text) as Record<
      string,
      { tokens: string[]; h: [string, string, number[][]]; t: [string, string, number[][]] }[]
    >;
    const ids = new Map(document.info.labels.map(({ label, id }) => [label, id]));
    const flat = Object.entries(parsed).flatMap(([key, list]) => list.map((row) => ({ key, ...row })));
    for (const [index, example] of document.examples.entries()) {
      const { key, tokens, h, t } = flat[index]!;
      assert.equal(ids.get(example.gold!), key);
      assert.equal(example.text, tokens.join(' '));
      const words = (mentions: number[][]) => mentions.map((each) => tokens.slice(each[0], each.at(-1)! + 1).join(' '));
      assert.deepEqual(
        mentionTexts(example) ?? { head: [spanTexts(example)!.head], tail: [spanTexts(example)!.tail] },
        {
          head: words(h[2]),
          tail: words(t[2]),
        },
      );
      assert.equal(spanTexts(example)!.head.toLowerCase(), h[0]);
    }
  });

  it('says what is wrong with a row, a mention or a list, and reads all others', () => {
    const document = open(
      [
        '{"P1": [',
        JSON.stringify(ada),
        `, ${JSON.stringify({ ...ada, h: ['ada', 'Q1', [[0], [9]]] })}`,
        `, ${JSON.stringify({ ...ada, h: ['ada', 'Q1', [[-1]]] })}`,
        `, ${JSON.stringify({ ...ada, t: ['bo', 'Q2', [[6]]] })}`,
        `, ${JSON.stringify({ ...ada, t: 'bo' })}`,
        ', {"tokens": bad}',
        ', {"tokens": ["a"]}',
        '], "P2": 7, "P3": [',
        `${JSON.stringify(ada)}]} more`,
      ].join('\n'),
    );
    assert.deepEqual(
      document.examples.map(({ gold }) => gold),
      ['P1', 'P1', 'P3'],
    );
    assert.equal(document.examples[1]!.mentions, null);
    assert.deepEqual(
      document.findings.map(({ code, severity, message, range }) => [
        range.startLine,
        code,
        severity,
        message.slice(0, 30),
      ]),
      [
        [2, 'assay/span-out-of-bounds', 'warning', 'head stands at word 9, the tex'],
        [3, 'assay/span-out-of-bounds', 'error', 'head stands at word -1, the te'],
        [4, 'assay/span-out-of-bounds', 'error', 'tail stands at word 6, the tex'],
        [5, 'assay/unreadable-row', 'error', 'tail does not say where it sta'],
        [6, 'assay/unreadable-row', 'error', 'Not valid JSON: a value (text '],
        [7, 'assay/unreadable-row', 'error', 'The row has not "tokens", "h" '],
        [8, 'assay/unreadable-row', 'error', '"P2" has no list of rows: it i'],
        [9, 'assay/unreadable-row', 'error', 'Something follows the end of t'],
      ],
    );
    assert.equal(at(document, document.findings[2]!.range), JSON.stringify([6]));
  });

  it('reads a key of any name, "__proto__" and "after" among them', () => {
    const row = JSON.stringify(ada);
    const document = open(
      `{"__proto__": [${row}], "after": [${row}], "": [${row}], "[x": [${row}], "\\u00e9": [${row}]}`,
    );
    assert.deepEqual(
      document.examples.map(({ gold }) => gold),
      ['__proto__', 'after', '', '[x', 'é'],
    );
  });

  it('gives every row that ends before a cut (property)', () => {
    const text = JSON.stringify({ P1: [ada, ada, ada], P2: [ada, ada], P3: [ada] });
    const ends = [...text.matchAll(/"Q2",\[\[2\]\]\]\}/g)].map((match) => match.index + match[0].length);
    assert.equal(ends.length, 6);
    fc.assert(
      fc.property(fc.integer({ min: ends[0]!, max: text.length }), (cut) => {
        const whole = ends.filter((end) => end <= cut).length;
        const document = open(text.slice(0, cut));
        assert.deepEqual(rows(document).slice(0, whole), rows(open(text)).slice(0, whole));
        assert.ok(document.examples.length >= whole);
        if (cut < text.length) assert.ok(document.findings.length > 0);
      }),
    );
  });

  it('reads any rows, and maps every mention to what the file writes (property)', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '"', '\\', '\n', ' '), minLength: 1, maxLength: 4 });
    const row = fc.array(word, { minLength: 2, maxLength: 8 }).chain((tokens) => {
      const index = fc.nat(tokens.length - 1);
      const mentions = fc.array(fc.array(index, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 });
      return fc.record({ tokens: fc.constant(tokens), h: mentions, t: mentions });
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(
          fc.record({ key: fc.string({ maxLength: 4 }), list: fc.array(row, { minLength: 1, maxLength: 3 }) }),
          {
            selector: ({ key }) => key,
            minLength: 1,
            maxLength: 4,
          },
        ),
        fc.constantFrom(undefined, 1, 2),
        fc.boolean(),
        (lists, indent, ascii) => {
          const drawn = lists.flatMap(({ key, list }) => list.map((each) => ({ key, ...each })));
          const parts = lists.map(({ key, list }) => {
            const value = list.map(({ tokens, h, t }) => ({ tokens, h: ['n', 'Q1', h], t: ['n', 'Q2', t] }));
            return `${JSON.stringify(key)}: ${JSON.stringify(value, null, indent)}`;
          });
          const plain = `{${parts.join(', ')}}`;
          const text = ascii
            ? plain.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
            : plain;
          const document = open(text);
          assert.deepEqual(document.findings, []);
          assert.equal(document.examples.length, drawn.length);
          for (const [index, example] of document.examples.entries()) {
            const { key, tokens, h, t } = drawn[index]!;
            assert.equal(example.gold, key);
            assert.equal(example.text, tokens.join(' '));
            const expected = (mentions: number[][]) =>
              mentions.map((each) => tokens.slice(Math.min(...each), Math.max(...each) + 1));
            const spans = example.mentions ?? { head: [example.spans!.head], tail: [example.spans!.tail] };
            for (const [found, words] of [
              [spans.head, expected(h)],
              [spans.tail, expected(t)],
            ] as const) {
              assert.deepEqual(
                found.map(({ start, end }) => example.text.slice(start, end)),
                words.map((each) => each.join(' ')),
              );
              for (const [at, span] of found.entries()) {
                const escaped = written(document, example, span);
                assert.deepEqual(JSON.parse(`["${escaped}"]`), words[at]);
              }
            }
          }
        },
      ),
    );
  });
});
