import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { clearNotifications, goTo, notifications, openFile, runCommand } from './driver/commands';
import { hoverAt, waitForLines } from './driver/editor';
import { tellFailure } from './driver/failure';
import { setTheme, type Theme } from './driver/settings';
import { closeWorkbench, openWorkbench, screenshot, type Workbench, webview } from './driver/workbench';

const themes: readonly { theme: Theme; name: string }[] = [
  { theme: 'Default Dark Modern', name: 'dark' },
  { theme: 'Default Light Modern', name: 'light' },
  { theme: 'Default High Contrast', name: 'contrast' },
];

const row = (text: string, label: string) => JSON.stringify({ text, label });
const rows = [
  row('A wonderful film with a quiet ending', 'positive'),
  row('   ', 'negative'),
  row('The soup was cold and the waiter rude', 'negative'),
  '{"text": "Cut off in the middle',
  row('Dull and endless, and far too loud', 'negative'),
  row('A lovely surprise from the first page to the last', 'positive'),
  row('\t', 'positive'),
];

describe('findings in the side bar and among the problems', () => {
  let workbench: Workbench;
  let folder: string;

  const tree = () => workbench.page.locator('.pane-body .monaco-list[aria-label="Findings"] .monaco-list-row');
  const entry = (text: string | RegExp) => tree().filter({ hasText: text }).first();

  /** Unfolds an entry; a click on one that is unfolded would fold it. */
  async function unfold(text: string | RegExp): Promise<void> {
    await entry(text).waitFor();
    if ((await entry(text).getAttribute('aria-expanded')) === 'false') await entry(text).click();
    await tree().and(workbench.page.locator('[aria-expanded="true"]')).filter({ hasText: text }).first().waitFor();
  }

  /** Presses an entry's own button: it is there while the pointer is over the entry. */
  async function press(text: string | RegExp, button: string): Promise<void> {
    await entry(text).hover();
    await entry(text).locator(`.action-label[aria-label*="${button}"]`).click();
  }

  before(async function () {
    this.timeout(120_000);
    folder = mkdtempSync(path.join(tmpdir(), 'assay-findings-'));
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

  it('without a dataset it says how to begin', async () => {
    await runCommand(workbench, 'View: Show Assay');
    const welcome = workbench.page.locator('.welcome-view-content').filter({ hasText: 'No dataset is open' });
    await welcome.locator('.monaco-button', { hasText: 'Open Sample' }).waitFor();
    await welcome.locator('.monaco-button', { hasText: 'Diagnose Dataset' }).waitFor();
    await screenshot(workbench, 'findings-welcome');
  });

  for (const { theme, name } of themes) {
    it(`the look in ${name}`, async function () {
      this.timeout(120_000);
      await setTheme(workbench, theme);
      await openFile(workbench, path.join(folder, 'reviews.jsonl'));
      await runCommand(workbench, 'Assay: Diagnose Dataset');
      const lines = await waitForLines(
        workbench,
        (shown) => shown.filter(({ before }) => /⚠/.test(before.join(''))).length >= 3,
      );
      const remark = lines[1]?.after.join(' ') ?? '';
      assert.match(remark, /⚠\uFE0E assay\/empty-text/);
      assert.doesNotMatch(remark, /says nothing/, 'a warning is told by its code, so that the line stays calm');
      await runCommand(workbench, 'View: Show Assay');
      await unfold('Empty text');
      await entry('Line 2').waitFor();
      await runCommand(workbench, 'Problems: Focus on Problems View');
      await workbench.page.locator('.markers-panel .monaco-list-row').filter({ hasText: 'empty' }).first().waitFor();
      await screenshot(workbench, `findings-${name}`);
      const said = (await hoverAt(workbench, 2, 'label')).join('\n');
      assert.match(said, /Mark as reviewed/);
      await screenshot(workbench, `findings-${name}-hover`);
      await workbench.page.keyboard.press('Escape');
    });
  }

  it('a finding is gone to by a click, and reviewed by another', async () => {
    await entry('Line 7').click();
    await workbench.page.locator('.statusbar-item', { hasText: /Ln 7, Col/ }).waitFor();
    await press('Line 7', 'Mark as Reviewed');
    await entry(/^\s*Reviewed/).waitFor();
    const { reviewed } = JSON.parse(readFileSync(path.join(folder, '.assay', 'reviewed.json'), 'utf8'));
    assert.equal(reviewed.length, 1);
    assert.equal(reviewed[0].text, '\t');
    await unfold(/^\s*Reviewed/);
    await screenshot(workbench, 'findings-reviewed');
    await waitForLines(workbench, (lines) => !/⚠/.test(lines[6]?.before.join('') ?? '⚠'));
    await press('Line 7', 'Unmark as Reviewed');
    await entry(/^\s*Reviewed/).waitFor({ state: 'detached' });
    await waitForLines(workbench, (lines) => /⚠/.test(lines[6]?.before.join('') ?? ''));
  });

  it('all of a kind are mended by one click, and Undo brings them back', async () => {
    await openFile(workbench, path.join(folder, 'reviews.jsonl'));
    await press('Empty text', 'Fix All of This Kind');
    await waitForLines(workbench, (lines) => lines.filter(({ text }) => text !== '').length === rows.length - 2);
    await entry('Empty text').waitFor({ state: 'detached' });
    await workbench.page.locator('.editor-group-container.active .monaco-editor .view-line').first().click();
    await workbench.page.keyboard.press('ControlOrMeta+Z');
    await waitForLines(workbench, (lines) => lines.filter(({ text }) => text !== '').length === rows.length);
    await entry('Empty text').waitFor();
  });

  it('the light bulb offers what can be done', async () => {
    await goTo(workbench, 2);
    await workbench.page.keyboard.press('ControlOrMeta+.');
    const menu = workbench.page.locator('.action-widget');
    for (const title of ['Remove this row', 'Fix all of this kind in the file', 'Mark as Reviewed']) {
      await menu.locator('.action', { hasText: title }).first().waitFor();
    }
    await screenshot(workbench, 'findings-quick-fix');
    await workbench.page.keyboard.press('Escape');
  });

  it('the code of a problem leads to its page', async () => {
    await runCommand(workbench, 'Problems: Focus on Problems View');
    const problem = workbench.page.locator('.markers-panel .monaco-list-row').filter({ hasText: 'empty' }).first();
    await problem.locator('a', { hasText: 'assay/empty-text' }).click();
    await workbench.page.locator('.tab.active', { hasText: 'empty-text' }).waitFor();
    await webview(workbench).getByText('How to silence it').waitFor();
    await screenshot(workbench, 'findings-page');
  });
});
