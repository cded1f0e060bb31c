/** Files that are shown in pages. What was found of a file is kept as long as the file stays as it is. */
import { stat } from 'node:fs/promises';
import { withFile } from '../engine/datasets/byte-source';
import { readCompanions } from '../engine/datasets/companion-files';
import { NotADataset } from '../engine/datasets/dataset';
import { PAGE_EXAMPLES, type Page, type PagedFile } from '../engine/datasets/page-index';
import { openPaged, whyPaged } from '../engine/datasets/paged-file';
import type { DatasetInfo } from '../protocol/dataset';
import type { PagedFileParams, PagedFileResult, PageParams, PagingProgress, WhyPaged } from '../protocol/pages';

/** Files of which the pages are remembered. */
const rememberedFiles = 4;
const progressEveryMs = 100;

export class Pages {
  readonly #onProgress: (progress: PagingProgress) => void;
  /** By path, columns, size and time of change; the one used last at the end. */
  readonly #files = new Map<string, PagedFile>();

  constructor(onProgress: (progress: PagingProgress) => void) {
    this.#onProgress = onProgress;
  }

  async why({ path, name, choice }: PagedFileParams): Promise<WhyPaged> {
    const companions = await readCompanions(path);
    try {
      return await withFile(path, (source) => whyPaged(source, { name, choice, companions }));
    } catch (error) {
      // Why it is none is said where it is opened.
      if (error instanceof NotADataset) return null;
      throw error;
    }
  }

  /** Rejects with the signal's reason. */
  async open(params: PagedFileParams, signal: AbortSignal): Promise<PagedFileResult> {
    try {
      const { info } = await this.#file(params, signal);
      return { kind: 'opened', pageCount: info.pageCount, exampleCount: info.exampleCount };
    } catch (error) {
      if (!(error instanceof NotADataset)) throw error;
      return { kind: 'notADataset', message: error.message, candidates: [...error.candidates] };
    }
  }

  /** Throws NotADataset; rejects with the signal's reason. */
  async read(params: PageParams, signal: AbortSignal): Promise<Page> {
    const file = await this.#file(params, signal);
    if (params.index >= file.info.pageCount) {
      throw new NotADataset(`${params.name} has ${file.info.pageCount} pages now: open it again.`);
    }
    return withFile(params.path, (source) => file.readPage(source, params.index, signal));
  }

  /** What a page's file says beyond the page. Throws as `read`. */
  async infoOf(params: PageParams, signal: AbortSignal): Promise<Partial<DatasetInfo>> {
    const { info } = await this.#file(params, signal);
    const { format, formatDetail, encoding, badBytes, columns, confidence, candidates, labels } = info;
    const page = {
      number: params.index + 1,
      pageCount: info.pageCount,
      firstExample: params.index * PAGE_EXAMPLES + 1,
      exampleCount: info.exampleCount,
    };
    return { format, formatDetail, encoding, badBytes, columns, confidence, candidates, labels, page };
  }

  async #file(params: PagedFileParams, signal: AbortSignal): Promise<PagedFile> {
    const { path, name, choice } = params;
    const { size, mtimeMs } = await stat(path);
    const key = JSON.stringify([path, choice, size, mtimeMs]);
    let file = this.#files.get(key);
    if (file === undefined) {
      const companions = await readCompanions(path);
      let toldMs = 0;
      const onProgress = (bytesDone: number, bytesTotal: number) => {
        if (Date.now() - toldMs < progressEveryMs) return;
        toldMs = Date.now();
        this.#onProgress({ path, bytesDone, bytesTotal });
      };
      const options = { name, choice, companions, signal, onProgress };
      file = await withFile(path, (source) => openPaged(source, options));
    }
    this.#files.delete(key);
    this.#files.set(key, file);
    for (const oldest of this.#files.keys()) {
      if (this.#files.size <= rememberedFiles) break;
      this.#files.delete(oldest);
    }
    return file;
  }
}
