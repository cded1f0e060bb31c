// VS Code's workbench in Chromium, with the packaged extension in it.
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FrameLocator, Page } from 'playwright-core';
import type { Server, ServerOptions } from './session.mjs';

declare const ASSAY_ROOT: string;

export interface Workbench {
  page: Page;
  server: Server;
}

/**
 * Loaded at run time and not bundled: it finds the checkout by its own place, and all suites of a process must share one copy.
 */
function session(): Promise<typeof import('./session.mjs')> {
  return import(pathToFileURL(path.join(ASSAY_ROOT, 'test/ui/driver/session.mjs')).href);
}

/** The packaged extension: ASSAY_VSIX, else what scripts/package.mjs made for this platform. */
export function packagedExtension(): string {
  const file = process.env.ASSAY_VSIX ?? path.join(ASSAY_ROOT, `assay-${process.platform}-${process.arch}.vsix`);
  if (!existsSync(file)) throw new Error(`No packaged extension (${file}): run \`node scripts/package.mjs\` first.`);
  return file;
}

/**
 * Opens a folder in a fresh browser profile: no editors, views or notifications of an earlier suite are left. The server is shared
 * by all who ask for the same options. Without `extensions` the packaged one is installed.
 */
export async function openWorkbench(folder: string, options: ServerOptions = {}): Promise<Workbench> {
  const { sharedBrowser, sharedServer } = await session();
  const [server, browser] = await Promise.all([
    sharedServer({ ...options, extensions: options.extensions ?? [packagedExtension()] }),
    sharedBrowser(),
  ]);
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  page.setDefaultTimeout(45_000);
  const workbench = { page, server };
  await openFolder(workbench, folder);
  return workbench;
}

/** Opens another folder in the same window. */
export async function openFolder({ page, server }: Workbench, folder: string): Promise<void> {
  await page.goto(`${server.url}/?${new URLSearchParams({ folder })}`);
  await page.locator('.monaco-workbench .part.statusbar .statusbar-item').first().waitFor({ timeout: 60_000 });
  await page.locator('.explorer-viewlet .monaco-list').first().waitFor({ timeout: 60_000 });
}

/** Closes the window; the server goes on for the next suite. */
export async function closeWorkbench({ page }: Workbench): Promise<void> {
  await page.context().close();
}

/** Ends the server and the browser, which otherwise end with the process. */
export async function endSession(): Promise<void> {
  await (await session()).endSession();
}

/** Saves a picture of the window as out/screenshots/NAME.png (or below `folder`) and returns its path. */
export async function screenshot(
  { page }: Workbench,
  name: string,
  folder = path.join(ASSAY_ROOT, 'out/screenshots'),
): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${name}.png`);
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  await page.screenshot({ path: file });
  return file;
}

/** The content of the webview that is open. */
export function webview({ page }: Workbench): FrameLocator {
  return page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
}
