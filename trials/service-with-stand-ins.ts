import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { issueKey } from '../src/accounts/keys.ts';
import { exampleBody } from '../src/http/api/push.ts';
import type { MediaRecord } from '../src/records/media-record.ts';
import { openBackends } from '../src/start/open-backends.ts';
import { startInstantly } from '../test/support/stand-ins/instantly-server.ts';
import { startSmartlead } from '../test/support/stand-ins/smartlead-server.ts';
import { StripeStandIn } from '../test/support/stand-ins/stripe-stand-in.ts';
import { loadEmbedded } from './bench/load-data.ts';
import { type ProductServer, startProduct } from './bench/product-server.ts';

/** The service as a separate process on a filled embedded store, with stand-ins for everything external. */
export interface ServiceWithStandIns {
  product: ProductServer;
  /** Of Premium plans, which may do everything. */
  keys: string[];
  /** Records spread evenly over the store, for making questions. */
  some: MediaRecord[];
  /** Where its log goes. */
  logPath: string;
  close(): Promise<void>;
}

/** Fills a store with generated records and starts the service on it; nothing it sends leaves this machine. */
export async function startServiceWithStandIns({
  records,
  keyCount,
}: {
  records: number;
  keyCount: number;
}): Promise<ServiceWithStandIns> {
  const closing: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const end of closing.toReversed()) await end();
  };
  try {
    const data = await loadEmbedded({ count: records });
    closing.push(data.remove);
    const pepper = randomBytes(32).toString('hex');
    const keys = await issueKeys(data.dataDir, pepper, keyCount);

    const stripe = new StripeStandIn(() => new Date());
    const stripeUrl = await stripe.start();
    closing.push(() => stripe.stop());
    // The key and the campaign of the API description's example, so that pushes made by it end well.
    const { api_key: apiKey, campaign_id: campaign } = exampleBody;
    const instantly = await startInstantly({ apiKey, campaigns: [campaign] });
    closing.push(() => instantly.close());
    const smartlead = await startSmartlead({ apiKey, campaigns: ['4711'] });
    closing.push(() => smartlead.close());

    const logPath = join(data.dataDir, 'server.log');
    const product = await startProduct(
      {
        MASTHEAD_DATA_DIR: data.dataDir,
        KEY_PEPPER: pepper,
        RATE_LIMIT_CHECKOUT: '1000000',
        PAYMENTS: 'stripe',
        STRIPE_SECRET_KEY: stripe.secrets.secretKey,
        STRIPE_WEBHOOK_SECRET: stripe.secrets.webhookSecret,
        STRIPE_API_BASE: stripeUrl,
        INSTANTLY_API_BASE: instantly.url,
        SMARTLEAD_API_BASE: smartlead.url,
      },
      logPath,
    );
    closing.push(() => product.stop());
    return { product, keys, some: data.some, logPath, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function issueKeys(dataDir: string, pepper: string, count: number): Promise<string[]> {
  const backends = await openBackends({ dataDir });
  try {
    const grant = { tier: 'premium', days: 1, email: null } as const;
    const keys: string[] = [];
    while (keys.length < count) {
      keys.push((await issueKey({ ...backends, operator: 'test' }, pepper, grant, new Date())).key);
    }
    return keys;
  } finally {
    await backends.close();
  }
}
