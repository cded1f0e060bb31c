import assert from 'node:assert/strict';
import { at, jsonl, open, rows, spanTexts, written } from './opening';

const chosen = (from_name: string, ...choices: string[]) => ({
  value: { choices },
  from_name,
  to_name: 'text',
  type: 'choices',
});
const task = (id: number, text: string, ...annotations: object[][]) => ({
  id,
  annotations: annotations.map((result, index) => ({ id: index, completed_by: 1, was_cancelled: false, result })),
  data: { source: 'a web page that is long', text },
  predictions: [],
});

const place = (id: string, start: number, end: number, text: string, label: string) => ({
  id,
  from_name: 'label',
  to_name: 'text',
  type: 'labels',
  value: { start, end, text, labels: [label] },
});
const link = (from_id: string, to_id: string, direction: string, ...labels: string[]) => ({
  type: 'relation',
  from_id,
  to_id,
  direction,
  labels,
});

describe('datasets: Label Studio', () => {
  it('reads the choice of every task, in each layout, and those without one', () => {
    const tasks = [
      task(1, 'The hotel was "lovely".', [chosen('sentiment', 'Positive')]),
      task(2, 'The food was cold.', [chosen('topic', 'Food'), chosen('sentiment', 'Negative')]),
      task(3, 'We were there.', []),
      task(4, 'We went.'),
    ];
    for (const text of [JSON.stringify(tasks), JSON.stringify(tasks, null, 2), jsonl(...tasks)]) {
      const document = open(text);
      const { format, columns } = document.info;
      assert.deepEqual(
        [format, columns],
        ['label-studio', { task: 'sentiment', text: 'data.text', gold: 'annotations.sentiment' }],
      );
      assert.deepEqual(rows(document), [
        ['The hotel was "lovely".', 'Positive'],
        ['The food was cold.', 'Negative'],
        ['We were there.', null],
        ['We went.', null],
      ]);
      const [first] = document.examples;
      assert.equal(at(document, document.fieldRange(first!, first!.goldField!)), '"Positive"');
      assert.equal(written(document, first!, { start: 14, end: 22 }), '\\"lovely\\"');
      assert.deepEqual(document.findings, []);
    }
  });

  it('leaves skipped annotations out, and says where annotators disagree or chose several', () => {
    const skipped = task(1, 'one is here', [chosen('s', 'A')], [chosen('s', 'B')]);
    skipped.annotations[0]!.was_cancelled = true;
    const document = open(
      JSON.stringify([
        skipped,
        task(2, 'two are here', [chosen('s', 'A')], [chosen('s', 'A')]),
        task(3, 'three are here', [chosen('s', 'A')], [chosen('s', 'B')]),
        task(4, 'four are here', [chosen('s', 'A', 'B')]),
        { ...task(5, 'five', [chosen('s', 'A')]), data: { text: 5 } },
      ]),
    );
    assert.deepEqual(
      document.examples.map(({ gold }) => gold),
      ['B', 'A', 'A', null],
    );
    assert.deepEqual(
      document.findings.map(({ severity, message }) => [severity, message]),
      [
        ['warning', "The annotators of this text do not agree: “A” and “B”. The first one's label is read."],
        ['warning', 'This is not one label. The row is read without it.'],
        ['error', '"data" has no "text" that is text. The task is left out.'],
      ],
    );
  });

  it('reads ratings, and the older name of annotations', () => {
    const rated = (text: string, rating: number) => ({
      data: { review: text },
      completions: [{ result: [{ type: 'rating', from_name: 'stars', to_name: 'x', value: { rating } }] }],
    });
    assert.deepEqual(rows(open(jsonl(rated('a fine film', 4), rated('a bad film', 1)))), [
      ['a fine film', '4'],
      ['a bad film', '1'],
    ]);
  });

  it('reads relations between labelled places, whose offsets count units or code points', () => {
    const text = '😀 Ann lives in Rome.';
    for (const shift of [0, 1]) {
      const ann = place('a', 2 + shift, 5 + shift, 'Ann', 'PER');
      const rome = place('r', 15 + shift, 19 + shift, 'Rome', 'LOC');
      const results = [
        ann,
        link('a', 'r', 'right', 'lives'),
        rome,
        link('a', 'r', 'left', 'home'),
        link('a', 'r', 'bi'),
      ];
      const document = open(JSON.stringify([task(1, 'nothing', []), task(2, text, results)]));
      assert.equal(document.info.columns.task, 'relation');
      assert.deepEqual(
        document.examples.map((example) => [example.gold, spanTexts(example), example.types]),
        [
          ['lives', { head: 'Ann', tail: 'Rome' }, { head: 'PER', tail: 'LOC' }],
          ['home', { head: 'Rome', tail: 'Ann' }, { head: 'LOC', tail: 'PER' }],
          [null, { head: 'Ann', tail: 'Rome' }, { head: 'PER', tail: 'LOC' }],
        ],
      );
      const [first] = document.examples;
      assert.equal(at(document, document.fieldRange(first!, first!.goldField!)), '"lives"');
      assert.equal(first!.misfits, null);
      assert.deepEqual(document.findings, []);
    }
  });

  it('says which relation is wrong, and reads the others', () => {
    const results = [
      place('a', 0, 3, 'Ann', 'PER'),
      place('b', 8, 80, 'Bo', 'PER'),
      place('c', 8, 9, 'Bo', 'PER'),
      link('a', 'c', 'right', 'met'),
      link('a', 'b', 'right', 'met'),
      link('a', 'x', 'right', 'met'),
    ];
    const document = open(JSON.stringify([task(1, 'Ann met Bo', results)]));
    assert.deepEqual(
      document.findings.map(({ message }) => message),
      [
        'tail ends at character 80, the text has 10 characters. The relation is left out.',
        '"to_id", the tail, names no labelled place of the text. The relation is left out.',
      ],
    );
    assert.deepEqual(
      document.examples.map(({ misfits }) => misfits?.map(({ role, name, endShift }) => [role, name, endShift])),
      [[['tail', 'Bo', 1]]],
    );
  });

  it('leaves tasks without labels, and their short export, to rows', () => {
    const bare = open(JSON.stringify([task(1, 'a fine film', []), task(2, 'a bad film', [])]));
    assert.deepEqual([bare.info.format, bare.info.columns.text], ['json', 'data.text']);
    const short = open(
      JSON.stringify([{ text: 'a fine film', id: 1, sentiment: 'Positive', annotator: 1, lead_time: 3.4 }]),
    );
    assert.deepEqual(rows(short), [['a fine film', 'Positive']]);
  });
});
