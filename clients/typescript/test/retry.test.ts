import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type RunningService, runService } from '../../../test/http/run-service.ts';
import { unlimited } from '../../../test/http/test-service.ts';
import { openEmbeddedForTest, type TestBackend } from '../../../test/support/backends.ts';
import { findFreePort } from '../../../test/support/engines/probe-engine.ts';
import { madeRecord } from '../../../test/support/made-record.ts';
import { createMasthead, type MastheadOptions } from '../src/index.ts';
import { collect, failureOf } from './outcomes.ts';

describe('retries of the TypeScript client', () => {
  let backend: TestBackend;
  let service: RunningService;
  let key: string;

  beforeAll(async () => {
    backend = await openEmbeddedForTest();
    await backend.load([madeRecord({ id: 'times', name: 'The Times' })]);
  });
  afterAll(() => backend.close());
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T12:00:00Z') });
    service = await runService(backend, { rateLimits: { ...unlimited, pro: 1 }, now: () => new Date() });
    key = await service.issueKey('pro');
  });
  afterEach(async () => {
    vi.useRealTimers();
    await service.close();
  });

  /** A client whose waits take no time but move the clock, and what it did. */
  function watch(given: Partial<MastheadOptions> = {}) {
    const seen = { requests: 0, waits: [] as number[] };
    const masthead = createMasthead({
      baseUrl: service.url,
      apiKey: key,
      fetch: (...args) => {
        seen.requests += 1;
        return fetch(...args);
      },
      async wait(milliseconds) {
        seen.waits.push(milliseconds);
        vi.setSystemTime(Date.now() + milliseconds);
      },
      ...given,
    });
    return { masthead, seen };
  }

  it('waits as long as a 429 says, then sends the request again', async () => {
    const { masthead, seen } = watch();
    await masthead.readAccount();
    vi.setSystemTime(new Date('2026-11-21T12:00:18Z'));
    expect((await masthead.search({ q: 'times' })).total).toBe(1);
    expect(seen).toEqual({ requests: 3, waits: [42_000] });
  });

  it('repeats a lookup, which changes nothing', async () => {
    const { masthead, seen } = watch();
    await masthead.readAccount();
    expect(await collect(masthead.lookUp({ ids: ['times'], fields: ['name'] }))).toHaveLength(1);
    expect(seen.requests).toBe(3);
  });

  it('never repeats a POST without an Idempotency-Key', async () => {
    const { masthead, seen } = watch();
    await masthead.readAccount();
    expect(await failureOf(masthead.rotateKey())).toMatchObject({ code: 'rate_limited', status: 429, retryAfter: 60 });
    expect(seen).toEqual({ requests: 2, waits: [] });
  });

  it('gives up after so many retries, or at once if the wait is too long', async () => {
    const given = { async wait() {} };
    const stubborn = watch({ ...given, retries: 2 });
    await stubborn.masthead.readAccount();
    expect(await failureOf(stubborn.masthead.listPlans())).toMatchObject({ code: 'rate_limited' });
    expect(stubborn.seen.requests).toBe(4);
    const hurried = watch({ ...given, maxWait: 10 });
    expect(await failureOf(hurried.masthead.search())).toMatchObject({ code: 'rate_limited', retryAfter: 60 });
    expect(hurried.seen.requests).toBe(1);
  });

  it('stops waiting when the caller ends the call', async () => {
    const ending = new AbortController();
    const masthead = createMasthead({ baseUrl: service.url, apiKey: key });
    await masthead.readAccount();
    const waiting = masthead.search({}, { signal: ending.signal });
    ending.abort();
    expect(await failureOf(waiting)).toMatchObject({ name: 'AbortError' });
  });

  it('tries again when the connection fails, and says that it failed if it does not come back', async () => {
    const nowhere = `http://127.0.0.1:${await findFreePort()}`;
    let failures = 2;
    const { masthead, seen } = watch({
      fetch: (...args) => {
        failures -= 1;
        return failures >= 0 ? fetch(nowhere) : fetch(...args);
      },
    });
    // No search, which a busy machine may refuse as the service does.
    expect(await masthead.listPlans()).toHaveLength(2);
    expect(seen.waits).toHaveLength(2);
    const { masthead: lost } = watch({ baseUrl: nowhere });
    expect(await failureOf(lost.listPlans())).toMatchObject({ code: 'connection_failed', status: null });
  });

  it('does not read an order again after a broken connection, because the lost answer may have had its key', async () => {
    const { masthead, seen } = watch({ baseUrl: `http://127.0.0.1:${await findFreePort()}` });
    expect(await failureOf(masthead.readOrder('ord_1', 'token'))).toMatchObject({ code: 'connection_failed' });
    expect(seen.requests).toBe(1);
  });
});

describe('the TypeScript client during an outage', () => {
  it('waits as long as a 503 says, and goes on when the engine is back', async () => {
    const backend = await openEmbeddedForTest();
    if (!('dataDir' in backend.stored)) throw new Error('the backend is not embedded');
    const service = await runService(backend);
    const database = new DatabaseSync(`${backend.stored.dataDir}/masthead.db`);
    const waits: number[] = [];
    try {
      await backend.load([madeRecord({ id: 'times' })]);
      database.exec('ALTER TABLE records RENAME TO lost_records');
      const masthead = createMasthead({
        baseUrl: service.url,
        async wait(milliseconds) {
          waits.push(milliseconds);
          database.exec('ALTER TABLE lost_records RENAME TO records');
        },
      });
      expect((await masthead.findRecord('times')).id).toBe('times');
      expect(waits).toEqual([1_000]);
    } finally {
      database.close();
      await service.close();
      await backend.close();
    }
  });
});
