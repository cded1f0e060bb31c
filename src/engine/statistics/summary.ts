import type { Summary } from '../../protocol/prediction';
import { bootstrapIntervals, type MatrixStatistic } from './bootstrap';
import {
  type ConfusionMatrix,
  confusionOf,
  type LabelPair,
  macroF1,
  microF1,
  occurringLabelCount,
  rightCount,
  totalCount,
} from './confusion';
import { directedRelations, goldRelationCount, officialMacroF1 } from './semeval';
import { wilsonInterval } from './wilson';

export interface SummaryInput {
  /** The model's. */
  labels: readonly string[];
  negativeLabel: string | null;
  /** Of each example that has a prediction and whose gold label the model has: both in the model's words. */
  pairs: Iterable<LabelPair>;
  /** Of the bootstrap; the same seed gives the same intervals. */
  seed?: number;
  resamples?: number;
}

/** The part of a summary that is computed from the predictions. */
export type Figures = Pick<
  Summary,
  'judgedCount' | 'wrongCount' | 'accuracy' | 'microF1' | 'macroF1' | 'macroF1Detail'
>;

/**
 * The headline figures: accuracy with a Wilson interval, F1 with a bootstrap one; null where nothing is judged.
 * Throws RangeError for an unknown label.
 */
export function summarise(input: SummaryInput): Figures {
  const matrix = confusionOf(input.labels, input.pairs);
  const judgedCount = totalCount(matrix);
  const right = rightCount(matrix);
  const macro = macroStatistic(matrix, input.negativeLabel);
  const { negativeLabel } = input;
  const statistics: MatrixStatistic[] = [macro.statistic];
  if (negativeLabel !== null) statistics.push((resample) => microF1(resample, negativeLabel));
  const [macroInterval, microInterval] = bootstrapIntervals(matrix, statistics, {
    seed: input.seed ?? 0,
    ...(input.resamples === undefined ? {} : { resamples: input.resamples }),
  });
  return {
    judgedCount,
    wrongCount: judgedCount - right,
    accuracy: wilsonInterval(right, judgedCount),
    microF1: microInterval ?? null,
    macroF1: macroInterval ?? null,
    macroF1Detail: macro.detail,
  };
}

/** Macro-F1 as the task defines it: the official one of SemEval-2010 where the labels are such, else the plain mean. */
function macroStatistic(
  matrix: ConfusionMatrix,
  negativeLabel: string | null,
): { statistic: MatrixStatistic; detail: string } {
  const relations = directedRelations(matrix.labels, negativeLabel);
  if (relations !== null) {
    const all = relations.names.length;
    const inGold = goldRelationCount(matrix, relations);
    const missing = inGold === all ? '' : `; ${inGold} of the ${all} relations occur in gold`;
    return {
      statistic: (resample) => officialMacroF1(resample, relations),
      detail: `official (${all}+1)-way, directions merged${missing}`,
    };
  }
  const count = occurringLabelCount(matrix, negativeLabel);
  const without = negativeLabel === null ? '' : `, without ${negativeLabel}`;
  return {
    statistic: (resample) => macroF1(resample, negativeLabel),
    detail: `over ${count} ${count === 1 ? 'label' : 'labels'}${without}`,
  };
}
