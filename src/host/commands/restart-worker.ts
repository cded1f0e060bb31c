/** **Restart Worker**: the cure for a stuck or stopped background process. Open datasets are predicted again. */
import type { App } from '../app';

export async function restartWorker(app: App): Promise<void> {
  await app.supervisor.restart();
  await Promise.all(app.sessions.all.map((session) => session.refresh()));
}
