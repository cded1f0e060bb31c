import assert from 'node:assert/strict';
import { open, rows } from './opening';

describe('datasets: what stands above the rows of a table', () => {
  const body = 'text,label\na fine film,pos\n#nofilter is great,pos\na bad film,neg\n';
  const expected = [
    ['a fine film', 'pos'],
    ['#nofilter is great', 'pos'],
    ['a bad film', 'neg'],
  ];
  for (const [name, above] of [
    ['a title and a blank line', 'Sentiment data of 2024\n\n'],
    ['a title with a comma', 'Reviews, 2024\n'],
    ['a title in quotes, behind blank lines', '\n\n"Reviews, 2024"\n'],
    ['a title and its source', 'Reviews\nfrom here, there, and elsewhere\n\n'],
    ['a comment', '# exported 2024-01-01\n'],
    ['comments with commas', '# exported 2024-01-01\n# by me, myself\n# columns: text, label, nothing else\n'],
    ['comments of another kind', '// by me, myself\n% and I\n'],
  ] as const) {
    it(`finds the header below ${name}`, () => {
      for (const newline of ['\n', '\r\n', '\r']) {
        const document = open((above + body).replaceAll('\n', newline));
        assert.match(document.info.formatDetail, /^CSV, header/);
        assert.deepEqual(document.info.columns, { task: 'sentiment', text: 'text', gold: 'label' });
        assert.deepEqual(rows(document), expected);
        assert.deepEqual(document.findings, []);
        assert.equal(document.examples[0]!.record.start, above.length + 11 + countOf(above, newline));
      }
      const semicolons = open(`${above}${body.replaceAll(',', ';')}`);
      assert.deepEqual(rows(semicolons), expected);
    });
  }

  /** What the line breaks above the rows, and the header's, take more than one unit each. */
  function countOf(above: string, newline: string): number {
    return (newline.length - 1) * (above.split('\n').length - 1 + 1);
  }

  it('says so, and finds it again when lines above it are edited', () => {
    const document = open(`Reviews, 2024\n${body}`);
    assert.equal(document.info.formatDetail, 'CSV, header below a title');
    const range = { startLine: 0, startChar: 0, endLine: 0, endChar: 0 };
    document.applyEdits([{ range, text: '# ours, all of them\n\n' }]);
    assert.deepEqual(rows(document), expected);
    document.applyEdits([{ range: { ...range, endLine: 3 }, text: '' }]);
    assert.equal(document.info.formatDetail, 'CSV, header');
    assert.deepEqual(rows(document), expected);
  });

  it('takes rows for no title: files that were joined keep them', () => {
    const joined = open(
      'it was a fine film,pos\nit was a bad film,neg\ntext,label\nit was ok for me,pos\nit was long to me,neg\n',
    );
    assert.deepEqual(rows(joined).slice(0, 2), [
      ['it was a fine film', 'pos'],
      ['it was a bad film', 'neg'],
    ]);
    const again = open(`${body}${body}`);
    assert.equal(again.info.formatDetail, 'CSV, header');
    assert.equal(again.examples.length, 6);
  });

  it('reads names that say nothing above texts, with empty ones behind them', () => {
    const document = open(
      'v1,v2,,,\r\nham,"Come home now, will you",,,\r\nham,I am on my way,,,\r\nspam,You have won a prize today,,,\r\n',
    );
    assert.equal(document.info.formatDetail, 'CSV, header');
    assert.deepEqual(document.info.columns, { task: 'sentiment', text: 'v2', gold: 'v1' });
    assert.ok(document.info.confidence < 0.6);
    assert.equal(document.examples.length, 3);
    const rowsOnly = open(
      'good,it was a fine film,,,\nbad,it was a long film,,,\ngood,it was a warm film,,,\nbad,it was no film at all,,,\n',
    );
    assert.equal(rowsOnly.examples.length, 4);
  });
});
