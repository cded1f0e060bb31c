/** Runs the checks of an open dataset in short slices, so that nothing a person asks has to wait for them. */
import { DatasetChecks, type WholeDataset } from '../engine/datasets/checks/dataset-checks';
import type { CheckFinding } from '../engine/datasets/checks/finding';
import type { CheckSettings } from '../engine/datasets/checks/settings';
import type { DatasetDocument } from '../engine/datasets/document';

/** Between two slices all that has come in is answered. */
const sliceMs = 8;
/** After the last edit. */
const editPauseMs = 500;

export interface CheckingContext {
  document: DatasetDocument;
  /** Resolves when all that has come in is answered. */
  breathe(): Promise<void>;
  /** It has begun, or come to an end: what is known may be different. */
  onChange(): void;
  /** A check has failed: a fault of ours. */
  onFault(error: unknown): void;
}

/** What checks need to know, which may take a while to find out. */
export interface CheckingPlan {
  settings: CheckSettings;
  whole: WholeDataset;
}

/** Finding out takes its turns like everything else; it is given up when something else is wanted. */
export interface PlanContext {
  signal: AbortSignal;
  breathe(): Promise<void>;
}

export class Checking {
  readonly #context: CheckingContext;
  /** What a person is shown: the last ones that came to an end. */
  #shown: DatasetChecks | null = null;
  /** Those that are brought up to date; null: they have to be made anew. */
  #current: DatasetChecks | null = null;
  #disabled: ReadonlySet<string> = new Set();
  #prepare: ((context: PlanContext) => Promise<CheckingPlan>) | null = null;
  /** What `#prepare` finds out, once for all runs until another one is given. */
  #plan: { found: Promise<CheckingPlan>; abort: AbortController } | null = null;
  /** Of the run that is wanted: a former one gives up when it notices. */
  #run = 0;
  #isRunning = false;
  /** It takes its slices now; false while it waits for a pause in the edits or for what it needs to know. */
  #isWorking = false;
  #workedMs = 0;
  #waiting: { untilMs: number; resolve: () => void }[] = [];
  #held: { promise: Promise<void>; release: () => void } | null = null;

  constructor(context: CheckingContext) {
    this.#context = context;
  }

  /** Of the examples that are still there; those of before until others are found. */
  get findings(): readonly CheckFinding[] {
    return this.#shown?.findings ?? none;
  }

  get disabled(): ReadonlySet<string> {
    return this.#disabled;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Checks everything, by what `prepare` finds out; what was known stays until then. */
  configure(prepare: (context: PlanContext) => Promise<CheckingPlan>): void {
    this.#prepare = prepare;
    this.#forgetPlan();
    this.#begin(0);
  }

  /** Checks again what an edit has changed, once the edits pause. */
  edited(): void {
    if (this.#prepare !== null) this.#begin(editPauseMs);
  }

  /** Other examples were read: nothing that is known holds. */
  reread(): void {
    this.#shown = null;
    this.#forgetPlan();
    if (this.#prepare !== null) this.#begin(0);
  }

  /** While something more urgent is done. */
  hold(isHeld: boolean): void {
    if (!isHeld) {
      this.#held?.release();
      this.#held = null;
    } else if (this.#held === null) {
      let release = () => {};
      const promise = new Promise<void>((resolve) => {
        release = resolve;
      });
      this.#held = { promise, release };
    }
  }

  /** Resolves when the checks have worked for so long, or have nothing to do: theirs is a share of the time. */
  share(ms: number): Promise<void> {
    if (!this.#isWorking || this.#held !== null) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ untilMs: this.#workedMs + ms, resolve }));
  }

  dispose(): void {
    this.#prepare = null;
    this.#forgetPlan();
    this.#run++;
    this.#end();
    this.hold(false);
  }

  #begin(delayMs: number): void {
    const run = ++this.#run;
    this.#rest();
    const wasRunning = this.#isRunning;
    this.#isRunning = true;
    if (!wasRunning) this.#context.onChange();
    this.#check(run, delayMs).then(
      (isDone) => {
        if (isDone) this.#finish();
      },
      (error) => {
        if (run !== this.#run) return;
        this.#context.onFault(error);
        this.#finish();
      },
    );
  }

  /** False: it was given up for a later one. */
  async #check(run: number, delayMs: number): Promise<boolean> {
    const { breathe, document } = this.#context;
    const isStale = () => run !== this.#run;
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    if (isStale() || this.#prepare === null) return false;
    if (this.#current === null) {
      const { settings, whole } = await this.#found(this.#prepare);
      if (isStale()) return false;
      this.#current = new DatasetChecks(document, settings, whole);
      this.#disabled = settings.disabled;
    }
    const steps = this.#current.update();
    this.#isWorking = true;
    for (;;) {
      while (this.#held !== null) await this.#held.promise;
      if (isStale()) return false;
      const startMs = performance.now();
      let isDone = false;
      while (!isDone && performance.now() - startMs < sliceMs) isDone = steps.next().done === true;
      this.#workedMs += performance.now() - startMs;
      this.#wake(this.#workedMs);
      if (isDone) break;
      await breathe();
      if (isStale()) return false;
    }
    this.#shown = this.#current;
    return true;
  }

  #found(prepare: (context: PlanContext) => Promise<CheckingPlan>): Promise<CheckingPlan> {
    if (this.#plan === null) {
      const abort = new AbortController();
      const breathe = async () => {
        while (this.#held !== null) await this.#held.promise;
        await this.#context.breathe();
      };
      this.#plan = { found: prepare({ signal: abort.signal, breathe }), abort };
    }
    return this.#plan.found;
  }

  #forgetPlan(): void {
    this.#current = null;
    this.#plan?.abort.abort();
    this.#plan = null;
  }

  #finish(): void {
    this.#end();
    this.#context.onChange();
  }

  #end(): void {
    this.#isRunning = false;
    this.#rest();
  }

  /** Nobody waits for slices that do not come. */
  #rest(): void {
    this.#isWorking = false;
    this.#wake(Number.POSITIVE_INFINITY);
  }

  #wake(workedMs: number): void {
    const waiting = this.#waiting;
    this.#waiting = waiting.filter(({ untilMs }) => untilMs > workedMs);
    for (const { untilMs, resolve } of waiting) if (untilMs <= workedMs) resolve();
  }
}

const none: readonly CheckFinding[] = [];
