import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { at, jsonl, mentionTexts, open, openBeside, refusal, sampleWith, spanTexts, written } from './opening';

const mention = (sent_id: number, pos: [number, number], type = 'P') => ({ pos, type, sent_id, name: 'n' });
const ada = {
  title: 'Ada',
  sents: [
    ['Ada', 'met', 'Bo', '.'],
    ['She', 'left', 'Rome', '.'],
  ],
  vertexSet: [
    [mention(0, [0, 1]), mention(1, [0, 1]), mention(1, [0, 1])],
    [mention(0, [2, 3])],
    [mention(1, [2, 3], 'L')],
  ],
  labels: [
    { r: 'P1', h: 0, t: 1, evidence: [0] },
    { r: 'P2', h: 0, t: 2, evidence: [1] },
  ],
};

describe('datasets: DocRED', () => {
  it('reads every labelled pair, its mentions, types and sentences', () => {
    const document = open(JSON.stringify([ada]));
    assert.equal(document.info.format, 'docred');
    const [first, second] = document.examples;
    assert.equal(document.examples.length, 2);
    assert.equal(first!.text, 'Ada met Bo . She left Rome .');
    assert.deepEqual(spanTexts(first!), { head: 'Ada', tail: 'Bo' });
    assert.deepEqual(mentionTexts(first!), { head: ['Ada', 'She'], tail: ['Bo'] });
    assert.deepEqual(mentionTexts(second!), { head: ['Ada', 'She'], tail: ['Rome'] });
    assert.deepEqual(second!.types, { head: 'P', tail: 'L' });
    assert.deepEqual(
      first!.sentences?.map(({ start, end }) => first!.text.slice(start, end)),
      ['Ada met Bo .', 'She left Rome .'],
    );
    assert.deepEqual([first!.gold, second!.gold], ['P1', 'P2']);
    assert.equal(at(document, document.fieldRange(second!, second!.goldField!)), '"P2"');
    assert.equal(written(document, second!, second!.mentions!.head[1]!), 'She');
    assert.equal(written(document, first!, first!.sentences![0]!), 'Ada","met","Bo",".');
    assert.deepEqual(document.findings, []);
  });

  it('reads relations that are written as columns, as Hugging Face exports them', () => {
    const labels = {
      head: [0, 0, 7, 1],
      tail: [1, 2, 1],
      relation_id: ['P1', 'P2', 'P3', 'P4'],
      relation_text: ['met', 'left', 'x', 'y'],
      evidence: [[0], [1], [], []],
    };
    const none = { head: [], tail: [], relation_id: [], relation_text: [], evidence: [] };
    for (const text of [jsonl({ ...ada, labels }, { ...ada, labels: none }), JSON.stringify([{ ...ada, labels }])]) {
      const document = open(text);
      assert.equal(document.info.format, 'docred');
      assert.deepEqual(
        document.examples.map((example) => [example.gold, spanTexts(example)]),
        [
          ['P1', { head: 'Ada', tail: 'Bo' }],
          ['P2', { head: 'Ada', tail: 'Rome' }],
        ],
      );
      assert.equal(at(document, document.fieldRange(document.examples[1]!, document.examples[1]!.goldField!)), '"P2"');
      assert.deepEqual(
        document.findings.map(({ message, range }) => [message, at(document, range)]),
        [
          ['head is entity 7, the document has 0 to 2. The relation is left out.', '"P3"'],
          ['"t", the number of the tail entity, is missing. The relation is left out.', '"P4"'],
        ],
      );
      assert.equal(document.info.unreadableCount, 0);
    }
    const [finding] = open(JSON.stringify([ada, { ...ada, labels: { head: [0] } }])).findings;
    assert.equal(finding!.message, '"labels" is no list of relations. The document is left out.');
  });

  it('reads JSON Lines, keys in any order, and names relations by a file beside it', () => {
    const { title, sents, vertexSet, labels } = ada;
    const text = jsonl({ labels, vertexSet, sents, title }, { title, vertexSet, labels: [], sents });
    const document = openBeside(text, 'dev.json', [{ name: 'rel_info.json', text: '{"P1": "met", "P2": "left"}' }]);
    assert.match(document.info.formatDetail, /^DocRED, JSON Lines/);
    assert.deepEqual(
      document.examples.map(({ gold }) => gold),
      ['met', 'left'],
    );
    assert.equal(at(document, document.fieldRange(document.examples[0]!, document.examples[0]!.goldField!)), '"P1"');
    assert.equal(document.info.unreadableCount, 0, 'a document without relations is not unreadable');
  });

  it('shares text, map, sentences and mentions among the examples of a document', () => {
    const [first, second] = open(JSON.stringify([ada])).examples;
    assert.equal(first!.map, second!.map);
    assert.equal(first!.sentences, second!.sentences);
    assert.equal(first!.mentions!.head, second!.mentions!.head);
    assert.equal(first!.record, second!.record);
  });

  it('reads long documents of many pairs in little memory', function () {
    this.timeout(20_000);
    const sents = Array.from({ length: 200 }, (_, s) => Array.from({ length: 20 }, (_, w) => `word${s}x${w}`));
    const vertexSet = sents.map((_, s) => [mention(s, [0, 1]), mention(s, [5, 7])]);
    const labels = Array.from({ length: 600 }, (_, i) => ({ r: 'r', h: i % 200, t: (i * 7 + 1) % 200 }));
    const text = JSON.stringify(Array.from({ length: 20 }, () => ({ title: 't', sents, vertexSet, labels })));
    const before = process.memoryUsage().heapUsed;
    const document = open(text);
    const grown = process.memoryUsage().heapUsed - before;
    assert.equal(document.examples.length, 12_000);
    // A copy of the text for each pair alone would be 500 MB.
    assert.ok(grown < 150e6, `${grown} bytes`);
  });

  it('reads the sample', () => {
    const document = sampleWith('relations.docred.json', 'pid2name.json');
    assert.equal(document.examples.length, 11);
    assert.deepEqual(document.findings, []);
    const parsed = JSON.parse(document.text) as (typeof ada)[];
    const flat = parsed.flatMap((doc) => doc.labels.map((label) => ({ doc, ...label })));
    for (const [index, example] of document.examples.entries()) {
      const { doc, r, h, t } = flat[index]!;
      assert.equal(example.text, doc.sents.map((words) => words.join(' ')).join(' '));
      const names = (entity: number) => doc.vertexSet[entity]!.map(({ name }) => name);
      const found = mentionTexts(example) ?? { head: [spanTexts(example)!.head], tail: [spanTexts(example)!.tail] };
      assert.deepEqual(found, { head: names(h), tail: names(t) });
      assert.equal(document.info.labels.find(({ label }) => label === example.gold)?.id, r);
    }
  });

  it('says which mention, relation or document is wrong, and reads all others', () => {
    const wrong = {
      ...ada,
      vertexSet: [...ada.vertexSet, [mention(2, [0, 1])], [mention(0, [3, 5]), mention(1, [0, 1])]],
      labels: [{ r: 'a', h: 0, t: 9 }, { r: 'b', h: 3, t: 0 }, { r: 'c', h: 4, t: 1 }, { r: 'd', h: 0 }, 7],
    };
    const document = open(
      `[\n${[ada, wrong, { ...ada, sents: [[1]] }, { ...ada, labels: 3 }].map((each) => JSON.stringify(each)).join(',\n')},\n{"title": "t"},\n{"sents": [[}\n]`,
    );
    assert.deepEqual(
      document.examples.map(({ gold }) => gold),
      ['P1', 'P2', 'c'],
    );
    assert.deepEqual(mentionTexts(document.examples[2]!), null);
    assert.deepEqual(
      document.findings.map(({ range, code, message }) => [range.startLine, code.slice(6), message.slice(0, 34)]),
      [
        [2, 'span-out-of-bounds', '"n" stands in sentence 2, the docu'],
        [2, 'span-out-of-bounds', '"n" ends at word 5 of sentence 0, '],
        [2, 'unreadable-row', 'tail is entity 9, the document has'],
        [2, 'unreadable-row', 'No mention of head, entity 3, can '],
        [2, 'unreadable-row', '"t", the number of the tail entity'],
        [2, 'unreadable-row', '"h", the number of the head entity'],
        [3, 'unreadable-row', '"sents" is no list of lists of wor'],
        [4, 'unreadable-row', '"labels" is no list of relations. '],
        [5, 'unreadable-row', 'This is no DocRED document. It is '],
        [6, 'unreadable-row', 'Not valid JSON: a value (text in q'],
      ],
    );
    assert.equal(document.info.unreadableCount, 4);
  });

  it('tells documents without relations', () => {
    const { labels: _, ...bare } = ada;
    assert.match(refusal(JSON.stringify([bare])), /^This looks like DocRED documents without "labels"/);
  });

  it('reads any document (property)', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '"', '\\', ' '), maxLength: 3 });
    const drawn = fc.array(fc.array(word, { maxLength: 5 }), { minLength: 1, maxLength: 5 }).chain((sents) => {
      const place = fc
        .nat(sents.length - 1)
        .chain((sent_id) =>
          fc
            .tuple(fc.nat(sents[sent_id]!.length), fc.nat(sents[sent_id]!.length))
            .map(([a, b]) => ({ sent_id, pos: [Math.min(a, b), Math.max(a, b)] as const, name: 'n', type: 'T' })),
        );
      return fc
        .array(fc.array(place, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 })
        .chain((vertexSet) => {
          const entity = fc.nat(vertexSet.length - 1);
          const labels = fc.array(fc.record({ r: fc.string({ maxLength: 3 }), h: entity, t: entity }), {
            minLength: 1,
          });
          return fc.record({ sents: fc.constant(sents), vertexSet: fc.constant(vertexSet), labels });
        });
    });
    fc.assert(
      fc.property(fc.array(drawn, { minLength: 1, maxLength: 4 }), fc.constantFrom(undefined, 1), (docs, indent) => {
        const document = open(JSON.stringify(docs, null, indent));
        assert.deepEqual(document.findings, []);
        const flat = docs.flatMap((doc) => doc.labels.map((label) => ({ doc, ...label })));
        assert.equal(document.examples.length, flat.length);
        for (const [index, example] of document.examples.entries()) {
          const { doc, r, h, t } = flat[index]!;
          assert.equal(example.text, doc.sents.flat().join(' '));
          assert.equal(example.gold, r);
          const spans = example.mentions ?? { head: [example.spans!.head], tail: [example.spans!.tail] };
          for (const [found, entity] of [
            [spans.head, h],
            [spans.tail, t],
          ] as const) {
            const wanted = new Set(
              doc.vertexSet[entity]!.map(({ sent_id, pos }) => JSON.stringify(doc.sents[sent_id]!.slice(...pos))),
            );
            for (const span of found) {
              const escaped = written(document, example, span);
              assert.ok(span.start === span.end || wanted.has(JSON.stringify(JSON.parse(`["${escaped}"]`))), escaped);
            }
          }
        }
      }),
    );
  });
});
