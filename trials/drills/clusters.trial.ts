import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueKey } from '../../src/accounts/keys.ts';
import { Dice } from '../../src/sample/dice.ts';
import type { Engine, EngineCluster } from '../../test/support/engines/engine.ts';
import { startLocalElasticsearch } from '../../test/support/engines/local-elasticsearch.ts';
import { startLocalMongod } from '../../test/support/engines/local-mongod.ts';
import { findFreePort, findPrimary } from '../../test/support/engines/probe-engine.ts';
import { readSeed } from '../../test/support/form.ts';
import { openProduction, type Production } from '../../test/support/open-production.ts';
import { type ServiceProcess, SupervisedIndexer, startIndexer, startService } from '../../test/support/processes.ts';
import { useFolder } from '../../test/support/use.ts';
import { Balancer } from './balancer.ts';
import { type Ask, fillForTrial, steady, Traffic, Writer } from './traffic.ts';

const seed = readSeed();
/** The share of the load to give, with LOAD: on two cores, requests fail at 1 also while nothing is broken; at 0.25 none does. */
const load = Number(process.env.LOAD ?? 1);
if (!(load > 0)) throw new Error('LOAD must be a number above 0. Change it, or leave it out.');
/** The share of requests that may fail in a drill. */
const maxFailed = 0.005;
const maxMs = 5_000;
/** How long the load runs before and after a drill, how long a part stays paused, and how long a killed one stays down. */
const aroundMs = 10_000;
const pausedMs = 20_000;
const deadMs = 3_000;

type Part = Pick<Engine, 'kill' | 'shutDown' | 'pause' | 'resume' | 'start'>;

const ways: Record<'killed' | 'paused' | 'restarted', (part: Part) => Promise<void>> = {
  async killed(part) {
    await part.kill();
    await pause(deadMs);
    await part.start();
  },
  async paused(part) {
    await part.pause();
    await pause(pausedMs);
    await part.resume();
  },
  async restarted(part) {
    await part.shutDown();
    await part.start();
  },
};

const parts = [
  ...['Elasticsearch 1', 'Elasticsearch 2', 'Elasticsearch 3'],
  ...['the primary of MongoDB', 'a secondary of MongoDB'],
  ...['service 1', 'service 2'],
] as const;
const drills = Object.keys(ways).flatMap((way) => parts.map((part) => ({ part, way: way as keyof typeof ways })));

/** Three Elasticsearch nodes, three MongoDB servers, two API processes behind a balancer, the sync, imports and exports. */
describe('two clusters and two API processes', () => {
  const folder = useFolder();
  const closing: (() => Promise<unknown>)[] = [];
  let elasticsearch: EngineCluster;
  let mongodb: EngineCluster;
  let production: Production;
  let services: (Part & { url: string })[];
  let ids: string[];
  let asks: Ask[];

  beforeAll(async () => {
    [elasticsearch, mongodb] = await Promise.all([
      startLocalElasticsearch(console.error, 'tests', 3),
      startLocalMongod(console.error, { size: 3 }),
    ]);
    closing.push(() => Promise.all([elasticsearch.stop(), mongodb.stop()]));
    production = await openProduction({ mongodb: mongodb.url, elasticsearch: elasticsearch.url });
    closing.push(production.close);
    await production.whenPrepared();
    ids = await fillForTrial(production, 10_000);
    await production.reindex();
    const limits = { RATE_LIMIT_ANONYMOUS: '1000000', RATE_LIMIT_PREMIUM: '1000000' };
    const settings = { ...production.settings, LOG_LEVEL: 'warn', ...limits };
    services = [await startPart(settings), await startPart(settings)];
    closing.push(() => Promise.all(services.map((service) => service.shutDown())));
    const sync = new SupervisedIndexer(['sync'], production.settings);
    closing.push(() => sync.stop());
    const balancer = new Balancer(services.map(({ url }) => url));
    closing.push(() => balancer.close());
    const grant = { tier: 'premium', days: 30, email: null } as const;
    const pepper = production.settings.KEY_PEPPER ?? '';
    const { key } = await issueKey({ ...production, operator: 'trial' }, pepper, grant, new Date());
    asks = listAsks(balancer, { authorization: `Bearer ${key}` });
  });
  afterAll(async () => {
    for (const close of closing.toReversed()) await close();
  });

  async function find(part: (typeof parts)[number]): Promise<Part> {
    const place = Number(part.at(-1)) - 1;
    if (part.startsWith('Elastic')) return elasticsearch.nodes[place] as Engine;
    if (part.startsWith('service')) return services[place] as Part;
    const primary = await findPrimary(mongodb.nodes);
    return part.includes('primary') ? primary : (mongodb.nodes.find((node) => node !== primary) as Engine);
  }

  it('have a new index on every node before it is live', async () => {
    const { index } = await production.reindex();
    expect((await production.engine.cluster.health({ index: index ?? '' })).status).toBe('green');
  });

  it.each(drills)('hardly fail a request and lose no record while $part is $way', async ({ part, way }) => {
    const { collection, client, index, settings } = production;
    await untilWhole(production);
    const traffic = new Traffic(asks, 30 * load);
    const writer = new Writer({ collection, client, dice: new Dice(seed), rate: 100 * load, ids, poison: 0 });
    let isImporting = true;
    const importing = (async () => {
      while (isImporting) await Promise.all([importOnce(folder, settings), pause(10_000 / load)]);
    })();
    await pause(aroundMs);
    await ways[way](await find(part));
    await pause(aroundMs);
    isImporting = false;
    await Promise.all([traffic.stop(), writer.stop(), importing]);
    // Once a search finds this record, everything written before it is in the index.
    const mark = `mark of ${part} ${way}`;
    await collection.insertOne({ _id: mark, kind: 'outlet', name: 'Mark' });
    while ((await index.findMany([mark], 'masked').catch(() => [])).length === 0) await pause(50);

    const { requests, failed, wrong, maxMs: slowest } = traffic;
    console.log(`${part} ${way}: ${requests} requests, ${failed.length} failed, at most ${slowest.toFixed(0)} ms`);
    expect(wrong).toEqual([]);
    expect(failed.length / requests, failed.slice(0, 10).join('\n')).toBeLessThanOrEqual(maxFailed);
    expect(slowest).toBeLessThanOrEqual(maxMs);
    expect(await production.differences()).toEqual([]);
  });
});

