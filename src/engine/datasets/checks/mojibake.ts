import type { Example } from '../dataset';
import type { CheckFinding, TextPart } from './finding';
import { nothing } from './row-check';
import { atCharacter, partsFinding, placesOf } from './text-parts';
import { byteOf } from './windows-1252';

/** A byte that begins a UTF-8 character of two, three or four bytes, as Windows-1252 reads it. */
const lead = /[\u00c2-\u00f4]/;
/** What may follow a word in capitals (`VOILÀ”`), a space that breaks no line among it: they may be what they seem. */
const closing = /[’”“‘…–—»›«‹\u00a0™®©]/;
const endsInLetter = /\p{L}$/u;
const startsWithLetter = /^\p{L}/u;
/** What of a repaired text is repaired again: letters and signs of the West, punctuation, pictures; other leads are letters of their own. */
const again = /[ÂÃâð]/;
/** Times that a text may have been decoded wrongly, one after the other. */
const MAX_ROUNDS = 3;

interface Sequence {
  start: number;
  end: number;
  character: string;
}

/**
 * Text that is UTF-8 and was read as Windows-1252 or Latin-1 (`â€™` for `’`), once or more: a run of characters whose bytes are
 * UTF-8 of one that texts have.
 */
export function mojibake(example: Example): readonly CheckFinding[] {
  const { text } = example;
  const sequences = wronglyDecodedIn(text);
  if (sequences.length === 0) return nothing;
  const parts: TextPart[] = runsOf(sequences).map(({ start, end, character }) => ({
    span: { start, end },
    text: repaired(character),
  }));
  const first = parts[0]!;
  const written = text.slice(first.span.start, first.span.end);
  return [
    partsFinding('assay/mojibake', example, parts, {
      message: `“${written}” ${atCharacter(first.span.start)} is “${first.text}”, UTF-8 that was read as Windows-1252${placesOf(parts.length)}. Decode the original file as UTF-8, or repair the text.`,
      title:
        parts.length === 1 ? `Write “${first.text}” for “${written}”` : `Repair ${parts.length} wrongly decoded places`,
    }),
  ];
}

/** The parts of a text that are surely such characters, in order. */
export function wronglyDecodedIn(text: string): readonly Sequence[] {
  if (!lead.test(text)) return [];
  const sequences = sequencesIn(text);
  return isEvidence(text, sequences) ? sequences : [];
}

function sequencesIn(text: string): Sequence[] {
  const found: Sequence[] = [];
  for (let at = 0; at < text.length; at++) {
    const sequence = sequenceAt(text, at);
    if (sequence === null) continue;
    found.push(sequence);
    at = sequence.end - 1;
  }
  return found;
}

/** The character whose UTF-8 stands at an offset; null if none does, or none that texts have. */
function sequenceAt(text: string, at: number): Sequence | null {
  const first = byteOf(text.charCodeAt(at));
  const length =
    first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
  if (length === 0 || at + length > text.length) return null;
  let code = first & (0xff >> (length + 1));
  for (let next = at + 1; next < at + length; next++) {
    const byte = byteOf(text.charCodeAt(next));
    if (byte < 0x80 || byte > 0xbf) return null;
    code = (code << 6) | (byte & 0x3f);
  }
  const isShortest = code >= (length === 2 ? 0x80 : length === 3 ? 0x800 : 0x10000);
  if (!isShortest || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return null;
  const character = String.fromCodePoint(code);
  // Of the controls only those that may be part of something decoded wrongly twice.
  return code < 0xa0 || /[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Z}\p{Cf}]/u.test(character)
    ? { start: at, end: at + length, character }
    : null;
}

/** Letters with punctuation behind them may look like a character that was decoded wrongly (`café…”`); then more has to be seen. */
function isEvidence(text: string, sequences: readonly Sequence[]): boolean {
  return sequences.some(({ start, end }, index) => {
    const length = end - start;
    if (length === 4) return true;
    const unit = text.charCodeAt(start);
    const isClosed = closing.test(text[start + 1]!);
    const isInRun = sequences[index + 1]?.start === end || sequences[index - 1]?.end === start;
    // Other than Western punctuation (â€™), they come in words.
    if (length === 3) return !isClosed && (unit === 0xe2 || isInRun);
    if (unit <= 0xc3) return !isClosed || !/\p{Lu}$/u.test(text.slice(0, start));
    const isGreekOrCyrillic = unit >= 0xce && unit <= 0xd1;
    if (isInRun) return isGreekOrCyrillic || !isClosed;
    // Å is a unit of length too (Å², Å³): as a part of a word it stands beside letters.
    return (
      unit <= 0xc5 && !isClosed && (endsInLetter.test(text.slice(0, start)) || startsWithLetter.test(text.slice(end)))
    );
  });
}

/** Sequences that follow each other at once, as one. */
function runsOf(sequences: readonly Sequence[]): Sequence[] {
  const runs: Sequence[] = [];
  for (const { start, end, character } of sequences) {
    const former = runs.at(-1);
    if (former !== undefined && former.end === start) {
      former.end = end;
      former.character += character;
    } else {
      runs.push({ start, end, character });
    }
  }
  return runs;
}

function repaired(text: string): string {
  let result = text;
  for (let round = 1; round < MAX_ROUNDS; round++) {
    const sequences = sequencesIn(result).filter(({ start }) => again.test(result[start]!));
    if (!isEvidence(result, sequences)) break;
    let next = '';
    let at = 0;
    for (const { start, end, character } of sequences) {
      next += result.slice(at, start) + character;
      at = end;
    }
    result = next + result.slice(at);
  }
  return result;
}
