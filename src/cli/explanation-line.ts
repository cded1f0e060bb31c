import { scoreOf, wordsOf } from '../engine/attribution/words';
import type { Example } from '../engine/datasets/dataset';
import type { TokenAlignment } from '../engine/text/alignment';
import type { MethodId } from '../protocol/attribution';

interface ExplanationOfExample {
  example: Example;
  method: MethodId;
  label: string;
  against: string | null;
  truncated: boolean;
  tokens: readonly TokenAlignment[];
  /** One a token. */
  scores: Float32Array;
  /** What they should add up to; null where the method promises no sum. */
  total: number | null;
}

/** One line of JSON, with its newline. Scores are written with seven digits, all that a 32-bit float has. */
export function explanationLine({
  example,
  method,
  label,
  against,
  truncated,
  tokens,
  scores,
  total,
}: ExplanationOfExample): string {
  const { id, text } = example;
  return `${JSON.stringify({
    id,
    text,
    method,
    class: label,
    ...(against === null ? {} : { against }),
    truncated,
    ...(total === null ? {} : { total: rounded(total) }),
    tokens: tokens.map(({ token, start, end }, index) => ({ token, start, end, score: rounded(scores[index]!) })),
    words: wordsOf(text, tokens).map((word) => ({
      text: text.slice(word.start, word.end),
      start: word.start,
      end: word.end,
      score: rounded(scoreOf(word, scores)),
    })),
  })}\n`;
}

const rounded = (score: number): number => Number(score.toPrecision(7));
