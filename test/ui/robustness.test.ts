import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  clearNotifications,
  notifications,
  openFile,
  pickQuickInput,
  quickInputItems,
  runCommand,
  waitForNotification,
} from './driver/commands';
import { hoverAt, waitForCodeLens, waitForLines } from './driver/editor';
import { tellFailure } from './driver/failure';
import { setTheme, type Theme } from './driver/settings';
import { closeWorkbench, openWorkbench, screenshot, type Workbench } from './driver/workbench';

const themes: readonly { theme: Theme; name: string }[] = [
  { theme: 'Default Dark Modern', name: 'dark' },
  { theme: 'Default Light Modern', name: 'light' },
  { theme: 'Default High Contrast', name: 'contrast' },
];

const row = (text: string, label: string) => JSON.stringify({ text, label });
const rows = [
  row('A good film with a definitely odd end; it is fun.', 'positive'),
  row('Tedious and far too long, but the music is lovely.', 'negative'),
  row('Nobody laughed; their “funny” is what the poster says 😀.', 'negative'),
  row('The actors are superb and the story was not bad at all.', 'positive'),
];

describe('what breaks a model', () => {
  let workbench: Workbench;
  let folder: string;

  before(async function () {
    this.timeout(120_000);
    folder = mkdtempSync(path.join(tmpdir(), 'assay-break-'));
    writeFileSync(path.join(folder, 'reviews.jsonl'), `${rows.join('\n')}\n`);
    workbench = await openWorkbench(folder);
  });
  afterEach(async function () {
    await tellFailure(this.currentTest, workbench);
    if ((await notifications(workbench)).length > 0) await clearNotifications(workbench);
  });
  after(async () => {
    await closeWorkbench(workbench);
    rmSync(folder, { recursive: true, force: true });
  });

  for (const { theme, name } of themes) {
    it(`is told on the lines, in ${name}`, async function () {
      this.timeout(120_000);
      await setTheme(workbench, theme);
      await openFile(workbench, path.join(folder, 'reviews.jsonl'));
      await runCommand(workbench, 'Assay: Diagnose Dataset');
      await waitForLines(workbench, (shown) => shown.filter(({ after }) => after.length > 0).length >= 4);
      await runCommand(workbench, 'Assay: Test Robustness');
      await workbench.page.locator('.quick-input-box input[placeholder*="examples"]').waitFor();
      await quickInputItems(workbench);
      await pickQuickInput(workbench, 'All 4 examples');
      const told = await waitForNotification(workbench, /\d+ of \d+ tests passed/);
      assert.match(told, /\d of 4 examples with a failing variant/);
      await waitForCodeLens(workbench, /\d+ of \d+ tests passed/);
      const shown = await waitForLines(workbench, (lines) =>
        lines.some(({ after }) => /\d+ of \d+ variants fail/.test(after.join(' '))),
      );
      await clearNotifications(workbench);
      const failing = shown.find(({ after }) => /variants fail/.test(after.join(' ')))!;
      const word = /[A-Za-z]{5,}/.exec(failing.text.slice('{"text":"'.length))![0];
      const parts = await hoverAt(workbench, failing.number!, word);
      assert.match(parts.join('\n'), /\d+ of \d+ variants fail/);
      assert.match(parts.join('\n'), / → (?:positive|negative) 0\.\d\d/);
      await screenshot(workbench, `robustness-${name}`);
      await workbench.page.keyboard.press('Escape');
      await runCommand(workbench, 'Assay: Clear');
    });
  }
});
