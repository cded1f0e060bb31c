import type { Example } from '../engine/datasets/dataset';
import type { Prediction } from '../protocol/prediction';
import { spansOf } from './example-line';

/**
 * One line of JSON, with its newline. Probabilities are written with seven digits, all that a 32-bit float has. Labels are
 * text of the model's maker: they are written out, never made keys of an object (`__proto__`).
 */
export function jsonLine(example: Example, prediction: Prediction, labels: readonly string[]): string {
  const probabilities = labels.map(
    (label, index) => `${JSON.stringify(label)}:${Number((prediction.probabilities[index] ?? 0).toPrecision(7))}`,
  );
  const fields = [
    `"id":${JSON.stringify(example.id)}`,
    `"text":${JSON.stringify(example.text)}`,
    `"spans":${JSON.stringify(spansOf(example))}`,
    `"gold":${JSON.stringify(example.gold)}`,
    `"label":${JSON.stringify(prediction.label)}`,
    `"probabilities":{${probabilities.join(',')}}`,
    `"truncated":${prediction.truncated}`,
  ];
  return `{${fields.join(',')}}\n`;
}
