import type { Example } from '../dataset';
import type { CheckFinding, TextPart } from './finding';
import { nothing } from './row-check';
import { atCharacter, partsFinding, placesOf } from './text-parts';

/** U+FFFD, and half of a surrogate pair, which becomes one as soon as it is written as UTF-8. */
const lost = /[\ufffd\ud800-\udfff]/gu;

/** Bytes that were no character in the encoding the file was once read as, and characters that were cut in two. What stood there is lost. */
export function lostCharacters(example: Example): readonly CheckFinding[] {
  const { text } = example;
  if (text.search(lost) === -1) return nothing;
  const parts: TextPart[] = [...text.matchAll(lost)].map(({ index }) => ({
    span: { start: index, end: index + 1 },
    text: '',
  }));
  const { start } = parts[0]!.span;
  const what =
    text[start] === '\ufffd'
      ? `A character was lost ${atCharacter(start)}${placesOf(parts.length)}: U+FFFD stands in its place. Read the original file in its own encoding, or write the character again.`
      : `Only half of a character stands ${atCharacter(start)}${placesOf(parts.length)} (U+${text.charCodeAt(start).toString(16).toUpperCase()}, a lone surrogate): the text was cut in the middle of it. Write the character again, or remove the half.`;
  return [partsFinding('assay/replacement-character', example, parts, { message: what, title: null })];
}
