import { setTimeout as pause } from 'node:timers/promises';
import { Client } from '@elastic/elasticsearch';
import { Pool } from 'undici';
import { issueKey } from '../../src/accounts/issue-key.ts';
import type { Engine, EngineKind } from '../../testing/engines/engine.ts';
import { madeRecord } from '../../testing/made-record.ts';
import { openProduction, type Production } from '../../testing/open-production.ts';
import { type ServiceProcess, startService } from '../../testing/run-service.ts';
import { type Answer, type Question, startAsking } from './asking.ts';

/** Requests at the same time. */
const askers = 16;
/** Connections to an engine besides those of requests: the monitors of the service and of this trial. */
const watchers = 12;
const records = 50;
/**
 * How soon a request must be answered, whatever the engines do, and how soon everything works again once they are back.
 */
const promisedMs = { answer: 2_000, recovery: 5_000 } as const;

const questions: readonly Question[] = [
  {
    path: '/api/v1/search?q=alpha',
    isKeyed: false,
    needs: ['elasticsearch'],
    isRight: ({ total, masked }) => total === records && masked === true,
  },
  {
    path: '/api/v1/search?q=alpha&kind=outlet',
    isKeyed: true,
    needs: ['elasticsearch', 'mongodb'],
    isRight: ({ total, masked }) => total === records && masked === false,
  },
  { path: '/api/v1/facets', isKeyed: false, needs: ['elasticsearch'], isRight: ({ total }) => total === records },
  {
    path: '/api/v1/records/outlet-7',
    isKeyed: false,
    needs: ['elasticsearch'],
    isRight: ({ name }) => name === 'Alpha Post 7',
  },
  { path: '/api/v1/me', isKeyed: true, needs: ['mongodb'], isRight: ({ plan }) => plan === 'pro' },
];
const codes: Record<EngineKind, string> = { elasticsearch: 'search_unavailable', mongodb: 'store_unavailable' };

export type OutageKind = 'killed' | 'hung';

/** The result of an outage. */
export interface OutageReport {
  answers: number;
  refused: number;
  /**
   * What no machine, however busy, excuses: a wrong answer, or a refusal because of an engine that the request does not
   * need.
   */
  wrong: string[];
  /** Promises of time that were broken, which a busy machine breaks too. */
  late: string[];
  slowestMs: number;
  /** From the engine's return to the last refusal. */
  recoveryMs: number;
}

/** The service as a separate process on engines that can be broken. */
export interface OutageTrial {
  /** Lets an engine go away under load and come back; resolves once every question is answered again. */
  breakEngine(engine: EngineKind, how: OutageKind): Promise<OutageReport>;
  close(): Promise<void>;
}

/** Fills both engines and starts the service on them. */
export async function openOutageTrial(engines: Record<EngineKind, Engine>): Promise<OutageTrial> {
  const production = await openProduction({ mongodb: engines.mongodb.url, elasticsearch: engines.elasticsearch.url });
  await production.records.merge(
    Array.from({ length: records }, (_, place) =>
      madeRecord({ id: `outlet-${place}`, name: `Alpha Post ${place}`, email: `desk@outlet-${place}.example` }),
    ),
  );
  await production.reindex();
  const pepper = production.settings.KEY_PEPPER ?? '';
  const grant = { tier: 'pro', days: 30, email: null } as const;
  const { key } = await issueKey({ ...production, operator: 'trial' }, pepper, grant, new Date());
  const service = await startService({
    ...production.settings,
    RATE_LIMIT_ANONYMOUS: '1000000',
    RATE_LIMIT_PRO: '1000000',
  });
  const pool = new Pool(service.url, { connections: askers });
  return {
    breakEngine: (engine, how) => breakEngine({ engines, production, service, pool, key }, engine, how),
    async close() {
      await pool.close();
      service.process.kill('SIGTERM');
      const exit = await service.ended;
      await production.close();
      if (exit !== 0) throw new Error(`the service ended with ${exit}`);
    },
  };
}

