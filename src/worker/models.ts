/** The models in this process. A loaded one stays: ONNX Runtime cannot give its memory back, a restart can. */
import os from 'node:os';
import type { InputLength } from '../engine/datasets/checks/settings';
import { type Classifier, loadClassifier } from '../engine/models/classifier';
import { type GradientModel, loadGradientModel } from '../engine/models/gradient-model';
import { inputLengthOf } from '../engine/models/input-length';
import { ModelError } from '../engine/models/model-error';
import { type ModelFolder, readModelFolder } from '../engine/models/model-folder';
import { stringsOf } from '../engine/models/template';
import { calibratedBudget, type TokenBudget } from '../engine/models/token-budget';
import type { ModelInspection } from '../protocol/worker';

export interface LoadedModel {
  classifier: Classifier;
  /** Learns how fast this model is on this machine, over all its runs. */
  budget: TokenBudget;
  /** Loaded when first asked for, beside the classifier. Rejects with ModelError where the graph cannot be differentiated. */
  gradients(): Promise<GradientModel>;
  /** As `budget`, of batches with gradients. */
  gradientBudget: TokenBudget;
  /** Made when it is first asked for: it takes a tokenizer of its own. */
  inputLength(): InputLength;
}

export class Models {
  readonly #loaded = new Map<string, Promise<LoadedModel>>();
  readonly #threads: number;

  constructor(threads: number) {
    this.#threads = Math.max(1, Math.min(threads, os.availableParallelism()));
  }

  /** Throws ModelError. */
  async load(folder: string): Promise<LoadedModel> {
    let loading = this.#loaded.get(folder);
    if (loading === undefined) {
      loading = this.#load(folder);
      this.#loaded.set(folder, loading);
      loading.catch(() => this.#loaded.delete(folder));
    }
    return loading;
  }

  async inspect(folder: string): Promise<ModelInspection> {
    try {
      const model = await readModelFolder(folder);
      await this.#tryOut(model);
      const inferred = model.markersInferred
        ? (model.markers && stringsOf(model.markers).join(' ')) || 'no markers'
        : null;
      return { kind: 'model', info: model.info, markersInferred: inferred };
    } catch (error) {
      if (error instanceof ModelError) return { kind: 'notAModel', message: error.message };
      throw error;
    }
  }

  /** One input through the model: what its files promise may still not hold. */
  async #tryOut(model: ModelFolder): Promise<void> {
    const classifier = await loadClassifier(model, { threads: 1 });
    const spans = { head: { start: 0, end: 3 }, tail: { start: 4, end: 7 } };
    const input = {
      text: 'one two',
      spans: model.info.task === 'relation' ? spans : null,
      mentions: null,
      types: null,
    };
    try {
      await classifier.run([classifier.encode(input)]);
    } finally {
      await classifier.dispose();
    }
  }

  async #load(folder: string): Promise<LoadedModel> {
    const modelFolder = await readModelFolder(folder);
    const classifier = await loadClassifier(modelFolder, { threads: this.#threads });
    // A batch can be neither stopped nor interrupted: while it runs nothing else is answered. At 80 ms scrolling stays
    // quick, a cancelled run ends well within 150 ms, and throughput is within a tenth of its best.
    const calibration = { aimMs: 80, startTokens: 256, minTokens: 32, maxTokens: 8192 };
    const budget = calibratedBudget(calibration);
    const gradientBudget = calibratedBudget({ ...calibration, startTokens: 128 });
    let loading: Promise<GradientModel> | null = null;
    const gradients = () => {
      loading ??= loadGradientModel(modelFolder, { threads: this.#threads });
      return loading;
    };
    let length: InputLength | null = null;
    const inputLength = () => {
      length ??= inputLengthOf(modelFolder);
      return length;
    };
    return { classifier, budget, gradients, gradientBudget, inputLength };
  }
}
