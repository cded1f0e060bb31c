import { afterKey, CLOSE_OBJECT, COMMA, JsonError, skipSpace, valueEnd } from './json-scanner';
import { stringValue } from './json-text';

/**
 * Visits the members of the object that opens at `opening`, which may be cut off or broken: a member is visited where its value
 * begins, before the value is looked at. Goes on while `visit` returns true, up to the object's end or what is no JSON, which it returns.
 */
export function visitOpenMembers(
  text: string,
  opening: number,
  visit: (name: string, valueStart: number) => boolean,
): JsonError | null {
  const end = text.length;
  try {
    let at = skipSpace(text, opening + 1, end);
    if (text.charCodeAt(at) === CLOSE_OBJECT) return null;
    for (;;) {
      const { keyEnd, valueStart } = afterKey(text, at, end);
      if (!visit(stringValue(text, at, keyEnd), valueStart)) return null;
      at = skipSpace(text, valueEnd(text, valueStart, end), end);
      const unit = text.charCodeAt(at);
      if (unit === CLOSE_OBJECT) return null;
      if (unit !== COMMA) throw new JsonError('a comma or } should stand here', at);
      at = skipSpace(text, at + 1, end);
    }
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return error;
  }
}
