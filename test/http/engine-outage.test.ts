import { setTimeout as wait } from 'node:timers/promises';
import { Client } from '@elastic/elasticsearch';
import { Pool } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '#test/engines/engine.ts';
import { startOwnEngine } from '#test/engines/own-engine.ts';
import { madeRecord } from '#test/made-record.ts';
import { type ServiceProcess, startService } from '#test/run-service.ts';
import { openProduction, type Production } from '#test/upkeep/open-production.ts';
import { issueKey } from '#usecases/issue-key.ts';

const [mongodb, elasticsearch] = await Promise.all([startOwnEngine('mongodb'), startOwnEngine('elasticsearch')]);

/** Requests at the same time. */
const askers = 16;
/** Connections to MongoDB beside those of requests: what watches it, of the service and of this test. */
const watchers = 12;
const records = 50;

/** An answer under load. */
interface Heard {
  path: string;
  status: number;
  code: string | null;
  retryAfter: string | undefined;
  /** Of a 200: whether it says what it has to. */
  isRight: boolean;
  startedAt: number;
  ms: number;
}

const questions: readonly { path: string; keyed: boolean; isRight: (body: Record<string, unknown>) => boolean }[] = [
  {
    path: '/api/v1/search?q=alpha',
    keyed: false,
    isRight: ({ total, masked }) => total === records && masked === true,
  },
  {
    path: '/api/v1/search?q=alpha&kind=outlet',
    keyed: true,
    isRight: ({ total, masked }) => total === records && !masked,
  },
  { path: '/api/v1/facets', keyed: false, isRight: ({ total }) => total === records },
  { path: '/api/v1/records/outlet-7', keyed: false, isRight: ({ name }) => name === 'Alpha Post 7' },
  { path: '/api/v1/me', keyed: true, isRight: ({ plan }) => plan === 'pro' },
];

describe.skipIf(mongodb === null || elasticsearch === null)('under load, with an engine that is killed', () => {
  const engines = { mongodb: mongodb as Engine, elasticsearch: elasticsearch as Engine };
  let production: Production;
  let service: ServiceProcess;
  let pool: Pool;
  let key: string;

  beforeAll(async () => {
    production = await openProduction({ mongodb: engines.mongodb.url, elasticsearch: engines.elasticsearch.url });
    await production.records.merge(
      Array.from({ length: records }, (_, place) =>
        madeRecord({ id: `outlet-${place}`, name: `Alpha Post ${place}`, email: `desk@outlet-${place}.example` }),
      ),
    );
    await production.reindex();
    const pepper = production.settings.KEY_PEPPER ?? '';
    const grant = { tier: 'pro', days: 30, email: null } as const;
    ({ key } = await issueKey({ ...production, operator: 'test' }, pepper, grant, new Date()));
    service = await startService({
      ...production.settings,
      RATE_LIMIT_ANONYMOUS: '1000000',
      RATE_LIMIT_PRO: '1000000',
    });
    pool = new Pool(service.url, { connections: askers });
  });
  afterAll(async () => {
    await pool.close();
    service.process.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    await production.close();
    await Promise.all([engines.mongodb.stop(), engines.elasticsearch.stop()]);
  });

  async function ask(turn: number): Promise<Heard> {
    const { path, keyed, isRight } = questions[turn % questions.length] as (typeof questions)[number];
    const startedAt = Date.now();
    const { statusCode, headers, body } = await pool.request({
      method: 'GET',
      path,
      headers: keyed ? { authorization: `Bearer ${key}` } : {},
    });
    const answer = (await body.json()) as Record<string, unknown>;
    return {
      path,
      status: statusCode,
      code: statusCode === 200 ? null : String(answer.code),
      retryAfter: headers['retry-after']?.toString(),
      isRight: statusCode !== 200 || isRight(answer),
      startedAt,
      ms: Date.now() - startedAt,
    };
  }

  /** Asks all questions in turn, many at a time; a request that is not answered rejects `stop`. */
  function startLoad() {
    const heard: Heard[] = [];
    let isRunning = true;
    let turn = 0;
    const work = async () => {
      while (isRunning) {
        turn += 1;
        heard.push(await ask(turn));
        await wait(20);
      }
    };
    const running = Promise.all(Array.from({ length: askers }, work));
    return {
      heard,
      async stop() {
        isRunning = false;
        await running;
      },
    };
  }

  it.each([
    { killed: 'elasticsearch', code: 'search_unavailable', serves: ['/api/v1/me'] },
    {
      killed: 'mongodb',
      code: 'store_unavailable',
      serves: ['/api/v1/search?q=alpha', '/api/v1/facets', '/api/v1/records/outlet-7'],
    },
  ] as const)(
    'answers rightly or by $code within 2 s while $killed is away, and wholly within 5 s of its return',
    { timeout: 240_000 },
    async ({ killed, code, serves }) => {
      const load = startLoad();
      const { heard } = load;
      await until(() => heard.length > 200);
      expect(heard.filter(({ status }) => status !== 200)).toEqual([]);

      await engines[killed].kill();
      await until(() => heard.filter(({ status }) => status !== 200).length > 100);
      expect(await readiness()).toBe(503);
      await engines[killed].start();
      const backAt = Date.now();
      await until(() => Date.now() > backAt + 5_000);
      const settledAt = heard.length;
      await until(() => heard.length > settledAt + 400);
      await load.stop();

      expect(heard.filter(({ isRight }) => !isRight)).toEqual([]);
      const refused = heard.filter(({ status }) => status !== 200);
      for (const answer of refused) {
        expect(answer).toMatchObject({ status: 503, code, retryAfter: expect.stringMatching(/^\d+$/) });
      }
      expect(refused.filter(({ path }) => serves.some((served) => served === path))).toEqual([]);
      expect(Math.max(...heard.map(({ ms }) => ms))).toBeLessThan(2_000);
      expect(refused.filter(({ startedAt }) => startedAt > backAt + 5_000)).toEqual([]);
      expect(await readiness()).toBe(200);

      expect(service.process.exitCode).toBeNull();
      expect(await mongoConnections()).toBeLessThanOrEqual(askers + watchers);
      expect(await elasticsearchConnections()).toBeLessThanOrEqual(askers + watchers);
    },
  );

  async function readiness(): Promise<number> {
    const { statusCode, body } = await pool.request({ method: 'GET', path: '/readyz' });
    await body.dump();
    return statusCode;
  }

  async function mongoConnections(): Promise<number> {
    const { connections } = await production.client.db('admin').command({ serverStatus: 1 });
    return connections.current;
  }

  async function elasticsearchConnections(): Promise<number> {
    const client = new Client({ node: engines.elasticsearch.url });
    const { nodes } = await client.nodes.stats({ metric: 'http' });
    await client.close();
    return Math.max(...Object.values(nodes).map(({ http }) => http?.current_open ?? 0));
  }
});

/** Asks until the answer is yes; the test's time limit ends it otherwise. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await wait(10);
}
