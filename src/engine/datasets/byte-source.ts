import { open } from 'node:fs/promises';

/** A file's bytes, read piece by piece, wherever they are. */
export interface ByteSource {
  /** In bytes. */
  readonly size: number;
  /** The bytes from `offset` on, `length` of them unless the file ends before. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** Bytes that are in memory. */
export function byteSource(bytes: Uint8Array): ByteSource {
  return { size: bytes.length, read: async (offset, length) => bytes.subarray(offset, offset + length) };
}

/** Opens a file for as long as `use` takes. */
export async function withFile<T>(path: string, use: (source: ByteSource) => Promise<T>): Promise<T> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    return await use({
      size,
      async read(offset, length) {
        const bytes = new Uint8Array(Math.max(0, Math.min(length, size - offset)));
        let filled = 0;
        while (filled < bytes.length) {
          const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, offset + filled);
          if (bytesRead === 0) break;
          filled += bytesRead;
        }
        return bytes.subarray(0, filled);
      },
    });
  } finally {
    await file.close();
  }
}
