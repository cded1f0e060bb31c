import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { at, open, rows, spanTexts, written } from './opening';

const two = [
  '1\t"The <e1>smoke</e1> came from the <e2>fire</e2>."',
  'Cause-Effect(e2,e1)',
  'Comment: plain',
  '',
  '2\t"She said "a <e1>box</e1>" of <e2>pears</e2>"',
  'Other',
  'Comment:',
  '',
  '',
].join('\r\n');

describe('datasets: SemEval-2010 Task 8', () => {
  it('sets blanks between markers and entities apart (KBP37)', () => {
    const document = open(
      '1\t"<e1> Ada Lo </e1> of <e2> Acme </e2> , who sang . "\nper:employee_of(e1,e2)\n\n2\t"Then <e2> Acme </e2> hired <e1> Bo </e1> ."\nno_relation\n\n',
    );
    const [first, second] = document.examples;
    assert.equal(first!.text.trimEnd(), 'Ada Lo of Acme , who sang .');
    assert.deepEqual(spanTexts(first!), { head: 'Ada Lo', tail: 'Acme' });
    assert.equal(written(document, first!, first!.spans!.head), 'Ada Lo');
    assert.equal(second!.text, 'Then Acme hired Bo .');
    assert.deepEqual(spanTexts(second!), { head: 'Bo', tail: 'Acme' });
    assert.equal(written(document, second!, second!.spans!.tail), 'Acme');
  });

  it('reads sentences without quotes and markers, labels as they are, and ids', () => {
    const document = open(two);
    assert.equal(document.info.format, 'semeval2010');
    assert.deepEqual(document.info.columns, {
      task: 'relation',
      text: 'sentence',
      gold: 'label',
      head: 'e1',
      tail: 'e2',
      id: 'id',
    });
    assert.deepEqual(rows(document), [
      ['The smoke came from the fire.', 'Cause-Effect(e2,e1)'],
      ['She said "a box" of pears', 'Other'],
    ]);
    assert.deepEqual(
      document.examples.map(({ id }) => id),
      ['1', '2'],
    );
    assert.deepEqual(document.examples.map(spanTexts), [
      { head: 'smoke', tail: 'fire' },
      { head: 'box', tail: 'pears' },
    ]);
    assert.deepEqual(document.findings, []);
  });

  it('maps past the markers', () => {
    const document = open(two);
    const [first] = document.examples;
    assert.equal(written(document, first!, first!.spans!.head), 'smoke');
    assert.equal(written(document, first!, { start: 0, end: 4 }), 'The ');
    assert.equal(written(document, first!, { start: 0, end: 5 }), 'The <e1>s');
    assert.equal(
      at(document, document.fieldRange(first!, first!.textField)),
      '"The <e1>smoke</e1> came from the <e2>fire</e2>."',
    );
    assert.equal(at(document, document.fieldRange(first!, first!.goldField!)), 'Cause-Effect(e2,e1)');
    assert.deepEqual(document.recordRange(first!), { startLine: 0, startChar: 0, endLine: 2, endChar: 14 });
  });

  it('reads files without labels, comments or blank lines', () => {
    const sentences = two.split('\r\n').filter((line) => line.includes('<e1>'));
    const unlabelled = open(sentences.join('\n'));
    assert.deepEqual(
      unlabelled.examples.map(({ gold, goldField }) => [gold, goldField]),
      [
        [null, null],
        [null, null],
      ],
    );
    assert.match(unlabelled.info.formatDetail, /without labels/);
    const commented = open(sentences.map((line) => `${line}\nComment: none\n`).join('\n'));
    assert.deepEqual(
      commented.examples.map(({ gold }) => gold),
      [null, null],
    );
    const labelled = open(sentences.map((line) => `${line}\nOther`).join('\n'));
    assert.deepEqual(
      labelled.examples.map(({ gold }) => gold),
      ['Other', 'Other'],
    );
  });

  it('allows e2 before e1', () => {
    const document = open('7\t"<e2>Pears</e2> in a <e1>box</e1>"\nOther\n');
    assert.deepEqual(spanTexts(document.examples[0]!), { head: 'box', tail: 'Pears' });
  });

  it('says which sentence cannot be read, and reads the others', () => {
    const document = open(
      `${two}3\t"No <e1>tail</e1> here"\nOther\n\nstray line\n\n4\t"</e1>a<e1> <e2>b</e2>"\nOther\n\n${two.replace(/^\d+/gm, '9')}`,
    );
    assert.equal(document.examples.length, 4);
    assert.deepEqual(
      document.findings.map(({ message, range }) => [message.slice(0, 24), range.startLine]),
      [
        ['The sentence has no <e2>', 8],
        ['A sentence should stand ', 11],
        ['A marker closes before i', 13],
      ],
    );
    assert.equal(at(document, document.findings[0]!.range), '"No <e1>tail</e1> here"');
  });

  it('is read as sentiment where a person says so', () => {
    const document = open(two, { task: 'sentiment', text: 'sentence', gold: 'label' });
    assert.deepEqual(
      document.examples.map(({ spans }) => spans),
      [null, null],
    );
    assert.equal(document.info.confidence, 1);
  });

  it('reads any sentence with any entities (property)', () => {
    const words = fc.string({ unit: fc.constantFrom('a', 'é', '😀', ' ', '"', '<', '>', '\t'), maxLength: 8 });
    fc.assert(
      fc.property(words, words, words, words, words, (before, head, between, tail, after) => {
        const document = open(`12\t"${before}<e1>${head}</e1>${between}<e2>${tail}</e2>${after}"\nOther\n`);
        const [example] = document.examples;
        // Blanks set a marker off: they are no part of an entity, and those beside one may be gone.
        const bare = (text: string) => text.replace(/^ +| +$/g, '');
        const found = spanTexts(example!)!;
        assert.equal(bare(found.head), bare(head));
        assert.equal(bare(found.tail), bare(tail));
        assert.ok(bare(head) === '' || found.head === bare(head));
        assert.ok(example!.text.startsWith(before) && example!.text.endsWith(after));
        assert.equal(example!.text.replaceAll(' ', ''), (before + head + between + tail + after).replaceAll(' ', ''));
        assert.equal(written(document, example!, example!.spans!.head), found.head);
        assert.equal(written(document, example!, example!.spans!.tail), found.tail);
      }),
    );
  });
});
