import assert from 'node:assert/strict';
import { at, jsonl, open, spanTexts, written } from './opening';

const doccano = {
  id: 1,
  text: '😀 Ann founded Acme in Rome.',
  entities: [
    { id: 40, start_offset: 2, end_offset: 5, label: 'PER' },
    { id: 41, start_offset: 14, end_offset: 18, label: 'ORG' },
    { id: 42, start_offset: 22, end_offset: 26, label: 'LOC' },
  ],
  relations: [
    { id: 1, from_id: 40, to_id: 41, type: 'founder' },
    { id: 2, from_id: 41, to_id: 42, type: 'in' },
  ],
};
const bare = { id: 2, text: 'Nothing here.', entities: [], relations: [] };

const span = (start: number, end: number, token_start: number, token_end: number) => ({
  start,
  end,
  token_start,
  token_end,
  label: 'X',
});
const prodigy = {
  text: "Ann's boss is Bo Lee.",
  tokens: [
    { text: 'Ann', start: 0, end: 3, id: 0 },
    { text: "'s", start: 3, end: 5, id: 1 },
    { text: 'boss', start: 6, end: 10, id: 2 },
    { text: 'is', start: 11, end: 13, id: 3 },
    { text: 'Bo', start: 14, end: 16, id: 4 },
    { text: 'Lee', start: 17, end: 20, id: 5 },
    { text: '.', start: 20, end: 21, id: 6 },
  ],
  spans: [span(0, 3, 0, 0), span(14, 20, 4, 5)],
  relations: [
    { head: 0, child: 5, label: 'BOSS', head_span: span(0, 3, 0, 0), child_span: span(14, 20, 4, 5) },
    { head: 2, child: 5, label: 'IS', head_span: span(6, 10, 2, 2), child_span: span(14, 20, 4, 5) },
  ],
  answer: 'accept',
};

describe('datasets: relations that link entities', () => {
  it('reads what doccano exports, also where the first rows have no relation', () => {
    const bares = new Array(25).fill(bare);
    for (const text of [jsonl(doccano, bare), JSON.stringify([bare, doccano], null, 1), jsonl(...bares, doccano)]) {
      const document = open(text);
      assert.equal(document.info.format, 'linked-entities');
      assert.deepEqual(
        document.examples.map((example) => [example.gold, spanTexts(example), example.types]),
        [
          ['founder', { head: 'Ann', tail: 'Acme' }, { head: 'PER', tail: 'ORG' }],
          ['in', { head: 'Acme', tail: 'Rome' }, { head: 'ORG', tail: 'LOC' }],
        ],
      );
      const [first] = document.examples;
      assert.equal(at(document, document.fieldRange(first!, first!.goldField!)), '"founder"');
      assert.equal(written(document, first!, first!.spans!.tail), 'Acme');
      assert.deepEqual(document.findings, []);
      assert.equal(document.info.unreadableCount, 0);
    }
  });

  it('reads what Prodigy exports: by spans, or by the numbers of tokens', () => {
    const numbered = prodigy.relations.map(({ head, child, label }) => ({ head, child, label }));
    for (const relations of [prodigy.relations, numbered]) {
      const document = open(jsonl({ ...prodigy, relations }, { ...prodigy, relations: [] }));
      assert.deepEqual(
        document.examples.map((example) => [example.gold, spanTexts(example)]),
        [
          ['BOSS', { head: 'Ann', tail: 'Bo Lee' }],
          ['IS', { head: 'boss', tail: 'Bo Lee' }],
        ],
      );
      assert.deepEqual(document.findings, []);
    }
  });

  it('has no gold for rows that were rejected or passed over, and says so', () => {
    const document = open(jsonl(prodigy, { ...prodigy, answer: 'reject' }, { ...prodigy, answer: 'ignore' }));
    assert.deepEqual(
      document.examples.map(({ gold }) => gold),
      ['BOSS', 'IS', null, null, null, null],
    );
    assert.deepEqual(
      document.findings.map(({ severity, message, range }) => [severity, message, at(document, range)]),
      [
        [
          'warning',
          'This row was rejected ("answer": "reject"): its label is not gold. It is read without one.',
          '"reject"',
        ],
        [
          'warning',
          'This row was passed over ("answer": "ignore"): its label is not gold. It is read without one.',
          '"ignore"',
        ],
      ],
    );
  });

  it('reads ids of any kind, numbers of entities, words, and what the entities are said to be', () => {
    const entities = [
      { id: 'T2', start: 2, end: 4, type: 'L', text: 'Rome now' },
      { id: 'T1', start: 0, end: 1, type: 'P', text: 'Anne' },
    ];
    const relations = [{ arg1: 'T1', arg2: 'T2', type: 'lives' }];
    const document = open(jsonl({ tokens: ['Ann', 'in', 'Rome', 'now'], entities, relations }));
    assert.deepEqual(document.examples.map(spanTexts), [{ head: 'Ann', tail: 'Rome now' }]);
    assert.deepEqual(
      document.examples[0]!.misfits?.map(({ role, name, endShift }) => [role, name, endShift]),
      [['head', 'Anne', 0]],
    );
    const unnamed = [
      { start: 0, end: 3, label: 'P' },
      { start: 7, end: 11, label: 'L' },
    ];
    const numbered = { sentence: 'Ann in Rome', entities: unnamed, relations: [{ head: 1, tail: 0, type: 'home' }] };
    assert.deepEqual(open(jsonl(numbered)).examples.map(spanTexts), [{ head: 'Rome', tail: 'Ann' }]);
  });

  it('says which relation is wrong, and reads the others', () => {
    const entities = [...doccano.entities, { id: 43, start_offset: 20, end_offset: 90 }, { id: 44, label: 'X' }];
    const relations = [
      { from_id: 40, to_id: 99, type: 'a' },
      { from_id: 43, to_id: 40, type: 'b' },
      { from_id: 40, to_id: 44, type: 'c' },
      { from_id: 40, type: 'd' },
      { from_id: 40, to_id: 41 },
      7,
    ];
    const document = open(jsonl(doccano, { ...doccano, entities, relations }, { ...doccano, text: 3 }));
    assert.deepEqual(
      document.findings.map(({ message }) => message),
      [
        'The tail is entity 99, which the row has not. The relation is left out.',
        'head ends at character 90, the text has 27 characters. The relation is left out.',
        'The tail does not say where it starts and ends. The relation is left out.',
        '"to_id", the tail, is missing. The relation is left out.',
        '"type" is no text. The relation is left out.',
        '"from_id", the head, is missing. The relation is left out.',
        '"text" is neither text nor a list of words. The row is left out.',
      ],
    );
    assert.equal(document.examples.length, 2);
    assert.equal(document.info.unreadableCount, 2);
  });

  it('leaves rows to other formats whose lists are empty, or say no offsets', () => {
    const labelled = (more: object) =>
      open(jsonl({ text: 'a fine film', label: 'pos', ...more }, { text: 'bad', label: 'neg', ...more }));
    for (const more of [
      { entities: [], relations: [] },
      { entities: ['film'], relations: [{ head: 0, tail: 0, type: 'x' }] },
      { entities: [{ start: 0, end: 1, label: 'x' }] },
    ]) {
      assert.deepEqual([labelled(more).info.format, labelled(more).info.columns.gold], ['jsonl', 'label']);
    }
  });
});
