/** What the characters of a text are to the checks: parts of words, and of which script. By UTF-16 unit, looked up in a table. */

export const SPACE = 0;
/** Punctuation and signs: between words, no part of one. */
export const BETWEEN = 1;
/** A part of a word: letters, digits, marks. */
export const WORD = 2;
/** A word by itself: characters of scripts that put no space between words, pictures. */
export const WORD_ALONE = 3;
/** Invisible: a word goes on through it. */
export const UNSEEN = 4;

/** Scripts that are told apart; 0 has none (digits, signs, marks). Han and kana are two, Japanese is written in both. */
export const scriptNames = [
  '',
  'Latin',
  'Cyrillic',
  'Greek',
  'Han',
  'Kana',
  'Hangul',
  'Arabic',
  'Hebrew',
  'Devanagari',
  'Bengali',
  'Tamil',
  'Telugu',
  'Thai',
  'Georgian',
  'Armenian',
] as const;

export const LATIN = scriptNames.indexOf('Latin');
export const HAN = scriptNames.indexOf('Han');
export const KANA = scriptNames.indexOf('Kana');

const KIND_BITS = 3;
const KIND_MASK = (1 << KIND_BITS) - 1;

/** By unit: its kind in the lowest three bits, its script above them. */
export const unitTable = buildTable();

export function kindOf(entry: number): number {
  return entry & KIND_MASK;
}

export function scriptOf(entry: number): number {
  return entry >> KIND_BITS;
}

function buildTable(): Uint8Array {
  const table = new Uint8Array(0x10000).fill(BETWEEN);
  let all = '';
  // Halves of surrogate pairs are no characters; beyond them stand pictures and rare letters, which are words.
  for (let unit = 0; unit < 0xd800; unit++) all += String.fromCharCode(unit);
  let rest = '';
  for (let unit = 0xe000; unit < 0x10000; unit++) rest += String.fromCharCode(unit);
  table.fill(WORD, 0xd800, 0xe000);
  const set = (pattern: RegExp, change: (entry: number) => number) => {
    for (const [text, first] of [
      [all, 0],
      [rest, 0xe000],
    ] as const) {
      for (const { 0: run, index } of text.matchAll(pattern)) {
        for (let at = 0; at < run.length; at++) table[first + index + at] = change(table[first + index + at]!);
      }
    }
  };
  set(/\s+/gu, () => SPACE);
  set(/[\p{L}\p{N}\p{M}]+/gu, () => WORD);
  set(/[\p{So}\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]+/gu, () => WORD_ALONE);
  set(/\p{Cf}+/gu, () => UNSEEN);
  const scripts = [
    /\p{sc=Latin}+/gu,
    /\p{sc=Cyrillic}+/gu,
    /\p{sc=Greek}+/gu,
    /\p{sc=Han}+/gu,
    /[\p{sc=Hiragana}\p{sc=Katakana}\u30fc]+/gu,
    /\p{sc=Hangul}+/gu,
    /\p{sc=Arabic}+/gu,
    /\p{sc=Hebrew}+/gu,
    /\p{sc=Devanagari}+/gu,
    /\p{sc=Bengali}+/gu,
    /\p{sc=Tamil}+/gu,
    /\p{sc=Telugu}+/gu,
    /\p{sc=Thai}+/gu,
    /\p{sc=Georgian}+/gu,
    /\p{sc=Armenian}+/gu,
  ];
  for (const [index, pattern] of scripts.entries()) set(pattern, (entry) => entry | ((index + 1) << KIND_BITS));
  return table;
}
