/**
 * What is asked of the worker about why, for one dataset: an example now and then, or, while the heat is on, all that a person sees. The
 * explanations themselves are held by the worker; the drawing asks for them.
 */
import * as vscode from 'vscode';
import type { AttributionOptions, ExplainedClass, ExplainParams, ExplainResult } from '../../protocol/attribution';
import type { LineRange, Position } from '../../protocol/dataset';

export interface AttributionServices {
  options(): AttributionOptions;
  explain(params: Pick<ExplainParams, 'options' | 'scope' | 'explained'>, signal: AbortSignal): Promise<ExplainResult>;
  clear(): Promise<unknown>;
  onError(error: unknown): void;
}

/** While lines fly by, none of them is explained. */
const settleMs = 120;

export class SessionAttribution {
  readonly #services: AttributionServices;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Something else can be drawn or said. */
  readonly onDidChange = this.#changed.event;

  isHeatOn = false;
  /** Why another method is taken than the one that was chosen. */
  fallback: string | null = null;
  #visible: LineRange | null = null;
  #timer: NodeJS.Timeout | undefined;
  #abort: AbortController | null = null;

  constructor(services: AttributionServices) {
    this.#services = services;
  }

  get options(): AttributionOptions {
    return this.#services.options();
  }

  /** Explains the example at a position, whether the heat is on or not. */
  async explainAt(position: Position, explained: ExplainedClass, signal: AbortSignal): Promise<ExplainResult> {
    const result = await this.#services.explain(
      { options: this.options, scope: { kind: 'at', position }, explained },
      signal,
    );
    this.fallback = result.fallback;
    this.#changed.fire();
    return result;
  }

  async setHeat(isOn: boolean): Promise<void> {
    this.isHeatOn = isOn;
    this.#stop();
    if (isOn) this.refresh();
    else await this.#services.clear();
    this.#changed.fire();
  }

  /** Another method, or other settings of it: what was explained is explained anew where it is seen. */
  async changeOptions(): Promise<void> {
    this.#stop();
    this.fallback = null;
    await this.#services.clear();
    this.refresh();
    this.#changed.fire();
  }

  setVisible(lines: LineRange | null): void {
    if (lines?.start === this.#visible?.start && lines?.end === this.#visible?.end) return;
    this.#visible = lines;
    this.refresh();
  }

  /** Explains what is seen and is not explained: other lines, edited ones, or a worker that knows nothing yet. */
  refresh(): void {
    if (!this.isHeatOn) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#explainVisible().catch((error) => this.#fail(error)), settleMs);
  }

  async #explainVisible(): Promise<void> {
    const lines = this.#visible;
    if (lines === null) return;
    this.#abort?.abort();
    const abort = new AbortController();
    this.#abort = abort;
    try {
      const result = await this.#services.explain(
        { options: this.options, scope: { kind: 'lines', lines }, explained: { kind: 'predicted' } },
        abort.signal,
      );
      if (abort.signal.aborted) return;
      this.fallback = result.fallback;
      this.#changed.fire();
    } catch (error) {
      // Other lines, or another method, have taken its place.
      if (!abort.signal.aborted) throw error;
    } finally {
      if (this.#abort === abort) this.#abort = null;
    }
  }

  /** Tried again and again it would fail again and again. */
  #fail(error: unknown): void {
    this.isHeatOn = false;
    this.#changed.fire();
    this.#services.onError(error);
  }

  onProgress(): void {
    this.#changed.fire();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#abort?.abort();
    this.#abort = null;
  }

  dispose(): void {
    this.isHeatOn = false;
    this.#stop();
    this.#changed.dispose();
  }
}
