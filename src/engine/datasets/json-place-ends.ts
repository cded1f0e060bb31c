import { placeParts } from './json-places';
import { JsonError, OPEN_OBJECT, QUOTE } from './json-scanner';
import { stringValue } from './json-text';
import type { SampleRow } from './sample-row';

/**
 * Whether the ends in the objects that say where entities stand are the last character or word, told by the words beside them. Only
 * `end_idx` is asked so, which is written in both ways (KLUE-RE: the last character); `end` is the one behind, and a file whose words
 * say otherwise is told so (checks/entity-names.ts).
 */
export function objectEndsAreInclusive(
  rows: readonly SampleRow[],
  text: string | undefined,
  places: readonly (string | undefined)[],
): boolean {
  let inclusive = 0;
  let exclusive = 0;
  for (const row of rows) {
    const content = row.get(text ?? '');
    if (content === undefined) continue;
    for (const place of places) {
      const cell = row.get(place ?? '');
      const said = cell?.kind === 'place' && cell.value.includes('"end_idx"') ? saidPlace(cell.value) : null;
      if (said === null) continue;
      const isTokens = content.kind === 'tokens';
      const units = isTokens ? content.value.split(' ') : Array.from(content.value);
      const says = (end: number) => units.slice(said.start, end).join(isTokens ? ' ' : '') === said.words;
      if (says(said.end)) exclusive++;
      else if (says(said.end + 1)) inclusive++;
    }
  }
  return inclusive > exclusive;
}

function saidPlace(value: string): { start: number; end: number; words: string } | null {
  if (value.charCodeAt(0) !== OPEN_OBJECT) return null;
  try {
    const { start, end, name, text } = placeParts(value, 0, value.length);
    const words = name ?? text;
    if (start === null || end === null || words === null || value.charCodeAt(words.start) !== QUOTE) return null;
    return {
      start: Number(value.slice(start.start, start.end)),
      end: Number(value.slice(end.start, end.end)),
      words: stringValue(value, words.start, words.end),
    };
  } catch (error) {
    // Of a long one only the beginning was sampled.
    if (error instanceof JsonError) return null;
    throw error;
  }
}
