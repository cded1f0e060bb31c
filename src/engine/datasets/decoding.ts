import { isUtf8 } from 'node:buffer';
import { NotADataset } from './dataset';
import { type MultiByteLabel, olderEncoding, type SingleByteLabel, wholeMultiByte } from './encoding-guess';
import { decodeWindows1252, isWindows1252, utf8Faults } from './windows-1252';

/** A file's text, as VS Code shows it: without byte-order mark, bad bytes as U+FFFD. */
export interface DecodedText {
  text: string;
  encoding: string;
  /** How many U+FFFD stand for bytes that the encoding does not allow. */
  badBytes: number;
  /** What the file looks like, where the editor decodes it as something else: an encoding's name, or that it is another one. */
  looksLike?: string;
}

/** How a file's bytes are read. */
export interface Encoding {
  /** For people. */
  readonly name: string;
  readonly label: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | SingleByteLabel | MultiByteLabel;
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
/** Of a file with more bytes than this that are no UTF-8, both in number and as a share, no text would be right. */
const MAX_FAULTS = 5;
const MAX_FAULT_SHARE = 0.002;
/** Where the faults are so many a well-formed character of UTF-8, those are accidents of another encoding. */
const FAULTS_A_CHARACTER = 2;

/**
 * Decodes a file: UTF-16 where a byte-order mark says so, else UTF-8, or the older encoding that it is surely in. `editors`: what the editor that
 * shows the file decodes it as, by VS Code's name (`utf8`, `utf16le`): then it is decoded so, and what it looks like is only said.
 * @throws NotADataset for a binary file, and for one whose encoding cannot be told.
 */
export function decodeFile(bytes: Uint8Array, name: string, editors?: string): DecodedText {
  const named = editors === undefined ? null : encodingNamed(editors, bytes, name);
  const encoding = named ?? findEncoding(bytes, name);
  const { text, badBytes } = decodePart(encoding, bytes.subarray(encoding.markLength));
  const decoded = { text, encoding: encoding.name, badBytes };
  if (named?.label !== 'utf-8' || named.markLength > 0 || badBytes === 0) return decoded;
  const other = unmarkedEncoding(bytes.subarray(0, ENCODING_PROBE_BYTES));
  return other?.label === 'utf-8' ? decoded : { ...decoded, looksLike: other?.name ?? 'another encoding' };
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
 * @throws NotADataset for a binary file, and for one whose encoding cannot be told.
 */
export function findEncoding(bytes: Uint8Array, name: string): Encoding {
  const head = bytes.subarray(0, ENCODING_PROBE_BYTES);
  const marked = markedEncoding(head);
  if (marked !== null && marked.label !== 'utf-8') return marked;
  refuseBinary(head, name);
  if (marked !== null) return marked;
  const found = unmarkedEncoding(head);
  if (found !== null) return found;
  throw new NotADataset(
    `${name} is neither UTF-8 nor Windows-1252, and which other encoding it is in cannot be told from its text. Save it as UTF-8, then open it again.`,
  );
}

/** The encoding of text without a byte-order mark; null where it is surely no UTF-8, and none of the others for sure. */
function unmarkedEncoding(head: Uint8Array): Encoding | null {
  const utf8: Encoding = { name: 'UTF-8', label: 'utf-8', markLength: 0 };
  if (isUtf8(head)) return utf8;
  const { faults, characters } = utf8Faults(head);
  if (isWindows1252(head, faults, characters)) return { name: 'Windows-1252', label: 'windows-1252', markLength: 0 };
  if (faults < characters * FAULTS_A_CHARACTER) return utf8;
  const older = olderEncoding(head);
  if (older !== null) return { name: older.name, label: older.label, markLength: 0 };
  return faults > MAX_FAULTS && faults > head.length * MAX_FAULT_SHARE ? null : utf8;
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
    case 'gb18030':
    case 'big5':
    case 'shift_jis':
    case 'euc-jp':
    case 'euc-kr':
      return wholeMultiByte(encoding.label, bytes);
    default:
      return length;
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
