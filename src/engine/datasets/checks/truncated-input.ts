import type { Example } from '../dataset';
import { shortened } from '../entities';
import type { CheckFinding } from './finding';
import { nothing, type RowContext } from './row-check';

/** Inputs that the chosen model cuts off, and whether an entity is among what it does not see. */
export function truncatedInput(example: Example, { settings }: RowContext): readonly CheckFinding[] {
  const { model } = settings;
  const { text, spans } = example;
  if (model === null || !model.mayBeTooLong(example)) return nothing;
  const { tokens, keptUnits } = model.count(example);
  if (tokens <= model.maxTokens) return nothing;
  const how = `The input is ${tokens} tokens long, of which ${model.name} reads ${model.maxTokens}`;
  const cut = (['head', 'tail'] as const).filter((role) => spans !== null && spans[role].end > keptUnits);
  const first = cut[0];
  if (first === undefined || spans === null) {
    const rest = shortened(text.slice(keptUnits));
    return [
      {
        code: 'assay/truncated-input',
        example,
        place: { part: 'text', span: { start: keptUnits, end: text.length } },
        message: `${how}: what follows from “${rest}” on is cut off. Shorten the text, or use a model that reads more.`,
        related: [],
        fix: null,
      },
    ];
  }
  const names = cut.map((role) => `the ${role} “${shortened(text.slice(spans[role].start, spans[role].end))}”`);
  return [
    {
      code: 'assay/truncated-entity',
      example,
      place: { part: 'text', span: spans[first] },
      message: `${how}: ${names.join(' and ')} ${cut.length === 1 ? 'is' : 'are'} cut off, so what it predicts is a guess. Shorten the text around the entities, or use a model that reads more.`,
      related: [],
      fix: null,
    },
  ];
}
