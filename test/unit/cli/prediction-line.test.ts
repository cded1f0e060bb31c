import assert from 'node:assert/strict';
import { jsonLine } from '../../../src/cli/prediction-line';
import type { Example } from '../../../src/engine/datasets/dataset';
import { plainMap } from '../../../src/engine/text/offset-map';

function example(fields: Partial<Example>): Example {
  const text = fields.text ?? 'fine';
  return {
    id: '1',
    text,
    spans: null,
    aspect: null,
    mentions: null,
    sentences: null,
    types: null,
    misfits: null,
    gold: null,
    record: { start: 0, startLine: 0 },
    map: plainMap(text.length, 0),
    textField: { start: 0, end: text.length },
    goldField: null,
    ...fields,
  };
}

describe('cli: a line of output', () => {
  it('is one line of JSON with the documented keys in their order', () => {
    const line = jsonLine(
      example({
        id: 'r"1',
        text: 'a\nb\u2028c 😀',
        gold: 'x',
        spans: { head: { start: 0, end: 1 }, tail: { start: 2, end: 3 } },
      }),
      { label: 'x', probabilities: Float32Array.of(0.25, 0.75), logits: Float32Array.of(0, 1), truncated: true },
      ['y', 'x'],
    );
    assert.equal(line.indexOf('\n'), line.length - 1);
    const parsed: unknown = JSON.parse(line);
    assert.deepEqual(Object.entries(parsed as object), [
      ['id', 'r"1'],
      ['text', 'a\nb\u2028c 😀'],
      ['spans', { head: { start: 0, end: 1 }, tail: { start: 2, end: 3 } }],
      ['gold', 'x'],
      ['label', 'x'],
      ['probabilities', { y: 0.25, x: 0.75 }],
      ['truncated', true],
    ]);
  });

  it('writes an aspect', () => {
    const line = jsonLine(
      example({ text: 'fine bread', aspect: { start: 5, end: 10 } }),
      { label: 'a', probabilities: Float32Array.of(1, 0), logits: Float32Array.of(1, 0), truncated: false },
      ['a', 'b'],
    );
    assert.match(line, /"spans":\{"aspect":\{"start":5,"end":10\}\}/);
  });

  it('writes labels that would do harm as keys', () => {
    const line = jsonLine(
      example({}),
      { label: '__proto__', probabilities: Float32Array.of(1, 0), logits: Float32Array.of(1, 0), truncated: false },
      ['__proto__', 'constructor'],
    );
    assert.match(line, /"probabilities":\{"__proto__":1,"constructor":0\}/);
  });

  it('writes probabilities with the digits that a 32-bit float has', () => {
    const line = jsonLine(
      example({}),
      { label: 'a', probabilities: Float32Array.of(0.9, 0.1), logits: Float32Array.of(1, 0), truncated: false },
      ['a', 'b'],
    );
    assert.match(line, /\{"a":0\.9,"b":0\.1\}/);
  });
});
