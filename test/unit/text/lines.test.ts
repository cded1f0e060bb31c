import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { LineIndex } from '../../../src/engine/text/lines';

const text = fc.string({ unit: fc.constantFrom('a', 'é', '\n', '\r', '\r\n', '\u2028', '😀'), maxLength: 40 });

/** Every line start, by the definition: behind \n, behind \r\n, behind a \r that no \n follows. */
function lineStarts(value: string): number[] {
  const starts = [0];
  for (const match of value.matchAll(/\r\n|\r|\n/g)) starts.push(match.index + match[0].length);
  return starts;
}

function starts(index: LineIndex): number[] {
  return Array.from({ length: index.lineCount }, (_, line) => index.lineStart(line));
}

describe('text: lines', () => {
  it('ends lines at \\n, \\r\\n and \\r, and nowhere else', () => {
    assert.deepEqual(starts(LineIndex.of('a\nb\r\nc\rd\u2028e\n')), [0, 2, 5, 7, 11]);
    assert.deepEqual(starts(LineIndex.of('')), [0]);
  });

  it('clamps positions as VS Code does', () => {
    const index = LineIndex.of('ab\r\ncd');
    assert.equal(index.offset({ line: 0, char: 99 }), 2);
    assert.equal(index.offset({ line: 1, char: -1 }), 4);
    assert.equal(index.offset({ line: 9, char: 0 }), 6);
    assert.equal(index.offset({ line: -1, char: 5 }), 0);
    assert.deepEqual(index.position(99), { line: 1, char: 2 });
  });

  it('finds every line start, and positions are offsets there and back (property)', () => {
    fc.assert(
      fc.property(text, (value) => {
        const index = LineIndex.of(value);
        assert.deepEqual(starts(index), lineStarts(value));
        for (let offset = 0; offset <= value.length; offset++) {
          const inLineBreak = value[offset] === '\n' && value[offset - 1] === '\r';
          if (!inLineBreak) assert.equal(index.offset(index.position(offset)), offset);
        }
      }),
    );
  });

  it('is the same after an edit as of the edited text (property)', () => {
    fc.assert(
      fc.property(text, text, fc.nat(), fc.nat(), (value, inserted, a, b) => {
        const [start, end] = [a % (value.length + 1), b % (value.length + 1)].sort((x, y) => x - y) as [number, number];
        const edited = value.slice(0, start) + inserted + value.slice(end);
        const index = LineIndex.of(value).edited(edited, start, end, start + inserted.length);
        assert.deepEqual(starts(index), lineStarts(edited));
      }),
      { numRuns: 1000 },
    );
  });
});
