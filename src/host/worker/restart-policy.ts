/** Whether a worker that died is started again. Pure: the state goes in and comes out. */

export interface CrashHistory {
  /** When unexplained crashes happened, ms, the oldest first. */
  readonly crashesMs: readonly number[];
}

export const noCrashes: CrashHistory = { crashesMs: [] };

/** Three crashes within this time, and something is wrong that restarting does not cure. */
export const crashWindowMs = 3 * 60_000;
export const crashLimit = 3;

/**
 * `isExplained`: the crash narrowed a search for the example that kills the model. Such a search ends by itself (each
 * crash halves it), so it does not count towards the limit.
 */
export function afterCrash(
  history: CrashHistory,
  nowMs: number,
  isExplained: boolean,
): { history: CrashHistory; action: 'restart' | 'stop' } {
  if (isExplained) return { history, action: 'restart' };
  const crashesMs = [...history.crashesMs.filter((ms) => nowMs - ms < crashWindowMs), nowMs];
  return { history: { crashesMs }, action: crashesMs.length >= crashLimit ? 'stop' : 'restart' };
}
