import type { Span } from '../../protocol/dataset';
import { type Problem, problemAt, type ReadExample } from './format';
import { labelAt, textAt } from './json-row-reader';
import { scalarAt } from './json-text';

/** Where the parts of an example stand in the document. */
export interface ExampleParts {
  text: Span;
  gold: Span | null;
  id: Span | null;
}

/** The example of some JSON values, which were checked; a problem where the text is none. Offsets become relative to `origin`. */
export function exampleAt(
  text: string,
  origin: number,
  parts: ExampleParts,
): { example: ReadExample | null; problem: Problem | null } {
  const relative = ({ start, end }: Span): Span => ({ start: start - origin, end: end - origin });
  const textField = relative(parts.text);
  const content = textAt(text, parts.text.start, parts.text.end, origin);
  if (content === null) {
    const message = 'The text is neither text nor a list of words. The row is left out.';
    return { example: null, problem: problemAt('assay/unreadable-row', message, textField.start, textField.end) };
  }
  const goldField = parts.gold === null ? null : relative(parts.gold);
  const isNull = parts.gold === null || text.startsWith('null', parts.gold.start);
  const gold = isNull ? null : labelAt(text, parts.gold!.start, parts.gold!.end);
  const problem =
    isNull || gold !== null
      ? null
      : problemAt(
          'assay/unreadable-row',
          'The label is not one label. The row is read without it.',
          goldField!.start,
          goldField!.end,
          'warning',
        );
  const example = {
    id: parts.id === null ? null : scalarAt(text, parts.id.start, parts.id.end),
    text: content.text,
    spans: null,
    mentions: null,
    types: null,
    gold,
    map: content.map,
    textField,
    goldField,
  };
  return { example, problem };
}
