import { occurrences } from './entities';
import type { SampleRow } from './sample-row';

/** Entities of a table whose columns have no names: the two columns whose words stand in the text of nearly all rows. */

const STANDING_SHARE = 0.95;
/** Of fewer rows their words could stand there by chance. */
const MIN_ROWS = 2;
/** Longer words are no entity's. */
const MAX_ENTITY_UNITS = 100;

/**
 * Head and tail, in the order of their columns; null if not just two columns are so, or one is like the other. A column of single
 * letters or digits says nothing: they stand in any text.
 */
export function standingEntities(
  names: readonly string[],
  rows: readonly SampleRow[],
  text: string,
): { head: string; tail: string } | null {
  if (rows.length < MIN_ROWS) return null;
  const standing = names.filter((name) => name !== text && standsIn(name, rows, text));
  const [head, tail] = standing;
  if (head === undefined || tail === undefined || standing.length > 2) return null;
  const alike = rows.filter((row) => row.get(head)?.value === row.get(tail)?.value).length;
  return alike > rows.length * (1 - STANDING_SHARE) ? null : { head, tail };
}

function standsIn(name: string, rows: readonly SampleRow[], text: string): boolean {
  const allowed = Math.floor(rows.length * (1 - STANDING_SHARE));
  let missing = 0;
  let single = 0;
  for (const row of rows) {
    const cell = row.get(name);
    const content = row.get(text);
    const words = cell?.value.trim() ?? '';
    if (words.length === 1) single++;
    const isEntity = cell?.kind === 'text' && words !== '' && words.length <= MAX_ENTITY_UNITS;
    if (!isEntity || content === undefined || occurrences(content.value, words).length === 0) missing++;
    if (missing > allowed) return false;
  }
  return single < rows.length / 2;
}
