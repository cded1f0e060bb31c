import type { EntitySpans, Span } from '../../protocol/dataset';
import type { EntityMisfit } from './dataset';
import type { WordPlaces } from './json-text';

/** What a row says of an entity's words besides its place. */
export interface EntityName {
  name: string;
  /** What says where it ends, relative to the record: the digits, or a list of numbers whose last it is; null where the row says it otherwise. */
  end(): Span | null;
}

type Role = 'head' | 'tail';

/** What a row says of its entities, and its places are counted in: words where there are any, else characters. */
export interface SaidNames extends Readonly<Record<Role, EntityName | null>> {
  readonly words: WordPlaces | null;
}

/** The entities whose words are not what the row says they are; null, as for almost every row, if there are none. */
export function misfitsOf(
  text: string,
  spans: EntitySpans,
  mentions: { head: readonly Span[]; tail: readonly Span[] } | null,
  said: SaidNames,
): readonly EntityMisfit[] | null {
  let found: EntityMisfit[] | null = null;
  for (const role of ['head', 'tail'] as const) {
    const entity = said[role];
    if (entity === null) continue;
    const others = mentions?.[role] ?? null;
    if (others?.some(({ start, end }) => isNamed(text.slice(start, end), entity.name)) === true) continue;
    const misfit = misfitOf(text, said.words, spans[role], entity);
    if (misfit === null) continue;
    found ??= [];
    found.push({ role, ...misfit });
  }
  return found;
}

/** What does not fit between an entity's words and its name; null if they are one, or the entity is masked, so that it has no words. */
export function misfitOf(
  text: string,
  words: WordPlaces | null,
  span: Span,
  { name, end }: EntityName,
): Omit<EntityMisfit, 'role'> | null {
  if (name.trim() === '') return null;
  const fits = (to: number | null) => to !== null && to > span.start && isNamed(text.slice(span.start, to), name);
  if (fits(span.end)) return null;
  const { earlier, later } = words === null ? endsInCharacters(text, span) : endsInWords(words, span);
  const endShift = fits(later) ? 1 : fits(earlier) ? -1 : 0;
  if (endShift === 0 && span.start === span.end) return null;
  return { name, end: end(), endShift };
}

/** Where an entity would end that is one shorter or longer; null: there is nothing to take away or to add. */
interface OtherEnds {
  earlier: number | null;
  later: number | null;
}

function endsInCharacters(text: string, { start, end }: Span): OtherEnds {
  const later = end < text.length ? end + String.fromCodePoint(text.codePointAt(end)!).length : null;
  const isPair = end - start >= 2 && text.codePointAt(end - 2)! > 0xffff;
  return { earlier: end > start ? end - (isPair ? 2 : 1) : null, later };
}

function endsInWords({ starts, ends }: WordPlaces, { start, end }: Span): OtherEnds {
  // An empty entity stands before its word.
  if (start === end) return { earlier: null, later: ends[starts.indexOf(start)] ?? null };
  const last = ends.indexOf(end, starts.indexOf(start));
  return { earlier: ends[last - 1] ?? null, later: ends[last + 1] ?? null };
}

/** Whether words are a name, whatever their case, their punctuation and how it is set apart from them. */
function isNamed(words: string, name: string): boolean {
  if (words === name || words.toLowerCase() === name.toLowerCase()) return true;
  return foldedName(words) === foldedName(name);
}

/** Only letters and digits are left; of a name that has none, what is not white space. */
function foldedName(name: string): string {
  const plain = name.normalize('NFKC').toLowerCase();
  const letters = plain.replace(/-[lr][rsc]b-/g, '').replace(/[^\p{L}\p{N}\p{M}]+/gu, '');
  return letters === '' ? plain.replace(/\s+/g, '') : letters;
}
