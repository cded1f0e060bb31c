import { isUtf8 } from 'node:buffer';
import { NotADataset } from './dataset';

/** A file's text, as VS Code shows it: without byte-order mark, bad bytes as U+FFFD. */
export interface DecodedText {
  text: string;
  encoding: string;
  /** How many U+FFFD stand for bytes that the encoding does not allow. */
  badBytes: number;
}

/** How a file's bytes are read. */
export interface Encoding {
  /** For people. */
  readonly name: string;
  readonly label: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
  /** Bytes of the byte-order mark. */
  readonly markLength: number;
}

/** The encoding of a longer file is found by so much of it. */
export const ENCODING_PROBE_BYTES = 16 * 1024 * 1024;
/** A NUL or two is an accident in a text file; more are not. */
const MAX_NUL_SHARE = 0.001;
const ACCIDENTAL_NULS = 2;
/** Of the bytes that are looked at, so many are signs that no text has: control characters, high bytes that are not UTF-8. */
const MAX_ODD_SHARE = 0.02;
const ODD_PROBE_BYTES = 65_536;

/**
 * Decodes a file: UTF-16 where a byte-order mark says so, else UTF-8, or Windows-1252 where it is surely that. `editors`: what the editor that
 * shows the file decodes it as, by VS Code's name (`utf8`, `utf16le`); then nothing is guessed.
 * @throws NotADataset for a binary file.
 */
export function decodeFile(bytes: Uint8Array, name: string, editors?: string): DecodedText {
  const encoding = (editors === undefined ? null : encodingNamed(editors, bytes, name)) ?? findEncoding(bytes, name);
  const { text, badBytes } = decodePart(encoding, bytes.subarray(encoding.markLength));
  return { text, encoding: encoding.name, badBytes };
}

/** The encoding that an editor calls so; null if it is not one of those that are read. */
function encodingNamed(editors: string, bytes: Uint8Array, name: string): Encoding | null {
  const marked = markedEncoding(bytes);
  if (!editors.startsWith('utf16')) refuseBinary(bytes.subarray(0, ENCODING_PROBE_BYTES), name);
  switch (editors) {
    case 'utf8':
    case 'utf8bom':
      return marked?.label === 'utf-8' ? marked : { name: 'UTF-8', label: 'utf-8', markLength: 0 };
    case 'utf16le':
      return marked?.label === 'utf-16le' ? marked : { name: 'UTF-16 LE', label: 'utf-16le', markLength: 0 };
    case 'utf16be':
      return marked?.label === 'utf-16be' ? marked : { name: 'UTF-16 BE', label: 'utf-16be', markLength: 0 };
    case 'windows1252':
      return { name: 'Windows-1252', label: 'windows-1252', markLength: 0 };
    default:
      return null;
  }
}

/** What people call an encoding of VS Code's. */
export function encodingTitle(editors: string): string {
  return titles.get(editors) ?? editors;
}

const titles = new Map([
  ['utf8', 'UTF-8'],
  ['utf8bom', 'UTF-8 with BOM'],
  ['utf16le', 'UTF-16 LE'],
  ['utf16be', 'UTF-16 BE'],
  ['windows1252', 'Windows-1252'],
  ['iso88591', 'Latin-1'],
]);

function markedEncoding(bytes: Uint8Array): Encoding | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { name: 'UTF-16 LE', label: 'utf-16le', markLength: 2 };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { name: 'UTF-16 BE', label: 'utf-16be', markLength: 2 };
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    return { name: 'UTF-8 with BOM', label: 'utf-8', markLength: 3 };
  }
  return null;
}

/**
 * The encoding of a file, by its first bytes (ENCODING_PROBE_BYTES of them, or all).
 * @throws NotADataset for a binary file.
 */
export function findEncoding(bytes: Uint8Array, name: string): Encoding {
  const head = bytes.subarray(0, ENCODING_PROBE_BYTES);
  const marked = markedEncoding(head);
  if (marked !== null && marked.label !== 'utf-8') return marked;
  refuseBinary(head, name);
  if (marked !== null) return marked;
  return !isUtf8(head) && isWindows1252(head)
    ? { name: 'Windows-1252', label: 'windows-1252', markLength: 0 }
    : { name: 'UTF-8', label: 'utf-8', markLength: 0 };
}

/** Decodes a part of a file that begins and ends between two characters (`wholeCharacters`), or at the file's ends. */
export function decodePart(encoding: Encoding, bytes: Uint8Array): { text: string; badBytes: number } {
  const { label } = encoding;
  if (label === 'windows-1252') return decodeWindows1252(bytes);
  try {
    return { text: new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes), badBytes: 0 };
  } catch {
    const text = new TextDecoder(label, { ignoreBOM: true }).decode(bytes);
    const shown = countCharacter(text, '\ufffd');
    return { text, badBytes: label === 'utf-8' ? shown - countReplacementBytes(bytes) : shown };
  }
}

/**
 * How many bytes of a part can be decoded by themselves, so that what follows can be too: the last character may be cut
 * off. Characters that no encoding allows count as well; 0 only for parts shorter than a character.
 */
