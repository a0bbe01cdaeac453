import { join } from 'node:path';
import { typeWords, visitFirst } from '../../testing/browser/load-explorer.ts';
import { openBrowser } from '../../testing/browser/open-browser.ts';
import { loadEmbedded } from './load-data.ts';
import { percentile } from './measure.ts';
import { startProduct } from './product-server.ts';

export interface PagesRun {
  records: number;
  visits: number;
}

export interface PagesFigures {
  /** Milliseconds from the beginning of the navigation, and from the end of loading, to the first result. */
  fromNavigation: { p50: number; p95: number };
  fromLoad: { p50: number; p95: number };
  /** Milliseconds from the last letter of a typed word until its results are painted. */
  fromTyping: { p50: number; p95: number };
  /** Bytes. */
  weight: number;
}

/** Visits the explorer of a separate service in Chromium, each time with an empty cache. */
export async function measurePages({ records, visits }: PagesRun): Promise<PagesFigures> {
  const browser = await openBrowser();
  if (browser === null) throw new Error('no Chromium is to be had');
  const data = await loadEmbedded({ count: records });
  const product = await startProduct({ MASTHEAD_DATA_DIR: data.dataDir }, join(data.dataDir, 'server.log'));
  try {
    // The browser's own start is not the page's.
    await visitFirst(browser, product.url);
    const measured = [];
    while (measured.length < visits) measured.push(await visitFirst(browser, product.url));
    const words = data.some.flatMap(({ name }) => name.match(/[a-z]{6,}/gi) ?? []);
    return {
      fromNavigation: sumUp(measured.map(({ firstResultMs }) => firstResultMs)),
      fromLoad: sumUp(measured.map(({ firstResultMs, loadMs }) => firstResultMs - loadMs)),
      fromTyping: sumUp(await typeWords(browser, product.url, words.slice(0, visits))),
      weight: Math.max(...measured.map(({ weight }) => weight)),
    };
  } finally {
    await product.stop();
    await data.remove();
    await browser.close();
  }
}

function sumUp(times: readonly number[]): { p50: number; p95: number } {
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
}
