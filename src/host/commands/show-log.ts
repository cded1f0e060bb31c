/** **Show Log**: what the worker did and what went wrong. */
import type { App } from '../app';

export function showLog(app: App): void {
  app.log.show();
}
