import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { tokenBound } from '../../../src/engine/text/token-bound';

const bytesOf = (text: string) => Buffer.byteLength(text);

/** What tokenizers make of a text before they cut it. */
const forms: ((text: string) => string)[] = [
  (text) => text,
  ...['NFC', 'NFD', 'NFKC', 'NFKD'].map((form) => (text: string) => text.normalize(form)),
  (text) => text.normalize('NFD').replace(/\p{Mn}/gu, ''),
];
const cases = [...forms, ...forms.map((form) => (text: string) => form(text.toLowerCase()))];

const bounds = { character: tokenBound('character'), byte: tokenBound('byte') };

describe('token bound', () => {
  it('holds for every character of Unicode, in every form and case', () => {
    let mostCharacters = 0;
    let mostBytes = 0;
    for (let code = 0; code < 0x110000; code++) {
      if (code >= 0xd800 && code < 0xe000) continue;
      const character = String.fromCodePoint(code);
      const [characters, bytes] = [bounds.character.mostTokens(character), bounds.byte.mostTokens(character)];
      if (code < 0x30000) {
        for (const form of cases) {
          const formed = form(character);
          assert.ok(formed.length <= characters, `U+${code.toString(16)}: ${formed.length} characters`);
          assert.ok(bytesOf(formed) <= bytes, `U+${code.toString(16)}: ${bytesOf(formed)} bytes`);
        }
      }
      mostCharacters = Math.max(mostCharacters, characters / character.length);
      mostBytes = Math.max(mostBytes, bytes / character.length);
    }
    // What short texts are passed by.
    assert.deepEqual([mostCharacters, mostBytes], [18, 33]);
  });

  it('holds for texts (property), and tells what exceeds it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), fc.nat(80), (text, room) => {
        for (const least of ['character', 'byte'] as const) {
          const most = bounds[least].mostTokens(text);
          for (const form of cases) {
            const formed = form(text);
            assert.ok((least === 'character' ? formed.length : bytesOf(formed)) <= most);
          }
          assert.equal(bounds[least].mayExceed(text, room), most > room);
        }
      }),
      { numRuns: Number(process.env.ASSAY_PROPERTY_RUNS ?? 500) },
    );
  });

  it('is the length of a text of ASCII', () => {
    assert.equal(bounds.byte.mostTokens('A fine film'), 11);
    assert.equal(bounds.byte.mayExceed('x'.repeat(100), 100), false);
    assert.equal(bounds.byte.mayExceed('x'.repeat(101), 100), true);
  });
});
