/** A row of a file as detection sees it: cells by the names of their columns. */

/** A value of a sampled row. `place`: an object or list that says where an entity stands. */
export interface Cell {
  kind: 'text' | 'number' | 'boolean' | 'tokens' | 'place' | 'other';
  /** The text; tokens joined; for others the raw value. */
  value: string;
}

/** A cell of text; a number in quotes is a number. */
export function textCell(value: string): Cell {
  return { kind: /^\s*[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*$/.test(value) ? 'number' : 'text', value };
}

/** A sampled row: its cells by column. A column that the row lacks, or whose value is null, is absent. */
export type SampleRow = ReadonlyMap<string, Cell>;

/** The values of those columns that hold one: a text, number or boolean. */
export function plainValues(row: SampleRow): Map<string, string> {
  const values = new Map<string, string>();
  for (const [name, { kind, value }] of row) {
    if (kind === 'text' || kind === 'number' || kind === 'boolean') values.set(name, value);
  }
  return values;
}
