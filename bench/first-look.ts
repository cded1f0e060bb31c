/**
 * From Enter on "Assay: Diagnose Dataset" to a prediction on every visible line, in a real VS Code in Chromium, with the
 * packaged extension.
 *   cold: the first thing that this window asks of the extension: it is not active, there is no worker, and no cache.
 *   warm: after Clear, in the same window; the dataset is read again and the cache on disk answers.
 *   new rows: the worker and its model are warm, but every text is one that it has never seen.
 */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openFile, runCommand } from '../test/ui/driver/commands';
import { closeWorkbench, endSession, openWorkbench, type Workbench } from '../test/ui/driver/workbench';
import { tell, valueFigure } from './figures';
import { type FirstLook, firstLook, watchFirstLook } from './in-page.mjs';

declare const ASSAY_ROOT: string;

const coldRounds = 5;
const warmRounds = 3;
/** The window's own start must not be measured along. */
const settleMs = 4000;
const limitMs = 60_000;

const input = '.quick-input-widget .quick-input-box input';
const focusedRow = '.quick-input-widget .quick-input-list .monaco-list-row.focused .label-name';
const editorSelector = '.editor-group-container.active .monaco-editor';
const title = 'Assay: Diagnose Dataset';

interface Looks {
  cold: FirstLook[];
  warm: FirstLook[];
  newRows: FirstLook[];
}

async function diagnose({ page }: Workbench): Promise<FirstLook> {
  await page.keyboard.press('F1');
  await page.locator(input).waitFor();
  await page.locator(input).fill(`>${title}`);
  await page.locator(focusedRow, { hasText: title }).waitFor();
  await page.waitForTimeout(500);
  await page.evaluate(watchFirstLook, { editorSelector, limitMs });
  await page.keyboard.press('Enter');
  return await page.evaluate(firstLook);
}

async function clear(workbench: Workbench): Promise<void> {
  await runCommand(workbench, 'Assay: Clear');
  // Enough for the marks to go and for the worker to come to rest.
  await workbench.page.waitForTimeout(1500);
}

/** The same rows with other texts: the first word of each text is preceded by one that no former round had. */
function withNewTexts(content: string, name: string, word: string): string {
  if (name.endsWith('.csv')) return content.replace(/^("?)(?=.+,(?:positive|negative)$)/gm, `$1${word} `);
  return content
    .split('\n')
    .map((line) => {
      if (line === '') return line;
      const row = JSON.parse(line) as { token: string[]; h: { pos: number[] }; t: { pos: number[] } };
      row.token.unshift(word);
      for (const entity of [row.h, row.t]) entity.pos = entity.pos.map((index) => index + 1);
      return JSON.stringify(row);
    })
    .join('\n');
}

async function measureRound(name: string, round: number, looks: Looks): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-first-look-'));
  const sample = path.join(ASSAY_ROOT, 'samples', name);
  const file = path.join(folder, name);
  copyFileSync(sample, file);
  const content = readFileSync(sample, 'utf8');
  const newFiles = Array.from({ length: warmRounds }, (_, index) => {
    const newFile = path.join(folder, `new-${index}-${name}`);
    writeFileSync(newFile, withNewTexts(content, name, `Take${round}${'abc'[index]}`));
    return newFile;
  });
  // Every round has a server, an extension host, a browser and folders of its own.
  const workbench = await openWorkbench(folder);
  try {
    await openFile(workbench, file);
    await workbench.page.waitForTimeout(settleMs);
    looks.cold.push(await diagnose(workbench));
    await workbench.page.waitForTimeout(1500);
    for (let again = 0; again < warmRounds; again++) {
      await clear(workbench);
      looks.warm.push(await diagnose(workbench));
    }
    for (const newFile of newFiles) {
      await openFile(workbench, newFile);
      await workbench.page.waitForTimeout(1500);
      looks.newRows.push(await diagnose(workbench));
    }
  } finally {
    await closeWorkbench(workbench);
    await endSession();
    rmSync(folder, { recursive: true, force: true });
  }
}

function tellLooks(name: string, looks: readonly FirstLook[]): void {
  const lines = looks.map((look) => look.predicted);
  tell(
    valueFigure(
      `first-look/${name}`,
      looks.map((look) => look.ms),
      'ms',
      {
        visibleLines: Math.min(...lines),
        firstBadgeMs: looks.map((look) => Math.round(look.firstBadgeMs)),
        firstPredictionMs: looks.map((look) => Math.round(look.firstPredictionMs)),
        ms: looks.map((look) => Math.round(look.ms)),
      },
    ),
  );
}

async function main(): Promise<void> {
  for (const name of ['sentiment.csv', 'relations.jsonl']) {
    const looks: Looks = { cold: [], warm: [], newRows: [] };
    for (let round = 0; round < coldRounds; round++) {
      await measureRound(name, round, looks);
      process.stderr.write(
        `first-look: ${name}, round ${round + 1} of ${coldRounds}, cold ${Math.round(looks.cold.at(-1)!.ms)} ms\n`,
      );
    }
    tellLooks(`${name}/cold`, looks.cold);
    tellLooks(`${name}/warm`, looks.warm);
    tellLooks(`${name}/new-rows`, looks.newRows);
  }
}

main().then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