/** Requests about records that nobody changes. One of them is an export. */
function listAsks(balancer: Balancer, keyed: Record<string, string>): Ask[] {
  const ask =
    (path: string, isRight: (body: Record<string, unknown>) => boolean, headers: Record<string, string> = {}) =>
    async () => {
      const { status, body } = await balancer.get(path, headers);
      if (status !== 200) throw new Error(`${path}: ${status} ${body.slice(0, 200)}`);
      return isRight(JSON.parse(body)) ? null : `${path}: ${body.slice(0, 200)}`;
    };
  const findsSteady = ({ total }: Record<string, unknown>) => total === steady.count;
  const often = [
    ask('/api/v1/search?country=IS', findsSteady),
    ask('/api/v1/search?q=steady&country=IS', (body) => findsSteady(body) && !body.masked, keyed),
    ask('/api/v1/search?q=steady&country=IS&page=7', findsSteady),
    ask('/api/v1/facets?country=IS', findsSteady),
    ask('/api/v1/records/steady-7', ({ name }) => name === 'Steady Gazette 7'),
    ask('/api/v1/me', ({ plan }) => plan === 'premium', keyed),
  ];
  /** A client repeats a broken export. So an export that is not complete must break, and not seem to end normally. */
  const exportAll: Ask = async () => {
    const answer = await balancer.get('/api/v1/export?country=IS', keyed).catch(() => null);
    // The heading and a line for each record.
    const lines = answer?.status === 200 ? answer.body.split('\r\n').length - 2 : steady.count;
    return lines === steady.count ? null : `an export of ${lines} rows`;
  };
  return [...often, ...often, ...often, exportAll];
}

/** A process of the service, which can be killed, paused or stopped, and started again on the same port. */
async function startPart(given: Record<string, string>): Promise<Part & { url: string }> {
  const settings = { ...given, PORT: String(await findFreePort()) };
  let service: ServiceProcess = await startService(settings);
  const signal = (name: NodeJS.Signals) => service.process.kill(name);
  const end = async (name: NodeJS.Signals) => {
    signal(name);
    await service.ended;
  };
  return {
    url: service.url,
    kill: () => end('SIGKILL'),
    shutDown: () => end('SIGTERM'),
    pause: async () => void signal('SIGSTOP'),
    resume: async () => void signal('SIGCONT'),
    async start() {
      service = await startService(settings);
    },
  };
}

/** Imports the same records again and again, each time with other values. An import may fail while a part is down. */
async function importOnce(folder: string, settings: Record<string, string>): Promise<void> {
  const path = join(folder, 'import.ndjson');
  const lines = Array.from({ length: 500 }, (_, place) =>
    JSON.stringify({ id: `imported-${place}`, kind: 'newsletter', name: `Imported ${place} at ${Date.now()}` }),
  );
  writeFileSync(path, `${lines.join('\n')}\n`);
  await startIndexer(['import', path], settings).ended;
}

/** Waits until every copy of the index and every member of the replica set is back: a drill must break only one part. */
async function untilWhole({ engine, client }: Production): Promise<void> {
  const isIndexWhole = async () => (await engine.cluster.health()).status === 'green';
  const isSetWhole = async () => {
    const { members } = await client.db('admin').command({ replSetGetStatus: 1 });
    return members.every(({ stateStr }: { stateStr: string }) => ['PRIMARY', 'SECONDARY'].includes(stateStr));
  };
  for (const isWhole of [isIndexWhole, isSetWhole]) while (!(await isWhole().catch(() => false))) await pause(200);
}
