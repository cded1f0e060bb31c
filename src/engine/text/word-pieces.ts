/** A tokenizer's model (which cuts words into pieces of its vocabulary), applied to words that remember their source. */
import { BPE, type Model, Unigram, WordPiece } from '@huggingface/tokenizers';
import type { MappedText } from './mapped-text';

/** A token and its range in the source; an empty range: it came from nothing. */
export interface Piece {
  token: string;
  start: number;
  end: number;
}

/** The tokens are exactly those of `model(words)`. */
export function cutIntoPieces(model: Model, words: readonly MappedText[]): Piece[] {
  const pieces = words.flatMap((word) => piecesOfWord(model, word));
  return model.fuse_unk ? fuseUnknown(model, pieces) : pieces;
}

function piecesOfWord(model: Model, word: MappedText): Piece[] {
  if (model instanceof BPE) return bytePairPieces(model, word);
  if (model instanceof Unigram) return inSequence(word, model.tokenize(word.text), (token) => token.length);
  const tokens = model.encode([word.text]);
  if (model instanceof WordPiece) {
    const isUnknown = tokens.length === 1 && tokens[0] === model.unk_token;
    if (isUnknown) return [pieceOf(word, tokens[0]!, 0, word.text.length)];
    const prefixLength = model.config.continuing_subword_prefix?.length ?? 0;
    return inSequence(word, tokens, (token, index) => token.length - (index > 0 ? prefixLength : 0));
  }
  // A vocabulary of words: a token a word.
  return tokens.map((token) => pieceOf(word, token, 0, word.text.length));
}

function bytePairPieces(model: BPE, word: MappedText): Piece[] {
  const whole = model.ignore_merges && model.tokens_to_ids.has(word.text);
  const parts = whole ? [word.text] : model.bpe(word.text);
  const pieces: Piece[] = [];
  let position = 0;
  parts.forEach((part, index) => {
    const isLast = index === parts.length - 1;
    const suffix = whole ? null : isLast ? model.end_of_word_suffix : model.continuing_subword_suffix;
    const end = position + part.length - (suffix?.length ?? 0);
    for (const token of tokensOfPart(model, part)) pieces.push(pieceOf(word, token, position, end));
    position = end;
  });
  return pieces;
}

/** What a merged part becomes: itself, its bytes, the unknown token, or nothing. */
function tokensOfPart(model: BPE, part: string): string[] {
  if (model.tokens_to_ids.has(part)) return [part];
  if (model.byte_fallback) {
    const bytes = Array.from(
      new TextEncoder().encode(part),
      (byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
    );
    if (bytes.every((byte) => model.tokens_to_ids.has(byte))) return bytes;
  }
  return model.unk_token == null ? [] : [model.unk_token];
}

/** Tokens that follow one another through the word, each as long as `lengthOf` says. */
function inSequence(
  word: MappedText,
  tokens: readonly string[],
  lengthOf: (token: string, index: number) => number,
): Piece[] {
  let position = 0;
  return tokens.map((token, index) => {
    const start = position;
    position += lengthOf(token, index);
    return pieceOf(word, token, start, position);
  });
}

/** The piece at units [start, end) of the word. Units that came from nothing do not widen its range. */
function pieceOf(word: MappedText, token: string, start: number, end: number): Piece {
  let first = start;
  let last = end - 1;
  while (first < last && word.starts[first] === word.ends[first]) first++;
  while (last > first && word.starts[last] === word.ends[last]) last--;
  return { token, start: word.starts[first] ?? 0, end: word.ends[last] ?? word.starts[first] ?? 0 };
}

/** Neighbouring unknown tokens become one, as the tokenizer's own rule has it. */
function fuseUnknown(model: Model, pieces: readonly Piece[]): Piece[] {
  const idOf = (token: string): number | undefined => model.tokens_to_ids.get(token) ?? model.unk_token_id;
  const fused: Piece[] = [];
  let previousIsUnknown = false;
  for (const piece of pieces) {
    const isUnknown = idOf(piece.token) === model.unk_token_id;
    const last = fused[fused.length - 1];
    if (isUnknown && previousIsUnknown && last !== undefined) {
      if (model.tokens_to_ids.get(last.token) !== model.unk_token_id) last.token += piece.token;
      last.end = Math.max(last.end, piece.end);
    } else {
      fused.push({ ...piece });
    }
    previousIsUnknown = isUnknown;
  }
  return fused;
}
