import assert from 'node:assert/strict';
import { NotADataset } from '../../../src/engine/datasets/dataset';
import { at, jsonl, mentionTexts, open, spanTexts, written } from './opening';

const ann = {
  relation: 'P551',
  tokens: ['Ann', 'Lee', 'lives', 'in', 'Rome', ',', 'says', 'Ann', '.'],
  head: { text: 'ann lee', type: 'Q1', indices: [[0, 1], [7]] },
  tail: { text: 'rome', type: 'Q2', indices: [[4]] },
  names: ['residence', 'where somebody lives'],
};
const bob = {
  ...ann,
  relation: 'P19',
  tokens: ['Oslo', 'bore', 'Bob', '.'],
  head: { text: 'bob', type: 'Q3', indices: [[2]] },
  tail: { text: 'oslo', type: 'Q4', indices: [[0]] },
};

describe('datasets: objects that say where an entity stands', () => {
  it('reads FewRel as Hugging Face exports it, in every layout and order of keys', () => {
    const { tail, head, tokens, relation } = bob;
    for (const text of [
      jsonl(ann, bob),
      JSON.stringify([ann, bob]),
      JSON.stringify([ann, bob], null, 2),
      JSON.stringify({ train: [ann, bob] }),
      jsonl({ ...ann, id: 'a' }, { tail, head, tokens, relation, id: 'b' }),
    ]) {
      const document = open(text);
      const { task, text: words, gold, head: first, tail: second } = document.info.columns;
      assert.deepEqual([task, words, gold, first, second], ['relation', 'tokens', 'relation', 'head', 'tail']);
      assert.deepEqual(
        document.examples.map((example) => [example.text, example.gold, spanTexts(example), example.types]),
        [
          ['Ann Lee lives in Rome , says Ann .', 'P551', { head: 'Ann Lee', tail: 'Rome' }, null],
          ['Oslo bore Bob .', 'P19', { head: 'Bob', tail: 'Oslo' }, null],
        ],
      );
      assert.deepEqual(document.examples.map(mentionTexts), [{ head: ['Ann Lee', 'Ann'], tail: ['Rome'] }, null]);
      assert.deepEqual(document.findings, []);
      assert.equal(written(document, document.examples[1]!, document.examples[1]!.spans!.head), 'Bob');
    }
  });

  it('compares the words that such an object names, and says which numbers do not fit', () => {
    const wrong = { ...bob, head: { text: 'oslo bore', indices: [[0]] } };
    const document = open(jsonl(ann, wrong, { ...bob, tail: { text: 'oslo', indices: [[9]] } }));
    const misfit = document.examples[1]!.misfits![0]!;
    assert.deepEqual([misfit.name, misfit.endShift], ['oslo bore', 1]);
    assert.equal(at(document, document.fieldRange(document.examples[1]!, misfit.end!)), '[0]');
    assert.equal(document.examples.length, 2);
    assert.deepEqual(
      document.findings.map(({ code, message }) => [code, message]),
      [['assay/span-out-of-bounds', 'tail ends at word 10, the text has 4 words. The row is left out.']],
    );
  });

  it('takes numbers of words for no places where the text is no list of words', () => {
    const { tokens, ...others } = bob;
    const [finding] = open(jsonl({ ...others, sentence: tokens.join(' ') }), {
      task: 'relation',
      text: 'sentence',
      gold: 'relation',
      head: 'head',
      tail: 'tail',
    }).findings;
    assert.match(finding!.message, /^"head" does not say where the head stands/);
  });

  it('reads KLUE-RE, whose ends are the last character, as the words beside them tell', () => {
    const row = (shift: number) => ({
      guid: `klue-${shift}`,
      sentence: '〈봄〉은 조지 리가 쓰고 새벽이 불렀다',
      subject_entity: { word: '새벽', start_idx: 14, end_idx: 15 + shift, type: 'ORG' },
      object_entity: { word: '조지 리', start_idx: 5, end_idx: 8 + shift, type: 'PER' },
      label: 'no_relation',
    });
    for (const shift of [0, 1]) {
      const document = open(JSON.stringify([row(shift), row(shift), row(shift)]));
      const { info, examples } = document;
      assert.equal(info.columns.gold, 'label');
      assert.deepEqual(examples.map(spanTexts), new Array(3).fill({ head: '새벽', tail: '조지 리' }));
      assert.deepEqual(examples[0]!.types, { head: 'ORG', tail: 'PER' });
      assert.equal(examples[0]!.misfits, null);
      assert.equal(info.formatDetail.endsWith(', ends inclusive'), shift === 0);
    }
    const slip = row(1);
    const document = open(jsonl(row(0), row(0), slip));
    assert.deepEqual(
      document.examples[2]!.misfits?.map(({ endShift, end }) => [
        endShift,
        at(document, document.fieldRange(document.examples[2]!, end!)),
      ]),
      [
        [-1, '16'],
        [-1, '9'],
      ],
    );
  });

  it('names the column that is missing, and no other', () => {
    const choose = (gold: string, head: string) => {
      try {
        open(jsonl(ann, bob), { task: 'relation', text: 'tokens', gold, head, tail: 'tail' });
      } catch (error) {
        assert.ok(error instanceof NotADataset);
        return error.message;
      }
      return null;
    };
    assert.equal(choose('relation', 'head'), null);
    assert.match(choose('label', 'head') ?? '', /^There is no column "label" in this file\. It has: "relation", /);
    const nested = { ...ann, head: { words: { of: 'Ann' } } };
    assert.throws(
      () => open(jsonl(nested), { task: 'relation', text: 'tokens', gold: 'relation', head: 'head', tail: 'tail' }),
      /^NotADataset: "head" is an object whose parts are columns of their own: "head\.words\.of"\. Choose one of them\.$/,
    );
  });
});
