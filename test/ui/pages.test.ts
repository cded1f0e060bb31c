import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { notifications, runCommand, typeQuickInput } from './driver/commands';
import { hoverAt, waitForLines } from './driver/editor';
import { tellFailure } from './driver/failure';
import { closeWorkbench, openWorkbench, screenshot, type Workbench } from './driver/workbench';

declare const ASSAY_ROOT: string;

const texts = [
  'A wonderful film, warm and clever from the first shot to the last',
  'Dull and endless: two hours that feel like five',
  'The soup was cold and the waiter rude',
  'We would come back for the cake alone',
];

describe('files that no editor shows', () => {
  let workbench: Workbench;
  let folder: string;

  const lens = (text: string | RegExp) =>
    workbench.page.locator('.editor-group-container.active .codelens-decoration').filter({ hasText: text }).first();

  before(async function () {
    this.timeout(120_000);
    folder = mkdtempSync(path.join(tmpdir(), 'assay-pages-'));
    copyFileSync(path.join(ASSAY_ROOT, 'samples/reviews.parquet'), path.join(folder, 'reviews.parquet'));
    const rows = Array.from({ length: 2500 }, (_, index) => ({
      id: `r${index + 1}`,
      text: texts[index % texts.length],
      // One label of ten is wrong.
      label: (index % texts.length) % 3 === 0 && index % 10 !== 8 ? 'positive' : 'negative',
    }));
    writeFileSync(path.join(folder, 'one-line.json'), JSON.stringify(rows));
    writeFileSync(
      path.join(folder, 'numbers.json'),
      JSON.stringify(Array.from({ length: 60_000 }, (_, index) => index)),
    );
    workbench = await openWorkbench(folder);
  });
  afterEach(async function () {
    await tellFailure(this.currentTest, workbench);
  });
  after(async () => {
    await closeWorkbench(workbench);
    rmSync(folder, { recursive: true, force: true });
  });

  /** The menu may be older than the extension's part of it, and one that has only just opened takes no click: again, until `shown` is. */
  async function openFromExplorer(name: string, shown: Locator): Promise<void> {
    const { page } = workbench;
    const item = page.locator('.monaco-menu .action-label').filter({ hasText: 'Open Dataset…' }).first();
    for (let tries = 0; ; tries++) {
      await page
        .locator('.explorer-viewlet .monaco-list-row')
        .filter({ hasText: name })
        .first()
        .click({ button: 'right' });
      try {
        await item.hover({ timeout: 2000 });
        await page.waitForTimeout(500);
        await item.click({ timeout: 2000 });
        await shown.waitFor({ timeout: 10_000 });
        return;
      } catch (error) {
        await page.keyboard.press('Escape');
        if (tries === 10) throw error;
      }
    }
  }

  it("Parquet opens from the explorer's menu, a row a line, annotated", async () => {
    await openFromExplorer('reviews.parquet', lens('Page 1 of 1 · 1–73 of 73'));
    await lens(/73 examples · accuracy 0\.\d\d/).waitFor();
    const lines = await waitForLines(
      workbench,
      (all) => all.filter(({ before: badge }) => /\d/.test(badge.join(''))).length > 10,
    );
    assert.match(lines[0]?.text ?? '', /^\{"text": "The hotel looks splendid/);
    await hoverAt(workbench, 4, 'Crisp');
    await screenshot(workbench, 'pages-parquet');
  });

  it('single-line JSON opens in pages, which are turned by their links', async () => {
    const { page } = workbench;
    await openFromExplorer('one-line.json', lens('Page 1 of 3 · 1–1,000 of 2,500'));
    await lens(/1,000 examples · accuracy/).waitFor();
    await screenshot(workbench, 'pages-first');
    await page.locator('.codelens-decoration a', { hasText: 'Next Page' }).first().click();
    await lens('Page 2 of 3 · 1,001–2,000 of 2,500').waitFor();
    await lens(/1,000 examples · accuracy/).waitFor();
    await screenshot(workbench, 'pages-second');
    await page.locator('.codelens-decoration a', { hasText: 'Go to Page…' }).first().click();
    await typeQuickInput(workbench, '9', { confirm: false });
    await page.locator('.quick-input-message').filter({ hasText: 'There are pages 1 to 3' }).waitFor();
    await typeQuickInput(workbench, '3');
    await lens('Page 3 of 3 · 2,001–2,500 of 2,500').waitFor();
    await runCommand(workbench, 'Assay: Previous Page');
    await lens('Page 2 of 3').waitFor();
    assert.deepEqual(await notifications(workbench), []);
  });

  it('a page is read-only, and says so', async () => {
    const { page } = workbench;
    await page.locator('.editor-group-container.active .view-line').first().click();
    await page.keyboard.type('x');
    const text = await page.locator('.monaco-editor-overlaymessage').first().textContent();
    assert.match(text ?? '', /read-only/i);
    await page.keyboard.press('Escape');
  });

  it('columns of a file in pages are chosen as of any other', async () => {
    const { page } = workbench;
    await runCommand(workbench, 'Assay: Choose Columns');
    for (const [question, answer] of [
      ['What is labelled?', 'Sentiment'],
      ['Which column holds the text?', 'text'],
      ['Which column holds the gold label?', 'None'],
    ] as const) {
      await page.locator(`.quick-input-box input[placeholder*="${question}"]`).waitFor();
      await page
        .locator('.quick-input-widget .quick-input-list .monaco-list-row')
        .filter({ has: page.locator('.label-name', { hasText: new RegExp(`^${answer}$`) }) })
        .first()
        .click();
    }
    await lens('Page 1 of 3 · 1–1,000 of 2,500').waitFor();
    await lens('text: text').waitFor();
    await lens(/Assay: 1,000 examples · no gold labels/).waitFor();
  });

  it('a file that is no dataset is told so, once', async () => {
    const { page } = workbench;
    await openFromExplorer(
      'numbers.json',
      page.locator('.notifications-toasts .notification-list-item').filter({ hasText: /JSON list of values/ }),
    );
    assert.equal((await notifications(workbench)).length, 1);
  });
});
