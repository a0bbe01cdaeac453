import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type BreakableProxy, startBreakableProxy } from '#testing/engines/breakable-proxy.ts';
import type { EngineKind } from '#testing/engines/engine.ts';
import { engines } from '#testing/engines.ts';
import { eventually } from '#testing/eventually.ts';
import { openProduction, type Production } from '#testing/open-production.ts';
import { media } from './media.ts';
import { createService, type TestService } from './test-service.ts';

const { mongodb, elasticsearch } = engines;

/** What callers ask, and the engines that it needs. */
const questions = [
  { path: '/api/v1/search?q=harbour', isKeyed: false, needs: ['elasticsearch'] },
  { path: '/api/v1/facets', isKeyed: false, needs: ['elasticsearch'] },
  { path: '/api/v1/records/times', isKeyed: false, needs: ['elasticsearch'] },
  { path: '/api/v1/me', isKeyed: true, needs: ['mongodb'] },
  { path: '/api/v1/plans', isKeyed: false, needs: [] },
  { path: '/healthz', isKeyed: false, needs: [] },
] as const;
const codes = { elasticsearch: 'search_unavailable', mongodb: 'store_unavailable' } as const;

/* The engines are cut off and hang; `npm run trials` kills and halts real ones under load. */
describe.skipIf(!mongodb || !elasticsearch)('the service without one of its engines', () => {
  let proxies: Record<EngineKind, BreakableProxy>;
  let production: Production;
  let service: TestService;

  beforeAll(async () => {
    proxies = {
      mongodb: await startBreakableProxy(mongodb ?? ''),
      elasticsearch: await startBreakableProxy(elasticsearch ?? ''),
    };
    production = await openProduction({ mongodb: proxies.mongodb.url, elasticsearch: proxies.elasticsearch.url }, {});
    await production.records.merge(media);
    await production.reindex();
    service = createService(production, {
      sharedCounter: production.openRequestCounter?.() ?? null,
    });
  });
  afterEach(() => Promise.all([proxies.mongodb.mend(), proxies.elasticsearch.mend()]));
  afterAll(async () => {
    await production.close();
    await Promise.all([proxies.mongodb.close(), proxies.elasticsearch.close()]);
  });

  const ask = ({ path, isKeyed }: (typeof questions)[number], key: string) =>
    service.get(path, isKeyed ? key : undefined);

  it.each([
    ['elasticsearch', 'cut', 'search index'],
    ['elasticsearch', 'hang', 'search index'],
    ['mongodb', 'cut', 'key store'],
    ['mongodb', 'hang', 'key store'],
  ] as const)(
    '%s (%s): 503 where it is needed, everything else works, and everything works once it is back',
    async (engine, way, part) => {
      // A key that was just used is remembered for a moment, without asking the store.
      const [used, fresh] = [await service.issueKey('pro'), await service.issueKey('pro')];
      for (const question of questions) expect((await ask(question, used)).status, question.path).toBe(200);
      await proxies[engine][way]();
      for (const question of questions) {
        const { status, body, headers } = await ask(question, fresh);
        const isNeeded = question.needs.some((needed) => needed === engine);
        expect([status, body.code], question.path).toEqual(isNeeded ? [503, codes[engine]] : [200, undefined]);
        if (isNeeded) expect(headers['retry-after']).toMatch(/^\d+$/);
      }
      const readiness = await service.get('/readyz');
      expect([readiness.status, readiness.body.missing]).toEqual([503, expect.arrayContaining([part])]);
      await proxies[engine].mend();
      for (const question of questions) {
        await eventually(async () => expect((await ask(question, fresh)).status, question.path).toBe(200));
      }
      await eventually(async () => expect((await service.get('/readyz')).status).toBe(200));
    },
  );
});
