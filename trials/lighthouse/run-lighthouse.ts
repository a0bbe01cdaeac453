import { join } from 'node:path';
import lighthouse from 'lighthouse';
import { openBrowser } from '../../testing/browser/open-browser.ts';
import { loadEmbedded } from '../bench/load-data.ts';
import { findFreePort, startProduct } from '../bench/product-server.ts';

/** What each page must have in each category. */
export const floor = 0.95;

/** Below this speed Lighthouse warns that the performance score means nothing. */
const slowestIndex = 1_000;

const categories = ['performance', 'accessibility', 'best-practices', 'seo'];

/** What Lighthouse says of a page. */
export interface PageScores {
  path: string;
  /**
   * From 0 to 1, by category: the best of its visits. Without performance where Lighthouse says that the machine was too slow,
   * or too busy, to tell.
   */
  scores: Record<string, number>;
  /** What is not perfect: audits with what they cost, the worst first. */
  faults: string[];
}

/**
 * Lets Lighthouse visit pages of a service of its own with generated records, as on a phone with a slow connection.
 *
 * @param visits the most for a page: what else the machine does costs points, so a page is visited again that is below the floor
 * @returns null where there is no Chromium
 */
export async function runLighthouse({
  records,
  visits,
}: {
  records: number;
  visits: number;
}): Promise<PageScores[] | null> {
  const port = await findFreePort();
  const browser = await openBrowser([`--remote-debugging-port=${port}`]);
  if (browser === null) return null;
  const data = await loadEmbedded({ count: records });
  const product = await startProduct({ MASTHEAD_DATA_DIR: data.dataDir }, join(data.dataDir, 'server.log'));
  try {
    const measured: PageScores[] = [];
    for (const path of ['/', await findMediaPath(product.url), '/plans']) {
      measured.push(await visitUpTo(visits, product.url + path, port));
    }
    return measured;
  } finally {
    await product.stop();
    await data.remove();
    await browser.close();
  }
}

/** The page of a record. */
async function findMediaPath(url: string): Promise<string> {
  const { results } = (await (await fetch(`${url}/api/v1/search?per_page=1`)).json()) as { results: { id: string }[] };
  const [{ id } = { id: '' }] = results;
  return `/media/${encodeURIComponent(id)}`;
}

async function visitUpTo(visits: number, url: string, port: number): Promise<PageScores> {
  const first = await visit(url, port);
  if (visits <= 1 || Object.values(first.scores).every((score) => score >= floor)) return first;
  const again = await visitUpTo(visits - 1, url, port);
  const best = Object.entries(again.scores).map(([id, score]) => [id, Math.max(score, first.scores[id] ?? 0)]);
  return { ...again, scores: Object.fromEntries(best) };
}

async function visit(url: string, port: number): Promise<PageScores> {
  const result = await lighthouse(url, { port, output: 'json', logLevel: 'error', onlyCategories: categories });
  if (result === undefined) throw new Error(`Lighthouse says nothing of ${url}.`);
  const { categories: found, audits, environment } = result.lhr;
  if (environment.benchmarkIndex < slowestIndex) delete found.performance;
  const faults = Object.values(found)
    .flatMap(({ id, auditRefs }) => auditRefs.map((audit) => ({ ...audit, category: id })))
    .flatMap(({ id, weight, category }) => {
      const { score = null, title = '', displayValue = '' } = audits[id] ?? {};
      const cost = weight * (1 - (score ?? 1));
      return cost > 0 ? { cost, text: `${category}: ${title} ${displayValue}`.trim() } : [];
    })
    .toSorted((a, b) => b.cost - a.cost);
  return {
    path: new URL(url).pathname,
    scores: Object.fromEntries(Object.values(found).map(({ id, score }) => [id, score ?? 0])),
    faults: faults.map(({ text }) => text),
  };
}
