/** What a model folder without assay.json shows of its task: its labels, and the tokens added to its vocabulary. */
import type { EntityTemplate } from './template';

/** Names that people give to the two entities. */
const entityNames: readonly (readonly [head: string, tail: string])[] = [
  ['e1', 'e2'],
  ['h', 't'],
  ['head', 'tail'],
  ['subj', 'obj'],
  ['subject', 'object'],
  ['ent1', 'ent2'],
  ['entity1', 'entity2'],
];

/** Shapes of a marker before and after an entity; X stands for its name. */
const markerShapes: readonly (readonly [open: string, close: string])[] = [
  ['[x]', '[/x]'],
  ['<x>', '</x>'],
  ['[x_start]', '[x_end]'],
  ['<x_start>', '<x_end>'],
  ['[x-start]', '[x-end]'],
  ['[xs]', '[xe]'],
  ['[start_x]', '[end_x]'],
  ['<start_x>', '<end_x>'],
];

/** The entity markers among a tokenizer's added tokens; null where there are none that we know. */
export function inferMarkers(addedTokens: readonly string[]): EntityTemplate | null {
  const byLowerCase = new Map(addedTokens.map((token) => [token.toLowerCase(), token]));
  for (const [headName, tailName] of entityNames) {
    for (const shape of markerShapes) {
      const [headOpen, headClose] = shape.map((part) => byLowerCase.get(part.replace('x', headName)));
      const [tailOpen, tailClose] = shape.map((part) => byLowerCase.get(part.replace('x', tailName)));
      const template = markersOf([headOpen, headClose, tailOpen, tailClose]);
      if (template !== null) return template;
    }
  }
  // BERT's spare entries, in their order: the first two for the head.
  const spare = addedTokens
    .flatMap((token) => {
      const match = /^\[unused(\d+)\]$/.exec(token);
      return match === null ? [] : [{ token, number: Number(match[1]) }];
    })
    .sort((a, b) => a.number - b.number);
  return markersOf(spare.slice(0, 4).map(({ token }) => token));
}

function markersOf(tokens: readonly (string | undefined)[]): EntityTemplate | null {
  const [headOpen, headClose, tailOpen, tailClose] = tokens;
  if (headOpen === undefined || headClose === undefined || tailOpen === undefined || tailClose === undefined) {
    return null;
  }
  return {
    head: { kind: 'markers', open: headOpen, close: headClose },
    tail: { kind: 'markers', open: tailOpen, close: tailClose },
    mentions: 'closest',
  };
}

/** True where a label can only be a relation's: directions, TACRED's `per:` and `org:`, a "no relation" by name. */
export function looksLikeRelations(labels: readonly string[]): boolean {
  return labels.some(
    (label) =>
      /\(e[12],\s*e[12]\)/i.test(label) || /^(per|org|gpe|loc):\w/i.test(label) || /^no[_ -]?relation$/i.test(label),
  );
}

/** The label that means "no relation", where one of the labels has a name that says so. */
export function inferNegativeLabel(labels: readonly string[]): string | null {
  return labels.find((label) => /^(no[_ -]?relation|other|na|n\/a|none)$/i.test(label)) ?? null;
}