export function wholeCharacters(encoding: Encoding, bytes: Uint8Array): number {
  const { length } = bytes;
  switch (encoding.label) {
    case 'windows-1252':
      return length;
    case 'utf-16le':
    case 'utf-16be': {
      const even = length - (length % 2);
      const high = bytes[encoding.label === 'utf-16le' ? even - 1 : even - 2];
      // The first half of a surrogate pair waits for the second.
      return even > 0 && high !== undefined && high >= 0xd8 && high <= 0xdb ? even - 2 : even;
    }
    case 'utf-8': {
      // Every byte that does not continue a character begins one, whatever stands before it.
      for (let at = length - 1; at >= Math.max(0, length - 4); at--) {
        const byte = bytes[at]!;
        if (byte < 0x80) return length;
        if (byte >= 0xc0) return at;
      }
      // A character has three such bytes at most: the last of four stands for itself.
      return length >= 4 ? length : 0;
    }
  }
}

function countCharacter(text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) count++;
  return count;
}

/** U+FFFD that the file itself holds (EF BF BD): they stand for no bad byte. */
function countReplacementBytes(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(0xef); at !== -1; at = bytes.indexOf(0xef, at + 1)) {
    if (bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd) count++;
  }
  return count;
}

/** What Windows-1252 has at 80 to 9F, where Latin-1 has control characters; U+FFFD where it has nothing. */
const specials =
  '\u20ac\ufffd\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\ufffd\u017d\ufffd\ufffd\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\ufffd\u017e\u0178';

/** By hand: the TextDecoder of some versions of Node takes Windows-1252 for Latin-1. */
function decodeWindows1252(bytes: Uint8Array): { text: string; badBytes: number } {
  const units = new Uint16Array(bytes.length);
  let badBytes = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    const unit = byte >= 0x80 && byte <= 0x9f ? specials.charCodeAt(byte - 0x80) : byte;
    if (unit === 0xfffd) badBytes++;
    units[at] = unit;
  }
  return { text: new TextDecoder('utf-16le', { ignoreBOM: true }).decode(units), badBytes };
}

/** With fewer faults than this, a file is UTF-8 with some bad bytes. */
const LEAST_FAULTS = 5;
/** In a file of another encoding, a well-formed UTF-8 character is a rare accident. */
const FAULTS_A_CHARACTER = 10;
/** Share of the bytes above 7F that must make sense. */
const SENSIBLE_SHARE = 0.75;

/**
 * Whether bytes that are no UTF-8 are Windows-1252 (or Latin-1, which is the same for all that is written): hardly a
 * well-formed UTF-8 character among many faults, and letters that stand in words, or punctuation. In the words of another alphabet, and in binary
 * data, bytes above 7F stand side by side.
 */
function isWindows1252(bytes: Uint8Array): boolean {
  let faults = 0;
  let characters = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = utf8Length(bytes, at);
    if (length === 0) faults++;
    if (length > 1) characters++;
    at += Math.max(1, length);
  }
  return faults >= LEAST_FAULTS && faults >= characters * FAULTS_A_CHARACTER && isSensible(bytes);
}

/** Bytes of the well-formed UTF-8 character at `at`; 0 if there is none. */
function utf8Length(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  const length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  for (let next = at + 1; next < at + length; next++) {
    const byte = bytes[next];
    if (byte === undefined || byte < 0x80 || byte > 0xbf) return 0;
  }
  const second = bytes[at + 1]!;
  // Longer than needed, surrogates, beyond the last character.
  const isWrong =
    (first === 0xe0 && second < 0xa0) ||
    (first === 0xed && second > 0x9f) ||
    (first === 0xf0 && second < 0x90) ||
    (first === 0xf4 && second > 0x8f);
  return isWrong ? 0 : length;
}

function isSensible(bytes: Uint8Array): boolean {
  let high = 0;
  let sensible = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte < 0x80) continue;
    if (byte < 0xa0 && specials.charCodeAt(byte - 0x80) === 0xfffd) return false;
    high++;
    const isLetter =
      byte >= 0xc0 ? byte !== 0xd7 && byte !== 0xf7 : [0x8a, 0x8c, 0x8e, 0x9a, 0x9c, 0x9e, 0x9f].includes(byte);
    const isAlone = (bytes[at - 1] ?? 0) < 0x80 || (bytes[at + 1] ?? 0) < 0x80;
    if (isLetter ? isAsciiLetter(bytes[at - 1]) || isAsciiLetter(bytes[at + 1]) : isAlone) sensible++;
  }
  return sensible >= high * SENSIBLE_SHARE;
}

function isAsciiLetter(byte: number | undefined): boolean {
  return byte !== undefined && ((byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122));
}

function refuseBinary(bytes: Uint8Array, name: string): void {
  const first = bytes.indexOf(0);
  if (first === -1) return;
  let count = 0;
  let odd = 0;
  for (let at = first; at !== -1; at = bytes.indexOf(0, at + 1)) {
    count++;
    odd += at % 2;
  }
  if (count <= Math.max(ACCIDENTAL_NULS, bytes.length * MAX_NUL_SHARE) && isMostlyText(bytes)) return;
  const wide = count > bytes.length / 4 && (odd === count || odd === 0);
  throw new NotADataset(
    wide
      ? `${name} looks like UTF-16 text without a byte-order mark, which cannot be told from binary data. Save it as UTF-8, then open it again.`
      : `${name} is a binary file (it has ${count} NUL byte${count === 1 ? '' : 's'}), not text. Open the text file it was made from: JSON Lines, JSON, CSV or TSV.`,
  );
}

function isMostlyText(bytes: Uint8Array): boolean {
  const probe = bytes.subarray(0, ODD_PROBE_BYTES);
  const text = new TextDecoder().decode(probe);
  let odd = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if ((unit < 32 && unit !== 0 && unit !== 9 && unit !== 10 && unit !== 12 && unit !== 13) || unit === 0xfffd) odd++;
  }
  return odd <= text.length * MAX_ODD_SHARE;
}
