import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { at, jsonl, open, refusal, sampleWith, spanTexts, written } from './opening';

const ada = {
  tokens: ['Ada', 'Smith', 'met', 'Bo', '.'],
  entities: [
    { type: 'Peop', start: 3, end: 4 },
    { type: 'Peop', start: 0, end: 2 },
  ],
  relations: [
    { type: 'Met', head: 1, tail: 0 },
    { type: 'MetBy', head: 0, tail: 1 },
  ],
  orig_id: 7,
};

describe('datasets: SpERT', () => {
  it('reads every relation between the entities it numbers', () => {
    for (const text of [JSON.stringify([ada]), jsonl(ada), JSON.stringify([ada], null, 2)]) {
      const document = open(text);
      assert.equal(document.info.format, 'spert');
      const [first, second] = document.examples;
      assert.equal(document.examples.length, 2);
      assert.equal(first!.text, 'Ada Smith met Bo .');
      assert.deepEqual(spanTexts(first!), { head: 'Ada Smith', tail: 'Bo' });
      assert.deepEqual(spanTexts(second!), { head: 'Bo', tail: 'Ada Smith' });
      assert.deepEqual(first!.types, { head: 'Peop', tail: 'Peop' });
      assert.equal(at(document, document.fieldRange(second!, second!.goldField!)), '"MetBy"');
      assert.deepEqual(document.findings, []);
    }
  });

  it('reads the sample, a sentence without entities among it', () => {
    const document = sampleWith('relations.spert.json');
    assert.deepEqual(document.findings, []);
    assert.equal(document.info.unreadableCount, 0);
    const parsed = JSON.parse(document.text) as (typeof ada)[];
    assert.equal(parsed.length, 22);
    const flat = parsed.flatMap(({ tokens, entities, relations }) => {
      const words = (index: number) => tokens.slice(entities[index]!.start, entities[index]!.end).join(' ');
      return relations.map(({ type, head, tail }) => ({ head: words(head), tail: words(tail), gold: type }));
    });
    assert.equal(flat.length, 23);
    assert.deepEqual(
      document.examples.map((example) => ({ ...spanTexts(example), gold: example.gold })),
      flat,
    );
  });

  it('says which relation is wrong, and reads the others', () => {
    const entities = [...ada.entities, { type: 'X', start: 4, end: 6 }, { type: 'X', start: 2, end: 1 }, { type: 'X' }];
    const relations = [
      { type: 'a', head: 2, tail: 0 },
      { type: 'b', head: 0, tail: 3 },
      { type: 'c', head: 0, tail: 4 },
      { type: 'd', head: 5, tail: 0 },
      { type: 'e', tail: 0 },
      3,
      { type: 'f', head: 0, tail: 1 },
    ];
    const document = open(jsonl(ada, { ...ada, entities, relations }, { ...ada, tokens: ['a', 1] }));
    assert.deepEqual(
      document.examples.map(({ gold }) => gold),
      ['Met', 'MetBy', 'f'],
    );
    assert.deepEqual(
      document.findings.map(({ range, code, message }) => [range.startLine, code.slice(6), message.slice(0, 34)]),
      [
        [1, 'span-out-of-bounds', 'head, entity 2, ends at word 6, th'],
        [1, 'span-out-of-bounds', 'tail, entity 3, goes from word 2 t'],
        [1, 'unreadable-row', 'tail, entity 4, has no "start" and'],
        [1, 'unreadable-row', 'head is entity 5, the sentence has'],
        [1, 'unreadable-row', '"head", the number of an entity, i'],
        [1, 'unreadable-row', '"head", the number of an entity, i'],
        [2, 'unreadable-row', '"tokens" is no list of words. The '],
      ],
    );
  });

  it('tells sentences without relations', () => {
    const { relations: _, ...bare } = ada;
    assert.match(refusal(jsonl(bare)), /^This looks like SpERT documents without "relations"/);
  });

  it('reads any sentences (property)', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '"', '\\'), maxLength: 3 });
    const drawn = fc.array(word, { minLength: 1, maxLength: 6 }).chain((tokens) => {
      const end = fc.integer({ min: 1, max: tokens.length });
      const entity = fc.tuple(fc.nat(tokens.length - 1), end).map(([a, b]) => ({
        type: 'T',
        start: Math.min(a, b - 1),
        end: Math.max(a + 1, b),
      }));
      return fc.array(entity, { minLength: 1, maxLength: 4 }).chain((entities) => {
        const index = fc.nat(entities.length - 1);
        const relations = fc.array(fc.record({ type: fc.string({ maxLength: 3 }), head: index, tail: index }));
        return fc.record({ tokens: fc.constant(tokens), entities: fc.constant(entities), relations });
      });
    });
    fc.assert(
      fc.property(fc.array(drawn, { minLength: 1, maxLength: 4 }), (sentences) => {
        const document = open(JSON.stringify(sentences));
        assert.deepEqual(document.findings, []);
        const flat = sentences.flatMap((sentence) => sentence.relations.map((relation) => ({ sentence, relation })));
        assert.equal(document.examples.length, flat.length);
        for (const [index, example] of document.examples.entries()) {
          const { sentence, relation } = flat[index]!;
          assert.equal(example.gold, relation.type);
          for (const role of ['head', 'tail'] as const) {
            const { start, end } = sentence.entities[relation[role]]!;
            const wanted = sentence.tokens.slice(start, end);
            const span = example.spans![role];
            assert.equal(example.text.slice(span.start, span.end), wanted.join(' '));
            if (wanted.join('') !== '') {
              assert.deepEqual(JSON.parse(`["${written(document, example, span)}"]`), wanted);
            }
          }
        }
      }),
    );
  });
});
