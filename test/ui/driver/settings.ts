// User settings of a running workbench. They are changed as a person does it, inside the workbench: it does not reliably notice that
// its settings file changed on disk.
import { readFileSync } from 'node:fs';
import { pickQuickInput, runCommand, typeQuickInput } from './commands.js';
import { copyText } from './in-page.mjs';
import type { Workbench } from './workbench.js';

/** Changes user settings; a value of undefined removes one. Resolves when they are saved. */
export async function changeSettings(workbench: Workbench, changes: Record<string, unknown>): Promise<void> {
  const { page, server } = workbench;
  const settings = JSON.stringify({ ...(JSON.parse(readFileSync(server.settingsFile, 'utf8')) as object), ...changes });
  await runCommand(workbench, 'Preferences: Open User Settings (JSON)');
  const group = page.locator('.editor-group-container.active');
  await group.locator('.tab.active[data-resource-name="settings.json"]').waitFor();
  await group.locator('.monaco-editor .view-line').first().click();
  await page.keyboard.press('ControlOrMeta+A');
  // Pasted: typed brackets and quotes would be closed by the editor.
  await page.evaluate(copyText, settings);
  await page.keyboard.press('ControlOrMeta+V');
  await group.locator('.tab.active.dirty').waitFor();
  await page.keyboard.press('ControlOrMeta+S');
  await group.locator('.tab.active.dirty').waitFor({ state: 'detached' });
  await runCommand(workbench, 'View: Close Editor');
  await group.locator('.tab.active[data-resource-name="settings.json"]').waitFor({ state: 'detached' });
}

/** The themes by their names in settings; each with its name in the picker, and how the workbench shows that it wears it. */
const themes = {
  'Default Dark Modern': { label: 'Dark Modern', worn: '.vs-dark[class*="dark_modern"]' },
  'Default Light Modern': { label: 'Light Modern', worn: '.vs[class*="light_modern"]' },
  'Default High Contrast': { label: 'Dark High Contrast', worn: '.hc-black' },
  'Default High Contrast Light': { label: 'Light High Contrast', worn: '.hc-light' },
};

export type Theme = keyof typeof themes;

/** Sets the colour theme and resolves when the workbench wears it. */
export async function setTheme(workbench: Workbench, theme: Theme): Promise<void> {
  const { label, worn } = themes[theme];
  const wearing = workbench.page.locator(`.monaco-workbench${worn}`);
  if (await wearing.isVisible()) return;
  await runCommand(workbench, 'Preferences: Color Theme');
  await typeQuickInput(workbench, label, { confirm: false });
  await pickQuickInput(workbench, label);
  await wearing.waitFor();
}
