import type { Interval, LabelMatch, ModelInfo, Summary } from '../protocol/prediction';
import { counted } from './dataset-notes';

/** Label pairs that are written out, where the two names differ. */
const shownLabels = 30;

/** The model, how labels were matched, and the headline figures. */
export function summaryNotes(model: ModelInfo, match: LabelMatch, summary: Summary): string[] {
  const lines = [
    `model: ${model.name} (${model.dtype}), ${counted(model.labels.length, 'label')}`,
    ...labelNotes(match),
  ];
  lines.push(
    [
      `${summary.predictedCount} predicted`,
      `${summary.judgedCount} judged`,
      `${summary.wrongCount} wrong`,
      `${summary.truncatedCount} truncated`,
    ].join(', '),
  );
  if (summary.accuracy === null) {
    lines.push('no figures: no example has a gold label that the model knows');
    return lines;
  }
  lines.push(`accuracy ${inWords(summary.accuracy)}`);
  if (summary.microF1 !== null) lines.push(`micro-F1 ${inWords(summary.microF1)} without ${model.negativeLabel}`);
  if (summary.macroF1 !== null) lines.push(`macro-F1 ${inWords(summary.macroF1)} ${summary.macroF1Detail}`);
  return lines;
}

function labelNotes(match: LabelMatch): string[] {
  if (match.pairs.length === 0) return ['labels: the file has none'];
  const same = match.pairs.filter((pair) => pair.model === pair.dataset).length;
  const others = match.pairs
    .filter((pair) => pair.model !== pair.dataset)
    .map(({ dataset, model, count }) => `${dataset} -> ${model ?? 'not in the model'} (${count})`);
  const parts = [...(same > 0 ? [`${same} named as in the model`] : []), ...others.slice(0, shownLabels)];
  const more = others.length - shownLabels;
  const lines = [`labels: ${parts.join(', ')}${more > 0 ? ` and ${more} more` : ''}`];
  if (!match.sure) lines.push('labels: not sure that they are matched rightly; see whether the pairs above make sense');
  return lines;
}

function inWords({ value, low, high }: Interval): string {
  return `${value.toFixed(4)} (95 % interval ${low.toFixed(4)} to ${high.toFixed(4)})`;
}
