import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { at, jsonl, open, refusal, sampleWith, spanTexts, written } from './opening';

const ada = {
  doc_key: 'a',
  sentences: [
    ['Ada', 'Smith', 'met', 'Bo', '.'],
    ['She', 'left', 'Rome', '.'],
  ],
  ner: [
    [
      [0, 1, 'Person'],
      [3, 3, 'Person'],
    ],
    [[7, 7, 'Place']],
  ],
  relations: [[[0, 1, 3, 3, 'MET']], [[7, 7, 0, 1, 'LEFT']]],
  clusters: [],
};

describe('datasets: SciERC', () => {
  it('reads every relation in its sentence, or in those from one entity to the other', () => {
    const document = open(jsonl(ada));
    assert.equal(document.info.format, 'scierc');
    const [first, second] = document.examples;
    assert.equal(first!.text, 'Ada Smith met Bo .');
    assert.deepEqual(spanTexts(first!), { head: 'Ada Smith', tail: 'Bo' });
    assert.deepEqual(first!.types, { head: 'Person', tail: 'Person' });
    assert.equal(first!.sentences, null);
    assert.equal(at(document, document.fieldRange(first!, first!.textField)), JSON.stringify(ada.sentences[0]));
    assert.equal(second!.text, 'Ada Smith met Bo . She left Rome .');
    assert.deepEqual(spanTexts(second!), { head: 'Rome', tail: 'Ada Smith' });
    assert.deepEqual(second!.types, { head: 'Place', tail: 'Person' });
    assert.equal(second!.sentences?.length, 2);
    assert.deepEqual([first!.gold, second!.gold], ['MET', 'LEFT']);
    assert.equal(at(document, document.fieldRange(second!, second!.goldField!)), '"LEFT"');
    assert.equal(written(document, second!, second!.spans!.head), 'Rome');
    assert.deepEqual(document.findings, []);
  });

  it('reads the sample', () => {
    const document = sampleWith('relations.scierc.jsonl');
    assert.equal(document.examples.length, 11);
    assert.deepEqual(document.findings, []);
    const parsed = document.text
      .trimEnd()
      .split('\n')
      .map(
        (line) =>
          JSON.parse(line) as { sentences: string[][]; relations: [number, number, number, number, string][][] },
      );
    const flat = parsed.flatMap(({ sentences, relations }) =>
      relations.flat().map(([a, b, c, d, label]) => {
        const words = sentences.flat();
        return { head: words.slice(a, b + 1).join(' '), tail: words.slice(c, d + 1).join(' '), label };
      }),
    );
    assert.deepEqual(
      document.examples.map((example) => ({ ...spanTexts(example), label: example.gold })),
      flat,
    );
  });

  it('says which relation is wrong, and reads the others', () => {
    const relations = [
      [
        [0, 1, 3, 9, 'OUT'],
        [-1, 0, 3, 3, 'OUT'],
        [1, 0, 3, 3, 'TURNED'],
        [0, 1, 3],
        [0, 1, 3, 3, 7],
        ['a', 1, 3, 3, 'X'],
        [0, 1, 3, 3, 'MET', 0.7],
      ],
    ];
    const document = open(jsonl(ada, { ...ada, relations }, { ...ada, sentences: [['a'], 'b'] }, { doc_key: 'b' }));
    assert.deepEqual(
      document.examples.map(({ gold }) => gold),
      ['MET', 'LEFT', 'MET'],
    );
    assert.deepEqual(
      document.findings.map(({ range, code, message }) => [range.startLine, code.slice(6), message.slice(0, 34)]),
      [
        [1, 'span-out-of-bounds', 'tail ends with word 9, the documen'],
        [1, 'span-out-of-bounds', 'head goes from word -1 to word 0. '],
        [1, 'span-out-of-bounds', 'head goes from word 1 to word 0. T'],
        [1, 'unreadable-row', 'A relation should stand here as [s'],
        [1, 'unreadable-row', 'A relation should stand here as [s'],
        [1, 'unreadable-row', 'A relation should stand here as [s'],
        [2, 'unreadable-row', '"sentences" is no list of lists of'],
        [3, 'unreadable-row', 'This is no SciERC document. It is '],
      ],
    );
    assert.equal(at(document, document.findings[0]!.range), '[0,1,3,9,"OUT"]');
  });

  it('tells documents without relations', () => {
    const { relations: _, ...bare } = ada;
    assert.match(refusal(jsonl(bare)), /^This looks like SciERC documents without "relations"/);
  });

  it('reads any document (property)', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '"', '\\'), maxLength: 3 });
    const drawn = fc
      .array(fc.array(word, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 })
      .chain((sentences) => {
        const place = fc.nat(sentences.flat().length - 1);
        const span = fc.tuple(place, place).map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)]);
        const relation = fc.tuple(span, span, fc.string({ maxLength: 3 })).map(([h, t, label]) => [...h, ...t, label]);
        return fc.record({
          sentences: fc.constant(sentences),
          relations: fc.array(fc.array(relation, { maxLength: 2 }), { minLength: 1, maxLength: 3 }),
          ner: fc.constant([]),
        });
      });
    fc.assert(
      fc.property(fc.array(drawn, { minLength: 1, maxLength: 3 }), (docs) => {
        const document = open(jsonl(...docs));
        assert.deepEqual(document.findings, []);
        const flat = docs.flatMap(({ sentences, relations }) =>
          relations.flat().map((relation) => ({
            words: sentences.flat(),
            relation: relation as [number, number, number, number, string],
          })),
        );
        assert.equal(document.examples.length, flat.length);
        for (const [index, example] of document.examples.entries()) {
          const { words, relation } = flat[index]!;
          const [a, b, c, d, label] = relation;
          assert.equal(example.gold, label);
          for (const [span, from, to] of [
            [example.spans!.head, a, b],
            [example.spans!.tail, c, d],
          ] as const) {
            const wanted = words.slice(from, to + 1);
            assert.equal(example.text.slice(span.start, span.end), wanted.join(' '));
            if (wanted.join(' ') !== '') {
              // From the middle of a list to that of the next there stands `"],["` instead of `","`.
              const raw = written(document, example, span).replaceAll('"],["', '","');
              assert.deepEqual(JSON.parse(`["${raw}"]`), wanted);
            }
          }
        }
      }),
    );
  });
});
