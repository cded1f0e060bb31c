// The Chromium that shows VS Code's workbench.
import { findChromium } from '../../../scripts/lib/ensure-debian.mjs';
import { Told } from '../../../scripts/lib/run.mjs';

/** Launches headless Chromium through playwright-core (which brings no browser of its own). */
export async function launchChromium() {
  const executablePath = await findChromium();
  if (executablePath === undefined) throw new Told('No Chromium was found. Install one, or name it in ASSAY_CHROMIUM.');
  // Imported here: the packages may have been installed only just now.
  const { chromium } = await import('playwright-core');
  return await chromium.launch({
    executablePath,
    // Our own handlers end everything, in the right order.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-dev-shm-usage',
    ],
  });
}
