/**
 * Tokens that were added to a tokenizer's vocabulary (`[SEP]`, `<mask>`, entity markers) are found in the text before
 * anything else is done with it: the longest one at each place, from left to right.
 */
import type { Tokenizer } from '@huggingface/tokenizers';
import { type MappedText, sliceMapped, trimMapped } from './mapped-text';

export interface AddedTokenSplitter {
  /** Is the whole string an added token? */
  isToken(text: string): boolean;
  /** Splits raw text at the tokens that are looked for there. */
  unnormalised(text: MappedText): MappedText[];
  /** Splits normalised text at the tokens that are looked for there. */
  normalised(text: MappedText): MappedText[];
}

interface Sides {
  lstrip: boolean;
  rstrip: boolean;
}

export function splitAtAddedTokens(tokenizer: Tokenizer): AddedTokenSplitter {
  const sides = new Map<string, Sides>();
  const inRaw: string[] = [];
  const inNormalised: string[] = [];
  for (const token of tokenizer.get_added_tokens_decoder().values()) {
    sides.set(token.content, token);
    if (token.normalized && tokenizer.normalizer !== null) {
      const content = tokenizer.normalizer.normalize(token.content);
      sides.set(content, token);
      inNormalised.push(content);
    } else {
      inRaw.push(token.content);
    }
  }
  const findRaw = matcherOf(inRaw);
  const findNormalised = matcherOf(inNormalised);
  return {
    isToken: (text) => sides.has(text),
    unnormalised: (text) => split(text, findRaw, sides),
    normalised: (text) => split(text, findNormalised, sides),
  };
}

/** A pattern for the longest of the contents at each place; null for none. */
function matcherOf(contents: readonly string[]): RegExp | null {
  const wanted = contents.filter((content) => content.length > 0).sort((a, b) => b.length - a.length);
  if (wanted.length === 0) return null;
  return new RegExp(wanted.map((content) => content.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'g');
}

function split(text: MappedText, pattern: RegExp | null, sides: ReadonlyMap<string, Sides>): MappedText[] {
  if (pattern === null) return [text];
  const sections: MappedText[] = [];
  let position = 0;
  for (const match of text.text.matchAll(pattern)) {
    if (match.index > position) sections.push(sliceMapped(text, position, match.index));
    position = match.index + match[0].length;
    sections.push(sliceMapped(text, match.index, position));
  }
  if (position < text.text.length) sections.push(sliceMapped(text, position, text.text.length));
  sections.forEach((section, index) => {
    const found = sides.get(section.text);
    const before = sections[index - 1];
    const after = sections[index + 1];
    if (found?.lstrip && before !== undefined) sections[index - 1] = trimMapped(before, false, true);
    if (found?.rstrip && after !== undefined) sections[index + 1] = trimMapped(after, true, false);
  });
  return sections;
}
