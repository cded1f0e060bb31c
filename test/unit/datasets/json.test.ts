import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { at, jsonl, open, rows, spanTexts, written } from './opening';

const openNre = (token: string[], head: [number, number], tail: [number, number], relation = 'r') => ({
  token,
  h: { name: token.slice(...head).join(' '), id: 'Q1', pos: head },
  t: { name: token.slice(...tail).join(' '), id: 'Q2', pos: tail },
  relation,
});

describe('datasets: JSON Lines', () => {
  it('reads text and label, numbers the rows, skips blank lines', () => {
    const document = open(
      '{"text": "good film", "label": 1}\n\n  \n{"text": "bad film", "label": 0}\r\n{"text":"so so","label":null}',
    );
    assert.equal(document.info.format, 'jsonl');
    assert.equal(document.info.formatDetail, 'JSON Lines, text + label');
    assert.deepEqual(rows(document), [
      ['good film', '1'],
      ['bad film', '0'],
      ['so so', null],
    ]);
    assert.deepEqual(
      document.examples.map(({ id }) => id),
      ['1', '2', '3'],
    );
    assert.deepEqual(
      document.examples.map(({ record }) => record.startLine),
      [0, 3, 4],
    );
    assert.deepEqual(document.info.labels, [
      { label: '1', count: 1 },
      { label: '0', count: 1 },
    ]);
    assert.equal(document.info.lineCount, 5);
  });

  it('finds nested columns, keys with dots, and escaped keys', () => {
    const nested = open(
      jsonl({ id: 'a', review: { text: 'good film', stars: 5 } }, { id: 'b', review: { text: 'bad film', stars: 1 } }),
    );
    assert.deepEqual(nested.info.columns, { task: 'sentiment', text: 'review.text', gold: 'review.stars', id: 'id' });
    assert.deepEqual(
      nested.examples.map(({ id, text, gold }) => [id, text, gold]),
      [
        ['a', 'good film', '5'],
        ['b', 'bad film', '1'],
      ],
    );
    const dotted = open(
      jsonl({ 'review.text': 'good film', label: 'pos' }, { 'review.text': 'bad film', label: 'neg' }),
    );
    assert.deepEqual(rows(dotted), [
      ['good film', 'pos'],
      ['bad film', 'neg'],
    ]);
    const escaped = open('{"t\\u0065xt": "good film", "label": "pos"}\n{"text": "bad film", "label": "neg"}\n');
    assert.deepEqual(rows(escaped), [
      ['good film', 'pos'],
      ['bad film', 'neg'],
    ]);
  });

  it('takes the last of keys that are there twice, as JSON.parse does', () => {
    assert.deepEqual(rows(open('{"text":"a b","label":"x","text":"c d"}\n{"text":"e f","label":"y"}\n')), [
      ['c d', 'x'],
      ['e f', 'y'],
    ]);
  });

  it('knows the fields in the document', () => {
    const document = open('  {"label" : "pos" , "text": "so \\"good\\""}\n{"label":"neg","text":"bad"}\n');
    const [first] = document.examples;
    assert.equal(at(document, document.fieldRange(first!, first!.textField)), '"so \\"good\\""');
    assert.equal(at(document, document.fieldRange(first!, first!.goldField!)), '"pos"');
    assert.equal(at(document, document.recordRange(first!)), '  {"label" : "pos" , "text": "so \\"good\\""}');
    assert.equal(written(document, first!, { start: 3, end: 9 }), '\\"good\\"');
  });

  it('maps escapes and never cuts a surrogate pair', () => {
    const document = open('{"text": "a\\n\\u00e9\\ud83d\\ude00b😀\\/", "label": 1}\n{"text": "x", "label": 0}\n');
    const [example] = document.examples;
    assert.equal(example!.text, 'a\né😀b😀/');
    const slices = [
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 5],
      [3, 4],
      [4, 5],
      [5, 6],
      [6, 8],
      [8, 9],
    ].map(([start, end]) => written(document, example!, { start: start!, end: end! }));
    const pair = '\\ud83d\\ude00';
    assert.deepEqual(slices, ['a', '\\n', '\\u00e9', pair, pair, pair, 'b', '😀', '\\/']);
  });

  it('joins tokens by one space and places the entities', () => {
    const document = open(
      jsonl(
        openNre(['Ada', 'Smith', 'founded', 'Caf\u00e9', '"X"', '.'], [0, 2], [3, 5], 'founder'),
        openNre(['In', 'Rome', ',', 'Leo'], [3, 4], [1, 2], 'born'),
      ),
    );
    assert.deepEqual(document.info.columns, {
      task: 'relation',
      text: 'token',
      gold: 'relation',
      head: 'h',
      tail: 't',
    });
    const [first, second] = document.examples;
    assert.equal(first!.text, 'Ada Smith founded Café "X" .');
    assert.deepEqual(spanTexts(first!), { head: 'Ada Smith', tail: 'Café "X"' });
    assert.equal(written(document, first!, first!.spans!.tail), 'Café","\\"X\\"');
    assert.deepEqual(spanTexts(second!), { head: 'Leo', tail: 'Rome' });
    assert.equal(written(document, second!, second!.spans!.head), 'Leo');
  });

  it('keeps the place of a masked entity, whose span is empty', () => {
    const document = open(jsonl(openNre(['Born', 'in', '.'], [0, 0], [2, 2]), openNre(['a', 'b'], [2, 2], [0, 1])));
    assert.deepEqual(document.examples[0]!.spans, { head: { start: 0, end: 0 }, tail: { start: 8, end: 8 } });
    assert.deepEqual(document.examples[1]!.spans!.head, { start: 3, end: 3 });
  });

  it('counts positions beside a text in code points', () => {
    const row = { text: '😀 Ada met 😀 Bo', h: { pos: [2, 5] }, t: { pos: [12, 14] }, relation: 'met' };
    const document = open(jsonl(row, row));
    assert.deepEqual(spanTexts(document.examples[0]!), { head: 'Ada', tail: 'Bo' });
  });

  it('reads TACRED, whose ends are inclusive, with its types', () => {
    const row = {
      id: 'e7',
      token: ['Ada', 'Smith', 'is', 'chair', '.'],
      subj_start: 0,
      subj_end: 1,
      obj_start: 3,
      obj_end: 3,
      subj_type: 'PERSON',
      obj_type: 'TITLE',
      relation: 'per:title',
    };
    const document = open(jsonl(row, { ...row, id: 'e8' }));
    assert.equal(document.info.columns.head, 'subj_start');
    assert.deepEqual(spanTexts(document.examples[0]!), { head: 'Ada Smith', tail: 'chair' });
    assert.deepEqual(document.examples[0]!.types, { head: 'PERSON', tail: 'TITLE' });
    assert.equal(document.examples[1]!.id, 'e8');
  });

  it('finds entities given by their words, the first ones that do not overlap, whole words first', () => {
    const document = open(
      jsonl(
        { sentence: 'New Yorkers love New York', head: 'New York', tail: 'New Yorkers', relation: 'x' },
        { sentence: 'Also Al met Bo', head: 'Al', tail: 'bo', relation: 'y' },
      ),
    );
    assert.equal(document.info.columns.task, 'relation');
    assert.deepEqual(
      document.examples.map((example) => example.spans),
      [
        { head: { start: 17, end: 25 }, tail: { start: 0, end: 11 } },
        { head: { start: 5, end: 7 }, tail: { start: 12, end: 14 } },
      ],
    );
  });

  it('says which span does not fit, at that entity, and reads the other rows', () => {
    const document = open(
      jsonl(
        openNre(['a', 'b', 'c'], [0, 1], [1, 2]),
        { token: ['a', 'b', 'c', 'd', 'e', 'f'], h: { pos: [7, 9] }, t: { pos: [0, 1] }, relation: 'r' },
        { token: ['a', 'b'], h: { pos: [0, 1] }, t: { pos: [2, 1] }, relation: 'r' },
        { token: ['a', 'b'], h: { pos: [-1, 1] }, t: { pos: [1, 2] }, relation: 'r' },
        { token: ['a', 'b'], h: { pos: ['x', 1] }, t: { pos: [1, 2] }, relation: 'r' },
        { token: ['a', 'b'], t: { pos: [1, 2] }, relation: 'r' },
      ),
    );
    assert.equal(document.examples.length, 1);
    assert.equal(document.info.unreadableCount, 5);
    assert.deepEqual(
      document.findings.map(({ code, range }) => [code, range.startLine]),
      [
        ['assay/span-out-of-bounds', 1],
        ['assay/span-out-of-bounds', 2],
        ['assay/span-out-of-bounds', 3],
        ['assay/unreadable-row', 4],
        ['assay/unreadable-row', 5],
      ],
    );
    assert.match(document.findings[0]!.message, /^head ends at word 9, the text has 6 words\./);
    assert.match(document.findings[1]!.message, /^tail starts at word 2 and ends before it, at word 1\./);
    assert.equal(at(document, document.findings[0]!.range), '{"pos":[7,9]}');
  });

  it('says that the words of an entity do not stand in the text', () => {
    const good = { text: 'Al met Bo', head: 'Al', tail: 'Bo', relation: 'x' };
    const document = open(jsonl(good, good, { ...good, tail: 'Cleo' }, { ...good, head: ' ' }));
    assert.equal(document.examples.length, 2);
    assert.deepEqual(
      document.findings.map(({ code }) => code),
      ['assay/entity-not-found', 'assay/entity-not-found'],
    );
    assert.match(document.findings[0]!.message, /^tail "Cleo" does not stand in the text\./);
    assert.equal(at(document, document.findings[0]!.range), '"Cleo"');
  });

  it('finds the reason and the place in rows that are no JSON, and reads the others', () => {
    const good = '{"text":"a b","label":"x"}';
    const bad = [
      ['{"text":"a b","label":x}', /value .* should stand here; found "x"/, 'x'],
      ['{"text":"a b" "label":1}', /comma or } .* found "\\""/, '"'],
      ['{"text":"a b","label":1', /comma or } .* the row ends/, '1'],
      ['{"text":"a\tb","label":1}', /control character/, '\t'],
      ['{"text":"a\\x","label":1}', /no escape/, 'x'],
      ['{"text":"a b","label":1}, x', /something follows/, ','],
      ['{"label":1}', /no "text"/, '{"label":1}'],
      ['{"text":{"a":1},"label":1}', /neither text nor a list/, '{"a":1}'],
      ['["a"]', /no JSON object/, '["a"]'],
      ['{"text":"a b","label":01}', /value/, '0'],
    ] as const;
    const document = open([...bad.flatMap(([row]) => [row, good]), good].join('\n'));
    assert.equal(document.examples.length, bad.length + 1);
    assert.equal(document.info.unreadableCount, bad.length);
    bad.forEach(([, reason, place], index) => {
      const finding = document.findings[index]!;
      assert.match(finding.message, reason);
      assert.equal(finding.range.startLine, index * 2);
      assert.equal(at(document, finding.range), place);
    });
  });

  it('reads a row whose label is no single label without it, and says so', () => {
    const document = open(
      jsonl(
        { text: 'a b', label: ['x'] },
        { text: 'c d', label: 'y' },
        { text: 'e f', label: ['x', 'y'] },
        { text: 'g h', label: 'x' },
      ),
    );
    assert.deepEqual(rows(document), [
      ['a b', 'x'],
      ['c d', 'y'],
      ['e f', null],
      ['g h', 'x'],
    ]);
    assert.deepEqual(
      document.findings.map(({ severity, range }) => [severity, range.startLine]),
      [['warning', 2]],
    );
  });

  it('reads NaN, a byte-order mark before a row, lone surrogates, and keys like __proto__', () => {
    const document = open(
      '{"text":"a b","label":"x","score":NaN}\n\ufeff{"text":"c \\ud83d","label":"y","score":-Infinity}\n{"__proto__":{"text":"evil"},"text":"e f","label":"x","constructor":1}\n',
    );
    assert.deepEqual(rows(document), [
      ['a b', 'x'],
      ['c \ud83d', 'y'],
      ['e f', 'x'],
    ]);
    assert.deepEqual(document.findings, []);
    assert.equal(({} as { text?: string }).text, undefined);
    const columns = open(
      jsonl({ text: 'a b', label: 'x' }, { text: 'c d', label: 'y' }).replaceAll('label', '__proto__'),
      { task: 'sentiment', text: 'text', gold: '__proto__' },
    );
    assert.deepEqual(rows(columns), [
      ['a b', 'x'],
      ['c d', 'y'],
    ]);
    assert.deepEqual(
      columns.info.labels.map(({ label }) => label),
      ['x', 'y'],
    );
  });

  it('gives the escaped form of a slice at its range (property)', () => {
    const unit = fc.oneof(
      fc.constantFrom('"', '\\', '\n', '\t', '/', 'é', '😀', '中', '\u2028', ' '),
      fc.string({ unit: 'binary', maxLength: 2 }),
    );
    const value = fc.string({ unit, maxLength: 12 });
    /** Three ways to write the same string. */
    const writers: ((text: string) => string)[] = [
      JSON.stringify,
      (text) =>
        JSON.stringify(text).replace(
          /[\u007f-\uffff]/g,
          (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
        ),
      (text) =>
        `"${[...Array(text.length).keys()].map((index) => `\\u${text.charCodeAt(index).toString(16).toUpperCase().padStart(4, '0')}`).join('')}"`,
    ];
    fc.assert(
      fc.property(value, fc.constantFrom(...writers), fc.nat(), fc.nat(), (text, write, a, b) => {
        const document = open(`{"text":"plain words","label":"x"}\n{"label":"y","text":${write(text)}}\n`);
        const example = document.examples[1]!;
        assert.equal(example.text, text);
        const [start, end] = wholeCharacters(text, a, b);
        assert.equal(JSON.parse(`"${written(document, example, { start, end })}"`), text.slice(start, end));
      }),
      { numRuns: 400 },
    );
  });

  it('gives each token the place of its string (property)', () => {
    const token = fc.string({ unit: fc.constantFrom('a', '"', '\\', 'é', '😀', '\n', ' '), maxLength: 4 });
    fc.assert(
      fc.property(fc.array(token, { minLength: 1, maxLength: 8 }), fc.boolean(), fc.nat(), (tokens, pretty, pick) => {
        const word = pick % tokens.length;
        const row = openNre(tokens, [word, word + 1], [word, word + 1]);
        const text = `[${JSON.stringify(row, null, pretty ? 2 : 0)}]`;
        const document = open(text, { task: 'relation', text: 'token', gold: 'relation', head: 'h', tail: 't' });
        const [example] = document.examples;
        assert.equal(example!.text, tokens.join(' '));
        assert.equal(JSON.parse(`"${written(document, example!, example!.spans!.head)}"`), tokens[word]);
      }),
    );
  });
});

