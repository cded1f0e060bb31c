/** Tests of a model on changed examples: what is asked, and what is answered. */
import type { LineRange, Position } from './dataset';
import type { PerturbationFamily } from './perturbation';
import type { Interval } from './prediction';

/** Which examples are tested. A sample is drawn by the seed. */
export type TestScope =
  | { kind: 'all' }
  | { kind: 'sample'; count: number }
  | { kind: 'lines'; lines: LineRange }
  | { kind: 'at'; position: Position };

/** A built-in suite, or the text of a suite file. */
export type SuiteChoice = { kind: 'builtIn'; name: 'quick' | 'full' } | { kind: 'file'; text: string };

export interface RobustnessParams {
  uri: string;
  model: { folder: string };
  scope: TestScope;
  suite: SuiteChoice;
  seed: number;
  /** Label pairs that a person has confirmed: dataset label, model label or null for none. */
  rememberedLabels: [string, string | null][];
}

/** What one test says of the examples. */
export interface TestSummary {
  id: string;
  name: string;
  family: PerturbationFamily;
  /** The failure rate is not above the threshold; null: it applies to no example. */
  passed: boolean | null;
  threshold: number;
  failureRate: Interval | null;
  /** Examples that have a variant; their variants; those that fail. */
  examples: number;
  variants: number;
  failing: number;
  /** Why most of the others have none; null: all have one. */
  reason: string | null;
}

export type RobustnessResult =
  | {
      kind: 'tested';
      suite: string;
      tests: TestSummary[];
      exampleCount: number;
      /** Fewer: it was cancelled. */
      testedCount: number;
      /** Of those tested: with a failing variant. */
      failingCount: number;
      ms: number;
    }
  /** The suite file cannot be used: what is wrong, and where in it. */
  | { kind: 'badSuite'; message: string };

export interface RobustnessProgress {
  uri: string;
  done: number;
  total: number;
}

/** How an example fared. */
export interface VariantCounts {
  variants: number;
  failing: number;
}

/** A stretch of a failing variant beside its source. */
export interface VariantPiece {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** What the hover shows of a failing variant. */
export interface FailingVariant {
  /** The test's name. */
  test: string;
  /** Around what was changed; empty where only the roles of the entities were. */
  pieces: VariantPiece[];
  label: string;
  probability: number;
}
