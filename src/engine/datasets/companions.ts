/** Files beside a dataset that say more of it: what its relation ids are called, where entities stand in its text. */

/** A file beside a dataset, as far as it was worth reading. */
export interface Companion {
  readonly name: string;
  readonly text: string;
  /** A person named it as the file that says what labels are called: it names all it names, numbers too. */
  readonly chosen?: boolean;
}

/** Larger files are not read: names of relations take some kilobytes, annotations some hundred. */
export const MAX_COMPANION_BYTES = 8_000_000;
const MAX_COMPANIONS = 8;

/** `pid2name.json`, `rel_info.json`, `relation-names.json`, `id2label.json`; also behind a prefix, `fewrel_pid2name.json`. */
const namesFile =
  /^(?:[\w.-]*[_.-])?(?:(?:p|r|rel|relation|label|prop|property)?(?:id)?2(?:name|label|rel|relation)s?|(?:rel|relation|label|property)s?[_-]?(?:info|names?|map))\.json$/i;
const annotated = /^(.*)\.(txt|ann)$/i;

/** Which files of a dataset's folder (`listing`: their names) are worth reading beside the dataset `name`. */
export function companionNames(name: string, listing: readonly string[]): string[] {
  const stem = annotated.exec(name)?.[1];
  const annotations = listing.filter((other) => stem !== undefined && annotated.exec(other)?.[1] === stem);
  const names = listing.filter((other) => namesFile.test(other)).sort();
  return [...annotations, ...names].filter((other) => other !== name).slice(0, MAX_COMPANIONS);
}
