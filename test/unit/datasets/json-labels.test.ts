import assert from 'node:assert/strict';
import { at, jsonl, open, rows } from './opening';

describe('datasets: labels of JSON rows that are said otherwise', () => {
  it('reads the number of the one in a list of zeros, and says where there is none or are several', () => {
    const document = open(
      jsonl(
        { text: 'a fine film', labels: [0, 1] },
        { text: 'a bad film', labels: [1, 0] },
        { text: 'a film', labels: [1, 1] },
        { text: 'film', labels: [0, 0] },
      ),
    );
    assert.equal(document.info.columns.gold, 'labels');
    assert.match(document.info.formatDetail, /, labels one-hot$/);
    assert.deepEqual(
      document.examples.map(({ gold }) => gold),
      ['1', '0', null, null],
    );
    assert.deepEqual(
      document.findings.map(({ severity, range, message }) => [severity, range.startLine, message]),
      [2, 3].map((line) => ['warning', line, '"labels" is not one label. The row is read without it.']),
    );
    const floats = open(jsonl({ text: 'a fine film', label: [0.0, 0, 1] }, { text: 'bad', label: [0, 1, 0] }));
    assert.deepEqual(
      floats.examples.map(({ gold }) => gold),
      ['2', '1'],
    );
    const chosen = open(jsonl({ text: 'a', y: [0, 1] }, { text: 'b', y: [1, 0] }), {
      task: 'sentiment',
      text: 'text',
      gold: 'y',
    });
    assert.deepEqual(rows(chosen), [
      ['a', '1'],
      ['b', '0'],
    ]);
  });

  it('takes lists of classes for no such lists', () => {
    const several = open(
      jsonl({ text: 'a fine film', labels: [1] }, { text: 'a bad film', labels: [0, 1] }, { text: 'so', labels: [0] }),
    );
    assert.deepEqual(
      several.examples.map(({ gold }) => gold),
      ['1', null, '0'],
    );
    const both = open(jsonl({ text: 'a fine film', labels: [0, 1] }, { text: 'a bad film', labels: [0, 1] }));
    assert.deepEqual(
      both.examples.map(({ gold }) => gold),
      [null, null],
    );
  });

  it('has no gold for rows whose label was rejected or passed over, and says so', () => {
    const document = open(
      jsonl(
        { text: 'Stocks fell', label: 'FINANCE', answer: 'accept' },
        { text: 'My cat is nice', label: 'FINANCE', answer: 'reject' },
        { text: 'What now', answer: 'ignore', label: 'FINANCE' },
        { text: 'And then', label: null, answer: 'reject' },
        { text: 'Rates fell', label: 'FINANCE' },
      ),
    );
    assert.equal(document.info.columns.gold, 'label');
    assert.deepEqual(
      document.examples.map(({ gold }) => gold),
      ['FINANCE', null, null, null, 'FINANCE'],
    );
    assert.deepEqual(
      document.findings.map(({ severity, range }) => [severity, range.startLine, at(document, range)]),
      [
        ['warning', 1, '"reject"'],
        ['warning', 2, '"ignore"'],
      ],
    );
    assert.match(document.findings[0]!.message, /^This row was rejected .* It is read without one\.$/);
  });

  it('reads what was chosen of options, where an answer stands beside it', () => {
    const options = [{ id: 'POS', text: 'good' }];
    const document = open(
      jsonl(
        { text: 'a fine film', options, accept: ['POS'], answer: 'accept' },
        { text: 'a bad film', options, accept: ['NEG'], answer: 'accept' },
        { text: 'a film', options, accept: ['POS'], answer: 'ignore' },
        { text: 'film', options, accept: [], answer: 'accept' },
      ),
    );
    assert.equal(document.info.columns.gold, 'accept');
    assert.deepEqual(
      document.examples.map(({ gold }) => gold),
      ['POS', 'NEG', null, null],
    );
  });

  it('takes answers for the label where there is none else, or where they are no verdicts', () => {
    for (const answers of [
      ['accept', 'reject'],
      ['yes', 'reject'],
    ]) {
      const document = open(jsonl(...answers.map((answer) => ({ text: 'a fine film', answer }))));
      assert.equal(document.info.columns.gold, 'answer');
      assert.deepEqual(
        document.examples.map(({ gold }) => gold),
        answers,
      );
      assert.deepEqual(document.findings, []);
    }
    const asked = open(
      jsonl({ text: 'a fine film', label: 'x', answer: 'reject' }, { text: 'so', label: 'y', answer: '4' }),
    );
    assert.deepEqual(
      asked.examples.map(({ gold }) => gold),
      ['x', 'y'],
    );
  });
});
