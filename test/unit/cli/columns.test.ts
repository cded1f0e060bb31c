import assert from 'node:assert/strict';
import { mergeColumns, parseColumns } from '../../../src/cli/columns';
import { UsageError } from '../../../src/cli/io';

describe('cli: --columns', () => {
  it('reads pairs and JSON alike', () => {
    assert.deepEqual(parseColumns('text=review,label=stars'), { text: 'review', gold: 'stars' });
    assert.deepEqual(parseColumns(' text = review , id=#1 '), { text: 'review', id: '#1' });
    assert.deepEqual(parseColumns('{"text": "review, long", "gold": "a=b", "task": "sentiment"}'), {
      text: 'review, long',
      gold: 'a=b',
      task: 'sentiment',
    });
    assert.deepEqual(parseColumns('text=a=b'), { text: 'a=b' });
    assert.deepEqual(parseColumns('id='), { id: '' });
  });

  it('says what is wrong', () => {
    for (const [argument, message] of [
      ['review', /"review" is not PART=COLUMN/],
      ['', /not PART=COLUMN/],
      ['text=a,', /not PART=COLUMN/],
      ['sentence=a', /"sentence" is no part of an example/],
      ['task=ner', /task is sentiment or relation, not "ner"/],
      ['label=a,gold=b', /gold is given twice/],
      ['{"text": 3}', /the column of "text" must be a string/],
      ['{"text": ', /this is not JSON/],
      ['{"__proto__": "x"}', /"__proto__" is no part/],
    ] as const) {
      assert.throws(
        () => parseColumns(argument),
        (error) => error instanceof UsageError && message.test(error.message),
        argument,
      );
    }
  });

  it('puts what is given in the place of what was detected', () => {
    const detected = { task: 'sentiment', text: 'a', gold: 'b', id: 'c' } as const;
    assert.deepEqual(mergeColumns(detected, { text: 'x' }), { task: 'sentiment', text: 'x', gold: 'b', id: 'c' });
    assert.deepEqual(mergeColumns(detected, { gold: '' }), { task: 'sentiment', text: 'a', id: 'c' });
    assert.deepEqual(mergeColumns(null, { text: 'x' }), { task: 'sentiment', text: 'x' });
  });

  it('takes entities for a relation task, and refuses them for sentiment', () => {
    const detected = { task: 'sentiment', text: 'a', gold: 'b' } as const;
    assert.deepEqual(mergeColumns(detected, { head: 'h', tail: 't' }), {
      task: 'relation',
      text: 'a',
      gold: 'b',
      head: 'h',
      tail: 't',
    });
    const relation = { task: 'relation', text: 'a', head: 'h', tail: 't' } as const;
    assert.deepEqual(mergeColumns(relation, { task: 'sentiment' }), { task: 'sentiment', text: 'a' });
    assert.throws(() => mergeColumns(detected, { task: 'sentiment', head: 'h' }), /a sentiment example has no head/);
  });
});
