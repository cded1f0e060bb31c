/**
 * Groups inputs into batches: sorted by length, so that little is padded, and filled while rows x longest row stays
 * within the budget. A batch holds at least one row, however long. Returns indices into `tokenCounts`; every index once.
 */
export function planBatches(tokenCounts: readonly number[], tokenBudget: number): number[][] {
  const order = Array.from(tokenCounts, (_, index) => index).sort((a, b) => tokenCounts[a]! - tokenCounts[b]! || a - b);
  const batches: number[][] = [];
  let batch: number[] = [];
  for (const index of order) {
    // Sorted, so the newest row is the longest.
    if (batch.length > 0 && (batch.length + 1) * tokenCounts[index]! > tokenBudget) {
      batches.push(batch);
      batch = [];
    }
    batch.push(index);
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
