import type { ColumnChoice } from '../../../protocol/dataset';
import type { ByteSource } from '../byte-source';
import type { Companion } from '../companions';
import { textsStandApart } from '../dataset';
import { parquetReader } from '../paged-file';
import { openStream } from '../stream';
import type { OtherSplit } from './file-check';
import { SplitFacts } from './split-facts';

export interface OtherSplitOptions {
  /** `train`, `dev`, `test`. */
  split: string;
  /** The file, as people are told of it. */
  name: string;
  /** The columns a person chose; without it they are detected. */
  choice?: ColumnChoice | null;
  companions?: readonly Companion[];
  signal?: AbortSignal;
  /** Waited for after every few milliseconds of work, so that others have their turn. */
  breathe?(): Promise<void>;
}

/** Rows read between two breaths. */
const SLICE_ROWS = 1024;

/**
 * Reads a file that holds another split of a dataset, of any size and format, through a window: its texts are not kept.
 * @throws NotADataset; the signal's reason
 */
export async function readOtherSplit(source: ByteSource, options: OtherSplitOptions): Promise<OtherSplit> {
  const { split, name, choice = null, companions = [], signal, breathe } = options;
  const facts = new SplitFacts();
  let rows = 0;
  const rest = async () => {
    if (++rows % SLICE_ROWS !== 0) return;
    signal?.throwIfAborted();
    await breathe?.();
  };
  const parquet = await parquetReader(source);
  if (parquet !== null) {
    let line = 0;
    for await (const { examples } of parquet.parquetRows(source, { name, choice })) {
      for (const example of examples) facts.add({ ...example, aspect: example.aspect ?? null }, line);
      line++;
      await rest();
    }
    return facts.finish(split, name);
  }
  const stream = await openStream(source, { name, choice, companions });
  for await (const { records, positionOf } of stream.read(signal === undefined ? {} : { signal })) {
    for (const { cut, row } of records) {
      if (row.examples.length === 0) continue;
      const isApart = textsStandApart(row.examples);
      let { line } = positionOf(cut.start);
      for (const example of row.examples) {
        if (isApart) line = positionOf(cut.start + example.textField.start).line;
        facts.add({ ...example, aspect: example.aspect ?? null }, line);
        await rest();
      }
    }
  }
  return facts.finish(split, name);
}
