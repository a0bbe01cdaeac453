import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { fetchOnce } from '#testing/engines/engine-cache.ts';
import { readTestSettings } from '#testing/engines/test-settings.ts';
import manifest from '../../package.json' with { type: 'json' };

/** Where Debian and others install it. */
const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/**
 * A real Chromium without a window: the machine's own, or the one from a package. Null, with a line that says why, if
 * neither is available; rejects then if MASTHEAD_TEST_BROWSER=required. `args`: more arguments of its command line.
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

/** The machine's own Chromium, or the packaged one with the libraries and fonts that it brings along. */
async function findChromium(): Promise<{ executablePath: string; env?: NodeJS.ProcessEnv }> {
  const executablePath = installed.find((path) => existsSync(path));
  if (executablePath !== undefined) return { executablePath };
  const name = `chromium-with-fonts-${manifest.devDependencies['@sparticuz/chromium']}`;
  const folder = await fetchOnce(name, unpack);
  const libraries = { FONTCONFIG_PATH: join(folder, 'fonts'), LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') };
  return { executablePath: join(folder, 'chromium'), env: { ...process.env, ...libraries } };
}

/**
 * The fonts beside this file. The package's own file looks for them in the temporary folder, and without any font Chromium
 * ends at the first text.
 */
const ownFonts = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
</fontconfig>
`;

/**
 * The package unpacks into the temporary folder, and takes what is there for whole: two test files that start at once would
 * run half a browser.
 */
async function unpack(folder: string): Promise<void> {
  // It adds the libraries if it believes that it runs on AWS Lambda.
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

/** What a first visit to a page took over the network, with an empty cache of the browser. */
interface FirstVisit {
  /** Bytes of the page, everything it loads, and the API's first answers. */
  weight: number;
  /** How much moved by itself while loading: the sum of layout shifts, of which 0.1 is much. */
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

/** Opens a page and waits for everything that it loads. */
export async function visitFirst(browser: Browser, url: string): Promise<FirstVisit> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.addInitScript({ content: noteShifts });
    await page.goto(url, { waitUntil: 'networkidle' });
    const figures = (await page.evaluate(readFigures)) as Omit<FirstVisit, 'weight'>;
    return { ...figures, weight: figures.files.reduce((sum, { bytes }) => sum + bytes, 0) };
  } finally {
    await context.close();
  }
}
