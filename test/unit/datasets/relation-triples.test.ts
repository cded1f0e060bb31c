import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { at, jsonl, open, spanTexts, written } from './opening';

const duie = {
  text: '《雪国》是作家川端写的小说',
  spo_list: [
    { predicate: '作者', subject: '雪国', subject_type: '书', object: '川端', object_type: '人' },
    {
      predicate: '体裁',
      subject: '雪国',
      subject_type: '书',
      object: { '@value': '小说' },
      object_type: { '@value': 'T' },
    },
  ],
};
const none = { text: '没有', spo_list: [] };

function triples(text: string) {
  return open(text).examples.map((example) => {
    const { head, tail } = spanTexts(example)!;
    return [head, example.gold, tail];
  });
}

describe('datasets: texts with lists of triples', () => {
  it('reads DuIE, every triple an example with its types, in every layout', () => {
    for (const text of [jsonl(none, duie), JSON.stringify([duie, none]), JSON.stringify([none, duie], null, 2)]) {
      const document = open(text);
      assert.equal(document.info.format, 'relation-triples');
      assert.deepEqual(document.info.columns, {
        task: 'relation',
        text: 'text',
        gold: 'spo_list.predicate',
        head: 'spo_list.subject',
        tail: 'spo_list.object',
      });
      assert.deepEqual(triples(text), [
        ['雪国', '作者', '川端'],
        ['雪国', '体裁', '小说'],
      ]);
      const [first, second] = document.examples;
      assert.deepEqual(second!.types, { head: '书', tail: 'T' });
      assert.equal(at(document, document.fieldRange(first!, first!.goldField!)), '"作者"');
      assert.equal(written(document, first!, first!.spans!.tail), '川端');
      assert.deepEqual(document.findings, []);
      assert.equal(document.info.unreadableCount, 0);
      assert.equal(open(text, document.info.columns).info.format, 'relation-triples');
    }
  });

  it('reads CasRel, and tells by the texts which of three is the relation', () => {
    const text = 'Ann lives in New York .';
    const both = [
      ['Ann', 'New York'],
      ['New York', 'Ann'],
    ] as const;
    const expected = [
      ['Ann', '/lived', 'New York'],
      ['New York', '/lived', 'Ann'],
    ];
    for (const write of [
      (head: string, tail: string) => [head, '/lived', tail],
      (head: string, tail: string) => [head, tail, '/lived'],
      (head: string, tail: string) => ['/lived', head, tail],
    ]) {
      const triple_list = both.map(([head, tail]) => write(head, tail));
      assert.deepEqual(triples(JSON.stringify([{ text, triple_list }])), expected);
      assert.deepEqual(triples(jsonl({ triples: triple_list, tokens: text.split(' ') })), expected);
    }
    assert.equal(
      open(jsonl({ text, triple_list: [['Ann', '/lived', 'New York']] })).info.columns.gold,
      'triple_list label',
    );
  });

  it('reads NYT, whose types stand beside the relations, and TPLinker, which says offsets', () => {
    const nyt = open(
      jsonl({
        sentText: 'Ann lives in New York .',
        relationMentions: [
          { em1Text: 'Ann', em2Text: 'New York', label: '/lived' },
          { em1Text: 'New York', em2Text: 'Ann', label: 'None' },
        ],
        entityMentions: [{ start: 0, label: 'PERSON', text: 'Ann' }],
      }),
    );
    assert.deepEqual(
      nyt.examples.map(({ gold, types }) => [gold, types]),
      [
        ['/lived', { head: 'PERSON', tail: null }],
        ['None', { head: null, tail: 'PERSON' }],
      ],
    );
    const relation = {
      subject: 'Ann',
      object: 'Rome',
      predicate: 'in',
      subj_char_span: [9, 12],
      obj_char_span: [16, 20],
    };
    const linked = open(jsonl({ text: 'Ann met. Ann in Rome', relation_list: [relation] }));
    assert.deepEqual(linked.examples[0]!.spans, { head: { start: 9, end: 12 }, tail: { start: 16, end: 20 } });
  });

  it('says which relation is wrong, reads the others, and counts a row that gives none', () => {
    const document = open(
      jsonl(
        { ...duie, spo_list: [duie.spo_list[0], { ...duie.spo_list[0], object: '他' }, 3, { subject: '雪国' }] },
        { ...duie, spo_list: [{ ...duie.spo_list[0], subject: '川', object: '川端' }, duie.spo_list[1]] },
        { ...duie, spo_list: [{ ...duie.spo_list[0], subject: 'Ann' }] },
        { spo_list: [] },
      ),
    );
    assert.deepEqual(
      document.findings.map(({ code, message, range }) => [code, range.startLine, message]),
      [
        ['assay/entity-not-found', 0, 'tail "他" does not stand in the text. The relation is left out.'],
        [
          'assay/unreadable-row',
          0,
          'A relation should stand here as "subject", "predicate" and "object". It is left out.',
        ],
        [
          'assay/unreadable-row',
          0,
          'A relation should stand here as "subject", "predicate" and "object". It is left out.',
        ],
        [
          'assay/entity-not-found',
          1,
          'tail "川端" stands in the text only around head "川". The relation is left out.',
        ],
        ['assay/entity-not-found', 2, 'head "Ann" does not stand in the text. The relation is left out.'],
        ['assay/unreadable-row', 3, 'This is no text + spo_list document. It is left out.'],
      ],
    );
    assert.equal(document.examples.length, 2);
    assert.equal(document.info.unreadableCount, 2);
  });

  it('takes relations that are not of their texts for no dataset of relations', () => {
    const relations = [{ subject: 'Q1', predicate: 'P1', object: 'Q2' }];
    const document = open(
      jsonl({ text: 'a fine film', label: 'pos', relations }, { text: 'a bad one', label: 'neg', relations }),
    );
    assert.deepEqual([document.info.format, document.info.columns.task], ['jsonl', 'sentiment']);
    const empty = open(
      jsonl({ text: 'a fine film', label: 'pos', relations: [] }, { text: 'bad', label: 'neg', relations: [] }),
    );
    assert.deepEqual([empty.info.format, empty.info.columns.gold], ['jsonl', 'label']);
  });

  it('finds every entity that is written in its text (property)', () => {
    const word = fc.stringMatching(/^[a-zé😀"\\]{1,5}$/u);
    fc.assert(
      fc.property(fc.uniqueArray(word, { minLength: 3, maxLength: 8 }), fc.nat(), fc.nat(), (words, one, other) => {
        const head = words[one % words.length]!;
        const tail = words[other % words.length]!;
        fc.pre(head !== tail && !head.includes(tail) && !tail.includes(head));
        const document = open(JSON.stringify([{ text: words.join(' '), triples: [[head, '/ is /', tail]] }]));
        const [example] = document.examples;
        const fold = (value: string) => value.toLowerCase();
        assert.equal(fold(spanTexts(example!)!.head), fold(head));
        assert.equal(fold(spanTexts(example!)!.tail), fold(tail));
        assert.equal(JSON.parse(`"${written(document, example!, example!.spans!.head)}"`), spanTexts(example!)!.head);
      }),
      { numRuns: 60 },
    );
  });
});
