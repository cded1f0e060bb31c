import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Blame, blameAfterCrash, blameAfterSuccess, noBlame } from '../../../src/host/worker/blame';
import {
  afterCrash,
  type CrashHistory,
  crashLimit,
  crashWindowMs,
  noCrashes,
} from '../../../src/host/worker/restart-policy';

/**
 * Plays runs against a worker that dies whenever a batch holds a poisonous key: all keys that are neither suspected nor
 * guilty in batches of `size` first, then each suspect by itself, as src/worker/run.ts does. Returns what came through.
 */
function play(keys: readonly string[], poison: ReadonlySet<string>, size: number) {
  let blame: Blame = noBlame;
  let history: CrashHistory = noCrashes;
  const done = new Set<string>();
  let crashes = 0;
  let counted = 0;
  for (let nowMs = 0; ; nowMs += 100) {
    const suspected = new Set(blame.suspects.flatMap((suspect) => suspect.keys));
    const plain = keys.filter((key) => !done.has(key) && !suspected.has(key) && !blame.guilty.includes(key));
    const batches: string[][] = [];
    for (let index = 0; index < plain.length; index += size) batches.push(plain.slice(index, index + size));
    batches.push(...blame.suspects.map((suspect) => [...suspect.keys]));
    const deadly = batches.find((batch) => batch.some((key) => poison.has(key)));
    for (const batch of batches.slice(0, deadly === undefined ? undefined : batches.indexOf(deadly))) {
      for (const key of batch) done.add(key);
      blame = blameAfterSuccess(blame, batch);
    }
    if (deadly === undefined) return { done, blame, crashes, counted };
    crashes++;
    const verdict = blameAfterCrash(blame, deadly);
    blame = verdict.blame;
    if (!verdict.isExplained) counted++;
    history = afterCrash(history, nowMs, verdict.isExplained).history;
    assert.ok(crashes < 200, 'the search does not end');
  }
}

describe('blame', () => {
  it('a batch that killed once is run again alone, and is innocent when it comes through', () => {
    const first = blameAfterCrash(noBlame, ['a', 'b']);
    assert.deepEqual(first.blame.suspects, [{ keys: ['a', 'b'], crashes: 1 }]);
    assert.equal(first.isExplained, false);
    assert.deepEqual(blameAfterSuccess(first.blame, ['a', 'b']), noBlame);
  });

  it('a batch that kills twice is split, until one input is guilty', () => {
    const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const { blame, done, crashes } = play(keys, new Set(['f']), 8);
    assert.deepEqual(blame.guilty, ['f']);
    assert.deepEqual(
      [...done].sort(),
      keys.filter((key) => key !== 'f'),
    );
    // Whole, whole again, then halves of 4, 2 and 1.
    assert.equal(crashes, 5);
  });

  it('a single input is run twice before it is guilty', () => {
    const once = blameAfterCrash(noBlame, ['a']);
    assert.deepEqual(once.blame.guilty, []);
    assert.deepEqual(blameAfterCrash(once.blame, ['a']).blame.guilty, ['a']);
  });

  it('a crash with nothing in flight blames nobody', () => {
    assert.deepEqual(blameAfterCrash(noBlame, null), { blame: noBlame, isExplained: false });
  });

  it('finds every poisonous input, loses no other, and crashes at most two plain times a batch', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 16 }),
        fc.array(fc.nat(59), { maxLength: 4 }),
        (count, size, bad) => {
          const keys = Array.from({ length: count }, (_, index) => `k${index}`);
          const poison = new Set(bad.map((index) => `k${index}`).filter((key) => keys.includes(key)));
          const { blame, done, counted } = play(keys, poison, size);
          assert.deepEqual([...blame.guilty].sort(), [...poison].sort());
          assert.deepEqual([...done].sort(), keys.filter((key) => !poison.has(key)).sort());
          assert.ok(counted <= 2 * poison.size);
        },
      ),
    );
  });
});

describe('restart policy', () => {
  it('stops at the third crash within three minutes', () => {
    let history = noCrashes;
    const actions: string[] = [];
    for (let crash = 0; crash < crashLimit; crash++) {
      const verdict = afterCrash(history, crash * 1000, false);
      history = verdict.history;
      actions.push(verdict.action);
    }
    assert.deepEqual(actions, ['restart', 'restart', 'stop']);
  });

  it('forgets crashes that are older', () => {
    const first = afterCrash(noCrashes, 0, false).history;
    const second = afterCrash(first, 1000, false).history;
    assert.equal(afterCrash(second, crashWindowMs + 500, false).action, 'restart');
  });

  it('does not count a crash that narrows a search', () => {
    const history = { crashesMs: [0, 1] };
    assert.deepEqual(afterCrash(history, 2, true), { history, action: 'restart' });
  });
});
