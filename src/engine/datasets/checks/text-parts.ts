import type { Example } from '../dataset';
import type { CheckCode } from './catalogue';
import type { CheckFinding, TextPart } from './finding';

/** A finding about parts of a text, which stands on the first of them. `title` null: no fix. */
export function partsFinding(
  code: CheckCode,
  example: Example,
  parts: readonly TextPart[],
  { message, title }: { message: string; title: string | null },
): CheckFinding {
  return {
    code,
    example,
    place: { part: 'text', span: parts[0]!.span },
    message,
    related: [],
    fix: title === null ? null : { kind: 'replace-text', parts, title },
  };
}

/** For messages; characters are counted from 1 on. */
export function atCharacter(offset: number): string {
  return `at character ${offset + 1} of the text`;
}

/** For messages, behind the first of `count` places. */
export function placesOf(count: number): string {
  if (count === 1) return '';
  return count === 2 ? ', and another one further on' : `, and ${count - 1} more further on`;
}
