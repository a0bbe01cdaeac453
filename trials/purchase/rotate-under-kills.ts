import { setTimeout as wait } from 'node:timers/promises';
import { issueKey } from '../../src/accounts/keys.ts';
import type { Stores } from '../../src/backends/stores.ts';
import type { ServiceProcess } from '../../test/support/run-service.ts';
import { killService } from './buy-under-kills.ts';
import { endOfKey, type Purchase, readOrder, renew } from './buyer.ts';

export interface RotationTrial extends Pick<Stores, 'keys' | 'audit'> {
  /** Starts the API on the store, which outlives it. */
  start(): Promise<ServiceProcess>;
  /** How many share the store at a time: an embedded one takes one. */
  processes: number;
  pepper: string;
  /** How often all processes are killed. */
  kills: number;
  /** Requests to rotate one key at each kill, over all processes. */
  rotations: number;
  /** Purchases that renew it at the same time; every third is refunded. */
  renewals: number;
  /** A number from 0 up to 1. */
  random(): number;
}

export interface RotationReport {
  /** Rotations that were answered, and those whose answer was cut off. */
  answered: number;
  lost: number;
  /** Orders that renewed the key, and those of them that were refunded. */
  renewed: number;
  refunded: number;
  /** What was wrong with the key after a kill. */
  faults: string[];
}

/** Within this time the requests of a round begin, in milliseconds. */
const spreadMs = 120;

const dayMs = 24 * 60 * 60 * 1000;
const planDays = 30;

/**
 * Kills the API (-9) while many holders of one key rotate and renew it at once. Afterwards the key that they sent still
 * opens the account, at most one of the new ones does, and one more rotation gives a key that works and ends all others.
 * Once the buyers got through, the plan has the days of every renewal that is not refunded, and no more.
 */
export async function rotateUnderKills(trial: RotationTrial): Promise<RotationReport> {
  const { keys, audit, pepper } = trial;
  const report: RotationReport = { answered: 0, lost: 0, renewed: 0, refunded: 0, faults: [] };
  const grant = { tier: 'pro', days: planDays, email: null };
  const issued = await issueKey({ keys, audit, operator: 'trial' }, pepper, grant, new Date());
  const sent = issued.key;
  for (let kill = 1; kill <= trial.kills; kill += 1) {
    const apis = await startAll(trial);
    let running: readonly ServiceProcess[] = apis;
    const buyers = Array.from({ length: trial.renewals }, async (_, place) => {
      await wait(trial.random() * spreadMs);
      const isRefunded = place % 3 === 0;
      const purchase = await renew(
        () => running[place % running.length]?.url ?? '',
        sent,
        isRefunded,
        trial.random() < 0.5,
      );
      return { purchase, isRefunded };
    });
    const answers = Array.from({ length: trial.rotations }, async (_, place) => {
      await wait(trial.random() * spreadMs);
      return rotate(apis[place % apis.length]?.url ?? '', sent).catch(() => null);
    });
    await wait(trial.random() * spreadMs * 2);
    await Promise.all(apis.map(killService));
    const given = (await Promise.all(answers)).filter((key) => key !== null);
    report.answered += given.length;
    report.lost += trial.rotations - given.length;

    const api = await trial.start();
    running = [api];
    const purchases = await Promise.all(buyers);
    report.renewed += purchases.length;
    report.refunded += purchases.filter(({ isRefunded }) => isRefunded).length;
    const working = async (some: readonly string[]) => {
      const checks = await Promise.all(some.map((key) => opens(api.url, key)));
      return some.filter((_, place) => checks[place]);
    };
    const fault = (text: string) => report.faults.push(`kill ${kill}: ${text}`);
    if ((await working([sent])).length === 0) fault('the key that was sent does not work');
    if ((await working(given)).length > 1) fault('several new keys work');
    const next = await rotate(api.url, sent);
    const left = await working([...given, sent, next]);
    if (left.join() !== [sent, next].join()) fault(`${left.length} keys work after one more rotation`);
    const stored = await keys.list('');
    if (stored.length !== 1 || stored[0]?.hash !== issued.stored.hash) fault(`${stored.length} keys are stored`);
    for (const { purchase, isRefunded } of purchases) {
      const wrong = await findWrong(() => api.url, purchase, isRefunded);
      if (wrong !== null) fault(`${purchase.orderId}: ${wrong}`);
    }
    const days = (report.renewed - report.refunded) * planDays;
    const expected = new Date(Date.parse(issued.stored.plan.expiresAt) + days * dayMs).toISOString();
    const end = await endOfKey(() => api.url, next);
    if (end !== expected) fault(`the plan ends at ${end}, not at ${expected}`);
    await killService(api);
  }
  return report;
}

/** What is wrong with an order that renewed the key; null if nothing is. */
async function findWrong(findApi: () => string, purchase: Purchase, isRefunded: boolean): Promise<string | null> {
  const { status, renews, api_key } = await readOrder(findApi, purchase);
  if (status !== (isRefunded ? 'refunded' : 'paid')) return `it is ${status}`;
  return renews === null || api_key !== undefined ? 'it gives a key of its own' : null;
}

/** The new key. Rejects if there is none. */
async function rotate(url: string, key: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1/me/key/rotate`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: '{"overlap_hours":24}',
  });
  if (!answer.ok) throw new Error(`${answer.status} for a rotation`);
  return ((await answer.json()) as { api_key: string }).api_key;
}

async function opens(url: string, key: string): Promise<boolean> {
  const { status } = await fetch(`${url}/api/v1/me`, { headers: { Authorization: `Bearer ${key}` } });
  return status === 200;
}

/** Starts the processes one after the other. */
export async function startAll({
  start,
  processes,
}: Pick<RotationTrial, 'start' | 'processes'>): Promise<ServiceProcess[]> {
  const started: ServiceProcess[] = [];
  while (started.length < processes) started.push(await start());
  return started;
}
