/**
 * Logits on disk, so that nothing is asked twice, not after a crash and not tomorrow. Several processes may hold it at
 * once. Keys name the model's content, the runtime, the graph variant and the input, so an entry never goes stale.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { open } from 'lmdb';
import type { ModelInfo } from '../../protocol/prediction';
import { runtimeVersion } from './classifier';
import type { LogitsCache } from './run';

/** Above this size the cache is emptied at start: entries are cheap to make again. */
const maxBytes = 512 * 1024 * 1024;

/** Throws where the folder cannot be used (read-only disk, network file systems without locks). */
export function openDiskCache(folder: string): LogitsCache {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'logits.mdb');
  const isTooLarge = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > maxBytes;
  const database = open<Buffer, string>({ path: file, encoding: 'binary', compression: false });
  if (isTooLarge) database.clearSync();
  return {
    get(key) {
      const bytes = database.get(key);
      if (bytes === undefined || bytes.byteLength % 4 !== 0) return undefined;
      // lmdb reuses its buffer for the next read, and it need not be aligned.
      return new Float32Array(Uint8Array.from(bytes).buffer);
    },
    set(key, logits) {
      void database.put(
        key,
        Buffer.from(logits.buffer.slice(logits.byteOffset, logits.byteOffset + logits.byteLength)),
      );
    },
  };
}

export function openMemoryCache(): LogitsCache {
  return new Map<string, Float32Array>();
}

/** The part of a cache that holds one model's logits, computed by this version of ONNX Runtime. */
export function cacheOfModel(cache: LogitsCache, { hash }: Pick<ModelInfo, 'hash'>): LogitsCache {
  const prefix = `${hash.slice(0, 32)}:${runtimeVersion}:plain:`;
  return {
    get: (key) => cache.get(prefix + key),
    set: (key, logits) => cache.set(prefix + key, logits),
  };
}

/** A short name for token ids: 22 characters of their sha256. */
export function hashOfIds(ids: Int32Array): string {
  const bytes = new Uint8Array(ids.buffer, ids.byteOffset, ids.byteLength);
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
}
