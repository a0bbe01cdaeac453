import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueKey } from '../src/accounts/keys.ts';
import examples from '../src/http/examples.json' with { type: 'json' };
import { loadSample } from '../src/sample/generate-sample.ts';
import { openBackends } from '../src/start/open-backends.ts';
import { startService } from '../test/support/processes.ts';
import { startInstantly } from '../test/support/stand-ins/instantly-server.ts';
import { startSmartlead } from '../test/support/stand-ins/smartlead-server.ts';
import { StripeStandIn } from '../test/support/stand-ins/stripe-stand-in.ts';

/** The service as a separate process on a filled embedded store, with stand-ins for everything external. */
export interface ServiceWithStandIns {
  url: string;
  /** Of Premium plans, which may do everything. */
  keys: string[];
  /** The folder of its store. */
  dataDir: string;
  close(): Promise<void>;
}

const pepper = 'a pepper of 32 characters or more';

/** Fills a store with generated records and starts the service on it; nothing it sends leaves this machine. */
export async function startServiceWithStandIns(given: {
  records: number;
  keyCount: number;
}): Promise<ServiceWithStandIns> {
  const dataDir = await mkdtemp(join(tmpdir(), 'masthead-stand-ins-'));
  const backends = await openBackends({ dataDir });
  await loadSample(backends.records, given.records);
  const keys: string[] = [];
  while (keys.length < given.keyCount) {
    const grant = { tier: 'premium', days: 1, email: null } as const;
    keys.push((await issueKey({ ...backends, operator: 'test' }, pepper, grant, new Date())).key);
  }
  await backends.close();

  const stripe = new StripeStandIn(() => new Date());
  const stripeUrl = await stripe.start();
  // The key and the campaign of the API description's example, so that pushes made by it end well.
  const { api_key: apiKey, campaign_id: campaign } = examples.push;
  const instantly = await startInstantly({ apiKey, campaigns: [campaign] });
  const smartlead = await startSmartlead({ apiKey, campaigns: ['4711'] });
  const limits = ['ANONYMOUS', 'PREMIUM', 'CHECKOUT'].map((name) => [`RATE_LIMIT_${name}`, '1000000']);
  const service = await startService({
    MASTHEAD_DATA_DIR: dataDir,
    KEY_PEPPER: pepper,
    PAYMENTS: 'stripe',
    STRIPE_SECRET_KEY: stripe.secrets.secretKey,
    STRIPE_WEBHOOK_SECRET: stripe.secrets.webhookSecret,
    STRIPE_API_BASE: stripeUrl,
    INSTANTLY_API_BASE: instantly.url,
    SMARTLEAD_API_BASE: smartlead.url,
    ...Object.fromEntries(limits),
  });
  // Its threads start with the first search.
  while (!(await fetch(`${service.url}/api/v1/search`)).ok);
  return {
    url: service.url,
    keys,
    dataDir,
    async close() {
      service.process.kill('SIGTERM');
      await service.ended;
      await Promise.all([stripe.stop(), instantly.close(), smartlead.close()]);
      await rm(dataDir, { recursive: true });
    },
  };
}
