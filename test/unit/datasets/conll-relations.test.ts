import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { at, open, refusal, sampleWith, spanTexts, written } from './opening';

const ada = [
  '#doc 12',
  "0\tAda\tB-Peop\t['N']\t[0]",
  "1\tSmith\tI-Peop\t['Met', 'Lives_In']\t[3, 6]",
  "2\tmet\tO\t['N']\t[2]",
  "3\tBo\tB-Peop\t['N']\t[3]",
  "4\tin\tO\t['N']\t[4]",
  "5\tNew\tB-Loc\t['N']\t[5]",
  "6\tYork\tI-Loc\t['N']\t[6]",
].join('\n');

describe('datasets: CoNLL columns with relations', () => {
  it('reads every relation between the entities that its words end', () => {
    const document = open(`${ada}\n${ada.replaceAll('Met', 'Saw')}\n`);
    assert.equal(document.info.format, 'conll');
    const [first, second, third] = document.examples;
    assert.equal(document.examples.length, 4);
    assert.equal(first!.text, 'Ada Smith met Bo in New York');
    assert.deepEqual(spanTexts(first!), { head: 'Ada Smith', tail: 'Bo' });
    assert.deepEqual(spanTexts(second!), { head: 'Ada Smith', tail: 'New York' });
    assert.deepEqual(second!.types, { head: 'Peop', tail: 'Loc' });
    assert.deepEqual([first!.gold, second!.gold, third!.gold], ['Met', 'Lives_In', 'Saw']);
    assert.equal(at(document, document.fieldRange(second!, second!.goldField!)), 'Lives_In');
    assert.equal(written(document, second!, second!.spans!.tail), "New\tB-Loc\t['N']\t[5]\n6\tYork");
    assert.equal(written(document, second!, { start: 0, end: 3 }), 'Ada');
    assert.deepEqual(document.findings, []);
  });

  it('tells sentences apart by a comment, a blank line or the number 0, whatever ends the lines', () => {
    const bare = ada.replace('#doc 12\n', '');
    for (const text of [
      `${bare}\n${bare}`,
      `${bare}\r\n\r\n${bare}\r\n`.replace(/\r?\n/g, '\r\n'),
      `${ada}\r${ada}`.replaceAll('\n', '\r'),
    ]) {
      assert.equal(open(text).examples.length, 4, JSON.stringify(text.slice(0, 40)));
    }
  });

  it('reads BILOU tags, types without prefix, and words outside of entities', () => {
    const words = (tags: string[], relations: Record<number, [string, number]>) =>
      tags
        .map((tag, index) => {
          const [label, to] = relations[index] ?? ['N', index];
          return `${index}\tw${index}\t${tag}\t['${label}']\t[${to}]`;
        })
        .join('\n');
    const spans = (text: string) => open(text).examples.map((example) => Object.values(spanTexts(example)!));
    assert.deepEqual(spans(words(['B-P', 'I-P', 'L-P', 'U-P', 'U-P', 'O'], { 2: ['r', 3], 4: ['r', 5] })), [
      ['w0 w1 w2', 'w3'],
      ['w4', 'w5'],
    ]);
    assert.deepEqual(spans(words(['B-P', 'B-P', 'I-P', 'I-L', 'E-L'], { 0: ['r', 2], 2: ['r', 4] })), [
      ['w0', 'w1 w2'],
      ['w1 w2', 'w3 w4'],
    ]);
    assert.deepEqual(spans(words(['P', 'P', 'O', 'L', 'P'], { 1: ['r', 3], 3: ['r', 4] })), [
      ['w0 w1', 'w3'],
      ['w3', 'w4'],
    ]);
  });

  it('reads the sample', () => {
    const document = sampleWith('relations.conll.txt');
    assert.equal(document.examples.length, 22);
    assert.deepEqual(document.findings, []);
    assert.deepEqual(
      document.examples.slice(-2).map((example) => ({ ...spanTexts(example), gold: example.gold })),
      [
        { head: 'roof', tail: 'old mill', gold: 'Component-Whole(e1,e2)' },
        { head: 'mill stream', tail: 'old mill', gold: 'Other' },
      ],
    );
  });

  it('says which line or relation is wrong, and reads the others', () => {
    const document = open(
      [ada, "0\tCy\tO\t['Met']\t[9]", 'stray', "1\tDi\tO\t['Met', 'Saw']\t[0]", "2\tEd\tO\t['Met']\t[0]", ada].join(
        '\n',
      ),
    );
    assert.deepEqual(
      document.examples.map(({ gold }) => gold),
      ['Met', 'Lives_In', 'Met', 'Met', 'Lives_In'],
    );
    assert.equal(document.examples[2]!.text, 'Cy Di Ed');
    assert.deepEqual(
      document.findings.map(({ range, code, message }) => [range.startLine, code.slice(6), message.slice(0, 34)]),
      [
        [9, 'unreadable-row', 'The line has not five columns (num'],
        [10, 'unreadable-row', 'The line has not as many relations'],
        [8, 'span-out-of-bounds', 'tail is word 9, which the sentence'],
      ],
    );
  });

  it('takes no columns without relations', () => {
    assert.match(refusal('Ada\tB-P\nmet\tO\nBo\tB-P\n\nCy\tB-P\nleft\tO\n'), /^This looks like/);
  });

  it('reads any sentences (property)', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'é', '😀', "'", '[', '#', '"'), minLength: 1, maxLength: 3 });
    const drawn = fc.array(word, { minLength: 2, maxLength: 6 }).chain((words) => {
      const cuts = fc.uniqueArray(fc.integer({ min: 1, max: words.length - 1 }), { maxLength: words.length - 1 });
      const relation = fc.record({ head: fc.nat(), tail: fc.nat(), label: fc.constantFrom('Met', 'Lives In') });
      return fc.record({ words: fc.constant(words), cuts, relations: fc.array(relation, { maxLength: 3 }) });
    });
    fc.assert(
      fc.property(fc.array(drawn, { minLength: 1, maxLength: 4 }), fc.boolean(), (sentences, hasHeads) => {
        const wanted: { gold: string; head: string[]; tail: string[] }[] = [];
        const blocks = sentences.map(({ words, cuts, relations }, number) => {
          const starts = [0, ...cuts].sort((a, b) => a - b);
          const entities = starts.map((start, index) => ({ start, end: starts[index + 1] ?? words.length }));
          const at = words.map(() => [] as { label: string; to: number }[]);
          for (const { head, tail, label } of relations) {
            const from = entities[head % entities.length]!;
            const to = entities[tail % entities.length]!;
            at[from.end - 1]!.push({ label, to: to.end - 1 });
          }
          for (const [index, list] of at.entries()) {
            for (const { label, to } of list) {
              const entityOf = (word: number) => entities.find(({ start, end }) => start <= word && word < end)!;
              const slice = ({ start, end }: { start: number; end: number }) => words.slice(start, end);
              wanted.push({ gold: label, head: slice(entityOf(index)), tail: slice(entityOf(to)) });
            }
          }
          const lines = words.map((each, index) => {
            const list = at[index]!;
            const labels = list.length === 0 ? "['N']" : `[${list.map(({ label }) => `'${label}'`).join(', ')}]`;
            const heads = list.length === 0 ? `[${index}]` : `[${list.map(({ to }) => to).join(', ')}]`;
            return `${index}\t${each}\t${starts.includes(index) ? 'B' : 'I'}-T\t${labels}\t${heads}`;
          });
          return hasHeads ? [`#doc ${number}`, ...lines].join('\n') : lines.join('\n');
        });
        const document = open(blocks.join('\n'));
        assert.deepEqual(document.findings, []);
        assert.deepEqual(
          document.examples.map((example) => ({ gold: example.gold, ...spanTexts(example) })),
          wanted.map(({ gold, head, tail }) => ({ gold, head: head.join(' '), tail: tail.join(' ') })),
        );
        for (const [index, example] of document.examples.entries()) {
          const raw = written(document, example, example.spans!.head);
          const first = raw.split('\n').map((line, row) => line.split('\t')[row === 0 ? 0 : 1]);
          assert.deepEqual(first, wanted[index]!.head);
        }
      }),
    );
  });
});
