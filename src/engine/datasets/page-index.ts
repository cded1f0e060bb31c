import type { ColumnCandidate, ColumnChoice, DatasetInfo, FormatId } from '../../protocol/dataset';
import type { ByteSource } from './byte-source';
import type { LabelNames, Problem, ReadExample } from './format';
import { pageRow, problemRow } from './page-rows';
import { type Batch, type DatasetStream, detached, openStream, type RecordPlace, type StreamOptions } from './stream';

/** Where the pages of a large file begin, so that each is read without the others; and what one pass over all of it tells. */

/** Examples a page. */
export const PAGE_EXAMPLES = 1000;
/** Unreadable rows that a page shows; more are only counted. */
const PAGE_PROBLEMS = 1000;

/** More are no classes: the column is not the label's. */
const MAX_LABELS = 10_000;

/** What is known of a whole file that is shown in pages. */
export interface PagedInfo {
  format: FormatId;
  /** For people. */
  formatDetail: string;
  encoding: string;
  badBytes: number;
  columns: ColumnChoice;
  confidence: number;
  candidates: ColumnCandidate[];
  exampleCount: number;
  /** Rows that gave no example. */
  unreadableCount: number;
  findingCount: number;
  /** The most frequent gold labels, falling. */
  labels: DatasetInfo['labels'];
  /** At least one. */
  pageCount: number;
}

/** A page: JSON Lines (page-rows.ts), an example or an unreadable row a line. */
export interface Page {
  text: string;
  exampleCount: number;
}

/** A file in pages. */
export interface PagedFile {
  readonly info: PagedInfo;
  /** Page number `index`, from 0 on. `source` is the file that was opened. */
  readPage(source: ByteSource, index: number, signal?: AbortSignal): Promise<Page>;
}

export interface PagingOptions extends StreamOptions {
  signal?: AbortSignal;
  /** Of bytes of the file. */
  onProgress?(done: number, total: number): void;
  /** For tests: fewer examples make more pages. */
  pageExamples?: number;
}

interface PageStart {
  place: RecordPlace;
  /** Examples of the record at that place that stand on the page before. */
  skip: number;
}

/** Counts what is told of a whole file. */
export class PassCounts {
  exampleCount = 0;
  unreadableCount = 0;
  findingCount = 0;
  readonly #labels = new Map<string, number>();

  add(examples: readonly ReadExample[], problems: readonly Problem[]): void {
    this.exampleCount += examples.length;
    this.findingCount += problems.length;
    if (examples.length === 0 && problems.some(({ severity }) => severity === 'error')) this.unreadableCount++;
    for (const { gold } of examples) {
      if (gold === null) continue;
      const count = this.#labels.get(gold);
      if (count === undefined) this.#labels.set(detached(gold), 1);
      else this.#labels.set(gold, count + 1);
    }
  }

  /** The labels, the most frequent first, with their ids where they are named. */
  labels(names?: LabelNames): PagedInfo['labels'] {
    const found = [...this.#labels].sort((a, b) => b[1] - a[1]).slice(0, MAX_LABELS);
    return found.map(([label, count]) => {
      const id = names?.idOf(label) ?? null;
      return id === null ? { label, count } : { label, count, id };
    });
  }
}

/**
 * Goes over a text file once and finds its pages.
 * @throws NotADataset; the signal's reason
 */
export async function indexPages(source: ByteSource, options: PagingOptions): Promise<PagedFile> {
  const { signal, onProgress, pageExamples = PAGE_EXAMPLES } = options;
  const stream = await openStream(source, options);
  const counts = new PassCounts();
  const starts: PageStart[] = [{ place: stream.begin, skip: 0 }];
  let badBytes = 0;
  for await (const batch of stream.read({
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined ? {} : { onProgress }),
  })) {
    for (const record of batch.records) {
      const { examples } = record.row;
      // The first page is there already.
      let next = starts.length * pageExamples - counts.exampleCount;
      for (; next < examples.length; next += pageExamples) {
        starts.push({ place: batch.placeOf(record), skip: next });
      }
      counts.add(examples, problemsOf(record));
    }
    badBytes = batch.badBytes;
  }
  const { format, detail, columns, confidence, candidates, labelNames } = stream.reading;
  return {
    info: {
      format,
      formatDetail: detail,
      encoding: stream.encoding.name,
      badBytes,
      columns,
      confidence,
      candidates,
      exampleCount: counts.exampleCount,
      unreadableCount: counts.unreadableCount,
      findingCount: counts.findingCount,
      labels: counts.labels(labelNames),
      pageCount: starts.length,
    },
    readPage: (from, index, aborted) => readPage(stream, from, starts, index, pageExamples, aborted),
  };
}

function problemsOf({ cut, row }: Batch['records'][number]): readonly Problem[] {
  return cut.problem === null ? row.problems : [...row.problems, cut.problem];
}

async function readPage(
  stream: DatasetStream,
  source: ByteSource,
  starts: readonly PageStart[],
  index: number,
  pageExamples: number,
  signal: AbortSignal | undefined,
): Promise<Page> {
  const start = starts[index];
  if (start === undefined) throw new RangeError(`There is no page ${index + 1} of ${starts.length}`);
  const lines = new PageLines(index * pageExamples);
  let { skip } = start;
  for await (const batch of stream.read({ from: start.place, ...(signal === undefined ? {} : { signal }) }, source)) {
    for (const record of batch.records) {
      const { examples } = record.row;
      // The problems of a record stand where its first example does.
      if (skip === 0 && (examples.length === 0 || lines.exampleCount < pageExamples)) {
        for (const problem of problemsOf(record)) {
          const { line } = batch.positionOf(record.cut.start + problem.range.start);
          lines.addProblem(problem, `Line ${(line + 1).toLocaleString('en-US')}`);
        }
      }
      for (const example of examples.slice(skip)) {
        if (lines.exampleCount === pageExamples) return lines.finish();
        lines.addExample(example);
      }
      skip = 0;
    }
  }
  return lines.finish();
}

/** Puts a page together. */
export class PageLines {
  readonly #firstExample: number;
  readonly #lines: string[] = [];
  #problems = 0;
  exampleCount = 0;

  /** `firstExample`: examples of the file before the page. */
  constructor(firstExample: number) {
    this.#firstExample = firstExample;
  }

  addExample(example: ReadExample): void {
    this.exampleCount++;
    this.#lines.push(pageRow(example, example.id ?? String(this.#firstExample + this.exampleCount)));
  }

  addProblem(problem: Problem, where: string): void {
    this.#problems++;
    if (this.#problems <= PAGE_PROBLEMS) this.#lines.push(problemRow(problem, where));
  }

  finish(): Page {
    const left = this.#problems - PAGE_PROBLEMS;
    if (left > 0) {
      const message = `${left.toLocaleString('en-US')} more problems of this page are not shown.`;
      this.#lines.push(problemRow({ code: 'assay/unreadable-row', severity: 'error', message }, 'Further down'));
    }
    return { text: this.#lines.join('\n'), exampleCount: this.exampleCount };
  }
}
