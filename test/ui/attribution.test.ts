import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  clearNotifications,
  goTo,
  notifications,
  openFile,
  pickQuickInput,
  quickInputItems,
  runCommand,
} from './driver/commands';
import { hoverAt, pressCodeLens, waitForCodeLens, waitForColours, waitForLines } from './driver/editor';
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
  row('A wonderful film with a dreadful end.', 'positive'),
  row('Tedious and far too long, but the music is lovely.', 'negative'),
  row('Nobody laughed; "funny" is what the poster says 😀.', 'negative'),
  row('The actors are superb and the story moves you.', 'positive'),
  row('Not bad, not good, not anything.', 'positive'),
];

describe('the heat on the words', () => {
  let workbench: Workbench;
  let folder: string;

  before(async function () {
    this.timeout(120_000);
    folder = mkdtempSync(path.join(tmpdir(), 'assay-heat-'));
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

  /** A test that is tried again finds it on already. */
  async function showHeat(): Promise<void> {
    const lenses = await waitForCodeLens(workbench, /Show Heat|Hide Heat/);
    if (lenses.includes('Show Heat')) await pressCodeLens(workbench, 'Show Heat');
    await waitForColours(workbench, (found) => found.length >= 12);
  }

  for (const { theme, name } of themes) {
    it(`the look in ${name}`, async function () {
      this.timeout(120_000);
      await setTheme(workbench, theme);
      await openFile(workbench, path.join(folder, 'reviews.jsonl'));
      await runCommand(workbench, 'Assay: Diagnose Dataset');
      await waitForLines(workbench, (shown) => shown.filter(({ after }) => after.length > 0).length >= 4);
      await pressCodeLens(workbench, 'Show Heat');
      await waitForCodeLens(workbench, 'Heat: Integrated Gradients');
      const colours = await waitForColours(workbench, (found) => found.length >= 12);
      assert.ok(new Set(colours).size >= 4, 'strengths and signs differ');
      const parts = await hoverAt(workbench, 1, 'wonderful');
      assert.match(parts.join('\n'), /for positive: .*wonderful \+\d/);
      assert.match(parts.join('\n'), /against: .*dreadful −\d/);
      assert.match(parts.join('\n'), /Integrated Gradients · the scores add up to/);
      await screenshot(workbench, `heat-${name}`);
      await workbench.page.keyboard.press('Escape');
      await pressCodeLens(workbench, 'Hide Heat');
      await waitForColours(workbench, (found) => found.length === 0);
      await runCommand(workbench, 'Assay: Clear');
    });
  }

  it('explains the example at the cursor with one command, and why not the gold label', async () => {
    await openFile(workbench, path.join(folder, 'reviews.jsonl'));
    await runCommand(workbench, 'Assay: Diagnose Dataset');
    await waitForLines(workbench, (shown) => shown.filter(({ after }) => after.length > 0).length >= 4);
    await goTo(workbench, 5, 14);
    await runCommand(workbench, 'Assay: Explain Example');
    const hover = workbench.page.locator('.monaco-hover:visible');
    await hover
      .filter({ hasText: /for negative:/ })
      .first()
      .waitFor();
    await waitForColours(workbench, (found) => found.length > 0);
    await hover.locator('a', { hasText: 'Why not the gold label?' }).first().click();
    await hover
      .filter({ hasText: /for negative and not positive:/ })
      .first()
      .waitFor();
    await screenshot(workbench, 'heat-why-not');
  });

  it('another method is chosen by its name; methods without a sign have one colour', async () => {
    await workbench.page.keyboard.press('Escape');
    await showHeat();
    await runCommand(workbench, 'Assay: Choose Attribution Method');
    await workbench.page.locator('.quick-input-box input[placeholder*="which words"]').waitFor();
    await quickInputItems(workbench);
    await pickQuickInput(workbench, 'Gradient Sensitivity');
    await waitForCodeLens(workbench, 'Heat: Gradient Sensitivity');
    const parts = await hoverAt(workbench, 1, 'wonderful');
    assert.match(parts.join('\n'), /most looked at for positive: /);
    await screenshot(workbench, 'heat-unsigned');
  });

  it('what is typed is explained anew', async () => {
    await workbench.page.keyboard.press('Escape');
    await showHeat();
    await goTo(workbench, 4, 10);
    await workbench.page.keyboard.type('Dreadful and dull, a tedious waste of time. ');
    await waitForLines(workbench, (shown) =>
      shown.some(({ number, after }) => number === 4 && /negative/.test(after.join(' '))),
    );
    await waitForColours(workbench, (found) => found.length >= 12);
    // Explained a moment after it is predicted.
    let said = '';
    for (let tries = 0; tries < 10 && !/for negative: .*(tedious|dull)/.test(said); tries++) {
      said = (await hoverAt(workbench, 4, 'Dreadful')).join('\n');
    }
    assert.match(said, /for negative: .*(tedious|dull)/);
  });
});
