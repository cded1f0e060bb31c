/** What was tested of one dataset, and how far a test is. The outcomes of examples are held by the worker. */
import * as vscode from 'vscode';
import type { RobustnessProgress, RobustnessResult, TestScope, TestSummary } from '../../protocol/robustness';
import { UserError } from '../user-error';
import type { ChosenSuite } from './chosen-suite';

export interface RobustnessServices {
  run(chosen: ChosenSuite, scope: TestScope, signal: AbortSignal): Promise<RobustnessResult>;
}

export type Tested = Extract<RobustnessResult, { kind: 'tested' }>;

export class SessionRobustness {
  readonly #services: RobustnessServices;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Something else can be drawn or said. */
  readonly onDidChange = this.#changed.event;

  /** Of the last test that came to an end, or as far as it came. */
  result: Tested | null = null;
  running: { done: number; total: number } | null = null;
  #abort: AbortController | null = null;

  constructor(services: RobustnessServices) {
    this.#services = services;
  }

  /** Null: it was cancelled, or another test has taken its place. Throws UserError where the suite cannot be used. */
  async run(chosen: ChosenSuite, scope: TestScope, signal: AbortSignal): Promise<Tested | null> {
    this.#abort?.abort();
    const abort = new AbortController();
    this.#abort = abort;
    signal.addEventListener('abort', () => abort.abort(), { once: true });
    this.running = { done: 0, total: 0 };
    this.#changed.fire();
    try {
      const result = await this.#services.run(chosen, scope, abort.signal);
      if (result.kind === 'badSuite') throw new UserError(badSuite(chosen, result.message));
      this.result = result;
      return abort.signal.aborted ? null : result;
    } catch (error) {
      if (abort.signal.aborted) return null;
      throw error;
    } finally {
      if (this.#abort === abort) {
        this.#abort = null;
        this.running = null;
      }
      this.#changed.fire();
    }
  }

  onProgress({ done, total }: RobustnessProgress): void {
    if (this.running !== null) this.running = { done, total };
    this.#changed.fire();
  }

  /** What was found is of another model, or of other columns. */
  forget(): void {
    this.#abort?.abort();
    this.result = null;
  }

  dispose(): void {
    this.#abort?.abort();
    this.#changed.dispose();
  }
}

function badSuite({ file }: ChosenSuite, message: string): string {
  const name = file === null ? 'The suite' : vscode.workspace.asRelativePath(file);
  return `${name} cannot be used: ${message.replace(/\.$/, '')}. Correct it, then run "Assay: Test Robustness" again.`;
}

/** `20 of 24 tests passed`. */
export function verdictOf(tests: readonly TestSummary[]): string {
  const applied = tests.filter(({ passed }) => passed !== null);
  return `${applied.filter(({ passed }) => passed === true).length} of ${applied.length} tests passed`;
}
