import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { openIndexer } from '../../indexer/open-indexer.ts';
import { issueKey } from '../../src/accounts/keys.ts';
import type { BackendSettings } from '../../src/start/open-backends.ts';
import { watchMemory } from '../../test/support/process-figures.ts';
import type { Filled } from './load-data.ts';
import { median, perSecond } from './measure.ts';
import { type ProductServer, startProduct } from './product-server.ts';

export interface ExportPlan {
  rounds: number;
  /** In every round, each of these is read completely. */
  formats: readonly string[];
}

/** Exports everything over HTTP and reads it completely in each format. */
export async function measureExport(data: Filled, { rounds, formats }: ExportPlan) {
  const pepper = randomBytes(32).toString('hex');
  const key = await issuePremiumKey(data.backend, pepper);
  const product = await startProduct(data, { KEY_PEPPER: pepper });
  try {
    const measured = formats.map((format) => ({ format, rates: [] as number[], peaks: [] as number[] }));
    // The first round warms up.
    for (let round = 0; round <= rounds; round += 1) {
      for (const { format, rates, peaks } of round % 2 === 0 ? measured : measured.toReversed()) {
        let rate = 0;
        const peak = await watchMemory(product.pid, async () => {
          rate = await perSecond(() => readExport(product, key, format));
        });
        if (round > 0) rates.push(rate);
        peaks.push(peak ?? Number.NaN);
      }
    }
    return {
      records: data.records,
      rowsPerSecond: Object.fromEntries(measured.map(({ format, rates }) => [format, median(rates)])),
      memoryMB: Object.fromEntries(measured.map(({ format, peaks }) => [format, Math.max(...peaks)])),
    };
  } finally {
    await product.stop();
  }
}

export async function issuePremiumKey(settings: BackendSettings, pepper: string): Promise<string> {
  const backends = await openIndexer(settings);
  try {
    await backends.whenPrepared();
    const grant = { tier: 'premium', days: 1, email: null } as const;
    return (await issueKey({ ...backends, operator: 'bench' }, pepper, grant, new Date())).key;
  } finally {
    await backends.close();
  }
}

/** Reads an export completely, and returns the number of rows that it announced. */
export async function readExport(product: ProductServer, key: string, format = 'csv'): Promise<number> {
  const path = `/api/v1/export?kind=outlet%7Cpodcast%7Cnewsletter&format=${format}`;
  const request = get(product.url + path, { agent: false, headers: { Authorization: `Bearer ${key}` } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`the export gave ${response.statusCode}`);
  response.resume();
  await once(response, 'end');
  if (!response.complete) throw new Error('the export broke off');
  return Number(response.headers['x-total-count']);
}
