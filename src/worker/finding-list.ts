/** All findings of an open dataset as one list in file order: the reader's, the checks', and the examples that crash the model. */
import { catalogue, isCheckCode } from '../engine/datasets/checks/catalogue';
import type { CheckFinding } from '../engine/datasets/checks/finding';
import { isOffered } from '../engine/datasets/checks/fixes';
import { placedFinding } from '../engine/datasets/checks/places';
import { reviewKey, rowReviewKey } from '../engine/datasets/checks/review-key';
import type { Example } from '../engine/datasets/dataset';
import type { DatasetDocument } from '../engine/datasets/document';
import type { FileRange, Finding, LineRange, Severity } from '../protocol/dataset';
import type { FindingCounts, FindingGroup, FindingKind, ListedFinding } from '../protocol/findings';

export const crashCode = 'assay/crashes-the-model';

const severities: readonly Severity[] = ['error', 'warning', 'information'];

const provedFixes = 20;

/** Units of the text that are written beside a reviewed finding's key. */
const excerptUnits = 80;

/** A finding before it is placed: there may be 100,000, and a person sees a few of them. */
export interface Listed {
  readonly code: string;
  readonly severity: Severity;
  /** Where its row begins, 0-based line. */
  readonly line: number;
  /** Null: the reader found it in a row that may hold no example. */
  readonly example: Example | null;
  readonly source: Finding | CheckFinding;
}

export interface ListSources {
  readonly document: DatasetDocument;
  readonly ofReader: readonly Finding[];
  readonly ofChecks: readonly CheckFinding[];
  readonly crashing: readonly Example[];
  /** Keys that a person has judged, by code. */
  readonly reviewed: ReadonlyMap<string, ReadonlySet<string>>;
  /** Findings keep their number as long as they live. */
  idOf(source: object): number;
  /** Keys that were worked out before: hashing takes longer than all else. */
  readonly keys: WeakMap<CheckFinding, string>;
}

/** It holds for one state of the document: after an edit another one is made. */
export class FindingList {
  readonly #sources: ListSources;
  readonly open: readonly Listed[];
  readonly reviewed: readonly Listed[];
  #byCode: Map<string, Listed[]> | null = null;
  #worst: readonly Listed[] | null = null;

