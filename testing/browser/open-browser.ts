import { access } from 'node:fs/promises';
import { type Browser, chromium } from 'playwright-core';
import { readTestSettings } from '#testing/engines/test-settings.ts';

/** Where Debian and others install it. */
const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/**
 * A real Chromium without a window: the machine's own, or the one from a package. Null, with a line that says why, if
 * neither is available; rejects then if MASTHEAD_TEST_BROWSER=required.
 */
export async function openBrowser(): Promise<Browser | null> {
  const { browser: mode } = readTestSettings();
  if (mode === 'off') return null;
  try {
    return await chromium.launch({ executablePath: await findChromium(), args: ['--no-sandbox', '--disable-gpu'] });
  } catch (error) {
    if (mode === 'required') throw error;
    const [reason] = String(error).split('\n');
    console.warn(`No browser can be had, so the tests of the pages are skipped: ${reason}`);
    return null;
  }
}

async function findChromium(): Promise<string> {
  for (const path of installed) {
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  // The package contains the libraries that Chromium needs, and unpacks them if it believes it runs on AWS Lambda.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs24.x';
  const { default: packaged } = await import('@sparticuz/chromium');
  return packaged.executablePath();
}
