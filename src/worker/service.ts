/** What the worker answers: one function a message. It holds the open datasets and the loaded models. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readCompanions } from '../engine/datasets/companion-files';
import { NotADataset } from '../engine/datasets/dataset';
import { DatasetDocument } from '../engine/datasets/document';
import { pageReading } from '../engine/datasets/page-rows';
import { splitsBeside } from '../engine/datasets/splits-beside';
import { openDiskCache, openMemoryCache } from '../engine/models/logits-cache';
import type { LogitsCache } from '../engine/models/run';
import type { DatasetInfo } from '../protocol/dataset';
import type { PageParams } from '../protocol/pages';
import type {
  HostNotices,
  OpenParams,
  OpenResult,
  RunParams,
  RunResult,
  WorkerNotices,
  WorkerRequests,
} from '../protocol/worker';
import { CheckPlans } from './check-plan';
import { Checking } from './checking';
import { explain } from './explain';
import {
  changeReviewed,
  findingsOn,
  findingsState,
  fixOf,
  kindsOf,
  renameReviewed,
  setReviewed,
  windowOf,
} from './findings';
import { type LoadedModel, Models } from './models';
import { OpenDataset } from './open-dataset';
import { Pages } from './pages';
import { nextFailing, testRobustness } from './robustness';
import { run } from './run';
import { cardsAt, nextFinding, viewOf } from './views';

type Requests = {
  [K in keyof WorkerRequests]: (
    params: WorkerRequests[K]['params'],
    signal: AbortSignal,
  ) => WorkerRequests[K]['result'] | Promise<WorkerRequests[K]['result']>;
};
type Notices = { [K in keyof WorkerNotices]: (notice: WorkerNotices[K]) => void };

/** Tells the host; resolves when the message has left this process. */
export type Tell = <K extends keyof HostNotices>(method: K, notice: HostNotices[K]) => Promise<void>;

/** About as long as a batch of predictions is to take. */
const checkingShareMs = 80;

export class Service {
  readonly #tell: Tell;
  readonly #datasets = new Map<string, OpenDataset>();
  /** Text that comes in pieces, until its dataset is opened. */
  readonly #pieces = new Map<string, string[]>();
  #served = 0;
  #models: Models | null = null;
  #cache: LogitsCache = openMemoryCache();
  readonly #plans = new CheckPlans((message) => this.#log('warn', message));
  readonly #pages = new Pages((progress) => void this.#tell('pages/progress', progress));

  constructor(tell: Tell) {
    this.#tell = tell;
  }

