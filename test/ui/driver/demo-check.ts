// What `npm run demo -- --check` looks at: a person opens a sample of each task, runs Diagnose Dataset, and reads the predictions on
// the lines. scripts/demo.mjs bundles and runs it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { notifications, openFile, runCommand } from './commands.js';
import { codeLensText, type VisibleLine, visibleLines } from './editor.js';
import { endSession, openWorkbench, screenshot, type Workbench } from './workbench.js';

export interface DemoSample {
  /** Name of a file in the folder. */
  name: string;
  /** Passed when every example that can be seen carries a badge before it and details after its text. */
  annotated: number;
  visible: number;
  ms: number;
  picture: string;
}

/** The lines (1-based, first and last) of each example of a file with one example a record. */
function exampleLines(file: string): { first: number; last: number }[] {
  const lines = readFileSync(file, 'utf8').split(/\r?\n/);
  const records: { first: number; last: number }[] = [];
  let first: number | undefined;
  let isQuoted = false;
  for (const [index, line] of lines.entries()) {
    // A CSV field in quotes may hold line ends; a quote inside it is doubled, so that the count stays even.
    if (file.endsWith('.csv') && line.split('"').length % 2 === 0) isQuoted = !isQuoted;
    first ??= index + 1;
    if (isQuoted) continue;
    if (line !== '' || first !== index + 1) records.push({ first, last: index + 1 });
    first = undefined;
  }
  // The samples' CSV has a header.
  return file.endsWith('.csv') ? records.slice(1) : records;
}

function count(
  records: { first: number; last: number }[],
  lines: VisibleLine[],
): { annotated: number; visible: number } {
  const shown = new Map(lines.map((line) => [line.number, line]));
  const visible = records.filter(({ first, last }) => shown.has(first) && shown.has(last));
  const annotated = visible.filter(({ first, last }) => {
    const own = Array.from({ length: last - first + 1 }, (_, index) => shown.get(first + index));
    return (own[0]?.before.length ?? 0) > 0 && own.some((line) => (line?.after.length ?? 0) > 0);
  });
  return { annotated: annotated.length, visible: visible.length };
}

/** The summary above the first line, once it rests: it counts up until the whole file is predicted. Empty where none comes. */
async function finalSummary(workbench: Workbench): Promise<string> {
  let last = '';
  let since = Date.now();
  for (const began = since; Date.now() - began < 30_000; ) {
    const now = (await codeLensText(workbench)).join(' ');
    if (now !== last) {
      last = now;
      since = Date.now();
    } else if (now !== '' && Date.now() - since > 1500) return now;
    await workbench.page.waitForTimeout(100);
  }
  return last;
}

/** Does the check on a copy of samples/; `pictures` is where screenshots go. A sample that never is annotated says so in its counts. */
export async function checkDemo(
  folder: string,
  names: string[],
  vsix: string,
  pictures: string,
): Promise<DemoSample[]> {
  const workbench = await openWorkbench(folder, { extensions: [vsix] });
  const seen: DemoSample[] = [];
  try {
    for (const name of names) {
      const file = path.join(folder, name);
      const records = exampleLines(file);
      await openFile(workbench, file);
      await runCommand(workbench, 'Assay: Diagnose Dataset');
      const began = Date.now();
      let lines = await visibleLines(workbench);
      let counted = count(records, lines);
      while ((counted.visible === 0 || counted.annotated < counted.visible) && Date.now() - began < 90_000) {
        await workbench.page.waitForTimeout(50);
        lines = await visibleLines(workbench);
        counted = count(records, lines);
      }
      const ms = Date.now() - began;
      const summary = await finalSummary(workbench);
      const picture = await screenshot(workbench, path.parse(name).name, pictures);
      seen.push({ name, ...counted, ms, picture });
      for (const line of lines.slice(0, 4)) {
        console.log(
          `  ${line.number ?? ''}\t[${line.before.join(' ')}] ${line.text.slice(0, 60)} [${line.after.join(' ')}]`,
        );
      }
      console.log(`  summary: ${summary || 'none'}`);
      for (const message of await notifications(workbench)) console.log(`  (message: ${message})`);
    }
  } finally {
    await endSession();
  }
  return seen;
}
