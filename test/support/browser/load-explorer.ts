import type { Browser } from 'playwright-core';

/** What a first visit to the explorer took, with an empty browser cache. */
export interface FirstVisit {
  /** From the beginning of the navigation until the first result was painted, in milliseconds. */
  firstResultMs: number;
  /** The same, until the browser had loaded the page and everything it names. */
  loadMs: number;
  /** Bytes over the network: the page, everything it loads, and the API's first answers. */
  weight: number;
  /** How much moved by itself while loading: the sum of layout shifts, of which 0.1 is much. */
  shift: number;
  files: { path: string; bytes: number }[];
}

/** Runs in the page. A frame is painted after its callbacks: those of the next frame come after the paint. */
const noteFirstResult = `
  window.shift = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) window.shift += value;
  }).observe({ type: 'layout-shift', buffered: true });
  window.firstResultMs = new Promise((resolve) => {
    new MutationObserver((_, observer) => {
      if (document.querySelector('.card') === null) return;
      observer.disconnect();
      requestAnimationFrame(() => requestAnimationFrame(resolve));
    }).observe(document, { childList: true, subtree: true });
  });`;

/** Waits for the first result in the page: the policy of the page forbids Playwright to look for it repeatedly. */
const readFigures = `(async () => {
  const firstResultMs = await window.firstResultMs;
  const [navigation] = performance.getEntriesByType('navigation');
  const files = [navigation, ...performance.getEntriesByType('resource')].map(({ name, transferSize }) => ({
    path: new URL(name).pathname,
    bytes: transferSize,
  }));
  return { firstResultMs, loadMs: navigation.loadEventEnd, shift: window.shift, files };
})()`;

/** Opens the page with an empty cache and waits for the first result, and for everything that is still loading. */
export async function visitFirst(browser: Browser, url: string): Promise<FirstVisit> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.addInitScript({ content: noteFirstResult });
    await page.goto(url, { waitUntil: 'networkidle' });
    const figures = (await page.evaluate(readFigures)) as Omit<FirstVisit, 'weight'>;
    return { ...figures, weight: figures.files.reduce((sum, { bytes }) => sum + bytes, 0) };
  } finally {
    await context.close();
  }
}

/** Runs in the page: the time from the last letter until the answer to what is then in the field has been painted. */
const noteResults = `
  let typedAt, painted;
  addEventListener('input', () => {
    typedAt = performance.now();
    window.resultsMs = new Promise((resolve) => { painted = resolve; });
  });
  const { json } = Response.prototype;
  Response.prototype.json = async function () {
    const answer = await json.call(this);
    const { pathname, searchParams } = new URL(this.url);
    if (pathname.endsWith('/search') && (searchParams.get('q') ?? '') === document.querySelector('#q').value) {
      requestAnimationFrame(() => requestAnimationFrame(() => painted?.(performance.now() - typedAt)));
    }
    return answer;
  };`;

/** Milliseconds from the last letter of each word until its results were painted, by somebody who types ten a second. */
export async function typeWords(browser: Browser, url: string, words: readonly string[]): Promise<number[]> {
  const page = await browser.newPage();
  try {
    await page.addInitScript({ content: noteResults });
    await page.goto(url, { waitUntil: 'networkidle' });
    const times: number[] = [];
    for (const word of words) {
      await page.locator('#q').pressSequentially(word, { delay: 100 });
      times.push((await page.evaluate('window.resultsMs')) as number);
      await page.locator('#q').fill('');
      await page.evaluate('window.resultsMs');
    }
    return times;
  } finally {
    await page.close();
  }
}
