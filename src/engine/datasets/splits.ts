import type { DatasetSplit } from '../../protocol/dataset';

/** Train, dev and test files that stand beside each other are one dataset. Their names tell, nothing else is looked at. */

type Split = DatasetSplit['split'];

const order: readonly Split[] = ['train', 'dev', 'test'];
const splitOfWord = new Map<string, Split | 'eval'>([
  ...['train', 'training', 'trn'].map((word) => [word, 'train'] as const),
  ...['dev', 'devel', 'development', 'val', 'valid', 'validation'].map((word) => [word, 'dev'] as const),
  ...['test', 'testing', 'tst'].map((word) => [word, 'test'] as const),
  ...['eval', 'evaluation'].map((word) => [word, 'eval'] as const),
]);

/** A word by itself, or in front of `set` or `data` (`trainset.csv`); what is part of another word (`contest`) is none. */
const splitWord = new RegExp(`(?<!\\p{L})(?:${[...splitOfWord.keys()].join('|')})(?=set|data|\\P{L}|$)`, 'giu');
/** Words that one file of a dataset may have and the other not (`TRAIN_FILE.TXT`, `TEST_FILE_FULL.TXT`). */
const qualifier = /[^\p{L}\p{N}]+(?:full|final|gold|labell?ed)(?!\p{L})/giu;
/** `train-00000-of-00002.parquet`: the number of its part. */
const shard = /\d+-of-\d+/g;

/** One way to understand a name: which split it is, and what of it all splits share. */
interface NameReading {
  split: Split | 'eval';
  family: string;
  /** Without the qualifiers. */
  looseFamily: string;
  name: string;
}

/**
 * The splits of the dataset that `file` is one of: itself, and those among the names beside it that differ from it in nothing but
 * the split; train first. Empty unless there are two different ones. Names may be paths with `/` below one folder, so that
 * `train/x.jsonl` and `test/x.jsonl` are told too.
 */
export function splitsOf(file: string, beside: readonly string[]): DatasetSplit[] {
  const own = readingsOf(file);
  if (own.length === 0) return [];
  const readings = [...new Set([...beside, file])].flatMap(readingsOf);
  let best: DatasetSplit[] = [];
  for (const reading of own) {
    const splits = familyOf(reading, readings, file);
    // Of two words that would do, the last one stands in the file's own name.
    if (splits.length > 0 && distinct(splits) >= distinct(best)) best = splits;
  }
  return best;
}

/** Whether a file or folder is named after a split. */
export function namesSplit(name: string): boolean {
  return readingsOf(name).length > 0;
}

function readingsOf(name: string): NameReading[] {
  const words = [...name.matchAll(splitWord)];
  const reading = (split: Split | 'eval', rest: string): NameReading => {
    const family = rest.replace(shard, '#').toLowerCase();
    return { split, family, looseFamily: family.replace(qualifier, ''), name };
  };
  const single = words.map((word) => {
    const rest = `${name.slice(0, word.index)}\0${name.slice(word.index + word[0].length)}`;
    return reading(splitOfWord.get(word[0].toLowerCase())!, rest);
  });
  const first = single[0];
  // `train/train.jsonl` beside `test/test.jsonl`: the word changes wherever it stands.
  return first !== undefined && single.length > 1 && single.every(({ split }) => split === first.split)
    ? [...single, reading(first.split, name.replace(splitWord, '\0'))]
    : single;
}

function familyOf(own: NameReading, readings: readonly NameReading[], file: string): DatasetSplit[] {
  const members = readings.filter(({ family }) => family === own.family);
  const found = new Set(members.map(({ split }) => split));
  members.push(
    ...readings.filter(
      ({ split, looseFamily }) => !found.has(split) && looseFamily === own.looseFamily && split !== own.split,
    ),
  );
  // What is evaluated on is the dev part where there is a test part too.
  const evaluation: Split = members.some(({ split }) => split === 'test') ? 'dev' : 'test';
  const splits = members.map(({ split, name }) => ({
    split: split === 'eval' ? evaluation : split,
    name,
    isThis: name === file,
  }));
  if (distinct(splits) < 2) return [];
  return splits.sort(
    (a, b) => order.indexOf(a.split) - order.indexOf(b.split) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  );
}

function distinct(splits: readonly DatasetSplit[]): number {
  return new Set(splits.map(({ split }) => split)).size;
}
