/** How figures and states are said, the same on every surface. */
import type { DatasetInfo } from '../../protocol/dataset';
import type { FindingCounts } from '../../protocol/findings';
import type { Interval, Summary } from '../../protocol/prediction';
import type { ExampleState } from '../../protocol/view';

/** `.98`, as the badge has room for; `1.0` where it rounds up. */
export function shortProbability(probability: number): string {
  const rounded = probability.toFixed(2);
  return rounded === '1.00' ? '1.0' : rounded.slice(1);
}

/** Never by colour alone. The warning sign is asked for as text: as an emoji it has another width. */
export const symbolOf: Readonly<Record<ExampleState, string>> = {
  problem: '\u26A0\uFE0E',
  wrong: '✗',
  unmatched: '?',
  right: '✓',
  unlabelled: '○',
  pending: '·',
};

export const worstFirst: readonly ExampleState[] = ['problem', 'wrong', 'unmatched', 'pending', 'unlabelled', 'right'];

export function withInterval(name: string, { value, low, high }: Interval): string {
  return `${name} ${value.toFixed(2)} [${low.toFixed(2)}–${high.toFixed(2)}]`;
}

/** `50,000`. Not by toLocaleString(): its first call loads ICU's tables, 10 to 35 ms in which the editor waits. */
export function grouped(integer: number): string {
  return String(integer).replace(/\B(?=(\d{3})+$)/g, ',');
}

export function count(number: number, singular: string, plural = `${singular}s`): string {
  return `${grouped(number)} ${number === 1 ? singular : plural}`;
}

/**
 * `60 examples · accuracy 0.84 [0.74–0.91] · 9 wrong`; micro-F1 and macro-F1 instead where there is a class that does not
 * count.
 */
export function summaryLine(summary: Summary, info: DatasetInfo, counts: FindingCounts): string {
  const parts = [count(summary.exampleCount, 'example')];
  if (summary.predictedCount < summary.exampleCount) parts.push(`${grouped(summary.predictedCount)} predicted`);
  if (summary.microF1 !== null) parts.push(withInterval('micro-F1', summary.microF1));
  else if (summary.accuracy !== null) parts.push(withInterval('accuracy', summary.accuracy));
  if (summary.microF1 !== null && summary.macroF1 !== null) parts.push(withInterval('macro-F1', summary.macroF1));
  if (summary.judgedCount > 0) parts.push(`${grouped(summary.wrongCount)} wrong`);
  if (info.labels.length === 0) parts.push('no gold labels');
  else if (summary.judgedCount < summary.predictedCount) {
    parts.push(`${grouped(summary.predictedCount - summary.judgedCount)} without a gold label the model knows`);
  }
  if (summary.truncatedCount > 0) parts.push(`${grouped(summary.truncatedCount)} truncated`);
  parts.push(...problemParts(counts));
  if (info.badBytes > 0) parts.push(`${count(info.badBytes, 'byte')} not ${info.encoding}`);
  return parts.join(' · ');
}

/** `3 data problems`, `2 reviewed`. What is only said (information) is not counted among the problems. */
export function problemParts({ error, warning, reviewed }: FindingCounts): string[] {
  const parts: string[] = [];
  if (error + warning > 0) parts.push(count(error + warning, 'data problem'));
  if (reviewed > 0) parts.push(`${grouped(reviewed)} reviewed`);
  return parts;
}

export function remaining(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 60 ? `about ${seconds} s left` : `about ${Math.ceil(seconds / 60)} min left`;
}
