import { createHash } from 'node:crypto';

/** Names an input of a model by its tokens. */
export function keyOfIds(ids: Int32Array): string {
  return createHash('sha256').update(ids).digest('base64');
}
