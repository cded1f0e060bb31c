/** What is known of why: explanations hang on their example, so that an edit elsewhere leaves them standing. */

import type { TokenScores } from '../engine/attribution/method';
import { logitOf, type Subject, type Target } from '../engine/attribution/subject';
import { scoreOf, wordsOf } from '../engine/attribution/words';
import type { Example } from '../engine/datasets/dataset';
import type { DatasetDocument } from '../engine/datasets/document';
import { type Explanation, type Heat, type MethodId, methods, type ScoredWord } from '../protocol/attribution';
import type { Span } from '../protocol/dataset';

/** Words that the hover lists on each side. */
const listedWords = 5;
/** Colours of a side; a word of less than half the weakest is not coloured. */
const strengths = 5;

interface Kept {
  /** Method, options and model: another key is another explanation. */
  key: string;
  /** Of explanations on one text (the pairs of a document) the latest is drawn. */
  order: number;
  isSigned: boolean;
  words: { span: Span; strength: number }[];
  unread: Span | null;
  explanation: Explanation;
}

export interface Scored {
  subject: Subject;
  target: Target;
  scores: TokenScores;
  labels: readonly string[];
  method: MethodId;
  insteadOf: MethodId | null;
  isTruncated: boolean;
  notes: readonly string[];
}

export class Explanations {
  #kept = new WeakMap<Example, Kept>();
  #order = 0;

  clear(): void {
    this.#kept = new WeakMap();
  }

  has(example: Example, key: string): boolean {
    return this.#kept.get(example)?.key === key;
  }

  of(example: Example): Explanation | null {
    return this.#kept.get(example)?.explanation ?? null;
  }

  set(example: Example, key: string, scored: Scored): void {
    this.#kept.set(example, { key, order: ++this.#order, ...keptOf(example.text, scored) });
  }

  /** What is drawn on these examples, once a text. */
  heats(document: DatasetDocument, examples: readonly Example[]): Heat[] {
    const latest = new Map<number, { example: Example; kept: Kept }>();
    for (const example of examples) {
      const kept = this.#kept.get(example);
      if (kept === undefined) continue;
      const at = example.record.start + example.textField.start;
      if ((latest.get(at)?.kept.order ?? 0) < kept.order) latest.set(at, { example, kept });
    }
    return Array.from(latest.values(), ({ example, kept }) => ({
      isSigned: kept.isSigned,
      words: kept.words.map(({ span, strength }) => ({ range: document.fileRange(example, span), strength })),
      unread: kept.unread === null ? null : document.fileRange(example, kept.unread),
    }));
  }
}

function keptOf(text: string, scored: Scored): Omit<Kept, 'key' | 'order'> {
  const { subject, target, scores, labels, method, insteadOf, notes } = scored;
  const { isSigned } = methods[method];
  const words = wordsOf(text, subject.tokens).map((word) => ({ ...word, score: scoreOf(word, scores.scores) }));
  const largest = words.reduce((most, { score }) => Math.max(most, Math.abs(score)), 0);
  const strengthOf = (score: number): number => {
    const share = largest === 0 ? 0 : Math.abs(score) / largest;
    return share < 0.5 / strengths ? 0 : Math.sign(score) * Math.ceil(share * strengths);
  };
  const said = (word: (typeof words)[number]): ScoredWord => ({
    text: text.slice(word.start, word.end),
    score: word.score,
  });
  const rising = words.toSorted((a, b) => a.score - b.score);
  const sum = scores.scores.reduce((all, score) => all + score, 0);
  const readTo = words[words.length - 1]?.end ?? 0;
  return {
    isSigned,
    words: words
      .map(({ start, end, score }) => ({ span: { start, end }, strength: strengthOf(score) }))
      .filter(({ strength }) => strength !== 0),
    unread: scored.isTruncated && readTo < text.length ? { start: readTo, end: text.length } : null,
    explanation: {
      method,
      insteadOf,
      label: labels[target.label]!,
      against: target.against === null ? null : labels[target.against]!,
      wordsFor: rising
        .toReversed()
        .filter(({ score }) => score > 0)
        .slice(0, listedWords)
        .map(said),
      wordsAgainst: rising
        .filter(({ score }) => score < 0)
        .slice(0, listedWords)
        .map(said),
      logit: logitOf(target, scores.logits),
      completeness: scores.total === null ? null : { sum, difference: scores.total },
      notes: [...notes],
    },
  };
}
