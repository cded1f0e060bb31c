import { NotADataset } from './dataset';

/** A file's text, as VS Code shows it: without byte-order mark, bad bytes as U+FFFD. */
export interface DecodedText {
  text: string;
  encoding: string;
  /** How many U+FFFD stand for bytes that the encoding does not allow. */
  badBytes: number;
}

/** VS Code takes a file with a NUL among its first bytes for binary. */
const BINARY_PROBE_BYTES = 512;
/** Behind them, a NUL or two is an accident in a text file; more are not. */
const MAX_NUL_SHARE = 0.001;

/**
 * Decodes a file: UTF-16 where a byte-order mark says so, else UTF-8.
 * @throws NotADataset for a binary file.
 */
export function decodeFile(bytes: Uint8Array, name: string): DecodedText {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeAs('utf-16le', 'UTF-16 LE', bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeAs('utf-16be', 'UTF-16 BE', bytes);
  refuseBinary(bytes, name);
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return decodeAs('utf-8', bom ? 'UTF-8 with BOM' : 'UTF-8', bytes);
}

function decodeAs(label: string, encoding: string, bytes: Uint8Array): DecodedText {
  try {
    return { text: new TextDecoder(label, { fatal: true }).decode(bytes), encoding, badBytes: 0 };
  } catch {
    const text = new TextDecoder(label).decode(bytes);
    const shown = countCharacter(text, '\ufffd');
    return { text, encoding, badBytes: label === 'utf-8' ? shown - countReplacementBytes(bytes) : shown };
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
  if (first >= BINARY_PROBE_BYTES && count <= bytes.length * MAX_NUL_SHARE) return;
  const wide = count > bytes.length / 4 && (odd === count || odd === 0);
  throw new NotADataset(
    wide
      ? `${name} looks like UTF-16 text without a byte-order mark, which cannot be told from binary data. Save it as UTF-8, then open it again.`
      : `${name} is a binary file (it has ${count} NUL bytes), not text. Open the text file it was made from: JSON Lines, JSON, CSV or TSV.`,
  );
}
