/** Which perturbations are run, where, and what must hold. */
import type { Expectation, Part } from '../../protocol/perturbation';
import type { Perturbation } from './perturbation';
import type { Slice } from './slice';

export interface SuiteTest {
  /** Unique in its suite: the perturbation's id, with what the suite says of it where it stands there more than once. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  readonly perturbation: Perturbation;
  /** Null: where the perturbation acts by itself. */
  readonly parts: readonly Part[] | null;
  /** Values of its options; the others stand as they are. */
  readonly values: Readonly<Record<string, number>>;
  readonly expectation: Expectation;
  /** The test fails where the failure rate is higher. */
  readonly threshold: number;
  /** Variants an example, at most. */
  readonly most: number;
  /** Examples that it is run on; null: all. */
  readonly slice: Slice | null;
}

export interface Suite {
  readonly name: string;
  readonly tests: readonly SuiteTest[];
  /** Variants an example over all tests, at most; the first tests are filled first. */
  readonly mostAnExample: number;
}

/** What a test tolerates where nothing else is said: one example in twenty. */
export const standardThreshold = 0.05;

/** A test of a perturbation as it is by itself. */
export function plainTest(perturbation: Perturbation, most: number): SuiteTest {
  const { id, name, expectation } = perturbation;
  return {
    id,
    name,
    perturbation,
    parts: null,
    values: {},
    expectation,
    threshold: standardThreshold,
    most,
    slice: null,
  };
}

/** Without searches, which ask the model many times an example: what a person waits for. */
export function quickSuite(perturbations: readonly Perturbation[]): Suite {
  const tests = perturbations.filter(({ kind }) => kind !== 'search').map((one) => plainTest(one, 1));
  return { name: 'quick', tests, mostAnExample: 40 };
}

export function fullSuite(perturbations: readonly Perturbation[]): Suite {
  return {
    name: 'full',
    tests: perturbations.map((one) => plainTest(one, 8)),
    mostAnExample: Number.POSITIVE_INFINITY,
  };
}
