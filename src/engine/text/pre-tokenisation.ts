/** A tokenizer's pre-tokenizer (which cuts text into words), applied to text that remembers where it came from. */
import {
  ByteLevelPreTokenizer,
  MetaspacePreTokenizer,
  type PreTokenizer,
  ReplacePreTokenizer,
  SequencePreTokenizer,
  SplitPreTokenizer,
} from '@huggingface/tokenizers';
import { type MappedText, prependToMapped, replaceInMapped, sliceMapped, toByteAlphabet } from './mapped-text';

/** The words are exactly those of `cutter.pre_tokenize(text.text, { section_index })`. */
export function cutIntoWords(cutter: PreTokenizer | null, text: MappedText, sectionIndex: number): MappedText[] {
  if (cutter === null) return [text];
  if (cutter instanceof SequencePreTokenizer) {
    return cutter.tokenizers.reduce<MappedText[]>(
      (words, step) => (step === null ? words : words.flatMap((word) => cutIntoWords(step, word, sectionIndex))),
      [text],
    );
  }
  const expected = cutter.pre_tokenize_text(text.text, { section_index: sectionIndex });
  const words = cutExactly(cutter, text, expected);
  const agrees = words.length === expected.length && words.every((word, index) => word.text === expected[index]);
  return agrees ? words : expected.map((word) => fromAllOf(text, word));
}

function cutExactly(cutter: PreTokenizer, text: MappedText, expected: readonly string[]): MappedText[] {
  if (cutter instanceof ByteLevelPreTokenizer) {
    const prefixed = cutter.add_prefix_space && !text.text.startsWith(' ') ? prependToMapped(text, ' ') : text;
    const words = cutter.use_regex ? matchesOf(prefixed, cutter.pattern) : [prefixed];
    return words.map((word) => toByteAlphabet(word, cutter.byte_encoder));
  }
  if (cutter instanceof MetaspacePreTokenizer) {
    const replaced = replaceInMapped(text, / /g, cutter.str_rep);
    return [expected[0] === replaced.text ? replaced : prependToMapped(replaced, cutter.str_rep)];
  }
  if (cutter instanceof ReplacePreTokenizer) {
    return [cutter.pattern === null ? text : replaceInMapped(text, cutter.pattern, cutter.config.content ?? '')];
  }
  if (cutter instanceof SplitPreTokenizer && cutter.pattern !== null) {
    if (cutter.config.invert === true) return matchesOf(text, cutter.pattern);
    if (cutter.config.behavior?.toLowerCase() === 'removed') return gapsOf(text, cutter.pattern);
  }
  return inOrder(text, expected);
}

function matchesOf(text: MappedText, pattern: RegExp): MappedText[] {
  return Array.from(text.text.matchAll(pattern), (match) =>
    sliceMapped(text, match.index, match.index + match[0].length),
  ).filter((word) => word.text.length > 0);
}

function gapsOf(text: MappedText, pattern: RegExp): MappedText[] {
  const gaps: MappedText[] = [];
  let position = 0;
  for (const match of text.text.matchAll(pattern)) {
    gaps.push(sliceMapped(text, position, match.index));
    position = match.index + match[0].length;
  }
  gaps.push(sliceMapped(text, position, text.text.length));
  return gaps.filter((word) => word.text.length > 0);
}

/** Words that are parts of the text, in order, with nothing but white space left out between them. */
function inOrder(text: MappedText, expected: readonly string[]): MappedText[] {
  let position = 0;
  const words: MappedText[] = [];
  for (const word of expected) {
    const start = text.text.indexOf(word, position);
    if (start < 0) return [];
    position = start + word.length;
    words.push(sliceMapped(text, start, position));
  }
  return words;
}

/** A word of which nothing is known but that it comes from this text. */
function fromAllOf(text: MappedText, word: string): MappedText {
  const start = text.starts[0] ?? 0;
  const end = text.ends[text.ends.length - 1] ?? start;
  return {
    text: word,
    starts: new Array<number>(word.length).fill(start),
    ends: new Array<number>(word.length).fill(end),
  };
}
