/** How much each word of an example speaks for what the model predicts, for searches that begin with the weightiest. */

import type { MethodId } from '../../protocol/attribution';
import { type ExplainTools, explainAll } from '../attribution/explain';
import type { MethodOptions } from '../attribution/method';
import { methodOf } from '../attribution/methods';
import { subjectOf } from '../attribution/subject';
import { scoreOf, wordsOf } from '../attribution/words';
import type { WeighedWord } from './perturbation';
import type { Source } from './source';

/** An example and the index of its predicted label. */
export interface ToWeigh {
  readonly source: Source;
  readonly predicted: number;
}

/**
 * The words of each example with their scores for the predicted label, in the order of the text. Where the signal of the tools aborts, the
 * words of what was not reached are missing (empty).
 */
export async function weighWords(
  items: readonly ToWeigh[],
  { method, options }: { method: MethodId; options: MethodOptions },
  tools: ExplainTools,
): Promise<WeighedWord[][]> {
  const words = items.map((): WeighedWord[] => []);
  const asked = items.map(({ source, predicted }, index) => ({
    index,
    subject: subjectOf(tools.classifier, inputOf(source)),
    target: { label: predicted, against: null },
  }));
  await explainAll(
    asked,
    (item) => item,
    { run: methodOf[method], options },
    tools,
    ({ index, subject }, { scores }) => {
      words[index] = wordsOf(subject.text, subject.tokens).map((word) => ({
        start: word.start,
        end: word.end,
        score: scoreOf(word, scores),
      }));
    },
  );
  return words;
}

/** What a model reads of a source; its arrays are not changed. */
function inputOf({ text, spans, mentions, types }: Source) {
  return {
    text,
    spans,
    mentions: mentions === null ? null : { head: [...mentions.head], tail: [...mentions.tail] },
    types,
  };
}
