import type { FileRange, Finding, RelatedPlace } from '../../../protocol/dataset';
import type { Example } from '../dataset';
import type { DatasetDocument } from '../document';
import { catalogue } from './catalogue';
import type { CheckFinding, RelatedRow } from './finding';
import { isOffered, titleOf } from './fixes';
import { reviewKey } from './review-key';

/** Related places that one finding carries at most. */
const RELATED_LIMIT = 10;

/** A finding as it crosses to the editor, in the document as it is now. */
export function placedFinding(document: DatasetDocument, finding: CheckFinding): Finding {
  const { code, message, related } = finding;
  const placed: Finding = {
    code,
    severity: catalogue[code].severity,
    message,
    range: rangeOf(document, finding),
    key: reviewKey(finding),
  };
  const { fix } = finding;
  if (fix !== null && isOffered(document, finding)) placed.fix = titleOf(fix);
  // A row that has been edited since says something else now.
  const standing = related.filter((row) => row.kind === 'beside' || document.has(row.example));
  if (standing.length > 0) placed.related = standing.slice(0, RELATED_LIMIT).map((row) => placedRelated(document, row));
  return placed;
}

function rangeOf(document: DatasetDocument, { example, place }: CheckFinding): FileRange {
  if (place.part === 'text') return document.fileRange(example, place.span);
  if (place.part === 'gold' && example.goldField !== null) return document.fieldRange(example, example.goldField);
  return textRange(document, example);
}

/** A row is marked at its text, which a person reads; as a whole where it has none. */
function textRange(document: DatasetDocument, example: Example): FileRange {
  const { text } = example;
  const start = text.search(/\S/);
  if (start === -1) return document.recordRange(example);
  return document.fileRange(example, { start, end: text.trimEnd().length });
}

function placedRelated(document: DatasetDocument, row: RelatedRow): RelatedPlace {
  if (row.kind === 'here') return { file: null, range: textRange(document, row.example), message: row.message };
  const { line, char } = row.position;
  return {
    file: row.file,
    range: { startLine: line, startChar: char, endLine: line, endChar: char },
    message: row.message,
  };
}