  constructor(sources: ListSources) {
    this.#sources = sources;
    const open: Listed[] = [];
    const reviewed: Listed[] = [];
    for (const listed of merged(sources)) (this.#isReviewed(listed) ? reviewed : open).push(listed);
    this.open = open;
    this.reviewed = reviewed;
  }

  get counts(): FindingCounts {
    const counts = { error: 0, warning: 0, information: 0, reviewed: this.reviewed.length };
    for (const { severity } of this.open) counts[severity]++;
    return counts;
  }

  get kinds(): FindingKind[] {
    const kinds = [...this.#codes()].map(([code, found]): FindingKind => {
      // The reader's may be errors and warnings of one code.
      const severity = severities.find((each) => found.some((listed) => listed.severity === each))!;
      const fixableCount = this.#fixableCount(found);
      return { code, title: titleOf(code), severity, count: found.length, fixableCount };
    });
    return kinds.sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity) || b.count - a.count);
  }

  group(group: FindingGroup): readonly Listed[] {
    if (group.kind === 'reviewed') return this.reviewed;
    if (group.kind === 'code') return this.#codes().get(group.code) ?? [];
    this.#worst ??= severities.flatMap((severity) => this.open.filter((listed) => listed.severity === severity));
    return this.#worst;
  }

  /** Those whose row touches the lines. Rows stand one behind the other, so the search ends at the first that ends before. */
  on({ start, end }: LineRange): Listed[] {
    const before = firstFrom(this.open, end);
    let from = before;
    while (from > 0 && this.#lastLine(this.open[from - 1]!) >= start) from--;
    return this.open.slice(from, before);
  }

  find(id: number): Listed | null {
    const has = ({ source }: Listed) => this.#sources.idOf(source) === id;
    return this.open.find(has) ?? this.reviewed.find(has) ?? null;
  }

  placed(listed: Listed): ListedFinding {
    const { document } = this.#sources;
    const { source } = listed;
    const finding = isOfCheck(source) ? placedFinding(document, source) : source;
    const key = this.keyOf(listed);
    return { ...finding, id: this.#sources.idOf(source), ...(key === null ? {} : { key }) };
  }

  /** Null: it cannot be reviewed. That a model crashes says nothing of the data. */
  keyOf({ code, source }: Listed): string | null {
    if (isOfCheck(source)) {
      const { keys } = this.#sources;
      const key = keys.get(source) ?? reviewKey(source);
      keys.set(source, key);
      return key;
    }
    return code === crashCode ? null : rowReviewKey(code, this.#rowOf(source.range));
  }

  /** The beginning of what a finding speaks of. */
  excerptOf({ example, source }: Listed): string {
    const text = example?.text ?? (isOfCheck(source) ? '' : this.#rowOf(source.range));
    const end = /[\uD800-\uDBFF]/.test(text[excerptUnits - 1] ?? '') ? excerptUnits - 1 : excerptUnits;
    return text.slice(0, end);
  }

  /** Where it begins, in the document. */
  offsetOf(listed: Listed): number {
    const { startLine, startChar } = this.placed(listed).range;
    return this.#sources.document.lines.offset({ line: startLine, char: startChar });
  }

  /** The row that the reader speaks of: what it marks may be a single character. */
  #rowOf({ startLine, startChar }: FileRange): string {
    const { document } = this.#sources;
    return document.recordTextAt(document.lines.offset({ line: startLine, char: startChar }));
  }

  #isReviewed(listed: Listed): boolean {
    const keys = this.#sources.reviewed.get(listed.code);
    if (keys === undefined) return false;
    const key = this.keyOf(listed);
    return key !== null && keys.has(key);
  }

  #lastLine({ example, source }: Listed): number {
    if (isOfCheck(source)) return this.#sources.document.recordRange(source.example).endLine;
    return example === null ? source.range.endLine : this.#sources.document.recordRange(example).endLine;
  }

  /** Those that have a fix; 0 if none of the first ones can be made: each has to be proved, which takes too long for all. */
  #fixableCount(found: readonly Listed[]): number {
    const ofChecks = found.map(({ source }) => source).filter(isOfCheck);
    const fixable = ofChecks.filter(({ fix }) => fix !== null);
    const { document } = this.#sources;
    const isAny = fixable.slice(0, provedFixes).some((finding) => isOffered(document, finding));
    return isAny ? fixable.length : 0;
  }

  #codes(): Map<string, Listed[]> {
    if (this.#byCode !== null) return this.#byCode;
    this.#byCode = new Map();
    for (const listed of this.open) {
      const others = this.#byCode.get(listed.code);
      if (others === undefined) this.#byCode.set(listed.code, [listed]);
      else others.push(listed);
    }
    return this.#byCode;
  }
}

export function isOfCheck(source: Finding | CheckFinding): source is CheckFinding {
  return 'place' in source;
}

/** Worth a mark on the line, and a stop: what is only said stays calm. */
export function isProblem({ severity }: Pick<Finding, 'severity'>): boolean {
  return severity !== 'information';
}

function titleOf(code: string): string {
  if (code === crashCode) return 'Crashes the model';
  return isCheckCode(code) ? catalogue[code].title : code;
}

/** Both lists are in file order already. */
function merged({ document, ofReader, ofChecks, crashing }: ListSources): Listed[] {
  const reader = ofReader.map(
    (source): Listed => ({
      code: source.code,
      severity: source.severity,
      line: source.range.startLine,
      example: null,
      source,
    }),
  );
  const checks = ofChecks.map(
    (source): Listed => ({
      code: source.code,
      severity: catalogue[source.code].severity,
      line: document.firstLineOf(source.example),
      example: source.example,
      source,
    }),
  );
  const crashes = crashing.map(
    (example): Listed => ({
      code: crashCode,
      severity: 'error',
      line: document.firstLineOf(example),
      example,
      source: crashFinding(document, example),
    }),
  );
  // A stable sort of what is in order nearly everywhere: linear.
  return [...reader, ...checks, ...crashes].sort((a, b) => a.line - b.line);
}

function crashFinding(document: DatasetDocument, example: Example): Finding {
  return {
    code: crashCode,
    severity: 'error',
    message: 'The model crashed on this example twice, so it is left out. Try a shorter text or another model.',
    range: document.recordRange(example),
  };
}

/** The index of the first finding whose row begins at the line or behind it. */
function firstFrom(list: readonly Listed[], line: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]!.line >= line) high = middle;
    else low = middle + 1;
  }
  return low;
}
