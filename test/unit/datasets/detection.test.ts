import assert from 'node:assert/strict';
import { NotADataset } from '../../../src/engine/datasets/dataset';
import { DatasetDocument } from '../../../src/engine/datasets/document';
import type { ColumnChoice } from '../../../src/protocol/dataset';
import { jsonl, open, rows } from './opening';

/** Rows made of a header and sentences, labels repeated. */
function table(header: string, row: (index: number) => string, count = 12): string {
  return `${header}\n${Array.from({ length: count }, (_, index) => row(index)).join('\n')}\n`;
}

const sentence = (index: number) => `the film number ${index} is not like the others`;

describe('datasets: detection', () => {
  const cases: [name: string, text: string, columns: ColumnChoice][] = [
    [
      'the label, not its confidence, reason, id or sparsely filled gold column',
      table(
        '_unit_id,airline_sentiment,airline_sentiment:confidence,negativereason,airline_sentiment_gold,text,tweet_created',
        (index) =>
          [
            index,
            index % 2 ? 'negative' : 'positive',
            '0.9',
            index % 2 ? 'Late' : '',
            index === 3 ? 'negative' : '',
            sentence(index),
            '2015-02-24',
          ].join(','),
      ),
      { task: 'sentiment', text: 'text', gold: 'airline_sentiment', id: '_unit_id' },
    ],
    [
      'the label, not the prediction beside it',
      jsonl(
        ...Array.from({ length: 8 }, (_, index) => ({
          idx: index,
          sentence: sentence(index),
          pred_label: 'pos',
          label_id: index % 2,
          label: index % 2 ? 'pos' : 'neg',
        })),
      ),
      { task: 'sentiment', text: 'sentence', gold: 'label', id: 'idx' },
    ],
    [
      'the review, not its title, and the stars',
      table('title,reviewText,overall,reviewerID', (index) => `fine,${sentence(index)},${(index % 5) + 1}.0,A${index}`),
      { task: 'sentiment', text: 'reviewText', gold: 'overall' },
    ],
    [
      'the stars, not the votes, the date, the model or its confidence',
      table('date,helpful_votes,predicted_rating,confidence,rating,review', (index) =>
        [`2024-01-${10 + index}`, index % 4, (index % 5) + 1, `0.8${index}`, (index % 5) + 1, sentence(index)].join(
          ',',
        ),
      ),
      { task: 'sentiment', text: 'review', gold: 'rating' },
    ],
    [
      'ratings from -1 to 1 and from 0 to 1',
      table('score;polarity;text', (index) => `0.${8000 + index * 37};${(index % 3) - 1};${sentence(index)}`),
      { task: 'sentiment', text: 'text', gold: 'polarity' },
    ],
    [
      'a score of few values',
      table('text|score|time', (index) => `${sentence(index)}|${(index % 5) + 1}|${1_303_862_400 + index}`),
      { task: 'sentiment', text: 'text', gold: 'score' },
    ],
    [
      'no score that was measured',
      table('text|score', (index) => `${sentence(index)}|0.${8000 + index * 37}`),
      { task: 'sentiment', text: 'text' },
    ],
    [
      'a full column of labels whose name says nothing, not the sparse gold beside it or the reason in one word',
      table('text,gold,airline,negativereason', (index) =>
        [sentence(index), index === 3 ? 'bad' : '', index % 2 ? 'good' : 'bad', index % 2 ? 'other' : 'late'].join(','),
      ),
      { task: 'sentiment', text: 'text', gold: 'airline' },
    ],
    [
      'labels that are many numbers',
      table('text,label', (index) => `${sentence(index)},${index % 40}`, 80),
      { task: 'sentiment', text: 'text', gold: 'label' },
    ],
    [
      'columns by their values where the names say nothing',
      table('aa,bb', (index) => `${sentence(index)},${index % 3 ? 'good' : 'bad'}`),
      { task: 'sentiment', text: 'aa', gold: 'bb' },
    ],
    [
      'an unlabelled text',
      table('index\tsentence', (index) => `${index}\t${sentence(index)}`),
      { task: 'sentiment', text: 'sentence', id: 'index' },
    ],
    [
      'head and tail by their names, if their words stand in the text',
      jsonl(
        ...Array.from({ length: 4 }, (_, index) => ({
          text: sentence(index),
          subject: 'film',
          object: 'others',
          relation: 'r',
          confidence: 1,
        })),
      ),
      { task: 'relation', text: 'text', gold: 'relation', head: 'subject', tail: 'object' },
    ],
    [
      'no relation where their words do not stand in the text',
      jsonl(
        ...Array.from({ length: 4 }, (_, index) => ({
          text: sentence(index),
          subject: 'Re: hello',
          object: 'none',
          label: index % 2,
        })),
      ),
      { task: 'sentiment', text: 'text', gold: 'label' },
    ],
    [
      'spans as lists of two numbers',
      jsonl(
        ...Array.from({ length: 4 }, (_, index) => ({
          tokens: sentence(index).split(' '),
          e1: [1, 2],
          e2: [7, 9],
          rel: 'r',
        })),
      ),
      { task: 'relation', text: 'tokens', gold: 'rel', head: 'e1', tail: 'e2' },
    ],
    [
      'text without spaces',
      table('文,label', (index) => `这部电影真的很好看${index},${index % 2}`),
      { task: 'sentiment', text: '文', gold: 'label' },
    ],
  ];
  for (const [name, text, columns] of cases) {
    it(`finds ${name}`, () => {
      const document = open(text);
      assert.deepEqual(document.info.columns, columns);
      assert.ok(document.info.confidence > 0.4 && document.info.confidence <= 1);
      assert.deepEqual(document.findings, []);
    });
  }

  it('is surer of names than of values', () => {
    const named = open(table('text,label', (index) => `${sentence(index)},${index % 2}`));
    const unnamed = open(table('aa,bb', (index) => `${sentence(index)},${index % 2}`));
    assert.ok(named.info.confidence > unnamed.info.confidence);
  });

  it('never looks at the name', () => {
    const text = jsonl({ text: 'a b', label: 1 }, { text: 'c d', label: 0 });
    for (const name of ['a.csv', 'a.json', 'README.md', ''])
      assert.equal(DatasetDocument.open({ name, text }).info.format, 'jsonl');
  });

  it('offers every column with up to three shortened values', () => {
    const document = open(
      jsonl(
        { text: '😀'.repeat(60), label: 'x', meta: { a: 1 } },
        { text: 'c', label: 'x', meta: { a: 2 } },
        { text: 'd', label: 'x' },
        { text: 'e', label: 'x' },
      ),
    );
    assert.deepEqual(document.info.candidates, [
      { name: 'text', examples: [`${'😀'.repeat(19)}…`, 'c', 'd'] },
      { name: 'label', examples: ['x'] },
      { name: 'meta.a', examples: ['1', '2'] },
    ]);
  });

  it('reads the columns that a person chose, and says which one is not there', () => {
    const text = table('a,b,c', (index) => `${sentence(index)},${index % 2},other words ${index}`);
    const document = open(text, { task: 'sentiment', text: 'c', gold: 'b' });
    assert.equal(document.info.confidence, 1);
    assert.deepEqual(rows(document)[0], ['other words 0', '0']);
    document.choose({ task: 'sentiment', text: 'a' });
    assert.deepEqual(rows(document)[0], [sentence(0), null]);
    assert.throws(
      () => document.choose({ task: 'sentiment', text: 'd' }),
      (error) => error instanceof NotADataset && /no column "d".*"a", "b", "c"/.test(error.message),
    );
    assert.deepEqual(rows(document)[0], [sentence(0), null]);
    assert.throws(
      () => open(jsonl({ a: 'x y', b: 1 }, { a: 'z w', b: 2 }), { task: 'sentiment', text: 'c' }),
      NotADataset,
    );
    assert.deepEqual(
      rows(open(jsonl({ a: 'x y', b: 1 }, { a: 'z w', b: 2 }), { task: 'sentiment', text: 'a', gold: 'b' })),
      [
        ['x y', '1'],
        ['z w', '2'],
      ],
    );
  });

  it('CSV whose texts are quoted stays CSV where one begins with a brace', () => {
    const document = open(`text,label\n"a fine, long film",good\n"dull, and ""slow""",bad\n{x} is my mark,bad\n`);
    assert.equal(document.info.format, 'csv');
    assert.equal(document.examples.length, 3);
  });
});
