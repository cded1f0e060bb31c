/** What every alignment of tokens and text must hold to, and texts on which it is hard. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TokenAlignment } from '../../../src/engine/text/alignment';

/** Texts in which the hard things meet often. */
const fragments = [
  'the', 'bridge', 'Café', 'hello', ' ', '  ', '\t', '\n', '\r\n', '\u00a0', '\u3000', '.', ',', '...', "n't", '@', '#', '12', '½',
  '😀', '👩‍👩‍👧‍👦', '👍🏽', '🇩🇪', '❤️', '1️⃣', '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'é', 'e\u0301', 'a\u0323\u0307', 'a\u0307\u0323', '\u0301', '\u0301\u0323', 'ﷺ', 'ﬁ', 'Å', '①', 'ｶﾞ', 'ﾞ', '～', 'İ', 'ı', 'ß', 'ẞ',
  'ΟΔΟΣ', 'Σ', 'Σ.', 'ΑΣ Α', 'ΣΣ', 'ǅ',
  '中文', '日本語', '한국어', '한', 'ᄒ', 'ᅡ', 'ᆫ', '𠀀', '豈', 'ไทย', 'हिन्दी', 'क्षि',
  'שלום', 'مرحبا', 'שָׁלוֹם', '\u202e', '\u200f', '\u200b', '\u200d', '\ufeff', '\u00ad', '\u0000', '\u0007', '\u0085', '\u2028', '\ufffd', '\u2581', '𝒳', '𐍈',
  '\ud83d', '\ude00', '\ud83d\ud83d', '\ue000',
  '[CLS]', '[SEP]', '[UNK]', '[MASK]', '[unused0]', '<s>', '</s>', '<mask>', ' <mask> ', '<unk>', '[E1]', '##ing', '▁the', 'Ġ', '<0x0A>',
  'x'.repeat(101),
]; // biome-ignore format: one line a kind
export const text = fc
  .array(
    fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...fragments) }, fc.string({ unit: 'binary', maxLength: 4 })),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

const insidePair = (source: string, offset: number): boolean =>
  offset > 0 &&
  offset < source.length &&
  /[\ud800-\udbff]/.test(source[offset - 1]!) &&
  /[\udc00-\udfff]/.test(source[offset]!);

export type Ranged = TokenAlignment & { start: number; end: number };
export const isRanged = (token: TokenAlignment): token is Ranged => token.start !== null && token.end !== null;

/** In order, inside the text, between characters, and overlapping only where a character gave both. */
export function assertSound(source: string, tokens: readonly TokenAlignment[]): void {
  let start = 0;
  let end = 0;
  for (const token of tokens) {
    if (!isRanged(token)) continue;
    assert.ok(token.start < token.end, `${token.token}: empty range`);
    assert.ok(token.start >= start && token.end >= end, `${token.token} stands before the one before it`);
    assert.ok(token.end <= source.length, `${token.token} ends outside the text`);
    assert.ok(!insidePair(source, token.start) && !insidePair(source, token.end), `${token.token} cuts a character`);
    // Overlap only where a character gave both.
    assert.ok(token.start >= end || sharesCharacter(source, token.start, end), `${token.token} overlaps too much`);
    ({ start, end } = token);
  }
}

/** Is [start, end) within one base character and what attaches to it (marks, letters of a syllable, dropped characters)? */
function sharesCharacter(source: string, start: number, end: number): boolean {
  const bases = source
    .slice(start, end)
    .replace(/[\p{M}\p{Cf}\p{Cc}\p{Cs}\p{Co}\ufffd\u1160-\u11ff\uff9e\uff9f]/gu, '');
  return Array.from(bases).length <= 1;
}

/** All but white space is in a range, where there is a range at all. */
export function assertCovered(source: string, tokens: readonly TokenAlignment[]): void {
  const ranged = tokens.filter(isRanged);
  if (ranged.length === 0) return;
  const covered = new Uint8Array(source.length);
  for (const token of ranged) covered.fill(1, token.start, token.end);
  for (let index = 0; index < source.length; index++) {
    assert.ok(
      covered[index] === 1 || /\s/.test(source[index]!),
      `${JSON.stringify(source[index])} at ${index} is in no range`,
    );
  }
}
