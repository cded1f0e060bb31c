import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openFile, runCommand } from './driver/commands';
import { hoverAt, visibleLines, waitForLines } from './driver/editor';
import { tellFailure } from './driver/failure';
import { setTheme, type Theme } from './driver/settings';
import { closeWorkbench, openWorkbench, screenshot, type Workbench } from './driver/workbench';

declare const ASSAY_ROOT: string;

const themes: readonly { theme: Theme; name: string }[] = [
  { theme: 'Default Dark Modern', name: 'dark' },
  { theme: 'Default Light Modern', name: 'light' },
  { theme: 'Default High Contrast', name: 'contrast' },
];

const badge = /^[✓✗?⚠○]\uFE0E? (\.\d\d|1\.0)$/u;

describe('the lines of a dataset, as a person sees them', () => {
  let workbench: Workbench;
  let folder: string;

  before(async function () {
    this.timeout(120_000);
    folder = mkdtempSync(path.join(tmpdir(), 'assay-look-'));
    cpSync(path.join(ASSAY_ROOT, 'samples'), folder, { recursive: true });
    workbench = await openWorkbench(folder);
    await openFile(workbench, path.join(folder, 'sentiment.csv'));
  });
  afterEach(async function () {
    await tellFailure(this.currentTest, workbench);
  });
  after(async () => {
    await closeWorkbench(workbench);
    rmSync(folder, { recursive: true, force: true });
  });

  for (const { theme, name } of themes) {
    it(`sentiment and relations in ${name}`, async function () {
      this.timeout(120_000);
      await setTheme(workbench, theme);
      for (const [file, word] of [
        ['sentiment.csv', 'filthy'],
        ['relations.jsonl', 'soup'],
        ['relations.semeval.txt', 'soup'],
      ] as const) {
        await openFile(workbench, path.join(folder, file));
        await runCommand(workbench, 'Assay: Diagnose Dataset');
        const lines = await waitForLines(
          workbench,
          (shown) =>
            shown.filter((line) => line.before.some((text) => badge.test(text))).length > 4 &&
            !shown.some((line) => line.before.includes('·')),
        );
        // A text of several lines has its badge on the first and its details on the last of them.
        const badges = lines.filter((shown) => shown.before.some((text) => badge.test(text))).length;
        const details = lines.filter((shown) => shown.after.some((text) => /(\.\d\d|1\.0)/.test(text))).length;
        assert.ok(
          details >= badges - 1,
          `${badges} badges, but ${details} details:\n${lines.map((line) => JSON.stringify(line)).join('\n')}`,
        );
        await workbench.page
          .locator('.codelens-decoration')
          .filter({ hasText: /Assay: 7\d examples · .* wrong/ })
          .first()
          .waitFor();
        await screenshot(workbench, `${name}-${file}`);
        const card = await hoverAt(
          workbench,
          (await visibleLines(workbench)).find((line) => line.text.includes(word))?.number ?? 2,
          word,
        );
        assert.match(card.join('\n'), /gold/);
        await screenshot(workbench, `${name}-${file}-hover`);
      }
    });
  }
});
