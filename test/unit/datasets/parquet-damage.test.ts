import assert from 'node:assert/strict';
import { byteSource } from '../../../src/engine/datasets/byte-source';
import { NotADataset } from '../../../src/engine/datasets/dataset';
import { DatasetDocument } from '../../../src/engine/datasets/document';
import { openPaged, parquetReader } from '../../../src/engine/datasets/paged-file';
import { listColumn, numberColumn, parquetFile, structColumn, textColumn } from '../../fixtures/parquet/build';

const texts = Array.from(
  { length: 60 },
  (_, index) => `Film ${index} was ${index % 3 === 0 ? 'fine' : 'dull'}, we thought.`,
);
const plain = (codec: 'UNCOMPRESSED' | 'SNAPPY' | 'GZIP' | 'BROTLI') =>
  parquetFile(
    [
      { schema: textColumn('text'), values: texts },
      { schema: numberColumn('label'), values: texts.map((_, index) => BigInt(index % 2)) },
    ],
    { codec, rowGroupSize: 20 },
  );
const nested = () =>
  parquetFile([
    { schema: listColumn('token', textColumn('element')), values: texts.map((text) => text.split(' ')) },
    { schema: structColumn('meta', [textColumn('source')]), values: texts.map(() => ({ source: 'web' })) },
    { schema: textColumn('label'), values: texts.map((_, index) => (index % 2 === 0 ? 'pos' : 'neg')) },
  ]);

/** What is said of a file that is not read; null: it is. */
async function refusal(bytes: Uint8Array): Promise<string | null> {
  const source = byteSource(bytes);
  try {
    const file = await openPaged(source, { name: 'rows.parquet' });
    for (let page = 0; page < file.info.pageCount; page++) await file.readPage(source, page);
    return null;
  } catch (error) {
    assert.ok(error instanceof NotADataset, `${error instanceof Error ? error.stack : error}`);
    return error.message;
  }
}

const text = (words: string) => new TextEncoder().encode(words);
const ends = (middle: Uint8Array, magic = 'PAR1') => Uint8Array.from([...text(magic), ...middle, ...text(magic)]);

describe('datasets: Parquet that cannot be read', () => {
  it('is told by its ends: cut off, encrypted, no footer', async () => {
    const whole = plain('SNAPPY');
    assert.equal(await refusal(whole), null);
    for (const length of [4, 11, 12, 100, whole.length - 1])
      assert.match((await refusal(whole.slice(0, length))) ?? '', /^rows\.parquet is a Parquet file that is cut off/);
    assert.match(
      (await refusal(ends(new Uint8Array(100), 'PARE'))) ?? '',
      /is an encrypted Parquet file\. Write it without/,
    );
    for (const size of [4, 100, 5000]) {
      assert.match(
        (await refusal(ends(new Uint8Array(size)))) ?? '',
        /cannot be read \(its footer is said to take 0 of the file's [\d,]+ bytes\)/,
      );
    }
    const long = whole.slice();
    new DataView(long.buffer).setUint32(long.length - 8, 0x7fffffff, true);
    assert.match((await refusal(long)) ?? '', /its footer is said to take 2,147,483,647 of the file's/);
    for (const footer of [1, 5, 40]) {
      const short = whole.slice();
      new DataView(short.buffer).setUint32(short.length - 8, footer, true);
      assert.match((await refusal(short)) ?? '', /cannot be read \(.*\)\. It is damaged/);
    }
  });

  it('is told without rows', async () => {
    const none = parquetFile([{ schema: textColumn('text'), values: [] }]);
    assert.match((await refusal(none)) ?? '', /is a Parquet file without rows/);
  });

  it('is not what begins with the same letters and is text', async () => {
    const bytes = text('PAR1,label\nA fine film about nothing,pos\nA dull film about it,neg\n');
    assert.equal(await parquetReader(byteSource(bytes)), null);
    assert.equal(DatasetDocument.open({ name: 'f.csv', bytes }).examples.length > 0, true);
  });

  const files = {
    plain: plain('UNCOMPRESSED'),
    snappy: plain('SNAPPY'),
    gzip: plain('GZIP'),
    brotli: plain('BROTLI'),
    nested: nested(),
  };
  for (const [name, whole] of Object.entries(files)) {
    it(`is read or refused in words whatever is damaged of its footer and headers (${name})`, async () => {
      let seed = 1;
      const random = (below: number) => {
        seed = (seed * 48_271) % 2_147_483_647;
        return seed % below;
      };
      const footer = new DataView(whole.buffer, whole.byteOffset).getUint32(whole.length - 8, true) + 8;
      // The values themselves may be others and as good: what says how to read them is damaged, in the footer and before the first page.
      for (let run = 0; run < 150; run++) {
        const damaged = whole.slice();
        const at = run % 5 === 0 ? 4 + random(8) : whole.length - 1 - random(footer);
        damaged[at] = damaged[at]! ^ (1 + random(255));
        const message = await refusal(damaged);
        if (message !== null)
          assert.doesNotMatch(message, /undefined|null|not a function|not iterable|BigInt|\bRangeError/, message);
      }
      for (let run = 0; run < 20; run++) {
        const message = await refusal(whole.slice(0, 4 + random(whole.length - 4)));
        assert.match(message ?? '', /Parquet file that (is cut off|cannot be read)/);
      }
    });
  }
});
