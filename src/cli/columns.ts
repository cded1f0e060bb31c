import type { ColumnChoice, Task } from '../protocol/dataset';
import { UsageError } from './io';

/** Columns named on the command line. An empty name says that the rows have no such part. */
export type ColumnArguments = Partial<Record<'text' | 'gold' | 'head' | 'tail' | 'id', string>> & { task?: Task };

/** What a verb's help says of the option. */
export const columnsHelp = `  --columns COLUMNS  text=review,label=stars or {"text": "review", "label": "stars"}; also head, tail, id and task (sentiment
                     or relation); #3 is the third column of a table without header; "id=" says that there is none.
                     What is not named is detected`;

const parts = ['text', 'gold', 'head', 'tail', 'id'] as const;
type Part = (typeof parts)[number];

/**
 * Reads `--columns`: `text=review,label=stars` or a JSON object `{"text": "review"}`. `label` is another word for `gold`.
 * Throws UsageError.
 */
export function parseColumns(argument: string): ColumnArguments {
  const columns: ColumnArguments = {};
  for (const [key, value] of argument.trimStart().startsWith('{') ? jsonPairs(argument) : commaPairs(argument)) {
    if (key === 'task') {
      if (value !== 'sentiment' && value !== 'relation') {
        throw new UsageError(`--columns: task is sentiment or relation, not ${JSON.stringify(value)}.`);
      }
      columns.task = value;
      continue;
    }
    const part = key === 'label' ? 'gold' : key;
    if (!isPart(part)) {
      throw new UsageError(
        `--columns: ${JSON.stringify(key)} is no part of an example. The parts: task, text, label (or gold), head, tail, id.`,
      );
    }
    if (columns[part] !== undefined) throw new UsageError(`--columns: ${part} is given twice.`);
    columns[part] = value;
  }
  return columns;
}

/**
 * The detected columns (null: nothing was detected) with those of the command line in their place.
 * Throws UsageError where that does not make a dataset.
 */
export function mergeColumns(detected: ColumnChoice | null, given: ColumnArguments): ColumnChoice {
  const names = given.head !== undefined || given.tail !== undefined;
  const task = given.task ?? (names ? 'relation' : (detected?.task ?? 'sentiment'));
  const choice: ColumnChoice = { task };
  for (const part of parts) {
    if (task === 'sentiment' && (part === 'head' || part === 'tail')) {
      if (given[part]) throw new UsageError(`--columns: a sentiment example has no ${part}. Write task=relation?`);
      continue;
    }
    const name = given[part] ?? detected?.[part];
    if (name !== undefined && name !== '') choice[part] = name;
  }
  return choice;
}

function isPart(key: string): key is Part {
  return (parts as readonly string[]).includes(key);
}

function commaPairs(argument: string): [string, string][] {
  return argument.split(',').map((pair) => {
    const at = pair.indexOf('=');
    if (at < 1) {
      throw new UsageError(
        `--columns: ${JSON.stringify(pair)} is not PART=COLUMN. Write e.g. --columns text=review,label=stars; names with a comma need JSON: --columns '{"text": "review, long"}'.`,
      );
    }
    return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
  });
}

function jsonPairs(argument: string): [string, string][] {
  let value: unknown;
  try {
    value = JSON.parse(argument);
  } catch (error) {
    throw new UsageError(`--columns: this is not JSON (${(error as Error).message}).`);
  }
  return Object.entries(value as object).map(([key, name]) => {
    if (typeof name !== 'string')
      throw new UsageError(`--columns: the column of ${JSON.stringify(key)} must be a string.`);
    return [key, name];
  });
}
