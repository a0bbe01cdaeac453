import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { fetchOnce } from '#testing/engines/engine-cache.ts';
import { readTestSettings } from '#testing/engines/test-settings.ts';
import manifest from '../../package.json' with { type: 'json' };

/** Where Debian and other systems install Chromium. */
const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/**
 * Starts a headless Chromium: the machine's own, or one from a package. If there is neither, prints why and returns null; with
 * MASTHEAD_TEST_BROWSER=required, it rejects. `args`: more arguments of its command line.
 */
export async function openBrowser(args: readonly string[] = []): Promise<Browser | null> {
  const { browser: mode } = readTestSettings();
  if (mode === 'off') return null;
  try {
    return await chromium.launch({ ...(await findChromium()), args: ['--no-sandbox', '--disable-gpu', ...args] });
  } catch (error) {
    if (mode === 'required') throw error;
    const [reason] = String(error).split('\n');
    console.warn(`No browser can be had, so the tests of the pages are skipped: ${reason}`);
    return null;
  }
}

/** The machine's own Chromium, or the one from the package with its libraries and fonts. */
async function findChromium(): Promise<{ executablePath: string; env?: NodeJS.ProcessEnv }> {
  const executablePath = installed.find((path) => existsSync(path));
  if (executablePath !== undefined) return { executablePath };
  const name = `chromium-with-fonts-${manifest.devDependencies['@sparticuz/chromium']}`;
  const folder = await fetchOnce(name, unpack);
  const libraries = { FONTCONFIG_PATH: join(folder, 'fonts'), LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') };
  return { executablePath: join(folder, 'chromium'), env: { ...process.env, ...libraries } };
}

/**
 * Uses the fonts beside this file. The package looks for fonts in the temporary folder, and without any font Chromium crashes at
 * the first text.
 */
const ownFonts = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
</fontconfig>
`;

/**
 * The package unpacks into the temporary folder, and uses whatever is there already. If two test files started at once, one
 * would run a half-unpacked browser.
 */
async function unpack(folder: string): Promise<void> {
  // The package adds its libraries only if it seems to run on AWS Lambda.
  const changed = { AWS_LAMBDA_JS_RUNTIME: 'nodejs24.x', TMPDIR: folder };
  const before = { AWS_LAMBDA_JS_RUNTIME: process.env.AWS_LAMBDA_JS_RUNTIME, TMPDIR: process.env.TMPDIR };
  Object.assign(process.env, changed);
  try {
    const { default: packaged } = await import('@sparticuz/chromium');
    await packaged.executablePath();
    writeFileSync(join(folder, 'fonts', 'fonts.conf'), ownFonts);
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

/** What a first visit to a page costs, with an empty browser cache. */
interface FirstVisit {
  /** Bytes of the page, everything it loads, and the API's first answers. */
  weight: number;
  /** How much of the page moved while it loaded: the sum of layout shifts. 0.1 is much. */
  shift: number;
  files: { path: string; bytes: number }[];
}

const noteShifts = `
  window.shift = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) window.shift += value;
  }).observe({ type: 'layout-shift', buffered: true });`;

const readFigures = `({
  shift: window.shift,
  files: [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map(
    ({ name, transferSize }) => ({ path: new URL(name).pathname, bytes: transferSize }),
  ),
})`;

/** Opens a page in a tab that has this key, if any, and waits until it has loaded everything. */
export async function visitFirst(browser: Browser, url: string, key?: string): Promise<FirstVisit> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.addInitScript({ content: noteShifts });
    if (key !== undefined) await page.addInitScript(`sessionStorage.setItem('masthead-key', '${key}')`);
    await page.goto(url, { waitUntil: 'networkidle' });
    const figures = (await page.evaluate(readFigures)) as Omit<FirstVisit, 'weight'>;
    return { ...figures, weight: figures.files.reduce((sum, { bytes }) => sum + bytes, 0) };
  } finally {
    await context.close();
  }
}
