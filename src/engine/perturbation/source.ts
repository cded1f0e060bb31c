/** What is perturbed, and what comes of it. All offsets are UTF-16 code units, ends exclusive. */
import type { EntitySpans, Span } from '../../protocol/dataset';

/** An example, as far as perturbations need it; an `Example` of a dataset is one. */
export interface Source {
  readonly text: string;
  /** The two entities; null for sentiment. */
  readonly spans: EntitySpans | null;
  /** Every mention of them, where the dataset tells more than one. */
  readonly mentions: { readonly head: readonly Span[]; readonly tail: readonly Span[] } | null;
  /** What the label is about, where the dataset marks it: never changed. */
  readonly aspect: Span | null;
  readonly types: { readonly head: string | null; readonly tail: string | null } | null;
  readonly gold: string | null;
}

/** What is written in place of [start, end) of a source's text. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /**
   * Where an insertion (or an edit of a span from end to end) stands at a boundary of an entity: whether it belongs to the entity. Entities
   * whose range lies within this range keep what is inserted at their edges outside, those that hold it take it in.
   */
  readonly region: Span;
}

/** A change as it stands in both texts. */
export interface AppliedEdit {
  readonly source: Span;
  readonly variant: Span;
}

/** A changed example. It has what a model reads, so it can be classified like any other. */
export interface Variant {
  readonly text: string;
  readonly spans: EntitySpans | null;
  readonly mentions: { head: Span[]; tail: Span[] } | null;
  readonly aspect: Span | null;
  readonly types: { head: string | null; tail: string | null } | null;
  /** In the order of the text; empty where only the roles of the entities were changed. */
  readonly edits: readonly AppliedEdit[];
}
