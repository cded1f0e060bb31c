/**
 * Which part of a text each token stands for. The tokenizers that exist for JavaScript tell only tokens and ids, so the
 * tokenizer's own steps are taken again, one by one, on text that remembers where it came from: added tokens are split
 * off, each section is normalised, cut into words, and each word into the pieces of the vocabulary. What comes out must
 * be the tokens that the tokenizer itself gives; where it is not, the tokens that differ share the range between those
 * that agree.
 */
import type { Tokenizer } from '@huggingface/tokenizers';
import { type AddedTokenSplitter, splitAtAddedTokens } from './added-tokens';
import { type MappedText, mapIdentity, mapThrough, replaceInMapped, trimMapped } from './mapped-text';
import { normaliseMapped } from './normalisation';
import { cutIntoWords } from './pre-tokenisation';
import { cutIntoPieces, type Piece } from './word-pieces';

/**
 * A token of the model's input. `start` and `end` are UTF-16 offsets of the example's text, end-exclusive; both are null
 * for special tokens and for what was written into the text (entity markers).
 *
 * Ranges stand in order (neither starts nor ends decrease) and never begin or end inside a surrogate pair. They overlap
 * only where one character gave several tokens (bytes of an emoji, letters of a composed syllable). Together they cover
 * all of the text but white space: characters that the tokenizer drops belong to a neighbour.
 */
export interface TokenAlignment {
  token: string;
  id: number;
  start: number | null;
  end: number | null;
}

/** The fields of tokenizer_config.json that change how text is normalised. */
export interface NormalisingConfig {
  remove_space?: unknown;
  do_lowercase_and_remove_accent?: unknown;
}

/** How many of the tokens at the front and at the end the tokenizer adds to every text (`[CLS]`, `[SEP]`). */
export interface SpecialCounts {
  before: number;
  after: number;
}

export function countSpecialTokens(tokenizer: Tokenizer): SpecialCounts {
  if (tokenizer.post_processor === null) return { before: 0, after: 0 };
  const probe = '\u0000';
  const { tokens } = tokenizer.post_processor.post_process([probe], null, true);
  const before = tokens.indexOf(probe);
  return { before, after: tokens.length - before - 1 };
}

/**
 * Gives a function from a text to its tokens, special ones included, with their ranges in that text; the ids are exactly
 * those of `tokenizer.encode(text)`. Characters that no token stands for (dropped ones) are in no range yet: see
 * `coverText`.
 */
export function createAligner(tokenizer: Tokenizer, config: NormalisingConfig): (text: string) => TokenAlignment[] {
  const added = splitAtAddedTokens(tokenizer);
  const { before, after } = countSpecialTokens(tokenizer);
  return (text) => {
    const { tokens, ids } = tokenizer.encode(text);
    const body = tokens.slice(before, tokens.length - after);
    const ranges = rangesOf(body, piecesOf(tokenizer, added, config, text), text.length);
    return tokens.map((token, index) => {
      const range = ranges[index - before];
      const trimmed = range === undefined || range.start >= range.end ? null : trimRange(text, range);
      return { token, id: ids[index]!, start: trimmed?.start ?? null, end: trimmed?.end ?? null };
    });
  };
}

function piecesOf(tokenizer: Tokenizer, added: AddedTokenSplitter, config: NormalisingConfig, text: string): Piece[] {
  return added.unnormalised(mapIdentity(text)).flatMap((section, sectionIndex): Piece[] => {
    if (section.text.length === 0) return [];
    if (added.isToken(section.text)) return [wholePiece(section)];
    const normalised = normaliseMapped(tokenizer.normalizer, applyConfig(config, section));
    return added.normalised(normalised).flatMap((part): Piece[] => {
      if (part.text.length === 0) return [];
      if (added.isToken(part.text)) return [wholePiece(part)];
      const words = cutIntoWords(tokenizer.pre_tokenizer, part, sectionIndex);
      return tokenizer.model === null ? [] : cutIntoPieces(tokenizer.model, words);
    });
  });
}

function applyConfig(config: NormalisingConfig, section: MappedText): MappedText {
  let result = section;
  if (config.remove_space === true) {
    result = replaceInMapped(trimMapped(result, true, true), /\s+/g, ' ');
  }
  if (config.do_lowercase_and_remove_accent === true) {
    result = mapThrough(result, (text) => text.toLowerCase().replace(/\p{M}/gu, ''));
  }
  return result;
}

function wholePiece(section: MappedText): Piece {
  return { token: section.text, start: section.starts[0]!, end: section.ends[section.ends.length - 1]! };
}

interface Range {
  start: number;
  end: number;
}

/** The ranges of `tokens`; tokens that `pieces` does not have share what lies between the neighbours that it has. */
function rangesOf(tokens: readonly string[], pieces: readonly Piece[], textLength: number): Range[] {
  const shorter = Math.min(tokens.length, pieces.length);
  let same = 0;
  while (same < shorter && pieces[same]!.token === tokens[same]) same++;
  if (same === tokens.length && same === pieces.length) return [...pieces];
  let sameAtEnd = 0;
  while (
    sameAtEnd < shorter - same &&
    pieces[pieces.length - 1 - sameAtEnd]!.token === tokens[tokens.length - 1 - sameAtEnd]
  ) {
    sameAtEnd++;
  }
  const unknown = { start: pieces[same - 1]?.end ?? 0, end: pieces[pieces.length - sameAtEnd]?.start ?? textLength };
  return tokens.map((_, index) => {
    if (index < same) return pieces[index]!;
    if (index < tokens.length - sameAtEnd) return unknown;
    return pieces[pieces.length - (tokens.length - index)]!;
  });
}

/** Without the white space at both ends, unless there is nothing else. */
function trimRange(text: string, range: Range): Range {
  const part = text.slice(range.start, range.end);
  const start = range.start + part.length - part.trimStart().length;
  const end = range.start + part.trimEnd().length;
  return start < end ? { start, end } : range;
}

/**
 * Gives what stands between two ranges and is not white space to the token that touches it, else to the one before, else
 * to the one after. With no token that has a range, nothing is covered.
 */
export function coverText(text: string, tokens: readonly TokenAlignment[]): TokenAlignment[] {
  const covered = tokens.map((token) => ({ ...token }));
  const ranged = covered.filter((token): token is TokenAlignment & Range => token.start !== null);
  let last: (TokenAlignment & Range) | null = null;
  let reached = 0;
  for (const token of ranged) {
    for (const run of visibleRuns(text, reached, token.start)) {
      if (last !== null && (run.start === last.end || run.end !== token.start)) last.end = run.end;
      else {
        token.start = run.start;
        break;
      }
    }
    reached = Math.max(reached, token.end);
    last = token;
  }
  if (last !== null) for (const run of visibleRuns(text, reached, text.length)) last.end = run.end;
  return covered;
}

/** The stretches of [start, end) without white space. */
function visibleRuns(text: string, start: number, end: number): Range[] {
  if (start >= end) return [];
  return Array.from(text.slice(start, end).matchAll(/\S+/gu), (match) => ({
    start: start + match.index,
    end: start + match.index + match[0].length,
  }));
}
