import type { EntitySpans, Span } from '../../protocol/dataset';
import type { EntityMisfit } from './dataset';

/** What a row says of an entity's words besides its place. */
export interface EntityName {
  name: string;
  /** The digits that say where it ends, relative to the record; null where the row says it otherwise. Asked only where it does not fit. */
  end(): Span | null;
  /** The row lists the numbers of its words one by one. */
  isListed?: boolean;
}

type Role = 'head' | 'tail';

/** The entities whose words are not what the row says they are; null, as for almost every row, if there are none. */
export function misfitsOf(
  text: string,
  spans: EntitySpans,
  mentions: { head: readonly Span[]; tail: readonly Span[] } | null,
  said: Readonly<Record<Role, EntityName | null>>,
): readonly EntityMisfit[] | null {
  let found: EntityMisfit[] | null = null;
  for (const role of ['head', 'tail'] as const) {
    const entity = said[role];
    // A masked entity has no words.
    if (entity === null || spans[role].start === spans[role].end) continue;
    const fits = ({ start, end }: Span) => isNamed(text.slice(start, end), entity.name);
    if (fits(spans[role]) || mentions?.[role].some(fits)) continue;
    found ??= [];
    found.push({ role, name: entity.name, end: entity.end(), isListed: entity.isListed === true });
  }
  return found;
}

/** Whether words are a name, whatever their case, their punctuation and how it is set apart from them. */
export function isNamed(words: string, name: string): boolean {
  return words === name || foldedName(words) === foldedName(name);
}

/** Only letters and digits are left; of a name that has none, what is not white space. */
function foldedName(name: string): string {
  const plain = name.normalize('NFKC').toLowerCase();
  const letters = plain.replace(/-[lr][rsc]b-/g, '').replace(/[^\p{L}\p{N}\p{M}]+/gu, '');
  return letters === '' ? plain.replace(/\s+/g, '') : letters;
}
