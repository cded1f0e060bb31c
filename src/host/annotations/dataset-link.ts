/**
 * Keeps the worker's reading of a document in step with the document: opens it, sends edits, and opens it again in every
 * new worker (a worker that was restarted knows nothing; its generation tells).
 */
import path from 'node:path';
import type * as vscode from 'vscode';
import type { ColumnCandidate, ColumnChoice, DatasetInfo } from '../../protocol/dataset';
import type { OpenParams, OpenResult } from '../../protocol/worker';
import type { Memory } from '../memory';
import { datasetUri, pageAddress, pageParams } from '../pages/page-uri';
import { Refused, UserError } from '../user-error';
import type { Supervisor } from '../worker/supervisor';
import { WorkerLost } from '../worker/worker-process';
import { DocumentChanged, pathAndProbe, piecesOf, probeOf } from './document-text';
import { fromRange } from './ranges';

export class DatasetLink {
  readonly document: vscode.TextDocument;
  readonly #supervisor: Supervisor;
  readonly #memory: Memory;
  readonly #onReopened: () => void;

  /** Null until it was read, and while the text is no dataset. */
  info: DatasetInfo | null = null;
  /** Why the text is no dataset (any more). */
  refusal: string | null = null;
  /** The columns that were seen in it all the same. */
  #candidates: readonly ColumnCandidate[] = [];

  /** The worker that holds the text as it is. */
  #generation: number | null = null;
  /** The version that was found to be no dataset: not asked again until it is edited. */
  #rejectedVersion: number | null = null;
  #opening: Promise<void> | null = null;

  /** `onReopened`: a worker has read the document that has predicted nothing of it. */
  constructor(document: vscode.TextDocument, supervisor: Supervisor, memory: Memory, onReopened: () => void) {
    this.document = document;
    this.#supervisor = supervisor;
    this.#memory = memory;
    this.#onReopened = onReopened;
  }

  get uri(): string {
    return this.document.uri.toString();
  }

  /** The worker that may be told something of this document without being asked first; null while none holds it. */
  get generation(): number | null {
    return this.#generation;
  }

  /**
   * What was read, and by which worker. Throws UserError where the text is no dataset, WorkerLost when the worker ends
   * meanwhile.
   */
  async open(): Promise<{ info: DatasetInfo; generation: number }> {
    const generation = await this.ensureOpen();
    if (this.info === null) {
      const file = datasetUri(this.document.uri);
      throw new Refused(this.refusal ?? 'The file could not be read.', file, this.#candidates);
    }
    if (generation === null) throw new WorkerLost('The worker ended while the file was opened');
    return { info: this.info, generation };
  }

  /** The worker that holds the document now; null where the text is no dataset. */
  async ensureOpen(): Promise<number | null> {
    const { generation } = await this.#supervisor.ensure();
    if (this.#generation !== generation && this.#rejectedVersion !== this.document.version) {
      this.#opening ??= this.#openIn(generation).finally(() => {
        this.#opening = null;
      });
      await this.#opening;
    }
    return this.#generation;
  }

  async #openIn(generation: number): Promise<void> {
    for (;;) {
      const version = this.document.version;
      const address = pageAddress(this.document.uri);
      const params = {
        uri: this.uri,
        name: path.basename(this.document.uri.path),
        version,
        choice: address === null ? this.#memory.columnsOf(this.document.uri) : null,
        ...(address === null ? {} : { page: pageParams(address) }),
      };
      const onDisk = address === null ? pathAndProbe(this.document) : { path: null, probe: probeOf(this.document) };
      let result =
        onDisk === null
          ? null
          : await this.#supervisor.request('dataset/open', { ...params, ...onDisk }, { generation });
      if (result === null || result.kind === 'differs') result = await this.#openByText(generation, params);
      // Columns that were chosen once and are no longer there are as good as none.
      if (result?.kind === 'notADataset' && params.choice !== null) {
        await this.#memory.setColumns(this.document.uri, null);
        continue;
      }
      // Edited meanwhile: what was read is not what stands there.
      if (result === null || this.document.version !== version) continue;
      this.#take(result, generation, version);
      this.#onReopened();
      return;
    }
  }

  /** Null when an edit came between the pieces. */
  async #openByText(generation: number, params: Omit<OpenParams, 'path' | 'probe'>): Promise<OpenResult | null> {
    // Pieces of an attempt that an edit has overtaken are dropped.
    await this.#supervisor.notify(generation, 'dataset/close', { uri: this.uri });
    try {
      for await (const piece of piecesOf(this.document)) {
        await this.#supervisor.notify(generation, 'dataset/text', { uri: this.uri, piece });
      }
    } catch (error) {
      if (error instanceof DocumentChanged) return null;
      throw error;
    }
    const byText = { ...params, path: null, probe: null, encoding: this.document.encoding };
    return this.#supervisor.request('dataset/open', byText, { generation });
  }

  /** False: no worker holds the document, or the edit ended that; it has to be opened again. */
  async edit(event: vscode.TextDocumentChangeEvent): Promise<boolean> {
    const generation = this.#generation;
    if (generation === null) return false;
    // All ranges are in coordinates of the former text: the last in the file goes first.
    const changes = event.contentChanges
      .map((change) => ({ range: fromRange(change.range), text: change.text, offset: change.rangeOffset }))
      .sort((a, b) => b.offset - a.offset)
      .map(({ range, text }) => ({ range, text }));
    const { version } = this.document;
    try {
      const result = await this.#supervisor.request(
        'dataset/edit',
        { uri: this.uri, version, changes },
        { generation },
      );
      this.#take(result, generation, version);
    } catch (error) {
      // Whatever the worker has read is not this text any more.
      if (this.#generation === generation) this.#generation = null;
      if (!(error instanceof WorkerLost)) throw error;
    }
    return this.#generation !== null;
  }

  /** Reads with other columns. Throws UserError where they do not fit; the former reading stands then. */
  async choose(choice: ColumnChoice): Promise<void> {
    const { generation } = await this.open();
    const result = await this.#supervisor.request('dataset/choose', { uri: this.uri, choice }, { generation });
    if (result.kind !== 'opened') {
      this.#generation = null;
      throw new UserError(result.kind === 'notADataset' ? result.message : 'The file could not be read.');
    }
    await this.#memory.setColumns(this.document.uri, choice);
    this.info = result.info;
  }

  close(): void {
    if (this.#generation === null) return;
    void this.#supervisor.notify(this.#generation, 'dataset/close', { uri: this.uri });
    this.#generation = null;
  }

  #take(result: OpenResult, generation: number, version: number): void {
    if (result.kind === 'opened') {
      this.#generation = generation;
      this.#rejectedVersion = null;
      this.info = result.info;
      this.refusal = null;
    } else if (result.kind === 'notADataset') {
      this.#generation = null;
      this.#rejectedVersion = version;
      this.info = null;
      this.refusal = result.message;
      this.#candidates = result.candidates;
    }
  }
}