/** Two offsets in order that cut no surrogate pair. */
function wholeCharacters(text: string, a: number, b: number): [number, number] {
  const whole = (offset: number) =>
    /[\ud800-\udbff]$/.test(text.slice(0, offset)) && /^[\udc00-\udfff]/.test(text.slice(offset)) ? offset - 1 : offset;
  return [a % (text.length + 1), b % (text.length + 1)].map(whole).sort((x, y) => x - y) as [number, number];
}

describe('datasets: JSON arrays', () => {
  const values = [
    { text: 'good film', label: 'pos' },
    { text: 'bad film', label: 'neg' },
    { text: 'fine film', label: 'pos' },
  ];

  for (const [name, text] of [
    ['on one line', JSON.stringify(values)],
    ['pretty-printed', JSON.stringify(values, null, 2)],
    ['an element a line', `[\r\n${values.map((value) => JSON.stringify(value)).join(',\r\n')}\r\n]\r\n`],
  ] as const) {
    it(`reads one ${name}`, () => {
      const document = open(text);
      assert.equal(document.info.format, 'json');
      assert.deepEqual(
        rows(document),
        values.map((value) => [value.text, value.label]),
      );
      assert.deepEqual(document.findings, []);
      for (const [index, example] of document.examples.entries()) {
        assert.deepEqual(JSON.parse(at(document, document.recordRange(example))), values[index]);
        assert.equal(
          at(document, document.fieldRange(example, example.goldField!)),
          JSON.stringify(values[index]!.label),
        );
      }
    });
  }

  it('reads every row before the end of a file that was cut off', () => {
    const text = JSON.stringify(values, null, 1);
    for (let end = text.indexOf('}') + 1; end < text.length; end++) {
      const document = open(text.slice(0, end));
      const whole = text.slice(0, end).split('}').length - 1;
      assert.equal(document.examples.length, whole, `cut at ${end}`);
      assert.equal(document.findings.length, 1, `cut at ${end}`);
    }
  });

  for (const [name, write] of [
    ['on one line', (parts: string[]) => `[${parts.join(', ')}]`],
    ['an element a line', (parts: string[]) => `[\n${parts.join(',\n')}\n]`],
    ['indented', (parts: string[]) => `[\n  ${parts.join(',\n  ')}\n]`],
  ] as const) {
    it(`passes rows that are no JSON, ${name}`, () => {
      const good = JSON.stringify(values[0]);
      const document = open(
        write([
          good,
          '{"text": bad, "label": 1}',
          good,
          '{"text": "x" "label": [1, {"a": }]}',
          good,
          '{"text": "z", }',
        ]),
      );
      assert.equal(document.examples.length, 3);
      assert.equal(document.findings.length, 3);
      for (const finding of document.findings) assert.match(finding.message, /^Not valid JSON/);
    });
  }

  it('says that a comma is missing, and that something follows the end', () => {
    const document = open('[{"text":"a b","label":"x"}\n{"text":"c d","label":"y"}]\nmore');
    assert.deepEqual(rows(document), [
      ['a b', 'x'],
      ['c d', 'y'],
    ]);
    assert.deepEqual(
      document.findings.map(({ message, range }) => [message.slice(0, 24), range.startLine]),
      [
        ['A comma should stand bet', 0],
        ['Something follows the en', 2],
      ],
    );
  });

  it('reads what is nested 100,000 deep without overflowing', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const open100k = '{"a":'.repeat(100_000);
    const lines = open(
      `{"text":"a b","label":"x"}\n{"text":"c d","label":"y","deep":${deep}}\n{"deep":${deep},"text":${open100k}\n`,
    );
    assert.deepEqual(rows(lines), [
      ['a b', 'x'],
      ['c d', 'y'],
    ]);
    assert.equal(lines.findings.length, 1);
    const array = open(`[{"text":"a b","label":"x"},{"text":"c d","label":"y","deep":${deep}},{"deep":${open100k}`);
    assert.deepEqual(rows(array), [
      ['a b', 'x'],
      ['c d', 'y'],
    ]);
    assert.equal(array.findings.length, 1);
  });
});
