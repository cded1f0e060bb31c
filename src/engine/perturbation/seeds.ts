import { createHash } from 'node:crypto';
import { createRandom, type Random } from '../statistics/random';

/**
 * Random numbers of one perturbation of one example. They depend on nothing else, so a test of a selection, or one that was stopped and
 * goes on, makes the variants that the whole run makes.
 */
export function randomFor(seed: number, perturbation: string, example: string): Random {
  const digest = createHash('sha256')
    .update(JSON.stringify([seed, perturbation, example]))
    .digest();
  return createRandom(digest.readUIntBE(0, 6));
}
