import { windows1252 } from './checks/windows-1252';

/** Windows-1252, and Latin-1, which is the same for all that is written: how it is decoded, and told from UTF-8 with some bad bytes. */

/** By hand: the TextDecoder of some versions of Node takes Windows-1252 for Latin-1. */
export function decodeWindows1252(bytes: Uint8Array): { text: string; badBytes: number } {
  const units = new Uint16Array(bytes.length);
  let badBytes = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    const unit = byte >= 0x80 && byte <= 0x9f ? windows1252.charCodeAt(byte - 0x80) : byte;
    if (unit === 0xfffd) badBytes++;
    units[at] = unit;
  }
  return { text: new TextDecoder('utf-16le', { ignoreBOM: true }).decode(units), badBytes };
}

/** Beside a well-formed UTF-8 character, fewer faults than this are some bad bytes. */
const LEAST_FAULTS = 5;
/** In a file of another encoding, a well-formed UTF-8 character is a rare accident. */
const FAULTS_A_CHARACTER = 10;
/** Share of the bytes above 7F that must make sense. */
const SENSIBLE_SHARE = 0.75;

/**
 * Whether bytes that are no UTF-8 are Windows-1252: hardly a well-formed UTF-8 character among the faults (`utf8Faults`), and letters that stand in
 * words, or punctuation. In the words of another alphabet, and in binary data, bytes above 7F stand side by side.
 */
export function isWindows1252(bytes: Uint8Array, faults: number, characters: number): boolean {
  const isOther = characters === 0 ? faults > 0 : faults >= Math.max(LEAST_FAULTS, characters * FAULTS_A_CHARACTER);
  return isOther && isSensible(bytes);
}

/** How many bytes belong to no well-formed UTF-8 character, and how many such characters of two bytes and more there are. */
export function utf8Faults(bytes: Uint8Array): { faults: number; characters: number } {
  let faults = 0;
  let characters = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = utf8Length(bytes, at);
    if (length === 0) faults++;
    if (length > 1) characters++;
    at += Math.max(1, length);
  }
  return { faults, characters };
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

/**
 * Letters that no language which is written in Windows-1252 has together: ø with ì or ù (read so, Czech ř, ě, ů), þ, ð or ý with ç (Turkish ş, ğ, ı),
 * þ with ã (Romanian), õ with ö and á (Hungarian).
 */
const foreign: readonly (readonly number[])[] = [
  [0xf8, 0xec],
  [0xf8, 0xf9],
  [0xfe, 0xe7],
  [0xf0, 0xe7],
  [0xfd, 0xe7],
  [0xfe, 0xe3],
  [0xf5, 0xf6, 0xe1],
];
/** Of the bytes above 7F; what is rarer stands in names and quotations. */
const FOREIGN_SHARE = 0.02;

function isSensible(bytes: Uint8Array): boolean {
  const counts = new Uint32Array(256);
  let high = 0;
  let sensible = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte < 0x80) continue;
    high++;
    counts[byte]!++;
    if (isSensibleAt(bytes, at, byte)) sensible++;
  }
  if (sensible < high * SENSIBLE_SHARE) return false;
  return !foreign.some((letters) => letters.every((letter) => counts[letter]! > high * FOREIGN_SHARE));
}

/** Letters at 80 to 9F: Š Œ Ž š œ ž Ÿ. */
const specialLetters = new Set([0x8a, 0x8c, 0x8e, 0x9a, 0x9c, 0x9e, 0x9f]);
/** Words of one letter: à, é, ó, and À, É. */
const wordLetters = new Set([0xe0, 0xe9, 0xf3, 0xc0, 0xc9]);
/** Signs that no word ends in or goes on with: ¡ ¢ £ ¤ ¥ ¦ ¬ ¯ ± ¸ ¼ ½ ¾ ¿ and ¹ ³, which are letters of Polish, Czech and Turkish elsewhere. */
const beforeWords = new Set([
  0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xac, 0xaf, 0xb1, 0xb3, 0xb8, 0xb9, 0xbc, 0xbd, 0xbe, 0xbf,
]);

function isSensibleAt(bytes: Uint8Array, at: number, byte: number): boolean {
  // Nothing, and ƒ, with which Japanese syllables begin in Shift-JIS.
  if (byte < 0xa0 && (byte === 0x83 || windows1252[byte - 0x80] === '\ufffd')) return false;
  const before = bytes[at - 1] ?? 0;
  const after = bytes[at + 1] ?? 0;
  const isLetter = byte >= 0xc0 ? byte !== 0xd7 && byte !== 0xf7 : specialLetters.has(byte);
  if (!isLetter) return (before < 0x80 || after < 0x80) && !(beforeWords.has(byte) && isAsciiLetter(before));
  // ÿ is the byte FF, and what begins a character in UTF-8 is an upper-case letter, which follows no lower-case one.
  if (byte === 0xff || (byte >= 0xc0 && byte <= 0xde && isLowerCase(before))) return false;
  return isAsciiLetter(before) || isAsciiLetter(after) || (wordLetters.has(byte) && before < 0x80 && after < 0x80);
}

function isLowerCase(byte: number): boolean {
  return byte >= 97 && byte <= 122;
}

function isAsciiLetter(byte: number): boolean {
  return (byte >= 65 && byte <= 90) || isLowerCase(byte);
}
