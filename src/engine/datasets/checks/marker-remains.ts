import type { Example } from '../dataset';
import type { CheckFinding } from './finding';
import { nothing } from './row-check';
import { atCharacter, partsFinding, placesOf } from './text-parts';

/** Signs that no text has of its own: entity markers as datasets write them, and the tokens that models keep for them. */
const marker =
  /<\/?(?:e[12]|subj|obj|ent[12]|entity[12]|arg[12])>|\[\/?(?:e[12]|subj|obj|head|tail|ent[12]|entity[12]|arg[12])\]|\[unused\d{1,3}\]/gi;
/** Of words in brackets, which editors of a quotation set (`the [head] coach`), only those that are in capitals or that close one. */
const bracketed = /^\[[a-z]/;
const closingBracket = /\[\/(?:e[12]|subj|obj|head|tail|ent[12]|entity[12]|arg[12])\]/i;

/**
 * Entity markers that stand in a text although its entities are known otherwise, or that are left of a pair that stood there twice.
 * A text that lacks a marker which all others have is told by the reader.
 */
export function markerRemains(example: Example): readonly CheckFinding[] {
  const { text } = example;
  if (!text.includes('<') && !text.includes('[')) return nothing;
  const isPaired = closingBracket.test(text);
  const parts = [...text.matchAll(marker)]
    .filter(([found]) => isPaired || !bracketed.test(found) || found.startsWith('[unused'))
    .map(({ index, 0: found }) => ({ span: { start: index, end: index + found.length }, text: '' }));
  const first = parts[0];
  if (first === undefined) return nothing;
  const found = text.slice(first.span.start, first.span.end);
  return [
    partsFinding('assay/markers', example, parts, {
      message: `The entity marker “${found}” stands in the text ${atCharacter(first.span.start)}${placesOf(parts.length)}. A model would read it as words, or as a marker of its own. Remove it; if it marks the entities, all rows need it.`,
      title: parts.length === 1 ? `Remove “${found}”` : `Remove ${parts.length} markers`,
    }),
  ];
}
