/** What a suite said of each example, and how it is shown. */
import type { Example } from '../engine/datasets/dataset';
import type { ExampleOutcome, TestedVariant } from '../engine/perturbation/run-suite';
import type { AppliedEdit } from '../engine/perturbation/source';
import type { SuiteTest } from '../engine/perturbation/suite';
import type { FailingVariant, VariantCounts, VariantPiece } from '../protocol/robustness';

/** Failing variants of an example that are kept: what a card has room for. */
const mostKept = 6;

interface Tested extends VariantCounts {
  /** The first ones, in the order of the suite. */
  failures: readonly FailingVariant[];
}

/** What was found of each example; of one that has been edited nothing is known. Variants that hold are counted and not kept. */
export class TestedExamples {
  #tested = new WeakMap<Example, Tested>();

  clear(): void {
    this.#tested = new WeakMap();
  }

  set(example: Example, outcomes: readonly ExampleOutcome<Example>[]): void {
    const failing = outcomes.flatMap(({ test, variants }) =>
      variants.filter(({ isFailure }) => isFailure).map((one) => ({ test, one })),
    );
    this.#tested.set(example, {
      variants: outcomes.reduce((sum, { variants }) => sum + variants.length, 0),
      failing: failing.length,
      failures: failing.slice(0, mostKept).map(({ test, one }) => failingVariant(example, test, one)),
    });
  }

  /** Null: it was not tested. */
  countsOf(example: Example): VariantCounts | null {
    const tested = this.#tested.get(example);
    return tested === undefined ? null : { variants: tested.variants, failing: tested.failing };
  }

  failuresOf(example: Example): FailingVariant[] {
    return [...(this.#tested.get(example)?.failures ?? [])];
  }
}

/** Characters that are shown around a change. */
const around = 28;

function failingVariant({ text }: Example, test: SuiteTest, { variant, prediction }: TestedVariant): FailingVariant {
  return {
    test: test.name,
    pieces: piecesOf(text, variant.text, variant.edits),
    label: prediction.label,
    probability: Math.max(...prediction.probabilities),
  };
}

/** The beginning of the next word, so that none is cut. */
function wordStart(text: string, at: number): number {
  if (at <= 0) return 0;
  const space = text.slice(at, at + around).search(/\s\S/);
  return space < 0 ? at : at + space + 1;
}

/** What was taken away and what was put in its place, with a little of the text around it. */
function piecesOf(source: string, variant: string, edits: readonly AppliedEdit[]): VariantPiece[] {
  const pieces: VariantPiece[] = [];
  let from = wordStart(source, (edits[0]?.source.start ?? 0) - around);
  if (from > 0) pieces.push({ kind: 'same', text: '…' });
  const same = (to: number): void => {
    const text = source.slice(from, to);
    if (text.length > 2 * around + 1)
      pieces.push({ kind: 'same', text: `${text.slice(0, around)}…${text.slice(-around)}` });
    else if (text !== '') pieces.push({ kind: 'same', text });
  };
  for (const edit of edits) {
    same(edit.source.start);
    const [removed, added] = [
      source.slice(edit.source.start, edit.source.end),
      variant.slice(edit.variant.start, edit.variant.end),
    ];
    if (removed !== '') pieces.push({ kind: 'removed', text: removed });
    if (added !== '') pieces.push({ kind: 'added', text: added });
    from = edit.source.end;
  }
  if (edits.length > 0) same(Math.min(source.length, from + around));
  return pieces;
}
