import type { Example } from '../dataset';
import type { CheckFinding, TextPart } from './finding';
import { nothing } from './row-check';
import { atCharacter, partsFinding, placesOf } from './text-parts';
import { windows1252 } from './windows-1252';

/**
 * Characters that nobody sees and a tokenizer may stumble over: control characters (but tab and line breaks), invisible ones, and marks of
 * writing direction where nothing is written from right to left.
 */
const suspects =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
/** Joiners belong between letters of these scripts, and between the parts of an emoji. */
const joins =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Variation_Selector}]/u;
/** Zero-width spaces show where words end in scripts that write none. */
const unspaced = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Han}]/u;

const names: Readonly<Record<string, string>> = {
  '\u0000': 'NUL',
  '\u0007': 'bell',
  '\u0008': 'backspace',
  '\u000b': 'vertical tab',
  '\u000c': 'form feed',
  '\u001b': 'escape',
  '\u007f': 'delete',
  '\u00ad': 'soft hyphen',
  '\u200b': 'zero-width space',
  '\u200c': 'zero-width non-joiner',
  '\u200d': 'zero-width joiner',
  '\u2028': 'line separator',
  '\u2029': 'paragraph separator',
  '\u2060': 'word joiner',
  '\ufeff': 'byte-order mark',
};

export function controlCharacters(example: Example): readonly CheckFinding[] {
  const { text } = example;
  if (text.search(suspects) === -1) return nothing;
  const parts: TextPart[] = [];
  for (const { index } of text.matchAll(suspects)) {
    if (isMeant(text, index)) continue;
    parts.push({ span: { start: index, end: index + 1 }, text: replacementOf(text[index]!) });
  }
  const first = parts[0];
  if (first === undefined) return nothing;
  const character = text[first.span.start]!;
  const code = `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  const name = names[character] ?? (isMark(character) ? 'a mark of writing direction' : 'a control character');
  const what = `${code} (${name}) stands ${atCharacter(first.span.start)}${placesOf(parts.length)}`;
  return [
    partsFinding('assay/control-character', example, parts, {
      message: `${what}. It is invisible, and a tokenizer may split a word at it or give it an unknown token. Remove it.`,
      title: parts.length === 1 ? 'Remove the invisible character' : `Remove ${parts.length} invisible characters`,
    }),
  ];
}

function isMark(character: string): boolean {
  return /[\u200e\u200f\u202a-\u202e\u2061-\u2069]/.test(character);
}

function isMeant(text: string, at: number): boolean {
  const character = text[at]!;
  if (isMark(character)) return rightToLeft.test(text);
  const isJoiner = character === '\u200c' || character === '\u200d';
  if (!isJoiner && character !== '\u200b') return false;
  const before = /.$/su.exec(text.slice(Math.max(0, at - 2), at))?.[0] ?? '';
  const after = String.fromCodePoint(text.codePointAt(at + 1) ?? 32);
  return (isJoiner ? joins : unspaced).test(before) || (isJoiner ? joins : unspaced).test(after);
}

/** What was meant, where that is sure: a break between words, or a character of Windows-1252 that was read as Latin-1. */
function replacementOf(character: string): string {
  if ('\u000b\u000c\u2028\u2029'.includes(character)) return ' ';
  const code = character.charCodeAt(0);
  return code >= 0x80 && code < 0xa0 ? windows1252.charAt(code - 0x80).replace('\ufffd', '') : '';
}
