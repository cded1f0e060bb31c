import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { DatasetDocument } from '../../../src/engine/datasets/document';
import { aspectText, at, jsonl, open, refusal, rows, sample, written } from './opening';

const columns = { text: ['a "fine" film', 'a dull\nfilm', 'so so é'], label: [1, 0, 1] };
const expected = [
  ['a "fine" film', '1'],
  ['a dull\nfilm', '0'],
  ['so so é', '1'],
];

/** Every example's whole text, as it is written, is what JSON makes of it. */
function assertWritten(document: DatasetDocument): void {
  for (const example of document.examples) {
    const raw = written(document, example, { start: 0, end: example.text.length });
    assert.equal(JSON.parse(`"${raw}"`), example.text);
  }
}

describe('datasets: JSON object of columns', () => {
  it('reads lists, and columns of named rows as pandas writes them', () => {
    for (const text of [
      JSON.stringify(columns),
      JSON.stringify(columns, null, 2),
      JSON.stringify({ label: columns.label, note: 'x', text: columns.text }),
      JSON.stringify({ text: { ...columns.text }, label: { ...columns.label } }),
      JSON.stringify({ text: { ...columns.text }, label: { 2: 1, 1: 0, 0: 1 } }),
      `\ufeff${JSON.stringify(columns)}\n\n`,
    ]) {
      const document = open(text);
      assert.equal(document.info.format, 'json');
      assert.match(document.info.formatDetail, /columns/);
      assert.deepEqual(document.info.columns, { task: 'sentiment', text: 'text', gold: 'label' });
      assert.deepEqual(rows(document), expected);
      assert.deepEqual(document.findings, []);
      assertWritten(document);
      assert.equal(at(document, document.fieldRange(document.examples[1]!, document.examples[1]!.goldField!)), '0');
    }
  });

  it('gives each row its own lines, though all are one record', () => {
    const document = open(JSON.stringify(columns, null, 2));
    assert.deepEqual(
      document.examples.map((example) => document.recordRange(example).startLine),
      [2, 3, 4],
    );
    assert.deepEqual(document.examplesBetween(3, 4), { from: 1, to: 2 });
    assert.deepEqual(document.examplesBetween(0, 99), { from: 0, to: 3 });
    assert.deepEqual(document.examplesBetween(6, 9), { from: 3, to: 3 });
  });

  it('reads the samples', () => {
    const lists = sample('sentiment.columns.json');
    const named = sample('sentiment.pandas.json');
    assert.equal(lists.examples.length, 24);
    assert.deepEqual(
      rows(lists).map(([text, gold]) => [text, gold === '1' ? 'positive' : 'negative']),
      rows(named),
    );
    for (const document of [lists, named]) {
      assert.match(document.info.formatDetail, /columns/);
      assert.deepEqual(document.findings, []);
      assertWritten(document);
    }
  });

  it('finds labels far behind the first characters, and follows their edits', () => {
    const text = Array.from({ length: 4000 }, (_, index) => `the film number ${index} is not like the others`);
    const document = open(JSON.stringify({ text, label: text.map((_, index) => index % 2), other: text }));
    assert.equal(document.examples.length, 4000);
    assert.deepEqual(
      document.info.labels.map(({ count }) => count),
      [2000, 2000],
    );
    const offset = document.text.indexOf('"label"') + 1;
    document.applyEdits([
      { range: { startLine: 0, startChar: offset, endLine: 0, endChar: offset + 5 }, text: 'sentiment' },
    ]);
    assert.equal(document.info.columns.gold, 'sentiment');
    assert.deepEqual(rows(document), rows(open(document.text)));
  });

  it('cut off, still gives the rows whose text and label are there, and says so', () => {
    const text = JSON.stringify({
      text: ['film one is fine', 'film two is dull', 'film three is odd'],
      label: [1, 0, 1],
    });
    const firstLabel = text.indexOf('[1') + 2;
    for (let cut = firstLabel + 3; cut < text.length; cut++) {
      const document = open(text.slice(0, cut));
      const whole = text.slice(0, cut).split(',').length - 4;
      assert.ok(document.examples.length >= whole, `${whole} at ${cut}`);
      assert.match(document.findings.at(-1)!.message, /^Not valid JSON/);
    }
    const short = open(JSON.stringify({ text: columns.text, label: [1, 0] }));
    assert.deepEqual(
      rows(short).map(([, gold]) => gold),
      ['1', '0', null],
    );
    assert.match(short.findings[0]!.message, /^1 of the texts has no label in "\w+": it is read without/);
    const followed = open(`${JSON.stringify(columns)}\nmore`);
    assert.equal(followed.examples.length, 3);
    assert.match(followed.findings[0]!.message, /Something follows/);
  });

  it('takes no other object of lists for one', () => {
    assert.match(
      refusal(JSON.stringify({ female: ['Ann Lee Smith', 'Bea Roe Low'], male: ['Al B C', 'Cy D E'] })),
      /^This looks/,
    );
    assert.match(refusal(JSON.stringify({ text: [], label: [] })), /^This looks/);
    assert.match(
      refusal(JSON.stringify({ P6: ['head of government', 'head of a town'], P17: ['country', 'a state'] })),
      /^This looks/,
    );
  });

  it('any columns (property)', () => {
    const row = fc.tuple(fc.string({ unit: 'binary', maxLength: 20 }), fc.constantFrom('pos', 'neg', 0, 1));
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 2, maxLength: 8 }),
        fc.constantFrom(0, 1),
        fc.boolean(),
        (drawn, indent, isNamed) => {
          const text = drawn.map(([each]) => `a film ${each}`);
          const label = drawn.map(([, each]) => each);
          const value = isNamed ? { text: { ...text }, label: { ...label } } : { text, label };
          const document = open(JSON.stringify(value, null, indent));
          assert.deepEqual(
            rows(document),
            text.map((each, index) => [each, String(label[index])]),
          );
          assertWritten(document);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe('datasets: JSON rows within an object', () => {
  const data = [
    { id: 7, review: { text: 'a fine film', title: 'x' }, stars: 5 },
    { id: 8, review: { text: 'a dull film', title: 'y' }, stars: 1 },
  ];

  it('reads the list under one key or several, nested texts too', () => {
    for (const [value, path] of [
      [{ data }, 'data'],
      [{ version: '1', data, more: [1, 2] }, 'data'],
      [{ meta: { tags: [{ name: 'a' }] }, result: { rows: data } }, 'result.rows'],
      [{ labels: [{ id: 1, name: 'bad' }], reviews: data }, 'reviews'],
    ] as const) {
      for (const indent of [0, 2]) {
        const document = open(JSON.stringify(value, null, indent));
        assert.match(document.info.formatDetail, new RegExp(`rows under "${path}"`));
        assert.deepEqual(document.info.columns, { task: 'sentiment', text: 'review.text', gold: 'stars', id: 'id' });
        assert.deepEqual(rows(document), [
          ['a fine film', '5'],
          ['a dull film', '1'],
        ]);
        assert.deepEqual(document.findings, []);
      }
    }
  });

  it('reads the sample, its stars and not the votes or dates beside them', () => {
    const document = sample('reviews.json');
    assert.deepEqual(document.info.columns, { task: 'sentiment', text: 'review.text', gold: 'stars', id: 'id' });
    assert.equal(document.examples.length, 30);
    assert.deepEqual(document.info.labels.map(({ label }) => label).sort(), ['1', '2', '3', '4', '5']);
    assert.deepEqual(document.findings, []);
    assertWritten(document);
  });

  it('cut off or broken, gives the other rows', () => {
    const text = JSON.stringify({ data: [...data, ...data] }, null, 1);
    const ends = [...text.matchAll(/\n {2}\}/g)].map((match) => match.index + match[0].length);
    for (let cut = ends[1]!; cut < text.length; cut++)
      assert.ok(open(text.slice(0, cut)).examples.length >= ends.filter((end) => end <= cut).length);
    const broken = open(text.replace('"stars": 1', '"stars": one'));
    assert.equal(broken.examples.length, 3);
    assert.match(broken.findings[0]!.message, /^Not valid JSON/);
  });

  it('leaves rows on lines of their own alone, and other objects', () => {
    const line = { text: 'a fine film', label: 'pos', replies: [{ text: 'no it is dull', label: 'neg' }] };
    assert.equal(open(jsonl(line, line)).info.format, 'jsonl');
    assert.match(
      refusal(
        JSON.stringify({
          items: [
            { name: 'a', price: 1 },
            { name: 'b', price: 2 },
          ],
        }),
      ),
      /^This looks/,
    );
  });

  it('reads chosen columns', () => {
    const document = open(JSON.stringify({ data }), { task: 'sentiment', text: 'review.title', gold: 'stars' });
    assert.deepEqual(rows(document), [
      ['x', '5'],
      ['y', '1'],
    ]);
  });
});

describe('datasets: JSON lists as rows', () => {
  const pairs = [
    ['a fine film it is', 'pos'],
    ['a dull film "it" is', 'neg'],
    ['so so é it is', 'pos'],
  ];

  it('reads a list of lists, and a list a line, whichever value is the text', () => {
    for (const [text, format] of [
      [JSON.stringify(pairs), 'json'],
      [JSON.stringify(pairs, null, 1), 'json'],
      [jsonl(...pairs), 'jsonl'],
    ] as const) {
      const document = open(text);
      assert.equal(document.info.format, format);
      assert.deepEqual(document.info.columns, { task: 'sentiment', text: '#1', gold: '#2' });
      assert.deepEqual(rows(document), pairs);
      assert.deepEqual(document.findings, []);
      assertWritten(document);
    }
    const turned = open(JSON.stringify(pairs.map(([text, label]) => [label, text])));
    assert.deepEqual(turned.info.columns, { task: 'sentiment', text: '#2', gold: '#1' });
    assert.deepEqual(rows(turned), pairs);
  });

  it('reads the sample', () => {
    const document = sample('sentiment.pairs.json');
    assert.equal(document.examples.length, 24);
    assert.deepEqual(document.info.labels.map(({ label }) => label).sort(), ['negative', 'positive']);
    assert.deepEqual(document.findings, []);
    assertWritten(document);
  });

  it('says which list is no row, and reads the others', () => {
    const document = open(
      `[${pairs.map((pair) => JSON.stringify(pair)).join(',\n')},\n["alone"],\n[7, "pos"],\n["bad],\n["the last film it is", null]\n]`,
      {
        task: 'sentiment',
        text: '#1',
        gold: '#2',
      },
    );
    assert.equal(document.examples.length, 5);
    assert.equal(document.examples[3]!.text, 'alone');
    assert.deepEqual(
      document.findings.map(({ message, range }) => [message.slice(0, 14), range.startLine]),
      [
        ['The text is ne', 4],
        ['Not valid JSON', 5],
      ],
    );
  });
});

describe('datasets: aspects in JSON', () => {
  const row = {
    words: ['The', 'crème', 'brûlée', 'won', ',', 'the', 'tea', 'lost'],
    image_id: '1.jpg',
    aspects: [
      { from: 1, to: 3, polarity: 'POS', term: ['crème', 'brûlée'] },
      { from: 6, to: 7, polarity: 'NEG', term: ['tea'] },
    ],
    opinions: [{ term: [] }],
  };

  it('gives an example for each aspect', () => {
    for (const text of [
      JSON.stringify([row, row]),
      JSON.stringify([row], null, 1),
      jsonl(row, { ...row, aspects: [] }),
    ]) {
      const document = open(text);
      assert.deepEqual(document.info.columns, { task: 'sentiment', text: 'words', gold: 'aspects.polarity' });
      assert.deepEqual(
        document.examples.slice(0, 2).map((example) => [example.text, example.gold, aspectText(example)]),
        [
          ['The crème brûlée won , the tea lost', 'POS', 'crème brûlée'],
          ['The crème brûlée won , the tea lost', 'NEG', 'tea'],
        ],
      );
      assert.deepEqual(document.findings, []);
      assert.equal(document.info.unreadableCount, 0);
      const [first, second] = document.examples;
      assert.equal(written(document, second!, second!.aspect!), 'tea');
      assert.equal(at(document, document.fieldRange(first!, first!.goldField!)), '"POS"');
      document.choose(document.info.columns);
      assert.equal(document.examples[1]!.gold, 'NEG');
    }
  });

  it('counts characters where the text is no list', () => {
    const document = open(
      jsonl(
        { id: 'a', text: '😀 the tea', aspects: [{ start: 6, end: 9, sentiment: 'neg', term: 'tea' }] },
        { id: 'b', text: 'the "tea"', aspects: [{ start: 4, end: 9, sentiment: 'pos', term: '"tea"' }] },
      ),
    );
    assert.deepEqual(
      document.examples.map((example) => [example.id, aspectText(example)]),
      [
        ['a', 'tea'],
        ['b', '"tea"'],
      ],
    );
    assert.deepEqual(document.findings, []);
    const [, second] = document.examples;
    assert.equal(written(document, second!, second!.aspect!), '\\"tea\\"');
  });

  it('reads the sample', () => {
    const document = sample('aspects.json');
    const lines = sample('aspects.lines.txt');
    assert.deepEqual(document.findings, []);
    assert.equal(document.examples.length, lines.examples.length);
    const all = (each: DatasetDocument) =>
      each.examples.map((example) => `${example.text}|${aspectText(example)}`).sort();
    assert.deepEqual(all(document), all(lines));
  });

  it('says which aspect cannot be read', () => {
    const wrong = {
      ...row,
      aspects: [
        { from: 9, to: 10, polarity: 'POS' },
        { from: 'x' },
        7,
        { from: 0, to: 1, polarity: 'POS', term: ['A'] },
      ],
    };
    const document = open(jsonl(row, row, row, row, wrong, { words: 7, aspects: [] }));
    assert.equal(document.examples.length, 9);
    assert.deepEqual(
      document.findings.map(({ code, message }) => [code, message.slice(0, 24)]),
      [
        ['assay/span-out-of-bounds', 'aspect ends at word 10, '],
        ['assay/unreadable-row', '"from" and "to" of the a'],
        ['assay/unreadable-row', 'An aspect should be a JS'],
        ['assay/entity-not-found', 'At 0 to 1 the text says '],
        ['assay/unreadable-row', '"words" is missing, or n'],
      ],
    );
  });
});