interface Running {
  engines: Record<EngineKind, Engine>;
  production: Production;
  service: ServiceProcess;
  pool: Pool;
  key: string;
}

async function breakEngine(running: Running, kind: EngineKind, how: OutageKind): Promise<OutageReport> {
  const { engines, service, pool, key } = running;
  const engine = engines[kind];
  const asking = startAsking({ pool, key, questions, askers });
  const { answers } = asking;
  const since = (start: number) => answers.slice(start);
  /** Whether each of these queries was answered correctly this often since then. */
  const areServed = (start: number, served: readonly Question[], times: number) =>
    served.every(
      (question) =>
        since(start).filter((answer) => answer.question === question && answer.status === 200).length >= times,
    );
  try {
    await until(() => areServed(0, questions, 40));
    const brokenFrom = answers.length;
    await (how === 'killed' ? engine.kill() : engine.pause());
    const independent = questions.filter(({ needs }) => !needs.includes(kind));
    await until(() => since(brokenFrom).filter(({ code }) => code === codes[kind]).length > 100);
    await until(() => areServed(brokenFrom, independent, 20));
    await until(async () => (await readiness(pool)) === 503);
    const brokenUpTo = answers.length;
    await (how === 'killed' ? engine.start() : engine.resume());
    const backAt = performance.now();
    await until(() => areServed(brokenUpTo, questions, 80));
    await until(async () => (await readiness(pool)) === 200);
    await until(async () => (await countConnections(kind, running)) <= askers + watchers);
    await asking.stop();
    if (service.process.exitCode !== null) throw new Error('the service ended');

    const slowestMs = Math.max(...answers.map(({ ms }) => ms));
    const refused = answers.filter(({ status }) => status !== 200);
    const lastRefusal = Math.max(backAt, ...refused.map(({ startedAt }) => startedAt));
    const recoveryMs = lastRefusal - backAt;
    const late: string[] = [];
    if (slowestMs > promisedMs.answer) late.push(`an answer took ${slowestMs.toFixed(0)} ms`);
    if (recoveryMs > promisedMs.recovery) late.push(`a refusal came ${recoveryMs.toFixed(0)} ms after the return`);
    for (const [place, { question, status, code }] of answers.entries()) {
      const isOfOutage = place >= brokenFrom && question.needs.includes(kind);
      if (status !== 200 && !isOfOutage) late.push(`${question.path} was refused by ${code}`);
    }
    return {
      answers: answers.length,
      refused: refused.length,
      wrong: answers.flatMap((answer) => (isAllowed(answer) ? [] : [describe(answer)])),
      late,
      slowestMs,
      recoveryMs,
    };
  } finally {
    // Where all went well it has ended by now.
    asking.stop().catch(() => {});
  }
}

/** A right answer, or 503 with the code of an engine that the question needs, and when to ask again. */
function isAllowed({ question, status, isRight, code, retryAfter }: Answer): boolean {
  if (status === 200) return isRight;
  return status === 503 && question.needs.some((engine) => codes[engine] === code) && /^\d+$/.test(retryAfter ?? '');
}

function describe({ question, status, code, retryAfter }: Answer): string {
  return `${question.path} gave ${status} ${code ?? 'with another body'}, Retry-After ${retryAfter}`;
}

async function readiness(pool: Pool): Promise<number> {
  const { statusCode, body } = await pool.request({ method: 'GET', path: '/readyz' });
  await body.dump();
  return statusCode;
}

async function countConnections(kind: EngineKind, { production, engines }: Running): Promise<number> {
  if (kind === 'mongodb') {
    const { connections } = await production.client.db('admin').command({ serverStatus: 1 });
    return connections.current;
  }
  const client = new Client({ node: engines.elasticsearch.url });
  const { nodes } = await client.nodes.stats({ metric: 'http' });
  await client.close();
  return Math.max(...Object.values(nodes).map(({ http }) => http?.current_open ?? 0));
}

/** Polls until the answer is yes; the trial's timeout ends it otherwise. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(10);
}
