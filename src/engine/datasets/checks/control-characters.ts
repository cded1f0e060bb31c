import type { Example } from '../dataset';
import type { CheckFinding, TextPart } from './finding';
import { wronglyDecodedIn } from './mojibake';
import { nothing } from './row-check';
import { atCharacter, partsFinding, placesOf } from './text-parts';
import { windows1252 } from './windows-1252';

/**
 * Characters that nobody sees and a tokenizer may stumble over: control characters (but tab and line breaks), invisible ones, and marks of
 * writing direction where nothing is written from right to left.
 */
const suspects =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /\u001b\[[0-9;]*[A-Za-z]|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0001}\u{e0020}-\u{e007f}]/gu;
/** A flag of a country's part: its name in tag characters behind a black flag. */
const taggedFlag = /\u{1f3f4}[\u{e0020}-\u{e007e}]+\u{e007f}/gu;
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
  '\u0085': 'next line',
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
  const parts = suspectsIn(text);
  const first = parts[0];
  if (first === undefined) return nothing;
  const character = text.codePointAt(first.span.start)!;
  const code = `U+${character.toString(16).toUpperCase().padStart(4, '0')}`;
  const what = `${code} (${nameOf(String.fromCodePoint(character), first.text)}) stands ${atCharacter(first.span.start)}${placesOf(parts.length)}`;
  const isSure = parts.every(({ span }) => text[span.start] !== NEXT_LINE);
  return [
    partsFinding('assay/control-character', example, parts, {
      message: `${what}. It is invisible, and a tokenizer may split a word at it or give it an unknown token. ${isSure ? adviceOf(parts) : 'Write what was meant: “…” or a line break.'}`,
      title: isSure ? titleOf(parts, code) : null,
    }),
  ];
}

/** A line break of its own in some files, and in others the “…” of Windows-1252: nobody can tell. */
const NEXT_LINE = '\u0085';

function suspectsIn(text: string): TextPart[] {
  const found = [...text.matchAll(suspects)];
  // What is only a part of something else is told as that, if at all.
  const others = [...text.matchAll(taggedFlag)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
  if (found.some(([character]) => isHighControl(character))) others.push(...wronglyDecodedIn(text));
  const parts: TextPart[] = [];
  for (const { index, 0: character } of found) {
    if (isMeant(text, index) || others.some(({ start, end }) => start <= index && index < end)) continue;
    parts.push({ span: { start: index, end: index + character.length }, text: replacementOf(character) });
  }
  return parts;
}

function nameOf(character: string, replacement: string): string {
  const name = names[character];
  if (name !== undefined) return name;
  if (isHighControl(character) && replacement !== '') return `“${replacement}” of Windows-1252, read as Latin-1`;
  if (character.length > 1) return 'an invisible tag';
  return isMark(character) ? 'a mark of writing direction' : 'a control character';
}

function adviceOf(parts: readonly TextPart[]): string {
  return parts.every(({ text }) => text === '') ? 'Remove it.' : 'Write what was meant.';
}

function titleOf(parts: readonly TextPart[], code: string): string {
  const { length } = parts;
  if (parts.every(({ text }) => text === '')) {
    return length === 1 ? 'Remove the invisible character' : `Remove ${length} invisible characters`;
  }
  if (length > 1) return `Write what was meant for ${length} invisible characters`;
  return `Write ${parts[0]!.text === ' ' ? 'a space' : `“${parts[0]!.text}”`} for ${code}`;
}

/** C1: bytes 0x80 to 0x9F that were read as Latin-1. */
function isHighControl(character: string): boolean {
  return character >= '\u0080' && character <= '\u009f';
}

function isMark(character: string): boolean {
  return /[\u061c\u200e\u200f\u202a-\u202e\u2061-\u2069]/.test(character);
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
  return isHighControl(character) ? windows1252.charAt(character.charCodeAt(0) - 0x80).replace('\ufffd', '') : '';
}
