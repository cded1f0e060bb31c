/** **Predict**: runs the model on the selected lines, or on the whole dataset where nothing is selected. */
import type { App } from '../app';
import { activeEditor } from './active-session';
import { diagnoseDataset } from './diagnose-dataset';
import { runWithProgress } from './run-with-progress';

export async function predict(app: App): Promise<void> {
  const { selection, document } = activeEditor();
  if (selection.isEmpty) {
    await diagnoseDataset(app);
    return;
  }
  const session = app.sessions.ensure(document);
  try {
    await session.open();
    await runWithProgress(app, session, { start: selection.start.line, end: selection.end.line + 1 });
  } catch (error) {
    if (session.info === null) app.sessions.close(document);
    throw error;
  }
}
