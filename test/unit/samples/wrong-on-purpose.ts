/** A row of the README's tables: the label in the file, and the right one. */
export interface WrongLabel {
  id: string;
  text: string;
  given: string;
  right: string;
}

/** Reads the two tables of samples/README.md; sentiment ids begin with `s`, relations are numbered. */
export function wrongOnPurpose(readme: string): { sentiment: WrongLabel[]; relations: WrongLabel[] } {
  const rows = [...readme.matchAll(/^\| (s?\d+) \| (.+) \| (\S+) \| (\S+) \|$/gm)].map((match) => ({
    id: match[1]!,
    text: match[2]!.replaceAll('**', ''),
    given: match[3]!.replaceAll('`', ''),
    right: match[4]!.replaceAll('`', ''),
  }));
  return {
    sentiment: rows.filter((row) => row.id.startsWith('s')),
    relations: rows.filter((row) => !row.id.startsWith('s')),
  };
}
