import type { DatasetDocument } from '../engine/datasets/document';
import { parseFileArguments } from './arguments';
import { columnsHelp, parseColumns } from './columns';
import { datasetNotes, goldNotes } from './dataset-notes';
import { entityNotes } from './entity-notes';
import { exampleLine, findingLine } from './example-line';
import { type CliIo, exitCode, InputError } from './io';
import { labelsHelp, openDataset } from './open-dataset';
import type { Verb } from './verb';

const help = `Usage: assay read FILE [--columns COLUMNS] [--labels MAP.json] [--findings]

Prints the examples of a dataset file as Assay understands it: one JSON object a line on stdout, in the order of the file, with
  id        the dataset's own, else the number of the example
  text      as a model would be given it, without the file's quotes and escapes
  gold      the label in the file, or null
  spans     null, or {"head": {"start", "end"}, "tail": {"start", "end"}}, or {"aspect": {"start", "end"}}, in UTF-16 code units
            of the text, end exclusive
  mentions  null, or {"head": [{"start", "end"}, …], "tail": […]} where the file tells several of an entity
  range     where its row stands in the file: {"startLine", "startChar", "endLine", "endChar"}, 0-based, end exclusive
On stderr: the format, the columns, how sure they are, the counts, and the first of the rows that cannot be read.

${columnsHelp}
${labelsHelp}
  --findings         prints behind the examples, on stdout, everything that is wrong with the rows: {"code", "severity",
                     "message", "range"}
`;

export const readVerb: Verb = {
  summary: 'Print the examples of a dataset file as JSON Lines',
  help,
  run,
};

/** UTF-16 code units that are put together for one write. */
const pieceUnits = 65_536;

async function run(args: readonly string[], io: CliIo): Promise<number> {
  const { file, values } = parseFileArguments('read', args, {
    columns: { type: 'string' },
    labels: { type: 'string' },
    findings: { type: 'boolean' },
  });
  const columns = values.columns === undefined ? null : parseColumns(values.columns);
  const dataset = await openDataset(file, { columns, labels: values.labels ?? null }, io);
  const notes = [...datasetNotes(file, dataset), ...goldNotes(dataset.info), ...entityNotes(dataset.examples)];
  for (const line of notes) io.note(line);
  const isWhole = await writeLines(linesOf(dataset, values.findings === true), io);
  if (!isWhole) {
    io.note('interrupted: not all of the file is written');
    return exitCode.interrupted;
  }
  if (dataset.examples.length === 0) throw new InputError(`${file}: no example could be read.`);
  return exitCode.ok;
}

/** One at a time, so that a large file's lines are never all in memory. */
function* linesOf(dataset: DatasetDocument, withFindings: boolean): Generator<string> {
  for (const example of dataset.examples) yield exampleLine(example, dataset.recordRange(example));
  if (!withFindings) return;
  // Within a row they come in the order in which its parts are read.
  const inPlace = dataset.findings.toSorted(
    ({ range: a }, { range: b }) => a.startLine - b.startLine || a.startChar - b.startChar,
  );
  for (const finding of inPlace) yield findingLine(finding);
}

/** Writes lines as fast as they are taken; false: a person has interrupted it. */
async function writeLines(lines: Iterable<string>, io: CliIo): Promise<boolean> {
  let piece: string[] = [];
  let units = 0;
  for (const line of lines) {
    piece.push(line);
    units += line.length;
    if (units < pieceUnits) continue;
    if (io.signal.aborted) return false;
    await io.write(piece.join(''));
    piece = [];
    units = 0;
  }
  if (io.signal.aborted) return false;
  if (piece.length > 0) await io.write(piece.join(''));
  return true;
}
