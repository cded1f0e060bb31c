// What a person does around the editor: commands, picks, notifications, the status bar.
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { readLabels, readStatusBar, type StatusBarItem } from './in-page.mjs';
import type { Workbench } from './workbench.js';

const input = '.quick-input-widget .quick-input-box input';
const row = '.quick-input-widget .quick-input-list .monaco-list-row';

/** Shows the command palette or quick open with `value` in it. */
async function quickOpen({ page }: Workbench, value: string): Promise<void> {
  const box = page.locator(input);
  if (await box.isVisible()) await page.keyboard.press('Escape');
  await page.keyboard.press('F1');
  await box.waitFor();
  await box.fill(value);
}

/**
 * Runs a command by its title as the palette shows it ("Assay: Diagnose Dataset"). The palette's list can be older than the
 * extension's commands, so it is opened anew until the command is there.
 */
export async function runCommand(workbench: Workbench, title: string, timeoutMs = 45_000): Promise<void> {
  const { page } = workbench;
  const exact = page.locator(row).filter({ has: page.locator(`.label-name`, { hasText: exactly(title) }) });
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    await quickOpen(workbench, `>${title}`);
    try {
      await exact.first().waitFor({ timeout: 2000 });
      await exact.first().click({ timeout: 2000 });
      return;
    } catch {
      await page.keyboard.press('Escape');
      if (Date.now() > deadline) throw new Error(`The palette does not offer "${title}".`);
    }
  }
}

/** Matches the whole of a label; highlighting splits it into spans and spaces may be hard ones. */
function exactly(text: string): RegExp {
  const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/ /g, '\\s');
  return new RegExp(`^\\s*${escaped}\\s*$`);
}

/** Opens a file by its absolute path, at a line (1-based) if given, and resolves when its editor shows lines. */
export async function openFile(workbench: Workbench, file: string, line?: number): Promise<void> {
  const { page } = workbench;
  const name = path.basename(file);
  const found = page.locator(row).filter({ has: page.locator('.label-name', { hasText: exactly(name) }) });
  for (let tries = 0; ; tries += 1) {
    await quickOpen(workbench, line === undefined ? file : `${file}:${line}`);
    try {
      await found.first().waitFor({ timeout: 5000 });
      await page.keyboard.press('Enter');
      await page
        .locator(`.editor-group-container.active .tab.active[data-resource-name=${JSON.stringify(name)}]`)
        .waitFor({ timeout: 5000 });
      break;
    } catch (error) {
      if (tries === 3) throw error;
    }
  }
  await page.locator('.editor-group-container.active .monaco-editor .view-line').first().waitFor();
}

/** Moves the cursor of the active editor there (1-based), which also brings the line into view. */
export async function goTo(workbench: Workbench, line: number, column = 1): Promise<void> {
  await quickOpen(workbench, `:${line}:${column}`);
  await workbench.page.locator(row).first().waitFor();
  await workbench.page.keyboard.press('Enter');
  await workbench.page.locator(input).waitFor({ state: 'hidden' });
}

/** The labels of the quick pick that is open, once they have come to rest. */
export async function quickInputItems({ page }: Workbench): Promise<string[]> {
  await page.locator(row).first().waitFor();
  let last: string[] = [];
  for (;;) {
    const now = (await page.locator(row).evaluateAll(readLabels)).map(plain);
    if (now.length > 0 && now.join('\n') === last.join('\n')) return now;
    last = now;
    await page.waitForTimeout(150);
  }
}

/** Picks the first entry of the open quick pick whose label holds `text`. */
export async function pickQuickInput({ page }: Workbench, text: string | RegExp): Promise<void> {
  await page.locator(row).filter({ hasText: text }).first().click();
}

/** Fills the open input box, and confirms unless told otherwise. */
export async function typeQuickInput({ page }: Workbench, value: string, { confirm = true } = {}): Promise<void> {
  const box = page.locator(input);
  await box.fill(value);
  if (confirm) await box.press('Enter');
}

/**
 * Chooses a folder in the dialog that is open. The dialog writes its own path into the box when it has read it, and lists what
 * lies beside a typed folder before it accepts it; until then it takes no click, or goes into the folder first.
 */
export async function chooseFolder({ page }: Workbench, folder: string, button: string): Promise<void> {
  const dialog = page.locator('.quick-input-widget').filter({ hasText: button });
  const box = dialog.locator('.quick-input-box input');
  const accept = dialog.locator('.monaco-button').filter({ hasText: button });
  const isAsked = async () => (await dialog.isVisible()) && (await box.inputValue()) !== '';
  await dialog.waitFor();
  for (let tries = 0; !(await isAsked()) && tries < 50; tries += 1) await page.waitForTimeout(100);
  for (let tries = 0; ; tries += 1) {
    try {
      await box.fill(folder);
      await page
        .locator(row)
        .filter({ hasText: path.basename(folder) })
        .first()
        .waitFor({ timeout: 3000 });
      await accept.click({ timeout: 3000 });
      await dialog.waitFor({ state: 'hidden', timeout: 3000 });
      return;
    } catch (error) {
      if (!(await dialog.isVisible())) return;
      if (tries === 7) throw error;
    }
  }
}

/** The messages that are shown now. */
export async function notifications({ page }: Workbench): Promise<string[]> {
  const texts = await page.locator('.notifications-toasts .notification-list-item-message').allTextContents();
  return texts.map(plain);
}

/** Resolves to the first message that matches, when it is shown. */
export async function waitForNotification(
  { page }: Workbench,
  text: string | RegExp,
  timeoutMs = 45_000,
): Promise<string> {
  const message = page
    .locator('.notifications-toasts .notification-list-item-message')
    .filter({ hasText: text })
    .first();
  await message.waitFor({ timeout: timeoutMs });
  return plain((await message.textContent()) ?? '');
}

/** Presses a button of the message that matches. */
export async function pressNotificationButton(
  { page }: Workbench,
  text: string | RegExp,
  button: string,
): Promise<void> {
  const toast = page.locator('.notifications-toasts .notification-list-item').filter({ hasText: text }).first();
  await toast.hover();
  await toast.locator('.monaco-button', { hasText: button }).click();
}

export async function clearNotifications(workbench: Workbench): Promise<void> {
  await runCommand(workbench, 'Notifications: Clear All Notifications');
  await workbench.page.locator('.notifications-toasts .notification-list-item').first().waitFor({ state: 'detached' });
}

/** The items of the status bar from left to right. */
export async function statusBar({ page }: Workbench): Promise<StatusBarItem[]> {
  return await page.locator('.part.statusbar .statusbar-item').evaluateAll(readStatusBar);
}

/** Resolves to the status bar item whose text or label matches, when there is one. */
export async function waitForStatusBar(
  { page }: Workbench,
  text: string | RegExp,
  timeoutMs = 45_000,
): Promise<Locator> {
  const item = page.locator('.part.statusbar .statusbar-item').filter({ hasText: text }).first();
  await item.waitFor({ timeout: timeoutMs });
  return item;
}

/** Hard spaces become plain ones, runs of white space one. */
function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
