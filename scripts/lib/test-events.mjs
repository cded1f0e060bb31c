// Reading what mocha-events.cjs writes.
import { existsSync, readFileSync } from 'node:fs';

/**
 * Follows a file of test events as they come; `show` is called with a line for each test that ends.
 * finish() returns `{ passes, failures, skips, complete, vscode }`: lists of `{ title, ms, error? }`; whether the run came to its end;
 * and the version of the VS Code it ran in, if any.
 */
export function followEvents(file, show = () => {}) {
  let position = 0;
  const result = { passes: [], failures: [], skips: [], complete: false, vscode: undefined };
  const read = () => {
    if (!existsSync(file)) return;
    const text = readFileSync(file, 'utf8');
    // The last line may be half written.
    const end = text.lastIndexOf('\n') + 1;
    const lines = text.slice(position, end).split('\n').filter(Boolean);
    position = Math.max(position, end);
    for (const line of lines) {
      const { event, ...rest } = JSON.parse(line);
      if (event === 'start') result.vscode = rest.vscode;
      else if (event === 'end') result.complete = true;
      else if (event === 'pass') {
        result.passes.push(rest);
        show(`  ✓ ${rest.title} (${rest.ms} ms)`);
      } else if (event === 'skip') {
        result.skips.push(rest);
        show(`  - ${rest.title}`);
      } else if (event === 'fail') {
        result.failures.push(rest);
        show(`  ✗ ${rest.title}\n${rest.error.replace(/^/gm, '      ')}`);
      }
    }
  };
  const timer = setInterval(read, 200);
  return {
    finish() {
      clearInterval(timer);
      read();
      return result;
    },
  };
}
