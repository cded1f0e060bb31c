export interface FirstLook {
  /** From the key to the first badge of any kind. */
  firstBadgeMs: number;
  /** From the key to the first badge with a probability. */
  firstPredictionMs: number;
  /** From the key until every visible line has its badge and none is pending. */
  ms: number;
  /** Visible lines with a probability. */
  predicted: number;
}

export function watchFirstLook(options: { editorSelector: string; limitMs: number }): void;
export function firstLook(): Promise<FirstLook>;
