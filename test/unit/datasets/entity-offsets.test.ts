import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { at, jsonl, open, sampleWith, spanTexts, written } from './opening';

describe('datasets: columns with the offsets of entities', () => {
  it('tells from the columns with their words whether ends are the last character or the one behind', () => {
    const row = (end: number) =>
      `the 😀 roof of it,roof,6,${9 + end},it,14,${15 + end},part\nan owl in a mill,owl,3,${5 + end},mill,12,${15 + end},in\n`;
    for (const end of [0, 1]) {
      for (const [first, second] of [
        ['e1', 'e2'],
        ['head', 'tail'],
        ['subj', 'obj'],
      ]) {
        const names = [first, `${first}_start`, `${first}_end`, second, `${second}_start`, `${second}_end`];
        const document = open(`sentence,${names.join(',')},relation\n${row(end)}`);
        assert.deepEqual(document.info.columns, {
          task: 'relation',
          text: 'sentence',
          gold: 'relation',
          head: `${first}_start`,
          tail: `${second}_start`,
        });
        assert.deepEqual(document.examples.map(spanTexts), [
          { head: 'roof', tail: 'it' },
          { head: 'owl', tail: 'mill' },
        ]);
      }
    }
  });

  it('reads JSON rows with such columns, in characters and in words', () => {
    for (const end of [0, 1]) {
      const characters = open(
        jsonl({
          text: 'an owl in a mill',
          h_name: 'owl',
          h_start: 3,
          h_end: 5 + end,
          t_name: 'mill',
          t_start: 12,
          t_end: 15 + end,
          relation: 'in',
        }),
      );
      assert.deepEqual(characters.examples.map(spanTexts), [{ head: 'owl', tail: 'mill' }]);
      const words = open(
        jsonl({
          tokens: ['an', 'owl', 'in', 'a', 'mill'],
          e1: 'owl',
          e1_start: 1,
          e1_end: 1 + end,
          e2: 'a mill',
          e2_start: 3,
          e2_end: 4 + end,
          label: 'in',
        }),
      );
      assert.deepEqual(words.examples.map(spanTexts), [{ head: 'owl', tail: 'a mill' }]);
    }
  });

  it('takes ends as those behind where nothing tells, and those of TACRED as the last word', () => {
    const plain = open(
      'sentence,e1_start,e1_end,e2_start,e2_end,label\nan owl in a mill,3,6,12,16,in\nan owl in a mill,3,6,12,16,in\n',
    );
    assert.deepEqual(spanTexts(plain.examples[0]!), { head: 'owl', tail: 'mill' });
    const tacred = open(
      JSON.stringify([{ token: ['an', 'owl'], subj_start: 0, subj_end: 0, obj_start: 1, obj_end: 1, relation: 'r' }]),
    );
    assert.deepEqual(spanTexts(tacred.examples[0]!), { head: 'an', tail: 'owl' });
  });

  it('says which offset is wrong, of the head and of the tail', () => {
    const document = open(
      'text,e1,e1_start,e1_end,e2,e2_start,e2_end,label\nan owl in a mill,owl,3,5,mill,12,15,in\nan owl,owl,3,9,an,0,1,x\nan owl,owl,3,5,an,-1,1,x\nan owl,owl,3,5,an,two,1,x\n',
    );
    assert.equal(document.examples.length, 1);
    assert.deepEqual(
      document.findings.map(({ range, code, message }) => [
        range.startLine,
        at(document, range),
        code.slice(6),
        message.slice(0, 28),
      ]),
      [
        [2, '3', 'span-out-of-bounds', 'head ends at character 9, th'],
        [3, '-1', 'span-out-of-bounds', 'tail starts at character -1,'],
        [4, 'two', 'unreadable-row', 'tail starts and ends at two '],
      ],
    );
  });

  it('reads the samples', () => {
    const offsets = sampleWith('relations.offsets.csv');
    assert.equal(offsets.examples.length, 16);
    assert.deepEqual(offsets.findings, []);
    const cells = offsets.text.trimEnd().split('\n').slice(1);
    for (const [index, example] of offsets.examples.entries()) {
      const { head, tail } = spanTexts(example)!;
      assert.ok(cells[index]!.includes(`,${head},${example.spans!.head.start},`), cells[index]);
      assert.ok(cells[index]!.includes(`,${tail},`), cells[index]);
      assert.equal(written(offsets, example, example.spans!.tail), tail);
    }
    const tacred = sampleWith('relations.tacred.json');
    const parsed = JSON.parse(tacred.text) as {
      token: string[];
      subj_start: number;
      subj_end: number;
      obj_start: number;
      obj_end: number;
      relation: string;
      subj_type: string;
      obj_type: string;
    }[];
    assert.deepEqual(tacred.findings, []);
    assert.deepEqual(
      tacred.examples.map((example) => ({ ...spanTexts(example), gold: example.gold, types: example.types })),
      parsed.map((row) => ({
        head: row.token.slice(row.subj_start, row.subj_end + 1).join(' '),
        tail: row.token.slice(row.obj_start, row.obj_end + 1).join(' '),
        gold: row.relation,
        types: { head: row.subj_type, tail: row.obj_type },
      })),
    );
  });

  it('reads any offsets of any text (property)', () => {
    const unit = fc.constantFrom('a', 'é', '😀', ' ');
    const drawn = fc.array(unit, { minLength: 3, maxLength: 20 }).chain((points) => {
      const span = fc
        .tuple(fc.nat(points.length - 1), fc.nat(points.length - 1))
        .map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)]);
      return fc.record({ points: fc.constant(points), head: span, tail: span });
    });
    fc.assert(
      fc.property(fc.array(drawn, { minLength: 1, maxLength: 5 }), fc.constantFrom(0, 1), (texts, end) => {
        const slice = (points: string[], [from, to]: [number, number]) => points.slice(from, to + 1).join('');
        const document = open(
          jsonl(
            ...texts.map(({ points, head, tail }) => ({
              text: `${points.join('')}.`,
              e1: slice(points, head),
              e1_start: head[0],
              e1_end: head[1] + end,
              e2: slice(points, tail),
              e2_start: tail[0],
              e2_end: tail[1] + end,
              label: 'r',
            })),
          ),
        );
        assert.deepEqual(
          document.examples.map(spanTexts),
          texts.map(({ points, head, tail }) => ({ head: slice(points, head), tail: slice(points, tail) })),
        );
      }),
    );
  });
});