  readonly requests: Requests = {
    initialize: ({ cacheFolder, threads }) => {
      this.#models = new Models(threads);
      try {
        this.#cache = openDiskCache(cacheFolder);
        return { cache: 'disk' };
      } catch (error) {
        this.#log('warn', `No cache on disk, results are kept in memory only: ${messageOf(error)}`);
        return { cache: 'memory' };
      }
    },

    'dataset/open': (params, signal) => this.#open(params, signal),

    'dataset/edit': ({ uri, version, changes }) => {
      const dataset = this.#dataset(uri);
      return this.#reading(uri, () => {
        dataset.applyEdits(version, changes);
        return dataset;
      });
    },

    'dataset/choose': ({ uri, choice }) => {
      const dataset = this.#dataset(uri);
      return this.#reading(uri, () => {
        dataset.choose(choice);
        return dataset;
      });
    },

    'dataset/view': ({ uri, lines }) => viewOf(this.#dataset(uri), lines),
    'dataset/cards': ({ uri, position }) => cardsAt(this.#dataset(uri), position),
    'dataset/next': ({ uri, position, direction }) => nextFinding(this.#dataset(uri), position, direction),

    'checks/configure': ({ uri, options, model }) => {
      const dataset = this.#dataset(uri);
      dataset.checking ??= this.#checkingOf(dataset);
      const chosen = model === null ? null : { models: this.#loadedModels(), chosen: model };
      dataset.checking.configure((context) => this.#plans.plan(dataset, options, chosen, context));
      return null;
    },
    'checks/reviewed': ({ uri, file, text }) => {
      const dataset = this.#dataset(uri);
      const reading = setReviewed(dataset, file, text);
      this.#tellFindings(dataset);
      return reading;
    },
    'findings/kinds': ({ uri }) => kindsOf(this.#dataset(uri)),
    'findings/window': ({ uri, group, from, count }) => windowOf(this.#dataset(uri), group, from, count),
    'findings/on': ({ uri, range }) => findingsOn(this.#dataset(uri), range),
    'findings/find': ({ uri, id }) => {
      const { findings } = this.#dataset(uri);
      const listed = findings.find(id);
      return listed === null ? null : findings.placed(listed);
    },
    'findings/fix': ({ uri, choice }, signal) =>
      fixOf(this.#dataset(uri), choice, { breathe: () => this.#breathe(), signal }),
    'reviewed/change': (params) => changeReviewed(this.#dataset(params.uri), params),
    'reviewed/rename': ({ text, from, to }) => renameReviewed(text, from, to),

    'pages/why': (params) => this.#pages.why(params),
    'pages/open': (params, signal) => this.#pages.open(params, signal),
    'pages/read': async (params, signal) => (await this.#pages.read(params, signal)).text,

    'model/inspect': ({ folder }) => this.#loadedModels().inspect(folder),

    'predict/run': async (params, signal) => {
      const model = await this.#loadedModels().load(params.model.folder);
      return this.#predict(this.#dataset(params.uri), model, params, signal);
    },

    'attribution/explain': async (params, signal) => {
      const dataset = this.#dataset(params.uri);
      const model = await this.#loadedModels().load(params.model.folder);
      return explain(dataset, model, params, {
        signal,
        predict: async (lines) => {
          const { uri, rememberedLabels } = params;
          const scope = { kind: 'lines', lines } as const;
          const asked = {
            uri,
            model: params.model,
            scope,
            visible: dataset.visible,
            rememberedLabels,
            suspects: [],
            guilty: [],
          };
          await this.#predict(dataset, model, asked, signal);
        },
        onProgress: () => void this.#tell('attribution/progress', { uri: params.uri }),
        starting: async () => {
          await dataset.checking?.share(checkingShareMs);
          await this.#breathe();
        },
      });
    },
    'robustness/run': async (params, signal) => {
      const dataset = this.#dataset(params.uri);
      const model = await this.#loadedModels().load(params.model.folder);
      return testRobustness(dataset, model, params, {
        cache: this.#cache,
        signal,
        onProgress: (done, total) => void this.#tell('robustness/progress', { uri: params.uri, done, total }),
        starting: async () => {
          await dataset.checking?.share(checkingShareMs);
          await this.#breathe();
        },
      });
    },
    'robustness/next': ({ uri, position }) => nextFailing(this.#dataset(uri), position),
    'attribution/clear': ({ uri }) => {
      this.#dataset(uri).explanations.clear();
      return null;
    },
  };

  readonly notices: Notices = {
    'dataset/text': ({ uri, piece }) => {
      const pieces = this.#pieces.get(uri);
      if (pieces === undefined) this.#pieces.set(uri, [piece]);
      else pieces.push(piece);
    },
    'dataset/close': ({ uri }) => {
      this.#forget(uri);
      this.#pieces.delete(uri);
    },
    'predict/visible': ({ uri, visible }) => {
      const dataset = this.#datasets.get(uri);
      if (dataset !== undefined) dataset.visible = visible;
    },
  };

  async #predict(dataset: OpenDataset, model: LoadedModel, params: RunParams, signal: AbortSignal): Promise<RunResult> {
    const { guiltyCount } = dataset;
    try {
      return await run(dataset, model, params, {
        cache: this.#cache,
        signal,
        onProgress: (progress) => void this.#tell('predict/progress', progress),
        onStarting: async (keys, isUrgent) => {
          // What a person sees is predicted first; then predictions and checks take turns.
          dataset.checking?.hold(isUrgent);
          await dataset.checking?.share(checkingShareMs);
          await this.#tell('batch/starting', { uri: params.uri, keys });
          await this.#breathe();
        },
        onFinished: () => void this.#tell('batch/finished', { uri: params.uri }),
      });
    } finally {
      dataset.checking?.hold(false);
      if (dataset.guiltyCount !== guiltyCount) this.#tellFindings(dataset);
    }
  }

  async #open(params: OpenParams, signal: AbortSignal): Promise<OpenResult> {
    const { uri, name, version, path, probe, choice, encoding, page } = params;
    const pieces = this.#pieces.get(uri);
    this.#pieces.delete(uri);
    if (page !== undefined) return this.#openPage(params, page, pieces ?? null, signal);
    const content = path === null ? { text: (pieces ?? []).join('') } : { bytes: await readFile(path) };
    const file = path ?? filePath(uri);
    const splits = file === null ? [] : await splitsBeside(file);
    const companions = file === null ? [] : await readCompanions(file);
    return this.#reading(uri, () => {
      const document = DatasetDocument.open({
        name,
        ...content,
        splits,
        companions,
        ...(choice === null ? {} : { choice }),
        ...(encoding === undefined ? {} : { encoding }),
      });
      if (probe !== null && !isSameText(document, probe)) return null;
      const former = this.#datasets.get(uri);
      const dataset = new OpenDataset(uri, version, document, { file, choice });
      dataset.visible = former?.visible ?? null;
      this.#forget(uri);
      this.#datasets.set(uri, dataset);
      return dataset;
    });
  }

  /** A page is read from its file, or from the editor where that shows it otherwise (the file has changed since). */
  async #openPage(
    { uri, name, version, probe }: OpenParams,
    page: PageParams,
    pieces: string[] | null,
    signal: AbortSignal,
  ): Promise<OpenResult> {
    let ofFile: Partial<DatasetInfo>;
    let text: string;
    try {
      ofFile = await this.#pages.infoOf(page, signal);
      text = pieces === null ? (await this.#pages.read(page, signal)).text : pieces.join('');
    } catch (error) {
      if (!(error instanceof NotADataset)) throw error;
      return { kind: 'notADataset', message: error.message, candidates: [...error.candidates] };
    }
    return this.#reading(uri, () => {
      const reading = pageReading(ofFile.columns?.task ?? 'sentiment');
      const document = DatasetDocument.open({ name, text, reading });
      if (probe !== null && !isSameText(document, probe)) return null;
      const dataset = new OpenDataset(uri, version, document, { ofFile });
      dataset.visible = this.#datasets.get(uri)?.visible ?? null;
      this.#forget(uri);
      this.#datasets.set(uri, dataset);
      return dataset;
    });
  }

  /** A file that stops being a dataset is closed here; the host opens it again once its text has changed. */
  #reading(uri: string, read: () => OpenDataset | null): OpenResult {
    try {
      const dataset = read();
      if (dataset !== null) this.#tellFindings(dataset);
      return dataset === null ? { kind: 'differs' } : { kind: 'opened', info: dataset.info };
    } catch (error) {
      if (!(error instanceof NotADataset)) throw error;
      this.#forget(uri);
      return { kind: 'notADataset', message: error.message, candidates: [...error.candidates] };
    }
  }

  #checkingOf(dataset: OpenDataset): Checking {
    return new Checking({
      document: dataset.document,
      breathe: () => this.#breathe(),
      onChange: () => this.#tellFindings(dataset),
      onFault: (error) => this.#log('error', `A check of ${dataset.uri} failed: ${stackOf(error)}`),
    });
  }

  #tellFindings(dataset: OpenDataset): void {
    void this.#tell('findings/changed', findingsState(dataset));
  }

  #forget(uri: string): void {
    this.#datasets.get(uri)?.checking?.dispose();
    this.#datasets.delete(uri);
  }

  /** Between two batches: a batch keeps the event loop, so all that has come in is answered before the next one. */
  async #breathe(): Promise<void> {
    let served: number;
    do {
      served = this.#served;
      await new Promise((resolve) => setTimeout(resolve, 0));
    } while (served !== this.#served);
  }

  /** Every message that comes in is counted here. */
  onMessage(): void {
    this.#served++;
  }

  #dataset(uri: string): OpenDataset {
    const dataset = this.#datasets.get(uri);
    if (dataset === undefined) throw new Error(`${uri} is not open in the worker`);
    return dataset;
  }

  #loadedModels(): Models {
    if (this.#models === null) throw new Error('The worker was not initialised');
    return this.#models;
  }

  #log(level: HostNotices['log']['level'], message: string): void {
    void this.#tell('log', { level, message });
  }
}

/** The file of a document that has changes, or that is not on disk: null. */
function filePath(uri: string): string | null {
  try {
    return fileURLToPath(uri);
  } catch {
    return null;
  }
}

function isSameText(document: DatasetDocument, probe: NonNullable<OpenParams['probe']>): boolean {
  const { lines, text } = document;
  if (lines.lineCount !== probe.lineCount) return false;
  return probe.lines.every(({ line, text: expected }) => {
    const start = lines.lineStart(line);
    const end = line + 1 < lines.lineCount ? lines.lineStart(line + 1) : text.length;
    return text.slice(start, end).replace(/[\r\n]+$/, '') === expected;
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
