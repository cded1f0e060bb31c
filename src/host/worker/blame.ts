/**
 * Which inputs kill the worker. A batch that was in flight at a crash is run again, alone and last; if it kills again it
 * is split, until a single input is found guilty and left out. Pure: the state goes in and comes out.
 */

export interface Blame {
  /** Batches (input keys) to be run alone; a split one has killed twice or more. */
  readonly suspects: readonly Suspect[];
  readonly guilty: readonly string[];
}

interface Suspect {
  readonly keys: readonly string[];
  /** How often this batch, or one that it is part of, was in flight when the worker died. */
  readonly crashes: number;
}

export const noBlame: Blame = { suspects: [], guilty: [] };

/** The worker died while `inFlight` was being run. `isExplained`: the crash narrowed a search that was under way. */
export function blameAfterCrash(
  blame: Blame,
  inFlight: readonly string[] | null,
): { blame: Blame; isExplained: boolean } {
  if (inFlight === null || inFlight.length === 0) return { blame, isExplained: false };
  const suspect = blame.suspects.find((candidate) => inFlight.some((key) => candidate.keys.includes(key)));
  if (suspect === undefined) {
    return {
      blame: { ...blame, suspects: [...blame.suspects, { keys: inFlight, crashes: 1 }] },
      isExplained: false,
    };
  }
  // A suspect may have been run in parts (its batch was larger than the budget): only the part that died is blamed.
  const others = blame.suspects.filter((candidate) => candidate !== suspect);
  const rest = suspect.keys.filter((key) => !inFlight.includes(key));
  const kept = rest.length > 0 ? [...others, { keys: rest, crashes: suspect.crashes }] : others;
  const crashes = suspect.crashes + 1;
  const isExplained = suspect.crashes > 1 || rest.length > 0;
  if (inFlight.length === 1) {
    return { blame: { suspects: kept, guilty: [...blame.guilty, inFlight[0]!] }, isExplained: true };
  }
  const middle = Math.ceil(inFlight.length / 2);
  const halves = [inFlight.slice(0, middle), inFlight.slice(middle)].map((keys) => ({ keys, crashes }));
  return { blame: { ...blame, suspects: [...kept, ...halves] }, isExplained };
}

/** The batch has come through: it is no suspect any more. */
export function blameAfterSuccess(blame: Blame, finished: readonly string[]): Blame {
  if (blame.suspects.length === 0) return blame;
  const done = new Set(finished);
  const suspects = blame.suspects
    .map((suspect) => ({ ...suspect, keys: suspect.keys.filter((key) => !done.has(key)) }))
    .filter((suspect) => suspect.keys.length > 0);
  return { ...blame, suspects };
}
