/** **Toggle Attribution Heat**: colours the words of all examples on the screen by how much they speak for the prediction, or stops it. */
import type { App } from '../app';
import { activeSession } from './active-session';

export async function toggleHeat(app: App): Promise<void> {
  const { attribution } = activeSession(app).session;
  await attribution.setHeat(!attribution.isHeatOn);
}
