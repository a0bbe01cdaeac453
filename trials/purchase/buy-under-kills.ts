import { setTimeout as wait } from 'node:timers/promises';
import { generateApiKey, identifyKey } from '../../src/accounts/api-key.ts';
import { replaceKey } from '../../src/accounts/change-order.ts';
import type { OrderStore } from '../../src/accounts/order.ts';
import type { KeyStore } from '../../src/accounts/stored-key.ts';
import type { ServiceProcess } from '../../test/support/run-service.ts';
import { buy, orderOfKey, readOrder } from './buyer.ts';

export interface KillTrial {
  /** Starts the API on the store, which outlives it. */
  start(): Promise<ServiceProcess>;
  keys: KeyStore;
  orders: OrderStore;
  pepper: string;
  /** How often the API is killed. */
  kills: number;
  /** Buyers under way at each kill. */
  buyers: number;
  /** A number from 0 up to 1. */
  random(): number;
}

export interface KillReport {
  purchases: number;
  /** Purchases during which a request was cut off or refused, and was sent again. */
  interrupted: number;
  /** Keys that a killed process gave out without its answer arriving, and that an operator replaced. */
  reissued: number;
  /** Purchases that did not end with exactly one working key, and why. */
  faults: string[];
}

/** Checkout, payment, order. */
const requestsOfPurchase = 3;
/** From a checkout to its claim a process takes less than this, in milliseconds. */
const flowMs = 120;

/**
 * Kills the API (-9) at times spread between checkout and claim, while buyers continue like real ones. Each must end
 * with exactly one working key, through the claim or, if its answer was lost, through an operator's replacement.
 */
export async function buyUnderKills(trial: KillTrial): Promise<KillReport> {
  const report: KillReport = { purchases: 0, interrupted: 0, reissued: 0, faults: [] };
  let api = await trial.start();
  const findApi = () => api.url;
  for (let kill = 0; kill < trial.kills; kill += 1) {
    const buyers = Promise.all(
      Array.from({ length: trial.buyers }, async () => {
        await wait(trial.random() * flowMs);
        let requests = 0;
        const findApiCounting = () => {
          requests += 1;
          return findApi();
        };
        const purchase = await buy(findApiCounting);
        const answer = await readOrder(findApiCounting, purchase);
        if (requests > requestsOfPurchase) report.interrupted += 1;
        return { purchase, answer };
      }),
    );
    await wait(trial.random() * flowMs * 2);
    await killService(api);
    api = await trial.start();
    for (const { purchase, answer } of await buyers) {
      report.purchases += 1;
      const fault = await findFault(trial, report, findApi, purchase.orderId, answer.api_key);
      if (fault !== null) report.faults.push(`${purchase.orderId}: ${fault}`);
    }
  }
  await killService(api);
  return report;
}

/** Kills the service (-9); resolves when it is gone. */
export async function killService({ process, ended }: ServiceProcess): Promise<void> {
  process.kill('SIGKILL');
  await ended;
}

async function findFault(
  { keys, orders, pepper }: KillTrial,
  report: KillReport,
  findApi: () => string,
  orderId: string,
  claimed: string | undefined,
): Promise<string | null> {
  let key = claimed;
  if (key === undefined) {
    const replacement = generateApiKey();
    const identity = identifyKey(replacement, pepper);
    const change = await orders.change(orderId, (order) => replaceKey(order, identity, new Date()));
    if (!change?.isChanged) return `no key, and none can be issued: ${change?.order.status}`;
    report.reissued += 1;
    key = replacement;
  }
  if ((await orderOfKey(findApi, key)) !== orderId) return 'its key does not work';
  const working = (await keys.list('')).filter((stored) => stored.orderId === orderId && stored.revokedAt === null);
  return working.length === 1 ? null : `${working.length} working keys`;
}
