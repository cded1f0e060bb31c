/** Writes others in the places of an example's entities. */
import type { Span } from '../../../protocol/dataset';
import { applyEdits } from '../edits';
import type { NotApplicable } from '../perturbation';
import type { Source, Variant } from '../source';
import { type Role, roles } from './entity-pool';

/** Every place where the entity is mentioned, each once, in the order of the text. */
export function mentionsOf({ spans, mentions }: Source, role: Role): Span[] {
  const all = spans === null ? [] : [spans[role], ...(mentions?.[role] ?? [])];
  const unique = new Map(all.map((span) => [`${span.start} ${span.end}`, span]));
  return [...unique.values()].sort((a, b) => a.start - b.start || a.end - b.end);
}

/** Why no entity of the example can be replaced by itself; null: each can. */
export function whyNotReplaceable(source: Source): NotApplicable | null {
  const spans = roles.flatMap((role) => mentionsOf(source, role)).sort((a, b) => a.start - b.start || a.end - b.end);
  if (spans.some(({ start, end }) => start === end)) return { reason: 'an entity is empty: it is masked already' };
  const crosses = spans.some((span, index) => index > 0 && span.start < spans[index - 1]!.end);
  return crosses ? { reason: 'the entities overlap' } : null;
}

/** The example with other words for its entities, at all their mentions. Asks `whyNotReplaceable` to have said null. */
export function replaced(
  source: Source,
  by: Partial<Record<Role, string>>,
  types: Source['types'] = source.types,
): Variant {
  const edits = roles.flatMap((role) => {
    const text = by[role];
    return text === undefined ? [] : mentionsOf(source, role).map((span) => ({ ...span, text, region: span }));
  });
  return { ...applyEdits(source, edits), types };
}
