// What stood on the screen when a test failed: a log without it says only that something was waited for.
import { notifications, statusBar } from './commands.js';
import { screenshot, type Workbench } from './workbench.js';

/** For `afterEach`: prints messages, the open pick and the status bar of a test that failed, and saves a picture. */
export async function tellFailure(test: Mocha.Test | undefined, workbench: Workbench): Promise<void> {
  // A test that is tried again has no state.
  if (test === undefined || test.state === 'passed' || test.isPending()) return;
  const input = workbench.page.locator('.quick-input-widget:visible');
  const lines = [
    `what was on the screen when "${test.title}" failed:`,
    `  messages: ${JSON.stringify(await notifications(workbench))}`,
    `  quick input: ${JSON.stringify(await input.allInnerTexts())}`,
    `  status bar: ${(await statusBar(workbench)).map(({ text }) => text).join(' | ')}`,
    `  picture: ${await screenshot(workbench, `failed-${test.title.replace(/\W+/g, '-')}`)}`,
  ];
  console.log(lines.join('\n'));
}
