/** The stretches of an example in which a perturbation may act. */
import type { Span } from '../../protocol/dataset';
import type { Part } from '../../protocol/perturbation';
import type { Source } from './source';

/** All there are, in the order of the text. */
export const parts: readonly Part[] = ['before', 'head', 'between', 'tail', 'after', 'context'];

/** A stretch of the text that no boundary of an entity cuts. */
export interface Region extends Span {
  readonly part: Part;
}

/**
 * The text cut into DiagnoseRE's five parts, in the order of the text, whichever of head and tail comes first (the original cuts by role and
 * doubles the context where the tail is first): what is neither entity is `before` both, `between` them or `after` them. Where the entities
 * overlap, what is common to both counts as the head. Other mentions of the entities, and the aspect, are left out: they are never
 * changed by themselves. Empty stretches are left out. A sentiment example is one `context` around its aspect.
 */
export function regionsOf(source: Source): Region[] {
  const { text, spans, mentions, aspect } = source;
  const untouched = [...(mentions?.head ?? []), ...(mentions?.tail ?? []), ...(aspect === null ? [] : [aspect])];
  const bounds = new Set([0, text.length]);
  for (const { start, end } of [...untouched, ...(spans === null ? [] : [spans.head, spans.tail])]) {
    bounds.add(start);
    bounds.add(end);
  }
  const sorted = [...bounds].filter((at) => at >= 0 && at <= text.length).sort((a, b) => a - b);
  const regions: Region[] = [];
  for (let index = 1; index < sorted.length; index++) {
    const piece = { start: sorted[index - 1]!, end: sorted[index]! };
    const part = partOf(piece, source);
    const isEntity = part === 'head' || part === 'tail';
    if (!isEntity && untouched.some((span) => holds(span, piece))) continue;
    regions.push({ ...piece, part });
  }
  return regions;
}

function partOf(piece: Span, { spans }: Source): Part {
  if (spans === null) return 'context';
  if (holds(spans.head, piece)) return 'head';
  if (holds(spans.tail, piece)) return 'tail';
  if (piece.end <= Math.min(spans.head.start, spans.tail.start)) return 'before';
  return piece.start >= Math.max(spans.head.end, spans.tail.end) ? 'after' : 'between';
}

function holds(span: Span, piece: Span): boolean {
  return span.start <= piece.start && piece.end <= span.end;
}
