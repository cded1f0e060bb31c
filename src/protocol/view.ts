import type { Explanation, Heat } from './attribution';
import type { FileRange, Position, Task } from './dataset';
import type { ListedFinding } from './findings';
import type { FailingVariant, VariantCounts } from './robustness';

/**
 * How an example fares, worst first: a `problem` needs a person before the model can speak; `unmatched` has a gold label
 * that the model does not know.
 */
export type ExampleState = 'problem' | 'wrong' | 'unmatched' | 'right' | 'unlabelled' | 'pending';

/** One example as it is drawn on its lines. */
export interface ExampleView {
  state: ExampleState;
  /** First to last line of the row it stands in. */
  range: FileRange;
  /** The end of its text's own value: where the details are hung. */
  detailsAt: Position;
  heads: FileRange[];
  tails: FileRange[];
  gold: string | null;
  prediction: { label: string; probability: number; truncated: boolean } | null;
  /** Of its perturbed variants; null: it was not tested. */
  variants: VariantCounts | null;
}

/** What stands on the asked lines of a document, as of `version`. */
export interface View {
  version: number;
  examples: ExampleView[];
  /** Of the examples that are explained. */
  heats: Heat[];
  /** Errors and warnings: what is only said stands in the hover and among the problems. */
  findings: ListedFinding[];
}

/** What the hover says of one example. */
export interface Card {
  id: string;
  task: Task;
  state: ExampleState;
  range: FileRange;
  gold: string | null;
  /** The same label under the model's name for it, where that differs. */
  goldInModel: string | null;
  /** The words of the entities. */
  entities: { head: string; tail: string } | null;
  prediction: { label: string; probability: number; truncated: boolean; tokenCount: number; maxTokens: number } | null;
  /** The likeliest labels, falling; the gold label is always among them. */
  top: { label: string; probability: number; isGold: boolean }[];
  /** Labels left out of `top`, and their probability together. */
  rest: { count: number; probability: number };
  /** Null: nobody has asked why. */
  explanation: Explanation | null;
  /** Null: it was not tested. */
  variants: VariantCounts | null;
  /** The first of the variants that fail. */
  failures: FailingVariant[];
}

/** The hover of a position: its examples, the one at the position first, and what is wrong with its row. */
export interface CardList {
  version: number;
  cards: Card[];
  findings: ListedFinding[];
}

/** The next thing to look at, seen from a position. */
export interface NextFinding {
  range: FileRange;
  /** 1-based, in file order. */
  ordinal: number;
  total: number;
  message: string;
}
