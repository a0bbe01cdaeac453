import { join } from 'node:path';
import lighthouse from 'lighthouse';
import { openBrowser } from '../../test/support/browser/open-browser.ts';
import { loadEmbedded } from '../bench/load-data.ts';
import { findFreePort, startProduct } from '../bench/product-server.ts';

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

type Category = (typeof categories)[number];

/** What Lighthouse says of a page. */
export interface PageScores {
  path: string;
  /**
   * From 0 to 1, by category: the best of its visits. Performance comes from times, so a busy or slow machine lowers it.
   */
  scores: Record<Category, number>;
  /** What is not perfect: audits with what they cost, the worst first. */
  faults: string[];
}

/**
 * Lets Lighthouse visit pages of a service of its own with generated records, as on a phone with a slow connection.
 *
 * @param visits of a page: what else the machine does costs points, so the best of them counts
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
      measured.push(await visitOften(visits, product.url + path, port));
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

async function visitOften(visits: number, url: string, port: number): Promise<PageScores> {
  const first = await visit(url, port);
  if (visits <= 1 || categories.every((category) => first.scores[category] === 1)) return first;
  const again = await visitOften(visits - 1, url, port);
  return again.scores.performance > first.scores.performance ? again : first;
}

async function visit(url: string, port: number): Promise<PageScores> {
  const result = await lighthouse(url, { port, output: 'json', logLevel: 'error', onlyCategories: [...categories] });
  if (result === undefined) throw new Error(`Lighthouse says nothing of ${url}.`);
  const { categories: found, audits } = result.lhr;
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
    scores: Object.fromEntries(categories.map((id) => [id, found[id]?.score ?? 0])) as PageScores['scores'],
    faults: faults.map(({ text }) => text),
  };
}
