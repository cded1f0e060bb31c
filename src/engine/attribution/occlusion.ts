/**
 * Occlusion, leave one word out: what the explained logit loses when a word is hidden. The word's tokens give way to one mask token, or to
 * nothing where the tokenizer has none; entity markers and special tokens stay, and no text moves up from behind the model's limit. A word's
 * score is shared by its tokens; special tokens have none (0).
 */
import type { Method } from './method';
import { logitOf } from './subject';
import { wordsOf } from './words';

export const occlusion: Method = function* (subject, target, model) {
  const { ids, tokens, text } = subject;
  const words = wordsOf(text, tokens);
  const without = (hidden: ReadonlySet<number>): Int32Array => {
    const [first] = hidden;
    return Int32Array.from(
      [...ids].flatMap((id, at) => {
        if (!hidden.has(at)) return [id];
        return at === first && model.maskTokenId !== null ? [model.maskTokenId] : [];
      }),
    );
  };
  const { logits } = yield {
    kind: 'logits',
    inputs: [ids, ...words.map((word) => without(new Set(word.tokens)))],
  };
  const [whole, ...hidden] = logits;
  const scores = new Float32Array(ids.length);
  words.forEach((word, index) => {
    const lost = logitOf(target, whole!) - logitOf(target, hidden[index]!);
    for (const token of word.tokens) scores[token] = lost / word.tokens.length;
  });
  return { scores, logits: whole!, total: null };
};
