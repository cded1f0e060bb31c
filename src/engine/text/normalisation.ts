/** A tokenizer's normaliser, applied to text that remembers where it came from. */
import {
  type Normalizer,
  PrependNormalizer,
  ReplaceNormalizer,
  SequenceNormalizer,
  StripNormalizer,
} from '@huggingface/tokenizers';
import { type MappedText, mapThrough, prependToMapped, replaceInMapped, trimMapped } from './mapped-text';

/** The text is exactly `normaliser.normalize(text.text)`. */
export function normaliseMapped(normaliser: Normalizer | null, text: MappedText): MappedText {
  if (normaliser === null) return text;
  if (normaliser instanceof SequenceNormalizer) {
    return normaliser.normalizers.reduce((result, step) => normaliseMapped(step, result), text);
  }
  const exact = normaliseExactly(normaliser, text);
  const normalise = (part: string): string => normaliser.normalize(part);
  // A pattern or content with meanings that we do not know: find out from the result.
  return exact !== null && exact.text === normalise(text.text) ? exact : mapThrough(text, normalise);
}

/** Steps whose effect on a part depends on where it stands; null for those that treat each character alike. */
function normaliseExactly(normaliser: Normalizer, text: MappedText): MappedText | null {
  if (normaliser instanceof PrependNormalizer) return prependToMapped(text, normaliser.config.prepend);
  if (normaliser instanceof StripNormalizer) {
    return trimMapped(text, normaliser.config.strip_left === true, normaliser.config.strip_right === true);
  }
  if (normaliser instanceof ReplaceNormalizer) {
    return normaliser.pattern === null ? text : replaceInMapped(text, normaliser.pattern, normaliser.config.content);
  }
  return null;
}
