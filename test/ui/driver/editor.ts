// What a person sees in the active editor.
import { findText, readColours, readLines, type VisibleLine } from './in-page.mjs';

export type { VisibleLine };

import type { Workbench } from './workbench.js';

const activeEditor = '.editor-group-container.active .monaco-editor';
const codeLens = `${activeEditor} .codelens-decoration`;

/** The lines that can be seen, from top to bottom. */
export async function visibleLines({ page }: Workbench): Promise<VisibleLine[]> {
  return await page.evaluate(readLines, activeEditor);
}

/** What decorations draw on a line (1-based); empty where the line is not rendered. */
export async function decorationText(
  workbench: Workbench,
  line: number,
): Promise<{ before: string[]; after: string[] }> {
  const found = (await visibleLines(workbench)).find(({ number }) => number === line);
  return { before: found?.before ?? [], after: found?.after ?? [] };
}

/**
 * Reads the visible lines until `holds` says yes, and resolves to them.
 * @throws with what was on the lines last, so that a failure can be understood.
 */
export async function waitForLines(
  workbench: Workbench,
  holds: (lines: VisibleLine[]) => boolean,
  timeoutMs = 30_000,
): Promise<VisibleLine[]> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const lines = await visibleLines(workbench);
    if (holds(lines)) return lines;
    if (Date.now() > deadline) {
      const shown = lines.map(
        ({ number, before, text, after }) =>
          `${number ?? ' '} [${before.join(' ')}] ${text.slice(0, 60)} [${after.join(' ')}]`,
      );
      throw new Error(`The lines did not come to what was awaited within ${timeoutMs} ms:\n${shown.join('\n')}`);
    }
    await workbench.page.waitForTimeout(50);
  }
}

/** Points at `text` in a line (1-based) and resolves to the hover's text, a string a part, when it has come to rest. */
export async function hoverAt(workbench: Workbench, line: number, text: string): Promise<string[]> {
  const { page } = workbench;
  const parts = page.locator('.monaco-hover:visible .hover-contents');
  await page.mouse.move(2, 2);
  await page.keyboard.press('Escape');
  await parts.first().waitFor({ state: 'hidden' });
  const place = await page.evaluate(findText, { editorSelector: activeEditor, line, text });
  if (place === null) throw new Error(`Line ${line} is not on the screen with "${text}" in it.`);
  const { x, y } = place;
  // Two moves: an editor takes no notice of a pointer that was always there.
  await page.mouse.move(x - 2, y);
  await page.mouse.move(x, y);
  await parts.first().waitFor();
  let last = '';
  for (;;) {
    const now = await parts.allInnerTexts();
    const joined = now.join('\n');
    if (joined !== '' && joined === last && !/^Loading\.\.\.$/m.test(joined)) return now;
    last = joined;
    await page.waitForTimeout(300);
  }
}

/** The texts of the code lenses that are rendered, from top to bottom. They come later than the text: see waitForCodeLens(). */
export async function codeLensText({ page }: Workbench): Promise<string[]> {
  const lenses = await page.locator(codeLens).allTextContents();
  return lenses.map((text) => text.replace(/\s+/g, ' ').trim()).filter((text) => text !== '');
}

/** Resolves to the text of the first code lens line that matches, when it is shown. */
export async function waitForCodeLens({ page }: Workbench, text: string | RegExp, timeoutMs = 30_000): Promise<string> {
  const lens = page.locator(codeLens).filter({ hasText: text }).first();
  await lens.waitFor({ timeout: timeoutMs });
  return ((await lens.textContent()) ?? '').replace(/\s+/g, ' ').trim();
}

/** Presses a part of a code lens. */
export async function pressCodeLens({ page }: Workbench, text: string | RegExp): Promise<void> {
  await page.locator(`${codeLens} a`).filter({ hasText: text }).first().click();
}

/** Reads the colours behind the words of the active editor until `holds` says yes, and resolves to them. */
export async function waitForColours(
  { page }: Workbench,
  holds: (colours: string[]) => boolean,
  timeoutMs = 30_000,
): Promise<string[]> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const colours = await page.evaluate(readColours, activeEditor);
    if (holds(colours)) return colours;
    if (Date.now() > deadline) {
      throw new Error(`The colours did not come to what was awaited within ${timeoutMs} ms: ${colours.join(' ')}`);
    }
    await page.waitForTimeout(100);
  }
}
