/** **Clear**: takes Assay's marks off the file and forgets its results in memory. */
import type { App } from '../app';
import { activeSession } from './active-session';

export function clear(app: App): void {
  app.sessions.close(activeSession(app).editor.document);
}
