/** How many tokens a text can have at most, told without cutting it into tokens. */

/**
 * What a token stands for at least, of the text as it is normalised: a character (WordPiece), or a byte of its UTF-8 (byte-level BPE, and
 * pieces for bytes that a vocabulary lacks).
 */
export type LeastToken = 'character' | 'byte';

/** Normalising makes at most so much of a UTF-16 unit (U+FDFA, in form NFKD). */
const MOST_OF_A_UNIT: Readonly<Record<LeastToken, number>> = { character: 18, byte: 33 };

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const ascii = /^[\x00-\x7f]*$/;

export interface TokenBound {
  /** The number of tokens that a text has at most, in whatever Unicode form and case its tokenizer puts it. */
  mostTokens(text: string): number;
  /** Whether that is more than `room`; faster where the text is short. */
  mayExceed(text: string, room: number): boolean;
}

/** Remembers what it has found out of each character. */
export function tokenBound(least: LeastToken): TokenBound {
  const known = new Map<number, number>();
  const most = (code: number): number => {
    let length = known.get(code);
    if (length === undefined) {
      length = longestForm(String.fromCodePoint(code), least);
      known.set(code, length);
    }
    return length;
  };
  const mostTokens = (text: string): number => {
    if (ascii.test(text)) return text.length;
    let count = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.codePointAt(at)!;
      count += code < 0x80 ? 1 : most(code);
      if (code > 0xffff) at++;
    }
    return count;
  };
  return {
    mostTokens,
    mayExceed: (text, room) =>
      text.length > room || (text.length * MOST_OF_A_UNIT[least] > room && mostTokens(text) > room),
  };
}

/** Composing makes nothing longer, so that no form of a text is longer than these of its characters together. */
function longestForm(character: string, least: LeastToken): number {
  const cases = [character, character.toLowerCase()];
  const forms = cases.flatMap((each) => [each, each.normalize('NFD'), each.normalize('NFKD')]);
  return forms
    .flatMap((form) => [form, form.toLowerCase()])
    .reduce((longest, form) => Math.max(longest, least === 'character' ? form.length : bytesOf(form)), 0);
}

/** Of its UTF-8; half of a pair is written as U+FFFD. */
function bytesOf(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
