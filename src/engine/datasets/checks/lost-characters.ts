import type { Example } from '../dataset';
import type { CheckFinding, TextPart } from './finding';
import { nothing } from './row-check';
import { atCharacter, partsFinding, placesOf } from './text-parts';

/** U+FFFD: a byte that was no character in the encoding the file was once read as. What stood there is lost. */
export function lostCharacters(example: Example): readonly CheckFinding[] {
  const { text } = example;
  const parts: TextPart[] = [];
  for (let at = text.indexOf('\ufffd'); at !== -1; at = text.indexOf('\ufffd', at + 1)) {
    parts.push({ span: { start: at, end: at + 1 }, text: '' });
  }
  const first = parts[0];
  if (first === undefined) return nothing;
  const message = `A character was lost ${atCharacter(first.span.start)}${placesOf(parts.length)}: U+FFFD stands in its place. Read the original file in its own encoding, or write the character again.`;
  return [partsFinding('assay/replacement-character', example, parts, { message, title: null })];
}
